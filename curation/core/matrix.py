"""What the mathematics needs of a matrix of probabilities, so that one on disk will do.

The matrix may be larger than memory. It is read in blocks of rows small enough to stay in a
core's cache while everything that one reading can tell is worked out, by one thread a core.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]
BoolArray = NDArray[np.bool_]
ShareDone = Callable[[float], None]  # called with the share of work done; may raise to stop it

# A megabyte stays in the second-level cache of most cores; larger blocks gained nothing, and
# smaller ones cost more in calls than they save.
BLOCK_BYTES = 1 << 20
# Blocks that one thread takes at a time: enough to share its working memory among them.
BLOCKS_PER_TASK = 16


class Probabilities(Protocol):
    """An (n, m) matrix read by blocks of rows or by single cells.

    `probs[start:stop]` gives rows and `probs[rows, columns]` gives one cell for each pair.
    A numpy array is one; so is a memory-mapped file, or several shards read as one.
    """

    @property
    def shape(self) -> tuple[int, ...]: ...

    @property
    def dtype(self) -> np.dtype[Any]: ...

    def __getitem__(self, key: Any, /) -> Any: ...


def working_dtype(dtype: np.dtype[Any]) -> np.dtype[Any]:
    """Return the type a block is worked on in: exact for every probability it may hold.

    Half precision is compared as single, because processors do not compare halves.

    >>> working_dtype(np.dtype("float16")), working_dtype(np.dtype("float64"))
    (dtype('float32'), dtype('float64'))
    """
    return np.dtype(np.float32 if dtype in (np.float16, np.float32) else np.float64)


def rows_per_block(num_classes: int, itemsize: int) -> int:
    """Return how many rows make a block.

    >>> rows_per_block(1000, 4)
    262
    """
    return max(1, BLOCK_BYTES // (num_classes * itemsize))


def read_blocks(
    pred_probs: Probabilities, start: int, stop: int
) -> Iterator[tuple[int, int, NDArray[Any]]]:
    """Yield (first row, row after the last, writable copy of the rows) from start to stop.

    The copy lies in memory that the next block overwrites.
    """
    num_classes = pred_probs.shape[1]
    dtype = working_dtype(pred_probs.dtype)
    step = rows_per_block(num_classes, dtype.itemsize)
    room = np.empty((min(step, stop - start), num_classes), dtype)
    for first in range(start, stop, step):
        last = min(first + step, stop)
        block = room[: last - first]
        block[...] = pred_probs[first:last]
        yield first, last, block


def map_rows(
    work: Callable[[int, int], None], pred_probs: Probabilities, progress: ShareDone | None = None
) -> None:
    """Call `work(start, stop)` until every row of the matrix was covered once, in threads."""
    num_rows, num_classes = pred_probs.shape
    itemsize = working_dtype(pred_probs.dtype).itemsize
    step = BLOCKS_PER_TASK * rows_per_block(num_classes, itemsize)
    starts = range(0, num_rows, step)
    map_threads(lambda start: work(start, min(start + step, num_rows)), starts, progress)


def map_threads(
    work: Callable[[int], None], tasks: range, progress: ShareDone | None = None
) -> None:
    """Call `work` on each task, in one thread a core; the first error stops it.

    `progress` is told the share of tasks done, in order and from the calling thread; an error
    that it raises stops the work as any other does.
    """
    workers = min(_count_cores(), len(tasks))
    if workers <= 1:
        _follow(map(work, tasks), len(tasks), progress)
        return
    with ThreadPoolExecutor(workers) as pool:
        try:
            _follow(pool.map(work, tasks), len(tasks), progress)
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)  # leaving alone would finish them all
            raise


def _follow(results: Iterator[None], count: int, progress: ShareDone | None) -> None:
    for done, _ in enumerate(results, 1):
        if progress is not None:
            progress(done / count)


def _count_cores() -> int:
    if hasattr(os, "sched_getaffinity"):  # what this process may use, not what the machine has
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
