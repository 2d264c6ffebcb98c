"""Which examples the review page lists, by its filters and its links."""

from __future__ import annotations

import json
from urllib.parse import parse_qsl

import numpy as np
import pytest

import curation
from curation.roles import Actor, Role
from curation.store import open_store
from curation.ui.review import saved_filters
from curation.ui.server import tickets
from curation.ui.shell import visitor
from tests import small_set
from tests.pages import visiting
from tests.pages.review_visits import open_page, sent_to_browser


def test_issues_can_be_ordered_by_log_margin_and_the_choice_says_what_was_measured(flagged_texts):
    page = open_page(flagged_texts, order="log_margin")
    dataset = curation.load(flagged_texts)
    findings = curation.analyze(dataset.labels, dataset.pred_probs, dataset.class_names)
    data = sent_to_browser(page)
    assert "ordered by log margin" in json.dumps(data, ensure_ascii=False)
    assert data["start"] == str(dataset.ids[findings.issues(order="log_margin")[0]])
    assert any("log margin .880" in caption.value for caption in page.caption)


def test_a_search_in_the_link_narrows_the_queue(flagged_texts):
    test = open_page(flagged_texts, search="SHOP 1")
    assert sent_to_browser(test)["counts"]["all"] == len(range(1, 30, 4))
    assert "“SHOP 1”" in sent_to_browser(test)["title"]


def test_the_undecided_come_first_and_another_status_lists_its_own(flagged_texts):
    test = open_page(flagged_texts)
    first = sent_to_browser(test)["start"]
    with open_store(curation.load(flagged_texts)) as store:
        store.decide(first, "skip", curator="ben")
    assert sent_to_browser(open_page(flagged_texts))["start"] != first
    skipped = sent_to_browser(open_page(flagged_texts, status="skipped"))
    assert [step[0] for step in skipped["steps"]] == [first]
    assert skipped["standing"][first]["others"][0]["curator"] == "ben"


def test_the_status_has_no_number_that_deciding_would_change(flagged_texts):
    options = open_page(flagged_texts).selectbox(key="filter.status").options
    assert "to decide" in options and not any("·" in each for each in options)


def test_disputes_are_a_list_of_their_own_flagged_or_not_and_only_they_are_in_it(tmp_path):
    folder = small_set.write_texts(tmp_path / "set", 90, 30, rng=np.random.default_rng(5))
    assert not [each for each in visiting.run(folder).get("page_link") if "Settle" in str(each)]
    with open_store(curation.load(folder)) as store:
        for example_id in ("t00003", "t00088"):  # the second is not flagged
            store.decide(example_id, "keep", curator="ana", note="sure")
            store.decide(example_id, "exclude", curator="ben")
        store.decide("t00004", "keep", curator="ana")
    links = [each.proto.label for each in visiting.run(folder).get("page_link")]
    assert "Settle 2 disputes →" in links
    data = sent_to_browser(open_page(folder, status="disputed", queue="everyone", curator="cleo"))
    assert sorted(step[0] for step in data["steps"]) == ["t00003", "t00088"]
    assert data["counts"]["all"] == data["counts"]["undecided"] == data["disputed"] == 2
    assert data["disputes"] is None
    kept, excluded = data["standing"]["t00088"]["answers"]
    assert kept["reasons"] == [["ana", "sure"]] and excluded["answer"]["action"] == "exclude"
    elsewhere = sent_to_browser(open_page(folder, curator="cleo"))
    assert elsewhere["disputed"] == 2 and "status=disputed" in elsewhere["disputes"]


def test_any_status_means_all_examples_and_decided_those_that_nobody_flagged_too(tmp_path):
    folder = small_set.write_texts(tmp_path / "set", 90, 30, rng=np.random.default_rng(5))
    with open_store(curation.load(folder)) as store:
        store.decide("t00077", "exclude", curator="ben", note="two dogs")
    assert sent_to_browser(open_page(folder, status="all"))["counts"]["all"] == 90
    decided = sent_to_browser(open_page(folder, status="decided"))
    assert [step[0] for step in decided["steps"]] == ["t00077"]
    assert sent_to_browser(open_page(folder, status="decided", scope="flagged"))["steps"] == []
    noted = sent_to_browser(open_page(folder, scope="all", search="TWO dogs", status="all"))
    assert [step[0] for step in noted["steps"]] == ["t00077"]


def test_filters_show_how_many_examples_each_choice_brings(tmp_path):
    folder = small_set.write_texts(tmp_path / "set", 90, 30, rng=np.random.default_rng(5))
    page = open_page(folder)
    assert page.selectbox(key="filter.scope").options == ["flagged · 30", "all examples · 90"]
    assert page.multiselect(key="filter.given").options == ["cat · 30", "dog · 0", "eel · 0"]
    page.selectbox(key="filter.scope").select("all").run()
    assert "dog · 0" not in page.multiselect(key="filter.given").options
    page.multiselect(key="filter.given").select("1").run()
    assert visiting.link(page)["given"] == "1"
    dogs = sum(curation.load(folder).labels == 1)
    assert sent_to_browser(page)["counts"]["all"] == dogs


def test_filters_stand_after_a_walk_to_another_page(flagged_texts):
    page = open_page(flagged_texts, scope="all", order="random", seed="7", given="dog")
    first = sent_to_browser(page)["start"]
    assert "random sample, seed 7" in sent_to_browser(page)["title"]
    page.switch_page("pages/1_Noise.py")
    for name in list(page.query_params):
        if name != "data":
            del page.query_params[name]
    page.run()
    links = [each.proto for each in page.sidebar.get("page_link")]
    query = next(each.query_string for each in links if each.page.endswith("Review"))
    kept = dict(parse_qsl(query))
    assert {name: kept[name] for name in ("scope", "order", "seed", "given")} == {
        "scope": "all", "order": "random", "seed": "7", "given": "dog",
    }  # fmt: skip
    kept.pop("data", None)
    again = sent_to_browser(open_page(flagged_texts, **kept))
    assert again["start"] == first


def test_clearing_the_filters_leads_back_to_what_was_flagged(flagged_texts):
    page = open_page(
        flagged_texts, scope="all", given="dog", search="shop", column="source", at="t00077"
    )
    page.button(key="clear-filters").click().run()
    assert visiting.link(page).keys() == {"data"}
    assert sent_to_browser(page)["counts"]["all"] == 30


def test_a_column_of_the_table_is_chosen_with_its_values_or_searched(flagged_texts):
    page = open_page(flagged_texts, column="source", scope="all")
    values = page.selectbox(key="filter.value").options
    assert len(values) > 2 and all(" · " in each for each in values[1:])
    chosen = values[1].rsplit(" · ", 1)
    page.selectbox(key="filter.value").select(chosen[0]).run()
    assert sent_to_browser(page)["counts"]["all"] == int(chosen[1])
    assert visiting.link(page)["value"] == chosen[0]
    page.selectbox(key="filter.column").select("").run()
    assert "value" not in page.query_params


def test_filters_are_saved_under_a_name_opened_again_and_forgotten(tmp_path):
    folder = small_set.write_texts(tmp_path / "set", 90, 30, rng=np.random.default_rng(5))
    page = open_page(folder, scope="all", given="dog", at="t00077")
    page.text_input(key="save-filters-as").set_value("all :red[dogs]")
    page.button(key="save-filters").click().run()
    page = open_page(folder, order="file")
    assert page.button(key="saved-0").label == r"all \:red\[dogs\]"
    page.button(key="saved-0").click().run()
    kept = visiting.link(page)
    assert (kept["scope"], kept["given"]) == ("all", "dog")
    assert not {"order", "at"} & kept.keys()
    page.button(key="drop-0").click().run()
    assert not [each for each in page.button if each.key == "saved-0"]


def test_a_viewer_opens_saved_filters_and_saves_and_removes_none(tmp_path, monkeypatch):
    folder = small_set.write_texts(tmp_path / "set", 90, 30, rng=np.random.default_rng(5))
    saved_filters.save(str(folder), "dogs", {"scope": "all", "given": "dog"})
    acting = [Role.CURATOR]
    monkeypatch.setattr(visitor, "find_ticket", lambda: tickets.issue(Actor(acting[0], "vic")))
    for key in ("drop-0", "save-filters"):
        acting[0] = Role.CURATOR
        page = open_page(folder, order="file")
        page.text_input(key="save-filters-as").set_value("by file")
        acting[0] = Role.VIEWER  # from now on; a browser could also click what is off
        page.button(key=key).click().run()
        assert list(saved_filters.list_saved(str(folder))) == ["dogs"]
        assert page.button(key=key).disabled and "you are a viewer" in page.button(key=key).help
    page.button(key="saved-0").click().run()
    assert visiting.link(page)["given"] == "dog"


def test_tags_are_offered_with_their_counts(tmp_path):
    folder = small_set.write_texts(tmp_path / "set", 90, 30, rng=np.random.default_rng(5))
    with open_store(curation.load(folder)) as store:
        store.decide("t00003", "keep", curator="ben", note="#blurry, #dark")
        store.decide("t00077", "keep", curator="ana", note="#dark")
    page = open_page(folder, status="all")
    assert page.multiselect(key="filter.tag").options == ["#dark · 2", "#blurry · 1"]
    page.multiselect(key="filter.tag").select("blurry").run()
    assert [step[0] for step in sent_to_browser(page)["steps"]] == ["t00003"]


@pytest.mark.fault(58, "HOLDS")
def test_an_order_or_a_filter_that_does_not_exist_changes_nothing(flagged_texts):
    evil = "id; DROP TABLE log; --"
    expected = sent_to_browser(open_page(flagged_texts))
    for name in ("order", "status", "scope", "view"):
        found = sent_to_browser(open_page(flagged_texts, **{name: evil}))
        assert (found["start"], found["counts"]) == (expected["start"], expected["counts"])
    assert sent_to_browser(open_page(flagged_texts, search=evil))["counts"]["all"] == 0
