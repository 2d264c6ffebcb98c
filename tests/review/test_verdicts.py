"""How each kind of decision counts as a verdict on the given label."""

from __future__ import annotations

import numpy as np
import pytest

from curation.review.audits import read_log
from curation.review.ledger import Ledger
from curation.review.verdicts import Verdict, count_verdicts
from curation.store import open_store

ROW, EXAMPLE = 1, "e1"  # given cat; the model is sure of dog


@pytest.fixture
def store(pets, tmp_path):
    with open_store(pets, tmp_path / "decisions.db") as opened:
        yield opened


def verdict(pets, store):
    return read_log(pets, store.log()).get(ROW)


@pytest.mark.parametrize(
    ("action", "more", "expected"),
    [
        ("keep", {}, "right"),
        ("relabel", {"label": "dog"}, "wrong"),
        ("relabel", {"label": "cat"}, "right"),  # to the label it has: the same as keeping it
        ("exclude", {}, "wrong"),
        ("ambiguous", {"labels": ["cat", "dog"]}, "unclear"),
        ("skip", {}, "waiting"),
        ("needs_review", {}, "waiting"),
    ],
)
def test_each_action_has_one_verdict(pets, store, action, more, expected):
    store.decide(EXAMPLE, action, curator="ana", **more)
    assert verdict(pets, store) == expected


def test_both_without_the_given_label_says_that_it_is_wrong(bench):
    bench.write("labels.csv", b"id,label\ne0,cat\ne1,dog\ne2,eel\n")
    bench.classes(("cat", "dog", "eel")).probs([0, 1, 2])
    bench.decide(0, "ambiguous", labels=["dog", "eel"])
    assert read_log(bench.dataset, bench.log) == {0: Verdict.WRONG}


@pytest.mark.parametrize(
    ("ana", "ben", "expected"),
    [
        (("keep", {}), ("keep", {}), "right"),
        (("keep", {}), ("relabel", {"label": "dog"}), "unclear"),
        (("exclude", {}), ("relabel", {"label": "dog"}), "wrong"),  # both say it is not a cat
        (("keep", {}), ("skip", {}), "right"),  # a skip is no opinion
        (("keep", {}), ("needs_review", {}), "unclear"),
        (("keep", {}), ("ambiguous", {"labels": ["cat", "dog"]}), "unclear"),
    ],
)
def test_curators_who_differ_leave_it_unclear_unless_all_say_wrong(pets, store, ana, ben, expected):
    store.decide(EXAMPLE, ana[0], curator="ana", **ana[1])
    store.decide(EXAMPLE, ben[0], curator="ben", **ben[1])
    assert verdict(pets, store) == expected


def test_a_lead_settles_what_was_unclear(pets, store):
    store.decide(EXAMPLE, "keep", curator="ana")
    store.decide(EXAMPLE, "relabel", label="dog", curator="ben")
    store.resolve(EXAMPLE, "keep", curator="lead")
    assert verdict(pets, store) == "right"


def test_an_undone_decision_says_nothing_and_a_redone_one_counts_again(pets, store):
    store.decide(EXAMPLE, "exclude", curator="ana")
    store.undo(curator="ana")
    assert verdict(pets, store) is None
    store.redo(curator="ana")
    assert verdict(pets, store) == "wrong"


def test_only_the_last_decision_of_a_curator_counts(pets, store):
    store.decide(EXAMPLE, "exclude", curator="ana")
    store.decide(EXAMPLE, "keep", curator="ana")
    assert verdict(pets, store) == "right"


def test_verdicts_as_they_stood_at_an_earlier_entry(pets, store):
    first = store.decide(EXAMPLE, "exclude", curator="ana")
    store.decide(EXAMPLE, "keep", curator="ana")
    assert read_log(pets, store.log(), until=first.seq) == {ROW: Verdict.WRONG}


def test_the_ledger_keeps_the_same_verdicts_up_to_date(pets, store):
    ledger = Ledger(store)
    steps = [
        lambda: store.decide("e1", "exclude", curator="ana"),
        lambda: store.decide("e2", "keep", curator="ana"),
        lambda: store.decide("e1", "keep", curator="ben"),
        lambda: store.undo(curator="ana"),
        lambda: store.undo(curator="ana"),
        lambda: store.redo(curator="ana"),
        lambda: store.resolve("e1", "keep", curator="lead"),
    ]
    for step in steps:
        step()
        ledger.catch_up()
        assert ledger.verdicts() == read_log(pets, store.log())
    assert Ledger(store).verdicts() == ledger.verdicts() == {1: Verdict.RIGHT}


def test_what_nobody_can_tell_counts_on_the_plan_and_is_left_out_elsewhere():
    right, wrong, unclear, waiting = Verdict
    verdicts = {0: right, 1: wrong, 2: unclear, 3: waiting, 4: unclear, 5: waiting, 6: right}
    counted = count_verdicts(verdicts, np.array([9, 3, 2, 1]))
    assert counted == {0: False, 1: True, 6: False, 2: None, 3: None}
