"""Forecasts against scipy's beta-binomial, and how often they hold."""

from __future__ import annotations

from math import exp, lgamma

import numpy as np
import pytest
import scipy.stats

from curation.review.forecast import forecast


def slow_interval(total, a, b):
    """The smallest counts that 2.5 % and 97.5 % of the probability reach, added up one by one."""

    def log_beta(one, two):
        return lgamma(one) + lgamma(two) - lgamma(one + two)

    ends, below = [], 0.0
    for count in range(total + 1):
        ways = lgamma(total + 1) - lgamma(count + 1) - lgamma(total - count + 1)
        below += exp(ways + log_beta(count + a, total - count + b) - log_beta(a, b))
        ends += [count] * ((len(ends) < 1 and below >= 0.025) + (len(ends) < 2 and below >= 0.975))
    return tuple(ends)


def make_forecast(codes, place):
    known = np.array([{1: 1, 2: 2, 4: 2}.get(int(each), 0) for each in codes], np.int8)
    return forecast(np.arange(len(codes)), np.array(codes, np.int8), known, place)


@pytest.mark.parametrize(("settled", "real", "left"), [(10, 0, 200), (37, 30, 50), (90, 45, 8)])
def test_a_forecast_uses_the_last_ones_decided_and_says_how_unsure_it_is(settled, real, left):
    # The first are real and long ago: only the last 50 count. Skipped ones and those called both
    # are not known to be right or wrong, and say nothing.
    codes = [2] * (settled - min(settled, 50)) + [4] * real + [1] * (min(settled, 50) - real)
    codes += [3, 3, 5, 5] + [0] * left
    found = make_forecast(codes, settled + 4)
    seen, upcoming = min(settled, 50), min(left, 50)
    posterior = scipy.stats.betabinom(upcoming, real + 0.5, seen - real + 0.5)
    assert (found.settled, found.real, found.upcoming) == (seen, real, upcoming)
    assert found.expected == pytest.approx(posterior.mean())
    assert (found.low, found.high) == slow_interval(upcoming, real + 0.5, seen - real + 0.5)
    assert found.summary == (
        f"Forecast: about {posterior.mean():.0f} of the next {upcoming} are real "
        f"({found.low} to {found.high})"
    )


def test_a_forecast_is_right_as_often_as_it_claims():
    rng = np.random.default_rng(5)
    held = []
    for _ in range(400):
        real = rng.random(100) < rng.random()
        codes = np.concatenate([1 + real[:50], np.zeros(50)]).astype(np.int8)
        found = make_forecast(codes, 50)
        held.append(found.low <= real[50:].sum() <= found.high)
    assert 0.95 <= np.mean(held) <= 0.99  # whole numbers: a little more than 95 %


def test_there_is_no_forecast_with_too_few_decisions_or_nothing_left():
    assert make_forecast([1] * 9 + [0] * 9, 9) is None
    assert make_forecast([1] * 30, 29) is None
