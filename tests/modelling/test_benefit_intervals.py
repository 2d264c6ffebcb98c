"""Intervals of a gain: the formulas by hand, and how often they hold the truth."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from curation.modelling.benefit_intervals import (
    Gain,
    find_gain_over_examples,
    find_gain_over_splits,
    find_smallest_error,
)


def test_two_runs_agree_with_a_calculation_by_hand():
    # Differences .01 and .03: mean .02, variance .0002. A quarter held out:
    # (1/2 + (1/4) / (3/4)) * .0002 = .000166..., root .01291; t with 1 degree is 12.706.
    gain = find_gain_over_splits(np.array([0.01, 0.03]), 0.25)
    assert (gain.estimate, gain.high) == pytest.approx((0.02, 0.02 + 12.7062 * 0.0129099), 1e-5)
    assert gain.low == pytest.approx(0.02 - 12.7062 * 0.0129099, 1e-5)


def draw_runs(rng, correlation, runs, datasets):
    """Return differences of runs whose results correlate, around a true gain of 0."""
    shared = np.sqrt(correlation) * rng.normal(size=(datasets, 1))
    return shared + np.sqrt(1 - correlation) * rng.normal(size=(datasets, runs))


def test_the_corrected_interval_holds_the_truth_in_95_of_100_and_the_plain_one_does_not():
    drawn = 0.01 * draw_runs(np.random.default_rng(0), 0.25, runs=10, datasets=4000)

    def coverage(share):
        found = [find_gain_over_splits(each, share) for each in drawn]
        return np.mean([each.low <= 0 <= each.high for each in found])

    assert coverage(0.25) == pytest.approx(0.95, abs=0.011)  # three standard errors
    assert coverage(0.0) < 0.75


def test_runs_that_agree_by_chance_are_not_certain():
    same = np.full(3, 0.004)
    assert find_gain_over_splits(same, 0.25).is_up
    error = find_smallest_error(gained=0.02, lost=0.016, examples=450)
    assert error == pytest.approx(np.sqrt((0.036 - 0.004**2) / 450))
    assert not find_gain_over_splits(same, 0.25, smallest_error=error).is_up


def test_single_examples_of_a_test_split_give_the_paired_t_interval():
    differences = np.random.default_rng(1).choice([-1.0, 0.0, 0.4, 1.0], 200)
    found = find_gain_over_examples(differences, np.arange(200))
    wanted = stats.ttest_1samp(differences, 0).confidence_interval(0.95)
    assert (found.low, found.high) == pytest.approx((wanted.low, wanted.high))


def test_copies_in_a_test_split_count_as_one():
    once = np.random.default_rng(2).choice([-1.0, 0.0, 1.0], 100)
    alone = find_gain_over_examples(once, np.arange(100))
    copied = find_gain_over_examples(np.repeat(once, 4), np.repeat(np.arange(100), 4))
    assert (copied.low, copied.high) == pytest.approx((alone.low, alone.high))


def test_one_run_says_nothing():
    assert find_gain_over_splits(np.array([0.02]), 0.25) == Gain(0.02, -1.0, 1.0)
