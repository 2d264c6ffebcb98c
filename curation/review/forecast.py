"""Estimates how many of the next examples in a queue are real errors, from the last decisions."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from curation.core.matrix import IntArray
from curation.review.example_status import CODES, Codes
from curation.review.review_queue import CHUNK, find_ahead
from curation.review.verdicts import KNOWN_WRONG, NOT_KNOWN
from curation.wording import verb_of

SPAN = 50  # examples that a forecast uses, and covers
MIN_SETTLED = 10  # labels known to be right or wrong below which there is no forecast
INTERVAL = (0.025, 0.975)  # leaves out 2.5 % on either side


@dataclass(frozen=True)
class Forecast:
    """How many of the next examples are real errors, if they are like the last ones decided."""

    settled: int  # the labels it is based on, known to be right or wrong
    real: int  # those of them that are wrong
    upcoming: int
    expected: float
    low: int  # the 95 % interval, both ends included
    high: int

    @property
    def summary(self) -> str:
        number = f"{self.expected:.0f}"
        are = verb_of(self.expected, "is", "are")
        about = f"about {number} of the next {self.upcoming} {are} real"
        return f"Forecast: {about} ({self.low} to {self.high})"

    @property
    def why(self) -> str:
        were = verb_of(self.real, "was", "were")
        are = verb_of(self.expected, "is", "are")
        return (
            f"Of the last {self.settled} labels in this list that are known to be right or wrong, "
            f"{self.real} {were} real. If the next ones are like them, "
            f"{self.expected:.0f} of {self.upcoming} {are} expected, and {self.low} to {self.high} "
            "with 95 % probability. Further down the list there are often fewer. "
            "The Quality page says when to stop."
        )


def forecast(rows: IntArray, codes: Codes, known: Codes, place: int) -> Forecast | None:
    """Return how many of the next undecided examples are real; None if too few are known.

    `known` says which labels are right or wrong, as `Ledger.known` does. It is based on those
    nearest before the place, because the share of real errors changes along the list. With k real
    of n, the share has the posterior Beta(k + 1/2, n - k + 1/2) under Jeffreys' prior, so the
    number among the next N is beta-binomial.
    """
    behind = known[rows[max(0, place - CHUNK) : place]]
    last = behind[behind != NOT_KNOWN][-SPAN:]
    upcoming = len(find_ahead(rows, codes, CODES["undecided"], place - 1, SPAN))
    if len(last) < MIN_SETTLED or not upcoming:
        return None
    from scipy.stats import betabinom  # imported here, because it takes most of a second

    real = int(np.count_nonzero(last == KNOWN_WRONG))
    a, b = real + 0.5, len(last) - real + 0.5
    low, high = betabinom.ppf(INTERVAL, upcoming, a, b)
    expected = upcoming * a / (a + b)
    return Forecast(len(last), real, upcoming, expected, int(low), int(high))
