"""Two curators at one list: Review hands each example to one of them."""

from __future__ import annotations

import json

import numpy as np
import pytest

import curation
from curation.store import open_store
from curation.store.example_claims import Claims
from curation.ui.shell import curator_name
from tests import small_set
from tests.pages import visiting


@pytest.fixture
def folder(tmp_path):
    return small_set.write_texts(tmp_path / "set", 90, 30, rng=np.random.default_rng(5))


def open_review(folder, curator, **parameters):
    """Return the page, and the answer that the browser gets."""
    test = visiting.run(folder, "pages/3_Review.py", curator=curator, **parameters)
    while not test.get("bidi_component") and test.get("progress"):
        test.run()
    assert not test.exception
    return test, json.loads(test.get("bidi_component")[0].proto.json)["answer"]


def to_decide(answer):
    return {each for each, _, is_todo in answer["steps"] if is_todo}


def test_two_curators_get_different_examples_until_one_of_them_leaves(folder):
    ana, first = open_review(folder, "ana")
    _, second = open_review(folder, "bo")
    assert len(to_decide(first)) == 17 and len(to_decide(second)) == 4, "a quarter of the rest"
    assert not to_decide(first) & to_decide(second)
    assert second["start"] in to_decide(second) and second["counts"]["undecided"] == 30
    assert not first["whole"] and not second["whole"]
    ana.switch_page("pages/1_Noise.py").run()
    assert len(to_decide(open_review(folder, "bo")[1])) == 17, "nobody else is there"


def test_who_finds_everything_taken_is_told_how_much_it_is(folder):
    open_review(folder, "ana", view="grid", size="40")
    _, second = open_review(folder, "bo")
    assert second["start"] is None and second["steps"] == [] and second["whole"]
    assert second["taken"] == 30


def test_where_everyone_sees_everything_nothing_is_claimed(folder):
    _, first = open_review(folder, "ana", queue="everyone")
    _, second = open_review(folder, "bo", queue="everyone")
    assert to_decide(first) == to_decide(second) and len(to_decide(first)) == 17


def test_a_link_opens_an_example_that_somebody_else_has(folder):
    _, first = open_review(folder, "ana")
    _, second = open_review(folder, "bo", at=first["start"])
    assert second["start"] == first["start"]
    assert first["start"] not in to_decide(second), "to look at; the list goes on with others"


def test_two_curators_get_different_pages_of_the_grid(folder):
    answers = [open_review(folder, who, view="grid", size="24")[1] for who in ("ana", "bo")]
    shown = [{tile["id"] for tile in answer["tiles"]} for answer in answers]
    assert [len(some) for some in shown] == [24, 6] and not shown[0] & shown[1]
    assert [answer["total"] for answer in answers] == [30, 30] and answers[1]["taken"] == 24
    empty = open_review(folder, "cy", view="grid", size="24")[1]
    assert empty["tiles"] == [] and empty["taken"] == 30


def test_looking_at_a_list_of_decided_examples_claims_nothing(folder):
    open_review(folder, "ana", status="all")
    with open_store(curation.load(folder)) as store:
        assert Claims(store).find("bo", "b").taken == frozenset()


def test_whoever_changes_their_name_keeps_the_examples_in_front_of_them(folder):
    test, first = open_review(folder, "ana", view="grid", size="40")
    test.session_state[curator_name.KEPT_NAME] = "Ana"
    test.run()
    second = json.loads(test.get("bidi_component")[0].proto.json)["answer"]
    assert second["curator"] == "Ana" and second["taken"] == 0
    assert second["tiles"] == first["tiles"] and len(first["tiles"]) == 30
