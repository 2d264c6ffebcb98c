"""Intervals for the gain of one way to train over another, paired run by run.

Random splits of one dataset overlap, so their results are not independent, and the usual interval
of a mean would be far too narrow. Two corrections, for the two kinds of held-out part:

- Random parts: the corrected resampled t interval of Nadeau and Bengio (2003). If a share s of the
  examples that can be held out is held out each time, two runs' results correlate by about s, and
  the variance of their mean is (1/J + s / (1 - s)) times the variance over the J runs. A few runs
  can agree by chance, so the standard error is never taken to be smaller than if every example
  had been held out once.
- A fixed test split: every run has the same examples, so the examples are what varies. The gain is
  averaged over the runs for each unit of the test split, with its standard error over the units.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from curation.core.matrix import FloatArray, IntArray

CONFIDENCE = 0.95


@dataclass(frozen=True)
class Gain:
    """A difference of two accuracies with its interval, as shares."""

    estimate: float
    low: float
    high: float

    @property
    def is_up(self) -> bool:
        """Whether the whole interval is above 0."""
        return self.low > 0

    @property
    def is_down(self) -> bool:
        """Whether the whole interval is below 0."""
        return self.high < 0


def find_gain_over_splits(
    differences: FloatArray, held_share: float, *, smallest_error: float = 0.0
) -> Gain:
    """Return the mean difference over random splits, with the corrected interval.

    `differences` has one entry per run; `held_share` is the share held out in each. The standard
    error is at least `smallest_error`.

    >>> find_gain_over_splits(np.array([.01, .03]), 0.25).estimate
    0.02
    """
    runs = len(differences)
    spread = float(differences.std(ddof=1)) if runs > 1 else 0.0
    error = spread * float(np.sqrt(1 / runs + held_share / (1 - held_share)))
    return _around(float(differences.mean()), max(error, smallest_error), runs - 1)


def find_smallest_error(gained: float, lost: float, examples: int) -> float:
    """Return the standard error of a difference if each example had been held out once.

    `gained` and `lost` are the shares of examples that only one of the two models gets right.

    >>> round(find_smallest_error(0.03, 0.01, 100), 4)
    0.0199
    """
    return float(np.sqrt(max(gained + lost - (gained - lost) ** 2, 0.0) / max(examples, 1)))


def find_gain_over_examples(differences: FloatArray, units: IntArray) -> Gain:
    """Return the mean difference over a fixed test split, with an interval over its examples.

    `differences[i]` is how much more often example i is predicted right, averaged over the runs.
    Examples of one unit, such as copies, vary together.
    """
    numbers = np.unique(units, return_inverse=True)[1]
    sizes, count = np.bincount(numbers), len(differences)
    mean = float(differences.mean())
    off = np.bincount(numbers, differences) - mean * sizes
    groups = len(sizes)
    deviation = np.sqrt(groups / max(groups - 1, 1) * (off**2).sum()) / count
    return _around(mean, float(deviation), groups - 1)


def _around(mean: float, deviation: float, freedom: int) -> Gain:
    if freedom < 1:
        return Gain(mean, -1.0, 1.0)
    from scipy.stats import t as student  # here, because it takes half a second

    reach = float(student.ppf((1 + CONFIDENCE) / 2, freedom)) * deviation
    return Gain(mean, max(mean - reach, -1.0), min(mean + reach, 1.0))
