"""Bets on what the next draw shows, and what they are worth if a claimed number were true.

Let w_i be the sampling weights of the examples that are left and e_i = 1 if label i is wrong. A
claim says that the sum of g_i e_i over the population is some number; with all g_i = 1 it is the
number of wrong labels. Before each draw, a bet fixes a payoff f(i, e) >= 0 for each example:

    s = stake * g_i / w_i
    d = sqrt(1 + s * s - 2 * s * (1 - 2 * rate_i))
    f(i, 0) = (1 + d + s) / 2        f(i, 1) = (1 + d - s) / 2 = f(i, 0) - s

Because the difference is s for each example, the mean payoff of the next draw depends on the
unknown labels through the claimed sum alone:

    mean = (sum of w_i f(i, 0) - stake * sum of g_i e_i) / sum of w_i, all over what is left

So the payoff divided by this mean has expectation 1 if the claim is true, whatever the labels are
and however wrong the rates may be. The product over the draws, the wealth, is a nonnegative
martingale that starts at 1. By Ville's inequality it ever reaches 20 with a chance of at most 1 in
20. A claim under which it did reach 20 is rejected at 95 %, at whichever look that happened.

Of all payoffs with this property, the form above grows fastest if the rates are right: it is the
likelihood of the rates against that of the nearest rates with the claimed sum. With one bin and
g = 1 it is the bet of Waudby-Smith and Ramdas (2020) for sampling without replacement. Sampling by
weight is as in Shekhar, Xu, Lipton, Liang and Ramdas (2023).

The logarithm of the wealth is convex in the claimed sum, because the mean is linear in it. So is
that of an average of bets, and the largest over all looks. The claims that are not rejected are
therefore an interval, and its ends are found by bisection.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from curation.core.matrix import BoolArray, FloatArray, IntArray
from curation.quality.error_model import ErrorModel

# A bet is made for a horizon: it is the one that grows fastest to the level of rejection in that
# many draws. Horizons are shares of the planned size; the wealth is spread over them. Widths after
# 50, 200 and 500 draws changed by less than 3 % over every other choice that was tried.
HORIZONS = np.array([0.3, 1.0])
SHARES = np.array([0.35, 0.65])
SPREAD = np.tile(SHARES / 2, 2)
BETS_PER_SUM = 2 * len(HORIZONS)  # one that the sum is smaller, one that it is larger
REFIT_GROWTH = 1.25  # rates and stakes are refitted when the number of draws has grown by this
NEWTON_STEPS = 6
MAX_STAKE = 1e6  # reached only where nothing of a sum is left to draw
TINY = 1e-300


@dataclass(frozen=True, eq=False)
class Draws:
    """A population in bins, and what the first draws from it showed."""

    counts: IntArray  # (b,) examples of each bin before the first draw
    weights: IntArray  # (b,)
    bins: IntArray  # (t,) the bin of each draw
    wrong: BoolArray  # (t,) whether its label is wrong

    @cached_property
    def remaining(self) -> IntArray:
        """Return how many of each bin are left before each draw, (t, b)."""
        drawn = np.zeros((len(self.bins), len(self.counts)), dtype=np.int64)
        drawn[np.arange(1, len(self.bins)), self.bins[:-1]] = 1
        remaining: IntArray = self.counts - np.cumsum(drawn, axis=0)
        return remaining

    def first(self, num_draws: int) -> Draws:
        """Return the first draws alone."""
        return replace(self, bins=self.bins[:num_draws], wrong=self.wrong[:num_draws])


@dataclass(frozen=True, eq=False)
class Sums:
    """Sums over the population on which bets are placed, c of them.

    Draws from bins that do not take part in a sum are passed over: the others are then a sample
    of the other bins by themselves.
    """

    factors: FloatArray  # (c, b) g of each bin
    takes_part: BoolArray  # (c, b)
    horizons: FloatArray  # (c,) number of draws that take part in the whole plan


@dataclass(frozen=True, eq=False)
class Bets:
    """The course of the bets on c sums over t draws, for any claim; k = c * BETS_PER_SUM.

    Mean payoff of a draw if the sum is x: `mean_at_zero - slope * (x - seen)`.
    """

    log_payoff: FloatArray  # (t, k)
    mean_at_zero: FloatArray  # (t, k)
    slope: FloatArray  # (t, k)
    seen: FloatArray  # (t, k) what the draws before this one contribute to the sum

    def log_wealth(self, claimed: FloatArray) -> FloatArray:
        """Return the logarithm of the wealth after each draw if these sums were true, (t, c)."""
        claims = np.repeat(claimed, BETS_PER_SUM)
        mean = self.mean_at_zero - self.slope * (claims - self.seen)
        gains = self.log_payoff - np.log(np.maximum(mean, TINY))
        wealth = np.cumsum(gains, axis=0).reshape(len(gains), -1, BETS_PER_SUM)
        return _average_wealth(wealth)

    def most_wealth(self, claimed: float) -> tuple[float, float]:
        """Return the largest logarithm of the wealth at any look, for one sum, and its slope."""
        mean = np.maximum(self.mean_at_zero - self.slope * (claimed - self.seen), TINY)
        wealth = np.cumsum(self.log_payoff - np.log(mean), axis=0)
        average = _average_wealth(wealth)
        look = int(np.argmax(average))
        part_of_wealth = np.exp(wealth[look] - average[look]) * SPREAD
        slopes = (self.slope[: look + 1] / mean[: look + 1]).sum(axis=0)
        return float(average[look]), float(part_of_wealth @ slopes)

    def on_sum(self, place: int) -> Bets:
        """Return the bets on one of the sums."""
        mine = slice(place * BETS_PER_SUM, (place + 1) * BETS_PER_SUM)
        return Bets(
            self.log_payoff[:, mine],
            self.mean_at_zero[:, mine],
            self.slope[:, mine],
            self.seen[:, mine],
        )


def schedule_refits(num_draws: int) -> list[int]:
    """Return the draws before which rates and stakes are refitted.

    >>> schedule_refits(12)
    [0, 1, 2, 3, 4, 5, 6, 7, 8, 10]
    """
    starts, start = [], 0
    while start < num_draws:
        starts.append(start)
        start = max(start + 1, int(start * REFIT_GROWTH))
    return starts


def learn_rates(draws: Draws, model: ErrorModel) -> FloatArray:
    """Return the rates of the bins at each refit, (r, b), from the draws before it alone."""
    size = len(draws.counts)
    starts = schedule_refits(len(draws.bins))
    judged, errors = np.zeros((len(starts), size)), np.zeros((len(starts), size))
    for place, start in enumerate(starts):
        seen = draws.bins[:start]
        judged[place] = np.bincount(seen, minlength=size)
        errors[place] = np.bincount(seen[draws.wrong[:start]], minlength=size)
    return model.fit(errors, judged)


def place_bets(
    draws: Draws,
    rates: FloatArray,
    sums: Sums,
    log_level: float,
    *,
    newton_steps: int = NEWTON_STEPS,
) -> Bets:
    """Return bets on each sum: half of them gain if it is smaller than claimed, half if larger."""
    num_draws, num_sums = len(draws.bins), len(sums.factors)
    sides = np.tile(np.repeat([1.0, -1.0], len(HORIZONS)), num_sums)
    factors = np.repeat(sums.factors / draws.weights, BETS_PER_SUM, axis=0) * sides[:, None]
    targets = log_level / np.maximum(1, np.outer(sums.horizons, np.tile(HORIZONS, 2)).ravel())
    weight_left = (draws.remaining * draws.weights).astype(np.float64)  # (t, b)
    takes_part = np.repeat(sums.takes_part, BETS_PER_SUM, axis=0).astype(np.float64)
    total = np.maximum(weight_left @ takes_part.T, 1)  # (t, k)

    starts = schedule_refits(num_draws)
    lengths = np.diff([*starts, num_draws])
    refit = np.repeat(np.arange(len(starts)), lengths)  # (t,) the refit that each draw uses
    chances = takes_part * weight_left[starts][:, None] / total[starts][..., None]  # (r, k, b)
    stakes = find_stakes(factors, rates[:, None], chances, targets, newton_steps)  # (r, k)
    right, wrong = find_payoffs(stakes[..., None] * factors, rates[:, None])  # (r, k, b)

    payoff = np.where(
        draws.wrong[:, None], wrong[refit, :, draws.bins], right[refit, :, draws.bins]
    )
    blocks = np.split(weight_left, starts[1:])
    means = [block @ each.T for block, each in zip(blocks, takes_part * right, strict=True)]
    mean_at_zero = np.concatenate(means) / total
    slope = stakes[refit] * sides / total
    passed_over = takes_part[:, draws.bins].T == 0
    payoff[passed_over], mean_at_zero[passed_over], slope[passed_over] = 1, 1, 0
    contributions = np.where(draws.wrong[:, None], sums.factors[:, draws.bins].T, 0)
    seen = np.cumsum(contributions, axis=0) - contributions
    return Bets(
        np.log(np.maximum(payoff, TINY)),
        mean_at_zero,
        slope,
        np.repeat(seen, BETS_PER_SUM, axis=1),
    )


def find_payoffs(stakes: FloatArray, rates: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return f(i, 0) and f(i, 1) for s = `stakes`, written so that nothing cancels."""
    root = np.sqrt((1 - stakes) ** 2 + 4 * stakes * rates)
    right, wrong = root + 1 + stakes, root + 1 - stakes
    if np.abs(stakes).max(initial=0) > 1:
        above, below = stakes > 1, stakes < -1
        wrong[above] = (4 * stakes * rates)[above] / (root + stakes - 1)[above]
        right[below] = (-4 * stakes * (1 - rates))[below] / (root - stakes - 1)[below]
    return right / 2, wrong / 2


def find_stakes(
    factors: FloatArray,
    rates: FloatArray,
    chances: FloatArray,
    targets: FloatArray,
    newton_steps: int,
) -> FloatArray:
    """Return stakes at which the wealth is expected to grow by these targets per draw.

    The expectation is that of the rates. For small stakes the growth is half the variance. A few
    Newton steps for the root of the growth, which is nearly linear in the stake, do the rest. Where
    rates are tiny it has a kink, so a step that leaves the bracket is replaced by its middle. Any
    stake is valid.
    """
    variance = (factors**2 * (rates * (1 - rates)) * chances).sum(axis=-1)
    stakes = np.minimum(np.sqrt(2 * targets / np.maximum(variance, TINY)), MAX_STAKE)
    low, high = np.zeros_like(stakes), np.full_like(stakes, np.inf)
    for _ in range(newton_steps):
        s = stakes[..., None] * factors
        right, wrong = find_payoffs(s, rates)
        growth = ((rates * np.log(wrong) + (1 - rates) * np.log(right)) * chances).sum(axis=-1)
        turn = (s - (1 - 2 * rates)) / (right + wrong - 1)
        rise = rates * (turn - 1) / wrong + (1 - rates) * (turn + 1) / right
        rise = (rise * factors * chances).sum(axis=-1) / 2
        root = np.sqrt(np.maximum(growth, TINY))
        low, high = (
            np.where(growth > targets, low, stakes),
            np.where(growth > targets, stakes, high),
        )
        new = stakes + (np.sqrt(targets) - root) * 2 * root / np.maximum(rise, TINY)
        middle = np.sqrt(np.maximum(low, stakes / 16) * np.minimum(high, stakes * 16))
        stakes = np.minimum(np.where((low <= new) & (new <= high), new, middle), MAX_STAKE)
    result: FloatArray = stakes
    return result


def _average_wealth(log_wealth: FloatArray) -> FloatArray:
    """Return the logarithm of the wealth spread over the bets, which are the last axis."""
    largest = log_wealth.max(axis=-1)
    result: FloatArray = largest + np.log(np.exp(log_wealth - largest[..., None]) @ SPREAD)
    return result
