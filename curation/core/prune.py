"""Prune: which examples to flag, by the estimated joint (the paper's Section 3.2)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Self

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

# Scores that a thread compares together, in a few arrays of 8 bytes.
CELLS_AT_ONCE = 1 << 18
# Classes of at least this many examples are compared one by one, without copying what they hold.
WIDE = 1 << 12


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


def list_errors_by_class(error_counts: IntArray) -> tuple[IntArray, IntArray]:
    """Return the given classes that have errors, and how many each: what to prune by class.

    >>> list_errors_by_class(np.array([[3, 1, 1], [0, 3, 0], [2, 0, 1]]))
    (array([0, 2]), array([2, 2]))
    """
    to_prune = error_counts.sum(axis=1) - error_counts.diagonal()
    given = np.flatnonzero(to_prune)
    return given, to_prune[given]


def list_errors_by_pair(error_counts: IntArray) -> tuple[IntArray, IntArray, IntArray]:
    """Return the given and the true class of each pair that has errors, and how many.

    >>> list_errors_by_pair(np.array([[3, 1, 1], [0, 3, 0], [2, 0, 1]]))
    (array([0, 0, 2]), array([1, 2, 0]), array([1, 1, 2]))
    """
    given, true = np.nonzero(error_counts)
    given, true = given[given != true], true[given != true]
    return given, true, error_counts[given, true]


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


@dataclass(frozen=True)
class Members:
    """The examples of each class, in the order of the dataset: `rows` holds class after class."""

    rows: IntArray
    starts: IntArray  # (m,) where each class begins in `rows`
    sizes: IntArray  # (m,)

    @classmethod
    def of(cls, labels: IntArray, num_classes: int, chosen: BoolArray | None = None) -> Self:
        """Sort the examples by class; with `chosen`, only those.

        >>> Members.of(np.array([1, 0, 1]), 2).rows
        array([1, 0, 2])
        """
        # numpy sorts numbers of 16 bits in linear time
        small = labels.astype(np.min_scalar_type(num_classes))
        if chosen is None:
            rows = np.argsort(small, kind="stable")
        else:
            picked = np.flatnonzero(chosen)
            small = small[picked]
            rows = picked[np.argsort(small, kind="stable")]
        sizes = np.bincount(small, minlength=num_classes)
        return cls(rows, np.cumsum(sizes) - sizes, sizes)

    def line_up(self, classes: IntArray) -> tuple[IntArray, BoolArray]:
        """Return a line of examples for each class, and which of them only fill it up.

        Lines of smaller classes are filled up with their first example.

        >>> rows, filled = Members.of(np.array([1, 0, 1]), 2).line_up(np.array([0, 1]))
        >>> rows.tolist(), filled.tolist()
        ([[1, 1], [0, 2]], [[False, True], [False, False]])
        """
        starts, sizes = self.starts[classes][:, None], self.sizes[classes][:, None]
        if len(classes) == 1:
            rows = self.rows[None, starts[0, 0] : starts[0, 0] + sizes[0, 0]]
            return rows, np.zeros(rows.shape, bool)
        places = np.arange(sizes.max())
        filled = places >= sizes
        return self.rows[starts + np.where(filled, 0, places)], filled


def prune_by_class(
    error_counts: IntArray, members: Members, self_confidence: FloatArray
) -> BoolArray:
    """Return a mask of the examples with the lowest self-confidence, one per error of their class.

    Exactly the estimated number is flagged; in a tie, the example with the lower index.

    >>> errors, members = np.array([[1, 2], [0, 1]]), Members.of(np.array([0, 0, 1, 0]), 2)
    >>> prune_by_class(errors, members, np.array([.9, .2, .1, .5]))
    array([False,  True, False,  True])
    """
    given, numbers = list_errors_by_class(error_counts)
    mask = np.zeros(len(self_confidence), bool)
    _flag_largest(mask, members, given, numbers, lambda rows, _: -self_confidence[rows])
    return mask


def prune_by_noise_rate(
    error_counts: IntArray,
    labels: IntArray,
    members: Members,
    pred_probs: Probabilities,
    self_confidence: FloatArray,
    other_confidence: FloatArray,
    *,
    progress: ShareDone | None = None,
) -> BoolArray:
    """Return a mask of the examples with the largest margins, one per error of each pair.

    For given class i and true class j the margin is p_j - p_i. In a tie, the example with the
    lower index is flagged. An example that several pairs choose is flagged once.

    Few examples have a positive margin for any class: only those with another class likelier than
    the given one (`other_confidence`). If enough of them are positive for a pair, no other example
    can be among its largest margins, so the rest of the class need not be read.
    """
    num_classes = len(error_counts)
    given, true, numbers = list_errors_by_pair(error_counts)
    mask = np.zeros(len(labels), bool)

    def score(rows: IntArray, pairs: IntArray) -> FloatArray:
        margins: FloatArray = pred_probs[rows, true[pairs][:, None]] - self_confidence[rows]
        return margins

    def report_from(start: float) -> ShareDone | None:
        return None if progress is None else lambda share: progress(start + share / 2)

    disputed = Members.of(labels, num_classes, other_confidence > self_confidence)
    settled = _flag_largest(
        mask, disputed, given, numbers, score, above=0.0, progress=report_from(0.0)
    )
    given, true, numbers = given[~settled], true[~settled], numbers[~settled]
    _flag_largest(mask, members, given, numbers, score, progress=report_from(0.5))
    return mask


def _flag_largest(
    mask: BoolArray,
    members: Members,
    given: IntArray,
    numbers: IntArray,
    score: Callable[[IntArray, IntArray], FloatArray],
    *,
    above: float = -np.inf,
    progress: ShareDone | None = None,
) -> BoolArray:
    """Flag the `numbers[k]` examples of class `given[k]` with the largest scores, for each k.

    `score(rows, which)` returns the scores of some rows, one line for each k in `which`. Where
    fewer than `numbers[k]` scores are greater than `above`, nothing is flagged. Return for each k
    whether its examples were flagged.
    """
    settled = members.sizes[given] >= numbers
    by_size = np.flatnonzero(settled)
    by_size = by_size[np.argsort(members.sizes[given[by_size]], kind="stable")]

    def flag(which: IntArray) -> None:
        rows, filled = members.line_up(given[which])
        scores = score(rows, which)
        scores[filled] = -np.inf
        chosen, smallest = _find_largest(scores, numbers[which][:, None])
        enough = smallest > above
        settled[which] = enough
        mask[rows[chosen & enough[:, None]]] = True

    def flag_chunk(first: int, last: int) -> None:
        which = by_size[first:last]
        if members.sizes[given[which[0]]] < WIDE:
            flag(which)
        else:
            for k in range(len(which)):
                flag(which[k : k + 1])

    chunks = list(_chunk(members.sizes[given[by_size]]))
    map_threads(lambda chunk: flag_chunk(*chunks[chunk]), range(len(chunks)), progress)
    return settled


def _chunk(widths: IntArray) -> Iterator[tuple[int, int]]:
    """Yield ranges of lines to process together, each padded to the width of the widest.

    >>> list(_chunk(np.array([10, 20, CELLS_AT_ONCE // 2, CELLS_AT_ONCE])))
    [(3, 4), (1, 3), (0, 1)]
    """
    last = len(widths)
    while last > 0:
        first = max(0, last - max(1, CELLS_AT_ONCE // int(widths[last - 1])))
        yield first, last
        last = first


def _find_largest(values: FloatArray, numbers: IntArray) -> tuple[BoolArray, FloatArray]:
    """Return a mask of the `numbers[r]` largest values of each row r, and the smallest of them.

    In a tie, the earlier ones are chosen.

    >>> values = np.array([[1., 3., 2.], [5., 5., 5.]])
    >>> chosen, smallest = _find_largest(values, np.array([[1], [2]]))
    >>> chosen.tolist(), smallest.tolist()
    ([[False, True, False], [True, True, False]], [3.0, 5.0])
    """
    cuts = values.shape[1] - numbers
    ordered = np.partition(values, np.unique(cuts), axis=1)
    smallest = np.take_along_axis(ordered, cuts, axis=1)
    chosen = values >= smallest
    too_many = chosen.sum(axis=1, keepdims=True) - numbers
    for row in np.flatnonzero(too_many):
        level = np.flatnonzero(values[row] == smallest[row])
        chosen[row, level[-too_many[row, 0] :]] = False
    return chosen, smallest[:, 0]
