"""Prune: which examples to flag, by the estimated joint (the paper's Section 3.2)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from curation.core.matrix import (
    BoolArray,
    FloatArray,
    IntArray,
    Probabilities,
    ShareDone,
    map_threads,
)

# Cells that a thread processes together when pruning by noise rate, in a few arrays of 8 bytes.
CELLS_AT_ONCE = 1 << 18


def count_errors(confident_joint: IntArray, labels: IntArray) -> IntArray:
    """Return n * joint in whole examples, `[given, true]`, keeping each given class's total.

    Each row is rounded down and the examples left over go to the largest remainders; in a tie, to
    the lower index. Only whole numbers are used, so rounding errors have no effect. At least one
    example of a class stays on the diagonal, taken from the largest other entry if necessary, so
    no class is ever pruned completely.

    >>> count_errors(np.array([[2, 1], [0, 3]]), np.array([0, 0, 0, 0, 1, 1, 1]))
    array([[3, 1],
           [0, 3]])
    """
    given_counts = np.bincount(labels, minlength=len(confident_joint))
    totals = confident_joint.sum(axis=1)
    given, true = np.nonzero(confident_joint)  # with a thousand classes, most are zero
    shares = confident_joint[given, true] * given_counts[given]
    whole, remainders = np.divmod(shares, totals[given])
    errors = np.zeros_like(confident_joint)
    errors[given, true] = whole
    empty = np.flatnonzero(totals == 0)
    errors[empty, empty] = given_counts[empty]  # never counted: trusted, as in the joint
    left_over = given_counts - errors.sum(axis=1)
    errors[given, true] += _rank_within(given, -remainders) < left_over[given]
    for label in np.flatnonzero((errors.diagonal() == 0) & (given_counts > 0)):
        errors[label, errors[label].argmax()] -= 1
        errors[label, label] = 1
    return errors


def _rank_within(groups: IntArray, scores: NDArray[Any]) -> IntArray:
    """Return each member's place in its group, lowest score first; in a tie, the earlier first.

    >>> _rank_within(np.array([0, 1, 0, 0]), np.array([.9, .5, .1, .1]))
    array([2, 0, 0, 1])
    """
    order = np.lexsort((scores, groups))
    sizes = np.bincount(groups)
    ranks = np.empty_like(order)
    ranks[order] = np.arange(len(groups)) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    return ranks


def prune_by_class(
    error_counts: IntArray, labels: IntArray, self_confidence: FloatArray
) -> BoolArray:
    """Return a mask of the examples with the lowest self-confidence, one per error of their class.

    Exactly the estimated number is flagged; in a tie, the example with the lower index.

    >>> errors, labels = np.array([[1, 2], [0, 1]]), np.array([0, 0, 1, 0])
    >>> prune_by_class(errors, labels, np.array([.9, .2, .1, .5]))
    array([False,  True, False,  True])
    """
    to_prune = error_counts.sum(axis=1) - error_counts.diagonal()
    mask: BoolArray = _rank_within(labels, self_confidence) < to_prune[labels]
    return mask


def prune_by_noise_rate(
    error_counts: IntArray,
    labels: IntArray,
    pred_probs: Probabilities,
    self_confidence: FloatArray,
    *,
    progress: ShareDone | None = None,
) -> BoolArray:
    """Return a mask of the examples with the largest margins, one per error of each pair.

    For given class i and true class j the margin is p_j - p_i. In a tie, the example with the
    lower index is flagged. An example that several pairs choose is flagged once.
    """
    by_class = np.argsort(labels, kind="stable")
    sizes = np.bincount(labels, minlength=len(error_counts))
    starts = np.cumsum(sizes) - sizes
    given, true = _list_pairs(error_counts, sizes)
    mask = np.zeros(len(labels), bool)

    def prune(first: int, last: int) -> None:
        i, j = given[first:last, None], true[first:last, None]
        places = np.arange(sizes[i].max())
        # one row per pair; smaller classes are padded with their first member, at margin -inf
        filled = places >= sizes[i]
        rows = by_class[starts[i] + np.where(filled, 0, places)]
        margins = pred_probs[rows, j] - self_confidence[rows]
        margins[filled] = -np.inf
        mask[rows[_find_largest(margins, error_counts[i, j])]] = True

    chunks = list(_chunk_pairs(sizes[given]))
    map_threads(lambda chunk: prune(*chunks[chunk]), range(len(chunks)), progress)
    return mask


def _list_pairs(error_counts: IntArray, sizes: IntArray) -> tuple[IntArray, IntArray]:
    """Return the given and true class of each pair that has errors, small given classes first."""
    given, true = np.nonzero(error_counts)
    given, true = given[given != true], true[given != true]
    order = np.argsort(sizes[given], kind="stable")
    return given[order], true[order]


def _chunk_pairs(widths: IntArray) -> Iterator[tuple[int, int]]:
    """Yield ranges of pairs to process together, each padded to the width of the widest.

    >>> list(_chunk_pairs(np.array([10, 20, CELLS_AT_ONCE // 2, CELLS_AT_ONCE])))
    [(3, 4), (1, 3), (0, 1)]
    """
    last = len(widths)
    while last > 0:
        first = max(0, last - max(1, CELLS_AT_ONCE // int(widths[last - 1])))
        yield first, last
        last = first


def _find_largest(values: FloatArray, numbers: IntArray) -> BoolArray:
    """Return a mask of the `numbers[r]` largest values of each row r; in a tie, the earlier ones.

    >>> _find_largest(np.array([[1., 3., 2.], [5., 5., 5.]]), np.array([[1], [2]]))
    array([[False,  True, False],
           [ True,  True, False]])
    """
    cuts = values.shape[1] - numbers
    ordered = np.partition(values, np.unique(cuts), axis=1)
    smallest_kept = np.take_along_axis(ordered, cuts, axis=1)
    chosen = values >= smallest_kept
    too_many = chosen.sum(axis=1, keepdims=True) - numbers
    for row in np.flatnonzero(too_many):
        level = np.flatnonzero(values[row] == smallest_kept[row])
        chosen[row, level[-too_many[row, 0] :]] = False
    return chosen
