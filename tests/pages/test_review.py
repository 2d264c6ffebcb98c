"""The review page without a browser: which queue a link asks for, and what it says."""

from __future__ import annotations

import json

import numpy as np
import pytest
import scipy.stats
from streamlit.testing.v1 import AppTest

from curation.store import open_store
from tests import small_set


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return small_set.write_texts(
        tmp_path_factory.mktemp("review") / "set", 90, 30, rng=np.random.default_rng(5)
    )


def open_page(folder, **parameters):
    test = AppTest.from_file("../../app.py", default_timeout=60)
    test.switch_page("pages/3_Review.py")
    test.query_params["data"] = str(folder)
    for name, value in parameters.items():
        test.query_params[name] = value
    test.run()
    while not test.get("bidi_component") and test.get("progress"):
        test.run()
    assert not test.exception
    return test


def sent_to_browser(test):
    return json.loads(test.get("bidi_component")[0].proto.json)


def test_the_first_of_all_issues_is_shown_with_what_comes_next(folder):
    data = sent_to_browser(open_page(folder))
    assert data["counts"]["all"] == 30
    assert data["steps"][0][:2] == [data["start"], 0]
    item = data["items"][data["start"]]
    assert item["why"].startswith("The model gives dog 0.9")
    assert item["content"]["text"].startswith("Example ")
    assert data["names"] == ["cat", "dog", "eel"]


@pytest.mark.parametrize("said", ["cat", "0"])
def test_a_link_names_classes_by_name_or_index(folder, said):
    assert sent_to_browser(open_page(folder, given=said, true="dog"))["counts"]["all"] == 30
    assert sent_to_browser(open_page(folder, given="eel"))["counts"]["all"] == 0


def test_a_link_to_a_class_that_is_not_here_says_so(folder):
    assert "not here" in open_page(folder, given="unicorn").info[0].value


def test_a_link_to_one_example_shows_it_first_wherever_it_stands(folder):
    data = sent_to_browser(open_page(folder, id="t00077"))
    assert data["start"] == "t00077"
    assert data["counts"]["all"] == 31
    assert "no method flags it" in data["items"]["t00077"]["why"]


def test_a_search_in_the_link_narrows_the_queue(folder):
    test = open_page(folder, search="SHOP 1")
    assert sent_to_browser(test)["counts"]["all"] == len(range(1, 30, 4))
    assert "“SHOP 1”" in sent_to_browser(test)["title"]


def test_the_grid_shows_small_ones_a_page_at_a_time(folder):
    data = sent_to_browser(open_page(folder, view="grid"))
    assert (len(data["tiles"]), data["total"], data["pages"]) == (24, 30, 2)


def test_the_undecided_come_first_and_another_status_lists_its_own(folder):
    test = open_page(folder)
    first = sent_to_browser(test)["start"]
    with open_store(load(folder)) as store:
        store.decide(first, "skip", curator="ben")
    assert sent_to_browser(open_page(folder))["start"] != first
    skipped = sent_to_browser(open_page(folder, status="skipped"))
    assert [step[0] for step in skipped["steps"]] == [first]
    assert skipped["standing"][first]["others"][0]["curator"] == "ben"


def load(folder):
    import curation

    return curation.load(folder)


def test_after_ten_settled_the_next_ones_are_foretold(tmp_path):
    folder = small_set.write_texts(tmp_path / "set", 90, 30, rng=np.random.default_rng(5))
    assert sent_to_browser(open_page(folder))["forecast"] is None
    queue = [step[0] for step in sent_to_browser(open_page(folder, status="all"))["steps"]]
    with open_store(load(folder)) as store:
        store.decide_many(
            [{"example_id": each, "action": "keep"} for each in queue[:9]]
            + [{"example_id": queue[9], "action": "exclude"}],
            curator="ana",
        )
    found = sent_to_browser(open_page(folder))["forecast"]
    # 1 of 10 real: 20 x 1.5 / 11 = 2.7 are expected; the interval is the beta-binomial's.
    low, high = scipy.stats.betabinom(20, 1.5, 9.5).ppf([0.025, 0.975])
    assert found["words"] == f"about 3 of the next 20 are real ({low:.0f} to {high:.0f})"
    assert found["why"].startswith("Of the last 10 settled in this list 1 was real")


def test_probabilities_in_the_label_table_are_shown_as_bars_alone(tmp_path):
    path = tmp_path / "mine.csv"
    rows = [("cat", 0.9), ("dog", 0.2)] * 20 + [("cat", 0.01), ("cat", 0.02)]
    lines = [f"{label},{p},{1 - p:.2f},shop\n" for label, p in rows]
    path.write_text("label,p_cat,p_dog,source\n" + "".join(lines))
    data = sent_to_browser(open_page(path))
    assert data["items"][data["start"]]["extras"] == [["source", "shop"]]
