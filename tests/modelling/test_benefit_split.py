"""Which examples are held out, and what they are compared with."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from curation.errors import InputError
from curation.modelling.benefit_split import (
    DecidedLabels,
    HeldOut,
    explain_against,
    find_held_out,
    list_against,
)

ALL = np.ones(90, bool)


@pytest.fixture
def none(labelled):
    return DecidedLabels.none(labelled)


def with_split(labelled, test=30, validation=0):
    names = ["test"] * test + ["val"] * validation
    column = np.array(names + ["train"] * (90 - len(names)), dtype=object)
    return replace(labelled, extras={**labelled.extras, "Split": column})


def confirm(labelled, number):
    decided = DecidedLabels.none(labelled)
    confirmed = np.arange(90) < number
    return replace(decided, confirmed=confirmed, labels=np.where(confirmed, 2, labelled.labels))


def test_only_noisy_labels_are_left_if_nothing_better_is_known(labelled, none):
    assert list_against(labelled, none) == ["given"]
    assert "counted as wrong" in explain_against("given", False)


def test_the_most_telling_labels_come_first(labelled):
    truth = replace(with_split(labelled), true_labels=labelled.labels)
    assert list_against(truth, confirm(labelled, 40)) == ["true", "split", "confirmed", "given"]
    few = replace(labelled, true_labels=np.where(np.arange(90) < 10, 0, -1))
    assert list_against(few, confirm(labelled, 10)) == ["given"]


def test_too_few_examples_are_refused(labelled, none):
    with pytest.raises(InputError, match="0 examples can be compared with the labels that people"):
        find_held_out(labelled, none, "confirmed", ALL)


def test_a_test_split_is_always_held_out_and_validation_rows_are_not_trained_on(labelled, none):
    data = with_split(labelled, test=30, validation=20)
    held_out = find_held_out(data, none, "split", ALL)
    for seed in (0, 1):
        train, test = held_out.deal(np.arange(90), np.random.default_rng(seed))
        assert test.tolist() == list(range(30)) and train.tolist() == list(range(50, 90))
    only_validation = with_split(labelled, test=0, validation=25)
    assert find_held_out(only_validation, none, "split", ALL).rows.tolist() == list(range(25))


def test_true_labels_within_a_test_split_are_compared_with_where_they_are_known(labelled, none):
    truth = np.where(np.arange(90) < 40, 1, -1)
    truth[3] = -1
    data = replace(with_split(labelled), true_labels=truth)
    held_out = find_held_out(data, none, "true", ALL)
    assert held_out.is_fixed and held_out.rows.tolist() == [k for k in range(30) if k != 3]
    assert set(held_out.labels[held_out.rows]) == {1}
    assert held_out.trainable.tolist() == [False] * 30 + [True] * 60


def test_confirmed_rows_are_compared_with_what_people_chose_and_half_are_held_out(labelled):
    decided = confirm(labelled, 40)
    held_out = find_held_out(labelled, decided, "confirmed", ALL)
    train, test = held_out.deal(np.arange(90), np.random.default_rng(0))
    assert set(test) <= set(range(40)) and len(test) == 20
    assert sorted([*train, *test]) == list(range(90))
    assert set(held_out.labels[test]) == {2}


def test_copies_and_groups_are_never_on_both_sides(labelled, none):
    units = np.arange(90) // 3
    held_out = find_held_out(labelled, none, "given", ALL)
    dealt = [held_out.deal(units, np.random.default_rng(seed)) for seed in range(5)]
    for train, test in dealt:
        assert not set(units[train]) & set(units[test])
        assert len(train) + len(test) == 90 and 15 <= len(test) <= 30
    assert len({tuple(test) for _, test in dealt}) == 5


def test_copies_of_test_examples_are_not_trained_on():
    labels = np.zeros(60, np.int64)
    trainable = np.arange(60) >= 30
    held_out = HeldOut("split", np.arange(30), labels, trainable, True)
    units = np.arange(60)
    units[45] = 4
    train, _ = held_out.deal(units, np.random.default_rng(0))
    assert 45 not in train and len(train) == 29


def test_examples_that_no_model_can_read_are_neither_trained_on_nor_held_out(labelled, none):
    usable = ALL.copy()
    usable[:5] = False
    held_out = find_held_out(labelled, none, "given", usable)
    train, test = held_out.deal(np.arange(90), np.random.default_rng(0))
    assert min([*train, *test]) == 5


def test_merged_classes_are_compared_as_one(labelled):
    decided = replace(DecidedLabels.none(labelled), becomes=np.array([0, 0, 2]))
    assert not decided.changes(labelled)
    assert set(find_held_out(labelled, decided, "given", ALL).labels) == {0, 2}
