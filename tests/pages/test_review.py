"""The review page without a browser: which queue a link asks for, and what it says."""

from __future__ import annotations

from urllib.parse import parse_qsl, urlsplit

import numpy as np
import pytest
import scipy.stats

import curation
from curation.roles import Actor, Role
from curation.store import open_store, sqlite
from curation.store.backup import back_up, restore
from curation.ui.server import tickets
from curation.ui.shell import visitor
from tests import small_set
from tests.pages import visiting
from tests.pages.review_visits import open_page, sent_to_browser


def test_the_first_of_all_issues_is_shown_with_what_comes_next(flagged_texts):
    data = sent_to_browser(open_page(flagged_texts))
    assert data["counts"]["all"] == 30
    assert data["steps"][0][:2] == [data["start"], 0]
    item = data["items"][data["start"]]
    assert item["why"].startswith("The model gives dog 0.9")
    assert item["content"]["text"].startswith("Example ")
    assert data["names"] == ["cat", "dog", "eel"]


@pytest.mark.parametrize("said", ["cat", "0"])
def test_a_link_names_classes_by_name_or_index(flagged_texts, said):
    assert sent_to_browser(open_page(flagged_texts, given=said, true="dog"))["counts"]["all"] == 30
    assert sent_to_browser(open_page(flagged_texts, given="eel"))["counts"]["all"] == 0


def test_a_link_to_an_unknown_class_says_so(flagged_texts):
    told = open_page(flagged_texts, given="unicorn").info[0].value
    assert told == "The link names a class that this dataset does not have: unicorn."


def test_a_link_to_any_example_opens_it_flagged_or_not(flagged_texts):
    data = sent_to_browser(open_page(flagged_texts, at="t00077"))
    assert data["start"] == "t00077"
    assert data["counts"]["all"] == 30 and data["steps"][0] == ["t00077", -1, False]
    assert "no method flags it" in data["items"]["t00077"]["why"]


def test_the_grid_shows_small_ones_a_page_at_a_time(flagged_texts):
    data = sent_to_browser(open_page(flagged_texts, size="24", view="grid"))
    assert (len(data["tiles"]), data["total"], data["pages"]) == (24, 30, 2)


@pytest.mark.parametrize(("said", "page"), [("2", 1), ("9", 1), ("0", 0), ("-1", 0), ("x", 0)])
def test_a_page_of_the_grid_in_the_link_is_opened_if_there_is_one(flagged_texts, said, page):
    assert (
        sent_to_browser(open_page(flagged_texts, size="24", view="grid", page=said))["page"] == page
    )


def test_another_list_begins_at_its_first_page(flagged_texts):
    test = open_page(flagged_texts, size="24", view="grid", page="2")
    test.selectbox(key="filter.status").select("all").run()
    assert sent_to_browser(test)["page"] == 0
    assert "page" not in test.query_params


def test_curators_are_compared_and_each_example_they_differ_on_has_a_link(tmp_path):
    folder = small_set.write_texts(tmp_path / "set", 90, 30, rng=np.random.default_rng(5))
    with open_store(curation.load(folder)) as store:
        for curator, action in (("ana", "keep"), ("ben & co", "exclude")):
            store.decide("t00003", action, curator=curator)
    test = open_page(folder, queue="everyone", curator="ben & co", curators="on")
    assert test.toggle(key="widget.curators").value
    agreed = r"ana and ben \& co agree on 0 of 1 example that both decided,"
    assert agreed in test.main.caption[-2].value
    assert "your answer there settles it for everybody" in test.main.caption[-1].value
    assert "They differ on 1 example**" in test.main.markdown[-1].value
    who, differ = (each.value for each in test.dataframe)
    assert who[["curator", "decided"]].to_numpy().tolist() == [["ana", 1], ["ben & co", 1]]
    assert differ["  "].tolist() == ["t00003"]
    link = dict(parse_qsl(urlsplit(differ[" "][0]).query))
    assert link["at"] == "t00003" and not {"queue", "curator"} & link.keys()
    shown = sent_to_browser(open_page(**({"folder": link.pop("data")} | link)))
    assert shown["start"] == "t00003" and shown["standing"]["t00003"]["disputed"]
    blind = sent_to_browser(open_page(folder, queue="everyone", at="t00003", status="all"))
    assert not blind["standing"]["t00003"]["disputed"]
    test.toggle(key="widget.curators").set_value(False).run()
    assert not test.dataframe and "curators" not in test.query_params


def test_after_ten_decided_there_is_a_forecast(tmp_path):
    folder = small_set.write_texts(tmp_path / "set", 90, 30, rng=np.random.default_rng(5))
    assert sent_to_browser(open_page(folder))["forecast"] is None
    queue = [step[0] for step in sent_to_browser(open_page(folder, status="all"))["steps"]]
    with open_store(curation.load(folder)) as store:
        store.decide_many(
            [{"example_id": each, "action": "keep"} for each in queue[:9]]
            + [{"example_id": queue[9], "action": "exclude"}],
            curator="ana",
        )
    found = sent_to_browser(open_page(folder))["forecast"]
    # 1 of 10 real: 20 x 1.5 / 11 = 2.7 are expected; the interval is the beta-binomial's.
    low, high = scipy.stats.betabinom(20, 1.5, 9.5).ppf([0.025, 0.975])
    assert found["words"] == f"Forecast: about 3 of the next 20 are real ({low:.0f} to {high:.0f})"
    assert found["why"].startswith("Of the last 10 labels in this list that are known to")


def test_flags_are_called_real_by_the_rule_of_the_quality_page_and_only_flags(tmp_path):
    folder = small_set.write_texts(tmp_path / "set", 90, 30, rng=np.random.default_rng(5))
    queue = [step[0] for step in sent_to_browser(open_page(folder, status="all"))["steps"]]
    with open_store(curation.load(folder)) as store:
        for each, action in zip(queue, ("keep", "exclude", "exclude", "skip"), strict=False):
            store.decide(each, action, curator="ana")
        store.decide(queue[4], "ambiguous", labels=["cat", "dog"], curator="ana")
        store.decide(queue[0], "exclude", curator="ben", revision=1)  # they differ: not known
        store.decide(queue[5], "keep", curator="ben")
        store.decide("t00077", "keep", curator="ben")  # which is not flagged

    def count(**parameters):
        counts = sent_to_browser(open_page(folder, **parameters))["counts"]
        return counts["decided"], counts["judged"], counts["real"]

    assert count() == (5, 3, 2)
    assert count(queue="everyone", curator="ana") == (4, 3, 2)
    assert count(queue="everyone", curator="ben") == (2, 2, 1)
    assert count(scope="all") == (6, 0, 0)


def test_the_grid_of_any_status_says_what_is_decided(tmp_path):
    folder = small_set.write_texts(tmp_path / "set", 90, 30, rng=np.random.default_rng(5))
    first, second, *_ = (
        each["id"] for each in sent_to_browser(open_page(folder, view="grid"))["tiles"]
    )
    with open_store(curation.load(folder)) as store:
        store.decide(first, "relabel", label="eel", curator="ana")
        store.decide(second, "keep", curator="ben")

    def list_decided(**parameters):
        tiles = sent_to_browser(open_page(folder, view="grid", status="all", **parameters))["tiles"]
        return {
            each["id"]: (each["force"]["action"], each["force"]["label"])
            for each in tiles
            if each["force"]
        }

    assert list_decided() == {first: ("relabel", "eel"), second: ("keep", None)}
    assert list_decided(queue="everyone", curator="ben") == {second: ("keep", None)}


def test_probabilities_in_the_label_table_are_shown_as_bars_alone(tmp_path):
    path = tmp_path / "mine.csv"
    rows = [("cat", 0.9), ("dog", 0.2)] * 20 + [("cat", 0.01), ("cat", 0.02)]
    lines = [f"{label},{p},{1 - p:.2f},shop\n" for label, p in rows]
    path.write_text("label,p_cat,p_dog,source\n" + "".join(lines))
    data = sent_to_browser(open_page(path))
    item = data["items"][data["start"]]
    assert [(each["name"], each["value"]) for each in item["features"]] == [("source", "shop")]
    assert item["extras"] == []


def test_a_bulk_action_over_two_pairs_names_both_labels(tmp_path):
    folder = small_set.write_texts(tmp_path / "set", 30, 6, rng=np.random.default_rng(5))
    with open_store(curation.load(folder)) as store:
        store.decide_many(
            [
                {"example_id": f"t{row:05}", "action": "relabel", "label": label}
                for row, label in enumerate(("dog", "eel", "dog"))
            ],
            curator="ana",
        )
    (latest,) = sent_to_browser(open_page(folder, curator="ana"))["latest"]
    assert (latest["label"], latest["count"]) == ("dog and eel", 3)


def test_decisions_of_several_kinds_that_were_saved_together_are_not_named_after_one(tmp_path):
    folder = small_set.write_texts(tmp_path / "set", 30, 6, rng=np.random.default_rng(5))
    both = [
        {"example_id": "t00000", "action": "keep"},
        {"example_id": "t00001", "action": "relabel", "label": "dog"},
    ]
    with open_store(curation.load(folder)) as store:
        store.decide_many(both, curator="ana")
    (latest,) = sent_to_browser(open_page(folder, curator="ana"))["latest"]
    assert (latest["action"], latest["count"]) == ("decided", 2)


@pytest.mark.parametrize("parameters", [{}, {"given": "eel"}, {"search": "nowhere"}])
def test_an_example_outside_the_list_is_opened_beside_it_even_if_the_list_is_empty(
    flagged_texts, parameters
):
    data = sent_to_browser(open_page(flagged_texts, at="t00077", **parameters))
    assert data["start"] == "t00077" and data["steps"][0] == ["t00077", -1, False]
    assert data["standing"]["t00077"]["mine"] is None


def test_a_link_of_version_0_1_still_opens_its_example(flagged_texts):
    page = open_page(flagged_texts, id="t00077")
    assert sent_to_browser(page)["start"] == "t00077"
    assert visiting.link(page)["at"] == "t00077" and "id" not in page.query_params


@pytest.mark.fault(
    80,
    "HOLDS",
    says="The decisions were replaced, as `curate restore` does. Here are the new ones.",
)
def test_the_first_tab_after_a_restore_shows_the_queue_of_what_was_restored(tmp_path, messages):
    folder = small_set.write_texts(tmp_path / "set", 90, 30, rng=np.random.default_rng(5))
    with open_store(curation.load(folder)) as store:
        store.decide("t00003", "keep", curator="ana")
        back_up(folder, tmp_path / "kept.db")
        store.decide("t00004", "keep", curator="ana")
    test = open_page(folder)
    assert sent_to_browser(test)["counts"]["decided"] == 2
    restore(tmp_path / "kept.db", folder, force=True)
    test.run()
    assert sent_to_browser(test)["counts"]["decided"] == 1
    messages.add("HOLDS", visiting.seen(test))
    test.run()
    assert "were replaced" not in visiting.seen(test)


@pytest.mark.parametrize(("role", "is_told"), [(Role.ADMIN, True), (Role.CURATOR, False)])
def test_what_to_know_about_the_database_is_for_those_who_can_change_it(
    pets, monkeypatch, role, is_told
):
    monkeypatch.setattr(sqlite, "_notices", lambda path: ("It is an old version. Upgrade it.",))
    monkeypatch.setattr(visitor, "find_ticket", lambda: tickets.issue(Actor(role, "ben")))
    assert ("It is an old version" in visiting.seen(open_page(pets))) == is_told
