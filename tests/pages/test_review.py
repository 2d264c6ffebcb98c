"""The review page without a browser: which queue a link asks for, and what it says."""

from __future__ import annotations

import json
from urllib.parse import parse_qsl, urlsplit

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


def test_a_link_to_an_unknown_class_says_so(folder):
    told = open_page(folder, given="unicorn").info[0].value
    assert told == "The link names a class that this dataset does not have: unicorn."


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


@pytest.mark.parametrize(("said", "page"), [("2", 1), ("9", 1), ("0", 0), ("-1", 0), ("x", 0)])
def test_a_page_of_the_grid_in_the_link_is_opened_if_there_is_one(folder, said, page):
    assert sent_to_browser(open_page(folder, view="grid", page=said))["page"] == page


def test_another_list_begins_at_its_first_page(folder):
    test = open_page(folder, view="grid", page="2")
    test.selectbox(key="widget.status").select("all").run()
    assert sent_to_browser(test)["page"] == 0
    assert "page" not in test.query_params


def test_curators_are_compared_and_each_example_they_differ_on_has_a_link(tmp_path):
    folder = small_set.write_texts(tmp_path / "set", 90, 30, rng=np.random.default_rng(5))
    with open_store(load(folder)) as store:
        for curator, action in (("ana", "keep"), ("ben & co", "exclude")):
            store.decide("t00003", action, curator=curator)
    test = open_page(folder, queue="everyone", curator="ben & co", curators="on")
    assert test.toggle(key="widget.curators").value
    assert r"ana and ben \& co agree on 0 of 1 example," in test.main.caption[-2].value
    assert "your answer there settles it for everybody" in test.main.caption[-1].value
    assert "They differ on 1 example**" in test.main.markdown[-1].value
    who, differ = (each.value for each in test.dataframe)
    assert who[["curator", "decided"]].to_numpy().tolist() == [["ana", 1], ["ben & co", 1]]
    assert differ["  "].tolist() == ["t00003"]
    link = dict(parse_qsl(urlsplit(differ[" "][0]).query))
    assert link["id"] == "t00003" and not {"queue", "curator"} & link.keys()
    shown = sent_to_browser(open_page(**({"folder": link.pop("data")} | link)))
    assert shown["start"] == "t00003" and shown["standing"]["t00003"]["disputed"]
    blind = sent_to_browser(open_page(folder, queue="everyone", id="t00003", status="all"))
    assert not blind["standing"]["t00003"]["disputed"]
    test.toggle(key="widget.curators").set_value(False).run()
    assert not test.dataframe and "curators" not in test.query_params


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
