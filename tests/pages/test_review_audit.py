"""The audit on the review page: in its own order or mixed, and blind until it is closed."""

from __future__ import annotations

import pytest

from tests.audited import Audited
from tests.pages.review_visits import open_page, sent_to_browser


@pytest.fixture
def audited(tmp_path):
    return Audited(tmp_path / "audited")


@pytest.fixture
def audit(audited):
    with audited.open() as store:
        return audited.draw(store)


def steps(data):
    return [int(example) for example, *_ in data["steps"]]


def test_the_audit_comes_in_the_order_it_was_drawn(audited, audit):
    data = sent_to_browser(open_page(audited.folder, scope="audit"))
    assert data["counts"]["all"] == 40
    assert steps(data) == audit.rows[: len(data["steps"])]
    assert data["title"].startswith("the audit · ")


def test_what_is_judged_is_done_and_another_curator_goes_on(audited, audit):
    with audited.open() as store:
        audited.judge(store, audit.rows[:15], curator="ben")
    data = sent_to_browser(open_page(audited.folder, scope="audit"))
    assert data["counts"]["decided"] == 15 and int(data["start"]) == audit.rows[15]


def test_a_list_of_the_audit_leads_to_quality_and_any_other_to_export(audited, audit):
    data = sent_to_browser(open_page(audited.folder, scope="audit"))
    assert data["quality"].startswith("Quality?data=")
    data = sent_to_browser(open_page(audited.folder))
    assert data["quality"] is None and data["export"].startswith("Export?data=")


def test_nothing_on_the_screen_tells_what_the_model_thinks(audited, audit):
    data = sent_to_browser(open_page(audited.folder, scope="audit"))
    assert data["blind"] and data["forecast"] is None
    for item in data["items"].values():
        assert item["why"].startswith("Judge the label by what you see.")
        assert item["margin"] == 0 and {odds for odds, _ in item["odds"].values()} == {0}
        labels = [label for label, *_ in item["classes"]]
        assert labels == sorted(labels), "not by how likely they are"
        assert {probability for _, probability, _ in item["classes"]} == {0}


def test_mixed_with_the_flagged_all_look_alike(audited, audit):
    flagged = set(audited.findings.issues().tolist())
    data = sent_to_browser(open_page(audited.folder, scope="mixed"))
    assert data["counts"]["all"] == len(flagged | set(audit.rows))
    shown = steps(data)
    assert set(shown) & set(audit.rows) - flagged and set(shown) & flagged - set(audit.rows)
    whys = {item["why"] for item in data["items"].values()}
    assert data["blind"] and len(whys) == 1


def test_once_it_is_closed_everything_is_shown(audited, audit):
    with audited.open() as store:
        store.close_audit(audit.name, curator="ana")
    data = sent_to_browser(open_page(audited.folder, scope="audit"))
    assert not data["blind"] and data["items"][data["start"]]["why"].startswith("The model gives")


def test_other_queues_are_not_blind(audited, audit):
    data = sent_to_browser(open_page(audited.folder))
    assert not data["blind"] and data["items"][data["start"]]["margin"] < 0


def test_a_browser_that_saw_numbers_does_not_keep_them_in_a_blind_queue(audited, audit):
    seeing = sent_to_browser(open_page(audited.folder))
    blind = sent_to_browser(open_page(audited.folder, scope="audit"))
    assert seeing["analysis"] != blind["analysis"]


def test_another_audit_is_another_queue(audited, audit):
    first = sent_to_browser(open_page(audited.folder, scope="audit"))
    with audited.open() as store:
        store.close_audit(audit.name, curator="ana")
        second = audited.draw(store, seed=8)
    now = sent_to_browser(open_page(audited.folder, scope="audit"))
    assert now["queue"] != first["queue"] and steps(now)[0] == second.rows[0]


def test_without_an_audit_none_is_offered(audited):
    page = open_page(audited.folder)
    names = [name for box in page.selectbox for name in box.options]
    assert any("all examples" in name for name in names)
    assert not any("audit" in name for name in names)


def test_an_audit_is_offered_once_there_is_one(audited, audit):
    page = open_page(audited.folder)
    names = [name for box in page.selectbox for name in box.options]
    assert any("the audit" in name for name in names)
    assert any("flagged and audit" in name for name in names)


def test_similar_examples_are_shown_in_other_queues_but_never_in_a_blind_one(audited, audit):
    assert sent_to_browser(open_page(audited.folder))["nearby"]
    for scope in ("audit", "mixed"):
        data = sent_to_browser(open_page(audited.folder, scope=scope))
        assert data["blind"] and not data["nearby"] and data["near"] == {}
