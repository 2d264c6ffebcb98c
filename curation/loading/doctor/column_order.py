"""Which class each column of probabilities is really about, told by whom it agrees with."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import linear_sum_assignment
from scipy.sparse import csr_array

from curation.core.matrix import IntArray

# A cycle of columns counts as moved if, among the examples of its classes, the new order ...
AGREES = 0.5  # ... is right for at least this share: a model worth using, or luck among many cells
BETTER = 1.5  # ... is right this many times as often as the order that stands
SURE = 3.0  # ... by this many standard errors, so that rare classes do not move by chance,
SURE_AMONG_OTHERS = 1.5  # or by this many, where another cycle was moved for sure
MOST_CLASSES = 3_000  # to match; beyond this the matching takes minutes


def find_class_order(labels: IntArray, predicted_labels: IntArray, num_classes: int) -> IntArray:
    """Return, for each column, the class it really holds; itself unless another clearly fits.

    The assignment that agrees with most labels is found by the Hungarian method. Of equally good
    ones it takes that which moves the fewest columns. It falls into cycles, and each cycle has
    to stand on its own.

    >>> labels = np.repeat([0, 1, 2], 10)
    >>> find_class_order(labels, np.repeat([2, 1, 0], 10), 3)
    array([2, 1, 0])
    """
    order = np.arange(num_classes)
    pairs = np.ones(len(labels), np.int64)
    counts = csr_array((pairs, (labels, predicted_labels)), shape=(num_classes, num_classes))
    doubtful = _find_doubtful(counts)
    if not 2 <= len(doubtful) <= MOST_CLASSES:
        return order
    confusion = counts[doubtful][:, doubtful].toarray()
    sizes = np.bincount(labels, minlength=num_classes)[doubtful]
    columns = _match(confusion)
    cycles = _list_cycles(columns)
    gains = [_measure_gain(confusion, sizes, columns, cycle) for cycle in cycles]
    enough = SURE_AMONG_OTHERS if max(gains, default=0.0) >= SURE else SURE
    for cycle, gain in zip(cycles, gains, strict=True):
        if gain >= enough:
            order[doubtful[columns[cycle]]] = doubtful[cycle]
    return order


def _measure_gain(
    confusion: NDArray[np.int64], sizes: IntArray, columns: IntArray, cycle: IntArray
) -> float:
    """Return by how many standard errors a cycle agrees better moved; 0 if it is not by much."""
    before = int(confusion[cycle, cycle].sum())
    after = int(confusion[cycle, columns[cycle]].sum())
    if after < BETTER * before or after < AGREES * sizes[cycle].sum() or after == 0:
        return 0.0
    return float((after - before) / (after + before) ** 0.5)


def _find_doubtful(counts: csr_array) -> IntArray:
    """Return the classes that are not, both ways, their own best match; the others stay put."""
    num_classes = counts.shape[0]
    itself = np.arange(num_classes)
    by_row = np.asarray(counts.argmax(axis=1)).ravel()
    by_column = np.asarray(counts.argmax(axis=0)).ravel()
    return np.flatnonzero((by_row != itself) | (by_column != itself))


def _match(confusion: NDArray[np.int64]) -> IntArray:
    """Return the column for each class that makes the most labels agree, the fewest moved."""
    size = len(confusion)
    scores = confusion * (size + 1) + np.eye(size, dtype=np.int64)
    return np.asarray(linear_sum_assignment(scores, maximize=True)[1], dtype=np.int64)


def _list_cycles(columns: IntArray) -> list[IntArray]:
    """Return the groups of places that exchange their columns among themselves.

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
