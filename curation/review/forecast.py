"""How many of the next examples in a queue are real errors, judging by the last ones decided."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from curation.core.matrix import IntArray
from curation.review.example_status import CODE_OF, CODES, FINAL, Codes
from curation.review.review_queue import CHUNK, find_ahead
from curation.store.actions import Action
from curation.wording import verb_of

SPAN = 50  # examples that a forecast looks back on, and ahead to
MIN_DECIDED = 10  # decided examples below which there is no forecast
INTERVAL = (0.025, 0.975)  # leaves out 2.5 % on either side


@dataclass(frozen=True)
class Forecast:
    """How many of the next examples are real errors, if they are like the last ones decided."""

    settled: int  # the decided examples it is based on
    real: int  # those of them whose label was not kept
    upcoming: int
    expected: float
    low: int  # the 95 % interval, both ends included
    high: int

    @property
    def summary(self) -> str:
        number = f"{self.expected:.0f}"
        are = verb_of(self.expected, "is", "are")
        return f"about {number} of the next {self.upcoming} {are} real ({self.low} to {self.high})"

    @property
    def why(self) -> str:
        were = verb_of(self.real, "was", "were")
        are = verb_of(self.expected, "is", "are")
        return (
            f"Of the last {self.settled} settled in this list {self.real} {were} real: the label "
            f"was not kept. If the next ones are like them, {self.expected:.0f} of "
            f"{self.upcoming} {are} expected, and {self.low} to {self.high} with 95 % probability. "
            "Further down the list it is often fewer: an estimate, to go on or to stop by."
        )


def forecast(rows: IntArray, codes: Codes, place: int) -> Forecast | None:
    """Return how many of the next undecided examples are real; None if too few are decided.

    It is based on the decided examples nearest before the place, because the share of real errors
    changes along the list. With k real of n, the share has the posterior
    Beta(k + 1/2, n - k + 1/2) under Jeffreys' prior, so the number among the next N is
    beta-binomial.
    """
    from scipy.stats import betabinom  # here: it takes most of a second to import

    behind = codes[rows[max(0, place - CHUNK) : place]]
    last = behind[np.isin(behind, FINAL)][-SPAN:]
    upcoming = len(find_ahead(rows, codes, CODES["undecided"], place - 1, SPAN))
    if len(last) < MIN_DECIDED or not upcoming:
        return None
    real = int(np.count_nonzero(last != CODE_OF[Action.KEEP]))
    a, b = real + 0.5, len(last) - real + 0.5
    low, high = betabinom.ppf(INTERVAL, upcoming, a, b)
    expected = upcoming * a / (a + b)
    return Forecast(len(last), real, upcoming, expected, int(low), int(high))
