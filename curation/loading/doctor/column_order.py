"""Finds the true class of each column of probabilities, from the labels it agrees with."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from curation.core.matrix import IntArray

# A cycle of columns counts as moved if, among the examples of its classes, the new order ...
MIN_AGREEMENT_SHARE = 0.5  # ... is right for at least this share; less can be luck,
MIN_GAIN_RATIO = 1.5  # ... is right this many times as often as the present order,
MIN_STANDARD_ERRORS = 3.0  # ... and by this much, so that rare classes do not move by chance,
MIN_STANDARD_ERRORS_AMONG_MOVED = 1.5  # or by this much, if another cycle surely moved
MAX_CLASSES_TO_MATCH = 3_000  # matching more takes minutes


def find_class_order(labels: IntArray, predicted_labels: IntArray, num_classes: int) -> IntArray:
    """Return the true class of each column: its own, unless another clearly fits better.

    The Hungarian method finds the assignment that agrees with the most labels; in a tie, the one
    that moves the fewest columns. The assignment splits into cycles, and each cycle must pass the
    limits above on its own.

    >>> labels = np.repeat([0, 1, 2], 10)
    >>> find_class_order(labels, np.repeat([2, 1, 0], 10), 3)
    array([2, 1, 0])
    """
    order = np.arange(num_classes)
    pairs = np.ones(len(labels), np.int64)
    counts = csr_array((pairs, (labels, predicted_labels)), shape=(num_classes, num_classes))
    doubtful = _find_doubtful(counts)
    if not 2 <= len(doubtful) <= MAX_CLASSES_TO_MATCH:
        return order
    confusion = counts[doubtful][:, doubtful].toarray()
    sizes = np.bincount(labels, minlength=num_classes)[doubtful]
    columns = _match(confusion)
    cycles = _list_cycles(columns)
    gains = [_measure_gain(confusion, sizes, columns, cycle) for cycle in cycles]
    any_moved = max(gains, default=0.0) >= MIN_STANDARD_ERRORS
    enough = MIN_STANDARD_ERRORS_AMONG_MOVED if any_moved else MIN_STANDARD_ERRORS
    for cycle, gain in zip(cycles, gains, strict=True):
        if gain >= enough:
            order[doubtful[columns[cycle]]] = doubtful[cycle]
    return order


def _measure_gain(
    confusion: NDArray[np.int64], sizes: IntArray, columns: IntArray, cycle: IntArray
) -> float:
    """Return the gain from moving a cycle, in standard errors; 0 if the gain is small."""
    before = int(confusion[cycle, cycle].sum())
    after = int(confusion[cycle, columns[cycle]].sum())
    if (
        after < MIN_GAIN_RATIO * before
        or after < MIN_AGREEMENT_SHARE * sizes[cycle].sum()
        or after == 0
    ):
        return 0.0
    return float((after - before) / (after + before) ** 0.5)


def _find_doubtful(counts: csr_array) -> IntArray:
    """Return the classes that are not their own best match by row and by column."""
    num_classes = counts.shape[0]
    itself = np.arange(num_classes)
    by_row = np.asarray(counts.argmax(axis=1)).ravel()
    by_column = np.asarray(counts.argmax(axis=0)).ravel()
    return np.flatnonzero((by_row != itself) | (by_column != itself))


def _match(confusion: NDArray[np.int64]) -> IntArray:
    """Return the column for each class so that most labels agree and the fewest columns move."""
    size = len(confusion)
    scores = confusion * (size + 1) + np.eye(size, dtype=np.int64)
    from scipy.optimize import linear_sum_assignment  # here: it takes 0.2 s to import

    return np.asarray(linear_sum_assignment(scores, maximize=True)[1], dtype=np.int64)


def _list_cycles(columns: IntArray) -> list[IntArray]:
    """Return the groups of positions that swap columns with each other.

    >>> _list_cycles(np.array([1, 0, 2, 4, 3]))
    [array([0, 1]), array([3, 4])]
    """
    cycles, seen = [], np.zeros(len(columns), bool)
    for start in range(len(columns)):
        cycle, place = [], start
        while not seen[place]:
            seen[place] = True
            cycle.append(place)
            place = int(columns[place])
        if len(cycle) > 1:
            cycles.append(np.array(cycle))
    return cycles
