"""Reads a matrix of probabilities in blocks, so that it may be in memory or on disk.

The matrix may be larger than memory. It is read in blocks of rows small enough to stay in a
core's cache while everything that needs them is computed, with one thread per core.
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

# Two megabytes, one for each thread, stay in a processor's cache. Smaller blocks cost more in
# calls than they save: at 1,000 classes, half as large ones took an eighth longer.
BLOCK_BYTES = 1 << 21
# With few classes a megabyte is many rows, and what is worked out for each row would not fit too.
BLOCK_ROWS = 1 << 13
# Blocks that one thread takes at a time, so that it allocates its working memory only once.
BLOCKS_PER_TASK = 8
# Each core gets at least this many tasks, so that none of them waits long for the last one ...
TASKS_PER_CORE = 4
MIN_TASK_BYTES = 1 << 21  # ... unless they get so small that starting them costs more


class Probabilities(Protocol):
    """An (n, m) matrix read by blocks of rows or by single cells.

    `probs[start:stop]` gives rows and `probs[rows, columns]` gives one cell for each pair.
    This can be a numpy array, a memory-mapped file, or several shards read as one. A matrix on
    disk may have a method `read_into(block, start)`, which saves a copy.
    """

    @property
    def shape(self) -> tuple[int, ...]: ...

    @property
    def dtype(self) -> np.dtype[Any]: ...

    def __getitem__(self, key: Any, /) -> Any: ...


def working_dtype(dtype: np.dtype[Any]) -> np.dtype[Any]:
    """Return the type that a block is computed in, which is exact for every probability in it.

    Half precision is computed in single, because processors do not compare halves.

    >>> working_dtype(np.dtype("float16")), working_dtype(np.dtype("float64"))
    (dtype('float32'), dtype('float64'))
    """
    return np.dtype(np.float32 if dtype in (np.float16, np.float32) else np.float64)


def rows_per_block(num_classes: int, itemsize: int) -> int:
    """Return how many rows make a block.

    >>> rows_per_block(1000, 4)
    524
    """
    return max(1, min(BLOCK_ROWS, BLOCK_BYTES // (num_classes * itemsize)))


def read_blocks(
    pred_probs: Probabilities, start: int, stop: int
) -> Iterator[tuple[int, int, NDArray[Any]]]:
    """Yield (first row, row after the last, writable copy of the rows) from start to stop.

    The next block overwrites the memory of the copy.
    """
    num_classes = pred_probs.shape[1]
    dtype = working_dtype(pred_probs.dtype)
    step = rows_per_block(num_classes, dtype.itemsize)
    read_into = getattr(pred_probs, "read_into", None) if pred_probs.dtype == dtype else None
    room = np.empty((min(step, stop - start), num_classes), dtype)
    for first in range(start, stop, step):
        last = min(first + step, stop)
        block = room[: last - first]
        if read_into is not None:
            read_into(block, first)
        else:
            block[...] = pred_probs[first:last]
        yield first, last, block


def map_rows(
    work: Callable[[int, int], None], pred_probs: Probabilities, progress: ShareDone | None = None
) -> None:
    """Call `work(start, stop)` in threads until every row of the matrix was covered once."""
    num_rows, num_classes = pred_probs.shape
    itemsize = working_dtype(pred_probs.dtype).itemsize
    fair_share = -(-num_rows // (TASKS_PER_CORE * _count_cores()))
    worthwhile = max(1, MIN_TASK_BYTES // (num_classes * itemsize))
    step = min(BLOCKS_PER_TASK * rows_per_block(num_classes, itemsize), max(fair_share, worthwhile))
    starts = range(0, num_rows, step)
    map_threads(lambda start: work(start, min(start + step, num_rows)), starts, progress)


def map_threads(
    work: Callable[[int], None], tasks: range, progress: ShareDone | None = None
) -> None:
    """Call `work` on each task, with one thread per core; the first error stops it.

    `progress` is called with the share of tasks done, in order and from the calling thread. An
    error that it raises stops the work like any other.
    """
    workers = min(_count_cores(), len(tasks))
    if workers <= 1:
        _follow(map(work, tasks), len(tasks), progress)
        return
    with ThreadPoolExecutor(workers) as pool:
        try:
            _follow(pool.map(work, tasks), len(tasks), progress)
        except BaseException:
            pool.shutdown(
                wait=False, cancel_futures=True
            )  # otherwise this would wait for all tasks
            raise


def _follow(results: Iterator[None], count: int, progress: ShareDone | None) -> None:
    for done, _ in enumerate(results, 1):
        if progress is not None:
            progress(done / count)
    if not count and progress is not None:
        progress(1.0)  # nothing to do is done


def _count_cores() -> int:
    if hasattr(os, "sched_getaffinity"):  # the cores this process may use, not all of the machine
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
