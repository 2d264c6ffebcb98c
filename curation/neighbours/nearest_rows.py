"""The nearest rows of every row: all compared for small data, by faiss for large.

faiss divides the rows into cells around centres that k-means finds, and compares a row with those
in the cells next to it. With a fixed seed it returns the same rows every time, which an index that
several threads build as a graph does not.
"""

from __future__ import annotations

import importlib.util
import warnings
from typing import Any

import numpy as np
from numpy.typing import NDArray

from curation.core.matrix import ShareDone
from curation.errors import InputError

Float32Array = NDArray[np.float32]
Int32Array = NDArray[np.int32]

ALL_COMPARED = 20_000  # rows up to which all are compared with all
ALL_COMPARED_WITHOUT_FAISS = 100_000  # takes minutes on two cores
BLOCK = 512  # rows compared with all others at a time
SEARCH_BLOCK = 16_384  # rows that faiss looks up between two reports
CELLS_PER_ROOT = 2  # times the square root of the number of rows
CELLS_SEARCHED = 24
ROWS_PER_CELL = 64  # from which k-means learns the centres
ROUNDS = 8  # of k-means
SEED = 0


def has_faiss() -> bool:
    """Return whether faiss is installed."""
    return importlib.util.find_spec("faiss") is not None


def check_size(size: int) -> None:
    """Stop if there are more rows than can be searched with what is installed."""
    if size > ALL_COMPARED_WITHOUT_FAISS and not has_faiss():
        raise InputError(
            f"Finding the neighbours of {size:,} examples needs faiss, which is not installed.",
            "Run: pip install 'confident-curation[neighbours]'",
        )


def find_nearest(
    matrix: Float32Array, count: int, share_done: ShareDone
) -> tuple[Int32Array, Float32Array]:
    """Return the nearest other rows of each row, and their distances; both (n, count).

    >>> near, far = find_nearest(np.array([[0.], [1.], [3.]], np.float32), 1, lambda share: None)
    >>> near.ravel().tolist(), far.ravel().tolist()
    ([1, 0, 1], [1.0, 1.0, 2.0])
    """
    check_size(len(matrix))
    matrix = np.ascontiguousarray(matrix, np.float32)
    if len(matrix) <= ALL_COMPARED or not has_faiss():
        nearest = _compare_all(matrix, np.arange(len(matrix)), count, share_done)
    else:
        nearest = _search_cells(matrix, count, share_done)
    return _sort_by_distance(matrix, nearest)


def _compare_all(
    matrix: Float32Array, rows: NDArray[np.int64], count: int, share_done: ShareDone
) -> Int32Array:
    """Return the nearest rows of some rows, each compared with all."""
    squares = np.einsum("ij,ij->i", matrix, matrix)
    nearest = np.empty((len(rows), count), np.int32)
    for start in range(0, len(rows), BLOCK):
        here = rows[start : start + BLOCK]
        # the square of the row's own length is the same for all, and left out
        distance = squares - 2 * (matrix[here] @ matrix.T)
        distance[np.arange(len(here)), here] = np.inf
        nearest[start : start + BLOCK] = np.argpartition(distance, count - 1, axis=1)[:, :count]
        share_done(min(start + BLOCK, len(rows)) / len(rows))
    return nearest


def _search_cells(matrix: Float32Array, count: int, share_done: ShareDone) -> Int32Array:
    index = _build_index(matrix)
    share_done(0.1)
    nearest = np.empty((len(matrix), count), np.int32)
    for start in range(0, len(matrix), SEARCH_BLOCK):
        block = matrix[start : start + SEARCH_BLOCK]
        _, found = index.search(block, count + 1)
        nearest[start : start + len(block)] = _drop_self(found, start)
        share_done(0.1 + 0.9 * (start + len(block)) / len(matrix))
    lacking = np.flatnonzero((nearest < 0).any(axis=1))  # in cells that hold too few
    nearest[lacking] = _compare_all(matrix, lacking, count, lambda share: None)
    return nearest


def _build_index(matrix: Float32Array) -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # of its bindings, not of our calls
        import faiss

    wide = matrix.shape[1]
    index = faiss.IndexIVFFlat(
        faiss.IndexFlatL2(wide), wide, int(CELLS_PER_ROOT * len(matrix) ** 0.5)
    )
    index.cp.seed, index.cp.niter = SEED, ROUNDS
    index.cp.max_points_per_centroid = ROWS_PER_CELL
    index.nprobe = CELLS_SEARCHED
    index.train(matrix)
    index.add(matrix)
    return index


def _drop_self(found: NDArray[np.int64], start: int) -> NDArray[np.int64]:
    """Return what was found without the row itself; without the last, where copies hid it.

    >>> _drop_self(np.array([[5, 7, 8], [7, 5, 8], [7, 8, 9]]), start=5).tolist()
    [[7, 8], [7, 5], [8, 9]]
    """
    own = found == np.arange(start, start + len(found))[:, None]
    own[~own.any(axis=1), -1] = True
    others: NDArray[np.int64] = found[~own].reshape(len(found), -1)
    return others


def _sort_by_distance(matrix: Float32Array, nearest: Int32Array) -> tuple[Int32Array, Float32Array]:
    """Return rows with their true distances, the nearest first; of equal ones the lower first.

    The search compares squares, whose rounding errors hide small distances. So these are computed
    anew, and copies are exactly 0 apart.
    """
    distances = np.empty(nearest.shape, np.float32)
    for start in range(0, len(matrix), SEARCH_BLOCK):
        here = slice(start, start + SEARCH_BLOCK)
        for place in range(nearest.shape[1]):
            apart = matrix[here] - matrix[nearest[here, place]]
            distances[here, place] = np.sqrt(np.einsum("ij,ij->i", apart, apart))
    order = np.lexsort((nearest, distances), axis=1)
    return np.take_along_axis(nearest, order, 1), np.take_along_axis(distances, order, 1)
