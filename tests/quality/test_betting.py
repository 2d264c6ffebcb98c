"""The bets: fair for the truth in every order of drawing, and fast for what is false."""

from itertools import permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from curation.quality.betting import (
    BETS_PER_SUM,
    HORIZONS,
    SHARES,
    Draws,
    Sums,
    find_payoffs,
    find_stakes,
    learn_rates,
    place_bets,
    schedule_refits,
)
from curation.quality.error_model import ErrorModel

LEVEL = np.log(40)


def bets_on(draws, levels, flagged, factors, takes_part=None, size=5.0):
    rates = learn_rates(draws, ErrorModel(levels, flagged))
    factors = np.atleast_2d(np.asarray(factors, float))
    part = np.ones(factors.shape, bool) if takes_part is None else np.atleast_2d(takes_part)
    return place_bets(draws, rates, Sums(factors, part, np.full(len(factors), size)), LEVEL), rates


def every_sample(weights, bins, wrong, length):
    """Give each ordered sample, with its exact chance: examples are drawn one by one by weight."""
    for order in permutations(range(len(bins)), length):
        chance, left = 1.0, sum(weights[each] for each in bins)
        for example in order:
            chance *= weights[bins[example]] / left
            left -= weights[bins[example]]
        yield chance, np.array([bins[k] for k in order]), np.array([wrong[k] for k in order])


# Five examples in four bins: levels of odds, flagged or not, and weights.
LEVELS = np.array([-5, 0, 1, 4])
FLAGGED = np.array([False, False, True, True])
WEIGHTS = np.array([17, 39, 45, 50])
BINS = [0, 0, 1, 2, 3]
COUNTS = np.array([2, 1, 1, 1])


@pytest.mark.parametrize("wrong", ["00001", "10110", "11000"])
@pytest.mark.parametrize("share", [None, "flagged", "missed", "recall"])
def test_the_wealth_of_a_true_claim_stays_1_on_average_at_every_look(wrong, share):
    wrong = [each == "1" for each in wrong]
    recall = 0.3
    factors = {
        None: np.ones(4),
        "flagged": FLAGGED.astype(float),
        "missed": (~FLAGGED).astype(float),
        "recall": np.where(FLAGGED, 1 - recall, -recall),  # any factors are fair
    }[share]
    part = {"flagged": FLAGGED, "missed": ~FLAGGED}.get(share, np.ones(4, bool))
    truth = sum(factors[each] for each, bad in zip(BINS, wrong, strict=True) if bad)
    mean, ever = np.zeros(4), 0.0
    for chance, bins, bad in every_sample(WEIGHTS, BINS, wrong, 4):
        draws = Draws(COUNTS, WEIGHTS, bins, bad)
        bets, _ = bets_on(draws, LEVELS, FLAGGED, factors, part)
        wealth = np.exp(bets.log_wealth(np.array([truth]))[:, 0])
        mean += chance * wealth
        ever += chance * (wealth.max() >= 2)
    assert mean == pytest.approx(np.ones(4), abs=1e-9)
    assert ever <= 1 / 2  # Ville's inequality


def test_bets_agree_with_the_formulas_written_as_loops():
    rng = np.random.default_rng(0)
    counts, weights = np.array([40, 10, 5, 8]), WEIGHTS
    population = np.repeat(np.arange(4), counts)
    order = rng.permutation(len(population))[:20]
    draws = Draws(counts, weights, population[order], rng.random(20) < 0.3)
    recall = 0.4
    factors = np.where(FLAGGED, 1 - recall, -recall)
    bets, rates = bets_on(draws, LEVELS, FLAGGED, factors)
    claimed = 1.7
    seen, left, wealth = 0.0, counts.astype(float), np.zeros((20, BETS_PER_SUM))
    starts = schedule_refits(20)
    for t in range(20):
        block = max(k for k, start in enumerate(starts) if start <= t)
        total = (left * weights).sum()
        for k in range(BETS_PER_SUM):
            stake = bets.slope[t, k] * total
            mean = 0.0
            for b in range(4):
                s, p = stake * factors[b] / weights[b], rates[block][b]
                d = np.sqrt(1 + s * s - 2 * s * (1 - 2 * p))
                mean += left[b] * weights[b] * (1 + d + s) / 2
                if b == draws.bins[t]:
                    payoff = (1 + d + s) / 2 - (s if draws.wrong[t] else 0)
            mean = (mean - stake * (claimed - seen)) / total
            wealth[t, k] = (wealth[t - 1, k] if t else 0) + np.log(payoff / mean)
        left[draws.bins[t]] -= 1
        seen += factors[draws.bins[t]] * draws.wrong[t]
    shares = [share / 2 for _ in range(2) for share in SHARES]
    expected = np.log(np.exp(wealth) @ shares)
    assert bets.log_wealth(np.array([claimed]))[:, 0] == pytest.approx(expected)


@given(
    st.floats(-50, 50).filter(lambda s: s != 0),
    st.floats(0.001, 0.999),
)
def test_payoffs_are_a_ratio_of_likelihoods_and_differ_by_the_stake(stake, rate):
    right, wrong = (each[0] for each in find_payoffs(np.array([stake]), np.array([rate])))
    assert right > 0 and wrong > 0
    assert right - wrong == pytest.approx(stake)
    # the nearest rates under the claim: rate / wrong, and they add up to 1 with their complement
    assert rate / wrong + (1 - rate) / right == pytest.approx(1)


def test_stakes_reach_the_growth_asked_for():
    rates, chances = np.array([0.001, 0.1, 0.4, 0.9]), np.full((4, 4), 0.25)
    factors = np.array([[1.0], [-1], [1], [-1]]) / WEIGHTS
    targets = LEVEL / np.array([20.0, 20, 400, 400])
    stakes = find_stakes(factors, rates, chances, targets, 8)
    right, wrong = find_payoffs(stakes[:, None] * factors, rates)
    growth = (rates * np.log(wrong) + (1 - rates) * np.log(right)).mean(axis=1)
    assert growth == pytest.approx(targets, rel=1e-3)


@settings(max_examples=25)
@given(st.lists(st.tuples(st.integers(0, 3), st.booleans()), min_size=1, max_size=30))
def test_the_logarithm_of_the_wealth_is_convex_in_the_claim(drawn):
    bins, wrong = (np.array(each) for each in zip(*drawn, strict=True))
    counts = np.full(4, 50)
    bets, _ = bets_on(Draws(counts, WEIGHTS, bins, wrong), LEVELS, FLAGGED, np.ones(4), size=30)
    claims = np.arange(wrong.sum(), 201 - (~wrong).sum(), 5)
    curve = np.array([bets.log_wealth(np.array([float(m)])).max() for m in claims])
    assert (np.diff(curve, 2) >= -1e-9).all()
    most, slope = bets.most_wealth(float(claims[7]))
    assert most == pytest.approx(curve[7])
    # the tangent lies below the curve
    assert curve[6] >= most - 5 * slope - 1e-9 and curve[8] >= most + 5 * slope - 1e-9


def test_the_wealth_of_a_false_claim_grows():
    rng = np.random.default_rng(1)
    counts = np.array([1000, 500, 200, 300])
    bins = rng.choice(4, 300, p=counts * WEIGHTS / (counts @ WEIGHTS))
    wrong = rng.random(300) < np.array([0.01, 0.1, 0.3, 0.8])[bins]
    draws = Draws(counts, WEIGHTS, bins, wrong)
    bets, _ = bets_on(draws, LEVELS, FLAGGED, np.ones(4), size=300)
    for false in (150, 700):  # about 360 are wrong
        assert bets.log_wealth(np.array([float(false)])).max() > np.log(20)


def test_rates_come_from_the_draws_before_alone():
    bins, wrong = np.array([0, 1, 2, 3] * 10), np.arange(40) % 3 == 0
    draws = Draws(np.full(4, 100), WEIGHTS, bins, wrong)
    changed = Draws(draws.counts, WEIGHTS, bins, np.where(np.arange(40) < 25, wrong, ~wrong))
    model = ErrorModel(LEVELS, FLAGGED)
    before, after = learn_rates(draws, model), learn_rates(changed, ErrorModel(LEVELS, FLAGGED))
    for start, one, two in zip(schedule_refits(40), before, after, strict=True):
        assert start > 25 or (one == two).all()


def test_the_model_learns_the_rates_it_is_shown():
    model = ErrorModel(LEVELS, FLAGGED)
    prior = model.fit(np.zeros(4), np.zeros(4))
    assert (np.diff(prior) > 0).all()
    judged = np.full(4, 500.0)
    rates = model.fit(judged * [0.2, 0.1, 0.5, 0.4], judged)
    assert rates == pytest.approx([0.2, 0.1, 0.5, 0.4], abs=0.02)
    assert 0 < model.fit(np.zeros(4), judged).min() < 0.001


def test_shares_of_the_wealth_add_up_to_1():
    assert SHARES.sum() == pytest.approx(1) and len(SHARES) == len(HORIZONS)
