"""When to stop: how many errors the labels ahead should hold, and whether they are worth it.

A forecast, not a proof: it assumes that labels ahead are wrong as often as judged labels that the
model doubts as much. The curator says what an error left in is worth, in reviews; going on pays as
long as that many reviews find more than one error.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from curation.analysis.findings import Findings, Method, Order
from curation.core.matrix import FloatArray, IntArray
from curation.core.rank import rank_examples
from curation.quality.audit_plan import Bins, score_levels, sort_into_bins
from curation.quality.error_model import ErrorModel
from curation.wording import count_of

BATCH = 50  # reviews that the advice looks ahead to
MIN_JUDGED = 10  # verdicts below which there is no advice
DEFAULT_VALUE = 10  # reviews that an error left in is worth
MOST_STEPS = 80  # points of the forecast
SAMPLES = 400  # drawn for the band
BAND = (0.025, 0.975)


@dataclass(frozen=True, eq=False)
class Queue:
    """All examples in the order they would be reviewed, and the bin of each."""

    rows: IntArray  # (n,) the flagged ones first
    places: IntArray  # (n,) where each row stands in this order
    row_bins: NDArray[np.uint8]  # (n,) the bin of each, in this order
    bins: Bins


@dataclass(frozen=True, eq=False)
class Forecast:
    """How many errors the next reviews should find, at a few numbers of reviews ahead."""

    reviews: IntArray  # (s,) ascending
    expected: FloatArray  # (s,) errors found by then, with the band that holds them in 95 %
    low: FloatArray
    high: FloatArray


@dataclass(frozen=True, eq=False)
class Advice:
    """Whether to go on, what the next reviews hold, and what is left to gain."""

    go_on: bool
    value: float  # reviews that an error left in is worth
    upcoming: int  # reviews ahead, at most a batch
    expected: float  # errors among them, with the band that holds them in 95 %
    low: float
    high: float
    best_reviews: int  # reviews after which to stop
    best_errors: float  # errors expected in them
    forecast: Forecast

    @property
    def gain(self) -> float:
        """Return what going on is worth, in reviews: errors found times their value, less work."""
        return self.best_errors * self.value - self.best_reviews

    @property
    def headline(self) -> str:
        if not self.upcoming:
            return "Stop: nothing is left to review"
        number = f"about {self.expected:.0f} of the next {self.upcoming:,}"
        band = f"(forecast: {self.low:.0f} to {self.high:.0f})"
        return f"{'Go on' if self.go_on else 'Stop'}: {number} may be wrong {band}"

    @property
    def reason(self) -> str:
        """Return why, in words that name both sides of the bargain."""
        worth = f"An error left in is worth {count_of(self.value, 'review')} to you"
        if not self.upcoming:
            return "Every label is judged; nothing is left to review."
        if not self.go_on:
            number = count_of(self.upcoming, "review")
            return f"{worth}; what is forecast is not worth {number}."
        errors, reviews = count_of(self.best_errors, "error"), count_of(self.best_reviews, "review")
        return f"{worth}. Left to gain by this forecast: about {errors} in {reviews}, then stop."


def line_up(
    findings: Findings,
    method: Method = "confident_joint",
    order: Order = "normalized_margin",
) -> Queue:
    """Return all examples in the order they would be reviewed: flagged, then the others."""
    flagged = findings.mask(method)
    scores = getattr(findings, order)
    rows = np.concatenate([rank_examples(flagged, scores), rank_examples(~flagged, scores)])
    bins = sort_into_bins(score_levels(findings), flagged, np.array([], dtype=np.int64))
    places = np.empty_like(rows)
    places[rows] = np.arange(len(rows))
    return Queue(rows, places, bins.find(rows).astype(np.uint8), bins)


def advise(
    queue: Queue, verdicts: Mapping[int, bool], *, value: float = DEFAULT_VALUE, seed: int = 0
) -> Advice | None:
    """Return whether to go on reviewing; None before enough labels are judged.

    `verdicts` says for each judged row whether its label is wrong. The best place to stop is where
    the errors found, times their value, exceed the reviews by most.
    """
    if len(verdicts) < MIN_JUDGED:
        return None
    judged_rows = np.fromiter(verdicts, dtype=np.int64, count=len(verdicts))
    wrong = np.fromiter(verdicts.values(), dtype=np.bool_, count=len(verdicts))
    size, places = len(queue.bins.used), queue.places[judged_rows]
    bins = queue.row_bins[places]
    judged = np.bincount(bins, minlength=size).astype(np.float64)
    errors = np.bincount(bins[wrong], minlength=size).astype(np.float64)
    model = ErrorModel(queue.bins.levels, queue.bins.flagged)
    ahead = np.delete(queue.row_bins, places)
    fitted = model.fit(errors, judged)
    gains = np.cumsum(fitted[ahead] * value - 1)
    best = int(np.argmax(gains)) + 1 if len(gains) and gains.max() > 0 else 0
    rates = model.draw_rates(errors, judged, np.random.default_rng(seed), SAMPLES)
    forecast = _forecast(ahead, fitted, rates, best)
    return _make_advice(forecast, value, best, min(BATCH, len(ahead)))


def _make_advice(forecast: Forecast, value: float, best: int, upcoming: int) -> Advice:
    def at(reviews: int, values: FloatArray) -> float:
        return float(values[np.searchsorted(forecast.reviews, reviews)]) if reviews else 0.0

    return Advice(
        go_on=best > 0,
        value=value,
        upcoming=upcoming,
        expected=at(upcoming, forecast.expected),
        low=at(upcoming, forecast.low),
        high=at(upcoming, forecast.high),
        best_reviews=best,
        best_errors=at(best, forecast.expected),
        forecast=forecast,
    )


def _forecast(
    ahead: NDArray[np.uint8], fitted: FloatArray, rates: FloatArray, best: int
) -> Forecast:
    """Return what the labels ahead may hold, up to well past the best place to stop.

    The errors expected follow from the fitted rates, as the advice does, and not from the drawn
    ones, whose mean differs from one state of the log to the next by chance.
    """
    reviews = _choose_steps(len(ahead), best)
    if not len(reviews):
        empty = np.zeros(0)
        return Forecast(reviews, empty, empty, empty)
    step = np.searchsorted(reviews, np.arange(1, reviews[-1] + 1))
    counts = np.zeros((len(reviews), rates.shape[1]))
    np.add.at(counts, (step, ahead[: reviews[-1]]), 1)
    counts = np.cumsum(counts, axis=0)
    expected = counts @ fitted
    means = counts @ rates.T  # (s, samples)
    spread = np.sqrt(counts @ (rates * (1 - rates)).T)
    noise = np.random.default_rng(1).standard_normal(rates.shape[0])
    found = np.clip(np.rint(means + spread * noise), 0, reviews[:, None])
    low, high = np.quantile(found, BAND, axis=1)
    low, high = np.floor(np.minimum(low, expected)), np.ceil(np.maximum(high, expected))
    return Forecast(reviews, expected, low, high)


def _choose_steps(num_ahead: int, best: int) -> IntArray:
    """Return the numbers of reviews to forecast: a batch, the best, and others about evenly."""
    last = min(num_ahead, max(4 * BATCH, 2 * best))
    steps = np.linspace(1, max(1, last), min(MOST_STEPS, last)).astype(np.int64)
    marked = [each for each in (min(BATCH, num_ahead), best) if each]
    return np.unique(np.concatenate([steps, np.array(marked, dtype=np.int64)]))
