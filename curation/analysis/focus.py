"""Many classes on one screen: the most confused part of a matrix, and an overview of all."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from curation.core.matrix import FloatArray, IntArray


def find_most_confused(joint: FloatArray, limit: int) -> IntArray:
    """Return the classes of the most confused pairs, at most `limit` of them, in their own order.

    Pairs are chosen rather than single classes: of a thousand classes, the noisiest are rarely
    confused with each other. A pair that no longer fits is left out, but weaker ones may still fit.

    >>> find_most_confused(np.array([[.4, 0, .1], [0, .2, 0], [.05, .05, .2]]), 2)
    array([0, 2])
    """
    if len(joint) <= limit:
        return np.arange(len(joint))
    errors = joint - np.diag(joint.diagonal())
    places = np.flatnonzero(errors)
    order = np.argsort(-errors.ravel()[places], kind="stable")
    chosen: set[int] = set()
    for place in places[order].tolist():
        pair = {*divmod(place, len(joint))}
        if len(chosen | pair) <= limit:
            chosen |= pair
        if len(chosen) == limit:
            break
    return np.array(sorted(chosen), dtype=np.int64)


def gather_others(matrix: NDArray[Any], classes: IntArray) -> NDArray[Any]:
    """Return the matrix of some classes, with the sum of all others in a last row and column.

    Only for matrices that can be summed: counts and the joint. The last diagonal entry is the sum
    of all cells among the others.

    >>> gather_others(np.array([[5, 1, 2], [0, 6, 0], [1, 0, 7]]), np.array([0, 2]))
    array([[5, 2, 1],
           [1, 7, 0],
           [0, 0, 6]])
    """
    groups = np.full(len(matrix), len(classes))
    groups[classes] = np.arange(len(classes))
    gathered = np.zeros((len(classes) + 1,) * 2, matrix.dtype)
    np.add.at(gathered, (groups[:, None], groups[None, :]), matrix)
    return gathered


def find_peaks(matrix: NDArray[Any], block: int) -> tuple[IntArray, IntArray]:
    """Return the row and the column of the largest entry of each block of rows and columns.

    A picture of these entries is an overview that shows every large cell. In a tie, the upper and
    then the left entry is taken.

    >>> matrix = np.array([[0, 1, 0], [0, 0, 9], [4, 0, 0]])
    >>> rows, columns = find_peaks(matrix, 2)
    >>> matrix[rows, columns]
    array([[1, 9],
           [4, 0]])
    """
    squares = -(-len(matrix) // block)
    missing = squares * block - len(matrix)
    padded = np.pad(matrix.astype(np.float64), (0, missing), constant_values=-np.inf)
    blocks = padded.reshape(squares, block, squares, block).swapaxes(1, 2)
    peaks = blocks.reshape(squares, squares, -1).argmax(axis=2)
    starts = block * np.arange(squares)
    return starts[:, None] + peaks // block, starts[None, :] + peaks % block
