"""What is answered if curators differ: conflicts, disputes, and who may settle them."""

from __future__ import annotations

from dataclasses import replace

import pytest

from curation.review.ledger import Ledger
from curation.review.operation_answers import describe_answers, describe_dispute, repeat_decision
from curation.review.outcome import find_outcome
from curation.roles import Actor, Role
from curation.store.derived_tables import find_differences
from tests.review.page_operations import do, keep


def test_a_curator_who_may_not_settle_adds_an_answer_and_a_lead_settles(ledger, monkeypatch):
    do(ledger, keep("1", "e4"), curator="ana")
    do(ledger, keep("2", "e4") | {"action": "exclude"}, curator="ben")
    settle = keep("3", "e4") | {"do": "resolve"}
    monkeypatch.setattr(ledger.store, "find_actor", lambda: Actor(Role.CURATOR, "cy"))
    assert do(ledger, settle, curator="cy")["3"]["status"] == "saved"
    assert ledger.store.log()[-1].entry == "decide" and ledger.disputed()[4]
    assert not any(each["settles"] for each in describe_answers(ledger, "e4"))
    late = do(ledger, keep("5", "e4", revision=0) | {"action": "exclude"}, curator="cy")["5"]
    assert late["status"] == "conflict" and not late["settles"]
    monkeypatch.setattr(ledger.store, "find_actor", lambda: Actor(Role.LEAD, "lee"))
    assert do(ledger, settle | {"op_id": "4"}, curator="lee")["4"]["status"] == "saved"
    assert ledger.store.log()[-1].entry == "resolve" and not ledger.disputed()[4]


def test_a_page_is_told_whether_its_visitor_settles_by_answering(ledger):
    do(ledger, keep("1", "e4"), curator="ana")
    late = do(ledger, keep("2", "e4", revision=0) | {"action": "exclude"}, curator="ben")["2"]
    assert late["status"] == "conflict" and late["settles"]  # who works alone is the owner
    do(ledger, keep("3", "e4") | {"action": "exclude"}, curator="ben")
    assert all(each["settles"] for each in describe_answers(ledger, "e4"))


def test_a_decision_can_be_repeated_unless_its_class_is_gone(ledger):
    theirs = ledger.store.decide("e4", "relabel", label="dog", curator="ben")
    again = {"action": "relabel", "label": 1, "new_class": None, "labels": None}
    now = ledger.store.dataset
    assert repeat_decision(theirs, now) == again
    assert repeat_decision(theirs, replace(now, class_ids=("cat", "eel"))) is None


def test_another_curators_answer_is_a_conflict_that_either_can_settle(ledger):
    do(ledger, keep("1", "e4", revision=0), curator="ben")
    mine = keep("2", "e4", revision=0) | {"action": "relabel", "label": 1}
    answer = do(ledger, mine)["2"]
    assert (answer["status"], answer["theirs"]["curator"]) == ("conflict", "ben")
    assert answer["theirs"]["again"] == {
        "action": "keep", "label": None, "new_class": None, "labels": None,
    }  # fmt: skip
    assert answer["mine"]["time"] == ledger.store.log()[-1].time  # when it was put on record
    assert ledger.find_differing("e4")
    again = mine | {"op_id": "3", "do": "resolve", "revision": answer["revision"]}
    assert do(ledger, again)["3"]["status"] == "saved"
    assert ledger.current_decision("e4").label == "dog"
    assert not ledger.find_differing("e4") and not ledger.store.disagreements()


@pytest.mark.parametrize("settler", ["ana", "ben"])
def test_undoing_a_settlement_brings_the_dispute_back_with_both_answers(ledger, settler):
    def find_disputes():
        with ledger.store.backend.read() as connection:
            assert find_differences(connection) == []
        outcome = find_outcome(ledger.store.dataset, ledger.store.log(), "latest")
        counted = [int(each.disputed().sum()) for each in (ledger, Ledger(ledger.store))]
        assert counted == [len(ledger.store.disagreements())] * 2 == [len(outcome.disputed)] * 2
        return [(each.curator, each.action) for each in ledger.find_differing("e4")]

    do(ledger, keep("1", "e4", revision=0), curator="ben")
    answer = do(ledger, keep("2", "e4", revision=0) | {"action": "relabel", "label": 1})["2"]
    both = [("ben", "keep"), ("ana", "relabel")]
    assert find_disputes() == both
    settle = keep("3", "e4", revision=answer["revision"]) | {"do": "resolve"}
    assert do(ledger, settle, curator=settler)["3"]["status"] == "saved"
    assert find_disputes() == []
    undo = {"op_id": "4", "do": "undo", "expect": "3", "id": "e4"}
    assert do(ledger, undo, curator=settler)["4"]["status"] == "undone"
    assert find_disputes() == both
    redo = {"op_id": "5", "do": "redo", "expect": "3", "id": "e4"}
    assert do(ledger, redo, curator=settler)["5"]["status"] == "saved"
    assert find_disputes() == []


def test_another_answer_is_not_a_conflict_if_curators_judge_independently(ledger):
    do(ledger, keep("1", "e4", revision=0), curator="ben")
    mine = keep("2", "e4", revision=0) | {"action": "exclude"}
    assert do(ledger, mine, blind=True)["2"]["status"] == "saved"
    assert len(ledger.store.disagreements()) == 1
    assert ledger.codes("ben")[4] == 1 and ledger.codes("ana")[4] == 4


def test_accepting_an_answer_that_no_longer_stands_says_nothing_in_ones_name(ledger):
    store = ledger.store
    theirs = store.decide("e4", "keep", curator="ben")
    late = do(ledger, keep("1", "e4", revision=0) | {"action": "exclude"})["1"]
    assert late["status"] == "conflict"
    store.resolve("e4", "relabel", label="dog", curator="lead")
    before = len(store.log())
    accept = {**keep("2", "e4", revision=late["revision"]), "do": "resolve", "accepts": True}
    answer = do(ledger, accept)["2"]
    assert answer["status"] == "refused" and len(store.log()) == before
    assert answer["problem"] == "e4 was settled meanwhile: lead said relabel to 'dog'."
    assert theirs.curator == "ben" and not store.disagreements()


def test_the_answers_of_a_dispute_name_everybody_who_gave_them_and_why(ledger):
    store = ledger.store
    store.decide("e4", "keep", curator="ana", note="a cat, see the ears")
    store.decide("e4", "relabel", label="dog", curator="ben")
    store.decide("e4", "keep", curator="cleo")
    ledger.catch_up()
    kept, dog = describe_answers(ledger, "e4")
    assert kept["reasons"] == [("ana", "a cat, see the ears"), ("cleo", "")]
    assert dog["reasons"] == [("ben", "")] and dog["answer"]["again"]["action"] == "relabel"
    assert describe_dispute(ledger, "e4")["disputed"]
    store.resolve("e4", "keep", curator="lead")
    ledger.catch_up()
    state = describe_dispute(ledger, "e4")
    assert not state["disputed"] and state["force"]["curator"] == "lead"
    assert describe_answers(ledger, "e4") == []
    assert not ledger.disputed().any()
