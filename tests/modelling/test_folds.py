"""Folds: stratified, and no copy or group ever straddles two."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from curation.errors import InputError
from curation.modelling.folds import assign_folds, check_fold_count, check_units, join_units


def deal(labels, units=None, folds=4, seed=0):
    labels = np.asarray(labels)
    units = np.arange(len(labels)) if units is None else np.asarray(units)
    rng = np.random.default_rng(seed)
    return assign_folds(labels, units, int(labels.max()) + 1, folds=folds, rng=rng)


def test_each_class_is_spread_evenly():
    labels = np.repeat([0, 1, 2], [40, 10, 6])
    held = deal(labels)
    counts = np.array([np.bincount(held[labels == each], minlength=4) for each in range(3)])
    assert (np.ptp(counts, axis=1) <= 1).all()
    assert counts.sum() == 56


@given(
    st.lists(st.tuples(st.integers(0, 3), st.integers(0, 9)), min_size=2, max_size=60),
    st.integers(2, 6),
)
def test_a_unit_is_in_one_fold_and_every_fold_is_used_or_spare(rows, folds):
    labels, groups = map(np.array, zip(*rows, strict=True))
    units = join_units(groups)
    held = deal(labels, units, folds)
    assert held.shape == labels.shape and held.min() >= 0
    for unit in np.unique(units):
        assert len(set(held[units == unit])) == 1
    assert held.max() < min(folds, units.max() + 1)


def test_a_class_of_two_examples_is_always_seen_by_the_model_that_predicts_it():
    labels = np.array([0] * 30 + [1] * 2)
    for seed in range(20):
        held = deal(labels, seed=seed)
        assert held[30] != held[31]


def test_folds_depend_on_the_seed_alone():
    labels = np.arange(60) % 3
    assert (deal(labels, seed=1) == deal(labels, seed=1)).all()
    assert (deal(labels, seed=1) != deal(labels, seed=2)).any()


def test_units_join_what_is_linked_through_others():
    # 0 and 1 share a group, 1 and 2 are copies: all three stay together.
    assert join_units(np.array([0, 0, 1, 2]), np.array([0, 1, 1, 2])).tolist() == [0, 0, 0, 1]


def test_all_rows_of_one_group_are_refused():
    with pytest.raises(InputError, match="All examples belong to one group"):
        check_units(np.array([0, 1]), np.array([0, 0]), ("cat", "dog"), allow_rare=True)


def test_a_class_with_one_example_is_named_and_refused_unless_allowed():
    labels, units = np.array([0, 0, 1]), np.arange(3)
    with pytest.raises(InputError, match="The class 'dog' has only one example"):
        check_units(labels, units, ("cat", "dog"), allow_rare=False)
    assert check_units(labels, units, ("cat", "dog"), allow_rare=True).tolist() == [1]


def test_classes_that_are_each_one_group_are_refused():
    with pytest.raises(InputError, match="Every class has all its examples in one group"):
        check_units(np.array([0, 0, 1, 1]), np.array([0, 0, 1, 1]), ("a", "b"), allow_rare=True)


@pytest.mark.parametrize("folds", [0, 1, 21])
def test_an_odd_number_of_folds_is_refused(folds):
    with pytest.raises(InputError, match="cannot be used"):
        check_fold_count(folds)
