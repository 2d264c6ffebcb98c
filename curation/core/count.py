"""Count: the thresholds and the confident joint (the paper's Section 3.1 and Algorithm 1)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from curation.core.checks import check_probabilities, holds_distributions, row_sum_tolerance
from curation.core.matrix import (
    BoolArray,
    FloatArray,
    IntArray,
    Probabilities,
    ShareDone,
    map_rows,
    read_blocks,
    working_dtype,
)

Threshold = Literal["mean"] | float
Collisions = Literal["argmax", "confident"]

# An example is confident in class j when its probability reaches t_j minus this much. The mean of
# three 0.1s is above 0.1 in floating point, so without it a class of equal confidences would
# never reach its own mean. cleanlab uses the same number, so the counts are the same, except that
# cleanlab writes 1 for a class with nothing on its diagonal, and we keep the 0 that was counted.
THRESHOLD_TOLERANCE = 1e-6

NOT_COUNTED = -1  # in place of a class: the example was confident in none


@dataclass(frozen=True)
class Counted:
    """What one pass over the probabilities finds out about each example."""

    predicted_labels: IntArray  # the likeliest class
    other_labels: IntArray  # the likeliest class other than the given one
    other_confidence: FloatArray  # and its probability
    counted_labels: IntArray  # the class it was confidently counted into, or NOT_COUNTED

    @property
    def was_counted(self) -> BoolArray:
        return np.asarray(self.counted_labels != NOT_COUNTED)

    def find_moved(self, labels: IntArray) -> BoolArray:
        """Return which examples were counted into another class than the given one."""
        return np.asarray(self.was_counted & (self.counted_labels != labels))

    def suggest(self, labels: IntArray) -> IntArray:
        """Return the label to suggest: what it was counted into, or else the likeliest other."""
        return np.where(self.find_moved(labels), self.counted_labels, self.other_labels)


def read_self_confidence(
    labels: IntArray, pred_probs: Probabilities, *, progress: ShareDone | None = None
) -> FloatArray:
    """Return the probability that the model gives to each example's given label.

    >>> read_self_confidence(np.array([1, 0]), np.array([[.25, .75], [.5, .5]]))
    array([0.75, 0.5 ])
    """
    confidence = np.empty(len(labels))

    def read(start: int, stop: int) -> None:
        own = pred_probs[np.arange(start, stop), labels[start:stop]]
        confidence[start:stop] = np.minimum(own, 1)  # a rounding error above 1 counts as 1

    map_rows(read, pred_probs, progress)
    return confidence


def estimate_thresholds(
    labels: IntArray, self_confidence: FloatArray, num_classes: int, *, threshold: Threshold
) -> FloatArray:
    """Return how sure the model usually is of each class, among examples given that class.

    Entry j is the paper's t_j (Equation 2): an example can be counted into class j only at or
    above it. A `threshold` of 90 takes the 90th percentile instead of the mean. A class that no
    example was given has no usual confidence: its entry is +inf, so that nothing is ever
    counted into it.

    >>> estimate_thresholds(np.array([0, 0, 1]), np.array([.9, .7, .6]), 3, threshold="mean")
    array([0.8, 0.6, inf])
    """
    counts = np.bincount(labels, minlength=num_classes)
    present = counts > 0
    thresholds = np.full(num_classes, np.inf)
    if threshold == "mean":
        sums = sum_by_class(labels, self_confidence, counts)
        thresholds[present] = sums[present] / counts[present]
        return thresholds
    by_class = np.split(self_confidence[np.argsort(labels, kind="stable")], np.cumsum(counts)[:-1])
    thresholds[present] = [np.percentile(each, threshold) for each in by_class if len(each)]
    return thresholds


def sum_by_class(labels: IntArray, self_confidence: FloatArray, counts: IntArray) -> FloatArray:
    """Return the sum of the self-confidence of each class, the same in whatever order or parts.

    Each value is first rounded to a multiple of a power of two, the smallest for which the sum of
    the largest class (of `counts`, over all parts) is exact in float64. So sums of parts can be
    added to the sum of all. With a million examples in a class, a value changes by 6e-11 at most,
    far less than THRESHOLD_TOLERANCE.

    >>> sum_by_class(np.array([0, 1, 0]), np.array([.5, .75, .25]), np.array([2, 1]))
    array([0.75, 0.75])
    """
    scale = 2.0 ** (53 - int(counts.max(initial=1)).bit_length())
    rounded = self_confidence * scale
    np.rint(rounded, out=rounded)
    return np.bincount(labels, weights=rounded, minlength=len(counts)) / scale


def count_examples(
    labels: IntArray,
    pred_probs: Probabilities,
    thresholds: FloatArray,
    *,
    collisions: Collisions,
    progress: ShareDone | None = None,
) -> Counted:
    """Return the class that each example is confidently counted into, and its best other class.

    An example confident in several classes collides. Algorithm 1, the paper's text and its
    proofs then take the arg-max over all classes ("argmax"); Equation 1 takes it over the
    classes whose thresholds were reached ("confident"). The two differ if the likeliest class
    has a threshold too high to reach. A class without examples is not one of "all classes": it
    has no threshold, so nothing is counted into it. In a tie, the lower index wins.

    Rows are checked as they are read, so that the matrix is read once.
    """
    num_rows, num_classes = pred_probs.shape
    dtype = working_dtype(pred_probs.dtype)
    cutoffs, present = _round_up(find_cutoffs(thresholds), dtype), np.isfinite(thresholds)
    tolerance = row_sum_tolerance(pred_probs.dtype)
    predicted_labels, other_labels, counted_labels = (
        np.empty(num_rows, np.int64) for _ in range(3)
    )
    other_confidence = np.empty(num_rows)

    def count(start: int, stop: int) -> None:
        for first, last, block in read_blocks(pred_probs, start, stop):
            if not holds_distributions(block, tolerance):
                check_probabilities(pred_probs)
            rows = slice(first, last)
            best = _find_best(block, labels[rows])
            _, predicted_labels[rows], other_labels[rows], other_confidence[rows] = best
            counted_labels[rows] = _settle(block, labels[rows], best, cutoffs, present, collisions)

    map_rows(count, pred_probs, progress)
    np.minimum(other_confidence, 1, out=other_confidence)  # as the given label's
    return Counted(predicted_labels, other_labels, other_confidence, counted_labels)


def find_cutoffs(thresholds: FloatArray) -> FloatArray:
    """Return the probability from which an example counts as confident in each class.

    It is never zero: if the model gives all examples of a class probability 0, its t_j is 0, and
    every example would be "confident" in it.
    """
    return np.maximum(thresholds - THRESHOLD_TOLERANCE, THRESHOLD_TOLERANCE)


def _round_up(cutoffs: FloatArray, dtype: np.dtype[Any]) -> NDArray[Any]:
    """Return the lowest numbers of a type that are not below the cutoffs.

    A probability of that type reaches the rounded cutoff exactly if it reaches the original one.
    So blocks are compared in their own type with the same result as in float64.
    """
    rounded = cutoffs.astype(dtype)
    return np.where(rounded < cutoffs, np.nextafter(rounded, dtype.type(np.inf)), rounded)


class _Best(NamedTuple):
    """What stands out in each row of a block; in a tie, the lower index wins."""

    highest: NDArray[Any]
    predicted_labels: IntArray
    other_labels: IntArray  # the likeliest class other than the given one
    others: NDArray[Any]  # and its probability


def _find_best(block: NDArray[Any], labels: IntArray) -> _Best:
    # numpy finds a cell faster by its place in the whole block than by row and column
    cells = block.reshape(-1)
    row_starts = np.arange(0, block.size, block.shape[1])
    given = row_starts + labels
    own = cells[given]
    cells[given] = -1
    other_labels = block.argmax(axis=1)
    others = cells[row_starts + other_labels]
    cells[given] = own
    given_wins = (own > others) | ((own == others) & (labels < other_labels))
    predicted_labels = np.where(given_wins, labels, other_labels)
    return _Best(np.maximum(own, others), predicted_labels, other_labels, others)


def _settle(
    block: NDArray[Any],
    labels: IntArray,
    best: _Best,
    cutoffs: NDArray[Any],
    present: BoolArray,
    collisions: Collisions,
) -> IntArray:
    """Return the class each row is counted into, or NOT_COUNTED.

    If the likeliest class is reached, the row is counted into it, whatever else is reached. If it
    is not, and every other class is less likely than the lowest of all cutoffs, nothing is
    reached. Only the remaining rows, which are few, are compared with all cutoffs.
    """
    settled = best.predicted_labels.copy()
    unreached = np.flatnonzero(best.highest < cutoffs[settled])
    settled[unreached] = NOT_COUNTED
    # how likely the next class can be: known where the given label is the likeliest
    known = best.predicted_labels[unreached] == labels[unreached]
    next_best = np.where(known, best.others[unreached], best.highest[unreached])
    rest = unreached[next_best >= cutoffs.min()]
    if len(rest):
        settled[rest] = _settle_unreached(block[rest], cutoffs, present, collisions)
    return settled


def _settle_unreached(
    block: NDArray[Any], cutoffs: NDArray[Any], present: BoolArray, collisions: Collisions
) -> IntArray:
    """Return the class each row is counted into, or NOT_COUNTED, by the cutoffs it reaches."""
    reached = block >= cutoffs
    rows = np.arange(len(block))
    found: IntArray = reached.argmax(axis=1)  # of booleans: the first that is true
    any_reached = reached[rows, found]
    reached[rows, found] = False
    collided = reached[rows, reached.argmax(axis=1)]
    reached[rows, found] = any_reached
    if collided.any():
        candidates = reached[collided] if collisions == "confident" else present
        found[collided] = np.where(candidates, block[collided], -1).argmax(axis=1)
    found[~any_reached] = NOT_COUNTED
    return found


def count_pairs(labels: IntArray, others: IntArray, num_classes: int) -> IntArray:
    """Return how often each given label (row) occurs with each other label (column).

    Others below 0 are not counted.

    >>> count_pairs(np.array([0, 0, 1]), np.array([0, 1, NOT_COUNTED]), 2)
    array([[1, 1],
           [0, 0]])
    """
    counted = others >= 0
    cells = labels[counted] * num_classes + others[counted]
    pairs = np.bincount(cells, minlength=num_classes**2)
    return pairs.reshape(num_classes, num_classes)
