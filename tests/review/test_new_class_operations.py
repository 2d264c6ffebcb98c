"""Operations that add a class to those of the dataset."""

from __future__ import annotations

import pytest

from curation.review.ledger import Ledger
from curation.review.operation_answers import describe_other
from tests.review.page_operations import do, keep


def add_class(op_id, example_id, name, **more):
    return keep(op_id, example_id) | {"action": "relabel", "new_class": name} | more


def test_a_new_class_can_be_chosen_by_everyone_until_the_last_decision_about_it_is_undone(ledger):
    assert do(ledger, add_class("1", "e1", " Plains  zebra "))["1"]["status"] == "saved"
    do(ledger, add_class("2", "e4", "plains ZEBRA"), curator="ben")
    assert [each.name for each in ledger.added_classes()] == ["Plains zebra"]
    assert ledger.current_decision("e4").label == "Plains zebra"
    do(ledger, {"op_id": "3", "do": "undo", "expect": "1"})
    assert [each.name for each in ledger.added_classes()] == ["Plains zebra"]  # ben's stands
    do(ledger, {"op_id": "4", "do": "undo", "expect": "2"}, curator="ben")
    assert ledger.added_classes() == ()
    do(ledger, {"op_id": "5", "do": "redo", "expect": "1"})
    assert [each.name for each in ledger.added_classes()] == ["Plains zebra"]
    assert Ledger(ledger.store).added_classes() == ledger.added_classes()  # as after a restart


@pytest.mark.parametrize("name", ["Dog", " dog ", "DO\u200bG", "wolf", "  ", "z" * 201, "a\x07"])
def test_a_new_class_that_is_not_new_or_has_no_name_is_refused(ledger, name):
    ledger.store.decide_classes("rename", "cat", into="wolf", curator="ana")
    answer = do(ledger, add_class("1", "e1", name))["1"]
    assert answer["status"] == "refused" and "NOT saved" in answer["problem"]
    assert ledger.added_classes() == ()


def test_a_new_class_sent_twice_is_one_decision_even_if_it_got_another_name_meanwhile(ledger):
    do(ledger, add_class("1", "e1", "Zebra"))
    do(ledger, add_class("2", "e4", "zebra"), curator="ben")  # stored as Zebra
    do(ledger, {"op_id": "3", "do": "undo", "expect": "1"})
    again = do(ledger, add_class("2", "e4", "zebra"), curator="ben")["2"]
    assert again["status"] == "saved"
    assert [entry.label for entry in ledger.store.log()] == ["Zebra", "Zebra", "Zebra"]


def test_two_curators_who_add_the_same_class_agree_and_two_classes_are_a_dispute(ledger):
    do(ledger, add_class("1", "e1", "zebra", revision=0))
    do(ledger, add_class("2", "e1", "ZEBRA", revision=0), curator="ben")
    assert not ledger.disputed().any()
    answer = do(ledger, add_class("3", "e1", "yak", revision=0), curator="cy")["3"]
    assert answer["status"] == "conflict"
    assert answer["theirs"]["again"] == {
        "action": "relabel", "label": None, "new_class": "zebra", "labels": None,
    }  # fmt: skip
    again = answer["theirs"]["again"] | {"op_id": "4", "do": "resolve", "id": "e1"}
    do(ledger, again | {"revision": answer["revision"]}, curator="cy")
    assert not ledger.disputed().any() and [e.name for e in ledger.added_classes()] == ["zebra"]


def test_a_new_class_for_many_examples_is_one_operation(ledger):
    asked = [
        {"example_id": each, "action": "relabel", "new_class": "zebra"} for each in ("e1", "e4")
    ]
    do(ledger, {"op_id": "1", "do": "many", "asked": asked, "new_class": "zebra"})
    assert ledger.new_label_ids() == {1: "new class: zebra", 4: "new class: zebra"}
    do(ledger, {"op_id": "2", "do": "undo", "expect": "1"})
    assert ledger.new_label_ids() == {} and ledger.added_classes() == ()


def test_both_may_be_the_given_label_and_a_new_class_which_others_can_then_choose(ledger):
    both = {"action": "ambiguous", "labels": [0], "new_class": "Zebra"}
    do(ledger, keep("1", "e1") | both)
    found = ledger.current_decision("e1")
    assert (found.labels, found.label_ids) == (("cat", "Zebra"), ("cat", "new class: zebra"))
    assert found.label is None and [each.name for each in ledger.added_classes()] == ["Zebra"]
    assert describe_other(ledger, found)["again"] == {
        "action": "ambiguous", "label": None, "new_class": "Zebra", "labels": [0],
    }  # fmt: skip
    do(ledger, keep("2", "e1") | both | {"new_class": "ZEBRA"}, curator="ben")
    assert not ledger.find_differing("e1")  # the same answer, and spelled alike
    do(ledger, {"op_id": "3", "do": "undo", "expect": "1"})
    do(ledger, {"op_id": "4", "do": "undo", "expect": "2"}, curator="ben")
    assert not ledger.added_classes()
