"""The figures and intervals that follow from the verdicts of an audit, read in one way.

A label about which nobody can tell is read twice, as wrong and as right; `estimates` joins them.
"""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np

from curation.core.matrix import BoolArray, FloatArray, IntArray
from curation.quality.audit_plan import AuditPlan
from curation.quality.betting import (
    Bets,
    Draws,
    Sums,
    learn_rates,
    place_bets,
    schedule_refits,
)
from curation.quality.claims import Range, find_claims, find_shares
from curation.quality.error_model import CURVE_VERDICTS, ErrorModel
from curation.quality.label_quality import Interval, Quality

FLAGGED, MISSED, TOTAL = range(3)  # the sums that are counted
# The bets use this share of the error that is allowed. With all of it, an interval of 95 % held in
# 95 to 97 % of audits: enough, but 500 audits would not show it. Widths grow by about 4 %.
ERROR_SPENT = 0.8


class AuditReading:
    """One reading of the verdicts: every one of them says wrong or right."""

    def __init__(
        self,
        plan: AuditPlan,
        flagged: BoolArray,
        rows: IntArray,
        wrong: BoolArray,
        confidence: float,
    ) -> None:
        self.plan, self.confidence = plan, confidence
        self.level = float(np.log(1 / (ERROR_SPENT * (1 - confidence))))
        self.draws = _find_draws(plan, rows, wrong)
        self.num_flagged = int(np.count_nonzero(flagged))
        sizes = np.array([self.num_flagged, plan.num_examples - self.num_flagged])

        def count(chosen: BoolArray) -> IntArray:
            return _count_both(flagged[rows[chosen]])

        self.wrong, right = count(wrong), count(~wrong)
        self.right = right
        self.possible = [
            Range(int(low), int(high)) for low, high in _with_sum(self.wrong, sizes - right)
        ]
        known = np.isin(rows, plan.known, assume_unique=True)
        self.known_wrong = count(wrong & known)
        self.unresolved = _count_both(flagged[plan.known]) - count(known)

    @cached_property
    def model(self) -> ErrorModel:
        return ErrorModel(self.plan.bin_levels, self.plan.bin_flagged)

    @cached_property
    def rates(self) -> FloatArray:
        return learn_rates(self.draws, self.model)

    @cached_property
    def strata(self) -> BoolArray:
        """Return which bins are counted in each sum: flagged, missed, total."""
        flagged = self.plan.bin_flagged
        return np.stack([flagged, ~flagged, np.ones_like(flagged)])

    @cached_property
    def bets(self) -> Bets:
        weight = (self.draws.counts * self.draws.weights).astype(np.float64)
        shares = (self.strata @ weight) / max(1.0, weight.sum())
        sums = Sums(self.strata.astype(np.float64), self.strata, len(self.plan.rows) * shares)
        return place_bets(self.draws, self.rates, sums, self.level + np.log(2))

    @cached_property
    def estimates(self) -> FloatArray:
        """Return the estimated numbers of errors: flagged, missed, total."""
        drawn = _estimate_drawn(self.draws, self.rates, self.model, self.strata[:2])
        estimates: FloatArray = _with_sum(drawn + self.known_wrong + self.unresolved / 2)
        return estimates

    def count(self, which: int, level: float) -> Range:
        """Return the numbers of errors that are not rejected at this level."""
        known = int(_with_sum(self.known_wrong)[which])
        unresolved = int(_with_sum(self.unresolved)[which])
        found = self._count_drawn(which, level, self.estimates[which] - known - unresolved / 2)
        found = Range(found.low + known, found.high + known + unresolved)
        return found.clip_to(self.possible[which])

    def _count_drawn(self, which: int, level: float, guess: float) -> Range:
        mine = self.strata[which]
        seen = mine[self.draws.bins]
        wrong = int(np.count_nonzero(self.draws.wrong & seen))
        right = int(np.count_nonzero(seen)) - wrong
        possible = Range(wrong, int(self.draws.counts[mine].sum()) - right)
        if not seen.any():
            return possible
        return find_claims(self.bets.on_sum(which), level, possible, guess)

    @cached_property
    def quality(self) -> Quality:
        num_examples, found = self.plan.num_examples, int(self.wrong.sum())
        flagged, missed, total = (
            _interval(estimate, *self.count(which, self.level))
            for which, estimate in enumerate(self.estimates)
        )
        left = Interval(total.estimate - found, total.low - found, total.high - found)
        return Quality(
            total_errors=total,
            missed_errors=missed,
            flagged_errors=flagged,
            precision=self.precision(flagged),
            recall=self.recall(flagged.estimate, missed.estimate),
            label_accuracy=_complement(total, num_examples),
            errors_left=left,
            accuracy_after_cleaning=_complement(left, num_examples),
            confidence=self.confidence,
            method=self.plan.method,
            planned=len(self.plan.rows),
            judged=len(self.draws.bins),
            known_errors=found,
            known_correct=int(self.right.sum()),
        )

    def precision(self, errors: Interval) -> Interval:
        if not self.num_flagged:
            return Interval(1.0, 0.0, 1.0) if self.possible[TOTAL].high else Interval(1.0, 1.0, 1.0)
        each = (errors.estimate, errors.low, errors.high)
        return Interval(*(value / self.num_flagged for value in each))

    def recall(self, flagged_errors: float, missed_errors: float) -> Interval:
        """Return the share of errors that are flagged, tested as a share wherever possible."""
        guess = _share(flagged_errors, missed_errors)
        flagged, missed, total = self.possible
        if not total.low:
            limits = (0.0, 1.0) if total.high else (1.0, 1.0)  # perhaps there are no errors
        else:
            limits = (_share(flagged.low, missed.high), _share(flagged.high, missed.low))
        if limits[0] == limits[1] or not len(self.draws.bins):
            return _interval(guess, *limits)
        if self.unresolved.any():
            return _interval(guess, *self._recall_from_counts())
        most, low_high = len(self.draws.bins), self._test_shares(len(self.draws.bins), *limits)
        least = 0
        while low_high is None and most - least > 1:  # all rejected: as in find_claims
            looks = (least + most) // 2
            if self._test_shares(looks, *limits) is None:
                most = looks
            else:
                least = looks
            if most - least <= 1 and least:
                low_high = self._test_shares(least, *limits)
        return _interval(guess, *(low_high or limits))

    def _test_shares(self, looks: int, low: float, high: float) -> tuple[float, float] | None:
        """Return the recalls that the first draws have not rejected.

        A recall r claims that (1 - r) * flagged errors - r * missed errors = 0: a sum, with
        factors 1 - r and -r.
        """
        draws = self.draws.first(looks)
        rates = self.rates[: len(schedule_refits(looks))]
        flagged = self.plan.bin_flagged

        def reject(shares: FloatArray) -> FloatArray:
            factors = np.where(flagged, 1 - shares[:, None], -shares[:, None])
            everywhere = np.ones(factors.shape, dtype=np.bool_)
            horizons = np.full(len(shares), float(len(self.plan.rows)))
            sums = Sums(factors, everywhere, horizons)
            bets = place_bets(draws, rates, sums, self.level + np.log(2), newton_steps=0)
            claimed = shares * self.known_wrong[MISSED] - (1 - shares) * self.known_wrong[FLAGGED]
            rejection: FloatArray = bets.log_wealth(claimed).max(axis=0) - self.level
            return rejection

        guess = _share(*self.estimates[:2])
        return find_shares(reject, low, high, min(max(guess, low), high))

    def _recall_from_counts(self) -> tuple[float, float]:
        """Return what both counts allow, each held at half the error: some facts are missing."""
        level = self.level + np.log(2)
        flagged, missed = self.count(FLAGGED, level), self.count(MISSED, level)
        if not flagged.low + missed.low:
            return 0.0, 1.0
        return _share(flagged.low, missed.high), _share(flagged.high, missed.low)


def _find_draws(plan: AuditPlan, rows: IntArray, wrong: BoolArray) -> Draws:
    """Return the leading part of the plan that is judged without a gap."""
    places = np.searchsorted(rows, plan.rows)
    judged = np.zeros(len(plan.rows), dtype=np.bool_)
    inside = places < len(rows)
    judged[inside] = rows[places[inside]] == plan.rows[inside]
    length = len(judged) if judged.all() else int(np.argmin(judged))
    return Draws(plan.bin_counts, plan.bin_weights, plan.row_bins[:length], wrong[places[:length]])


def _estimate_drawn(
    draws: Draws, rates: FloatArray, model: ErrorModel, strata: BoolArray
) -> FloatArray:
    """Return the estimated errors of each stratum of the population.

    Each draw gives an unbiased figure: the errors seen before it, the expected ones among what is
    left, and the surprise of this draw divided by its chance. They are averaged, together with the
    model's expectation, which counts as a few draws.
    """
    size, num_draws = len(draws.counts), len(draws.bins)
    judged = np.bincount(draws.bins, minlength=size).astype(np.float64)
    errors = np.bincount(draws.bins[draws.wrong], minlength=size).astype(np.float64)
    expected = strata @ (errors + (draws.counts - judged) * model.fit(errors, judged))
    if not num_draws:
        return expected
    starts = schedule_refits(num_draws)
    rate = np.repeat(rates, np.diff([*starts, num_draws]), axis=0)  # (t, b)
    drawn = np.arange(num_draws), draws.bins
    mine = strata[:, draws.bins].T  # (t, s)
    wrong = mine * draws.wrong[:, None]
    left = draws.remaining
    chance = draws.weights[draws.bins] / (left @ draws.weights)
    surprise = mine * ((draws.wrong - rate[drawn]) / chance)[:, None]
    figures = np.cumsum(wrong, axis=0) - wrong + (left * rate) @ strata.T + surprise
    total: FloatArray = CURVE_VERDICTS * expected + figures.sum(axis=0)
    return total / (CURVE_VERDICTS + num_draws)


def _count_both(flagged: BoolArray) -> IntArray:
    """Return how many are flagged and how many are not."""
    number = int(np.count_nonzero(flagged))
    return np.array([number, len(flagged) - number])


def _with_sum(*columns: Any) -> Any:
    """Return flagged, missed and total, one row each; of one column, its three values."""
    values = np.column_stack(columns)
    both = np.vstack([values, values.sum(axis=0)])
    return both[:, 0] if len(columns) == 1 else both


def _share(part: float, rest: float) -> float:
    return float(part / (part + rest)) if part + rest > 0 else 1.0


def _interval(estimate: float, low: float, high: float) -> Interval:
    return Interval(float(min(max(estimate, low), high)), float(low), float(high))


def _complement(errors: Interval, number: int) -> Interval:
    return Interval(1 - errors.estimate / number, 1 - errors.high / number, 1 - errors.low / number)
