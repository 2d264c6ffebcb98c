"""Reading a mapped matrix from end to end without its pages gathering in memory."""

from __future__ import annotations

import os
from typing import Any

import numpy as np
from numpy.typing import NDArray

from curation.core.matrix import IntArray, Probabilities
from curation.loading.probs.disk_matrix import ProbMatrix
from curation.loading.report_builder import stop

AT_ONCE = 2**30  # bytes; systems read a little under 2 GB in one call


class FileRows:
    """A mapped file's rows, read from the file itself.

    A block read this way is copied once and forgotten. Through the mapping each page would be
    faulted in one by one, and stay in the process.
    """

    def __init__(self, array: np.memmap[Any, Any]) -> None:
        self.array = array
        self.shape = array.shape
        self.dtype = array.dtype
        self._file = open(str(array.filename), "rb", buffering=0)  # closed with this object
        self._row_bytes = array.shape[1] * array.dtype.itemsize

    def __del__(self) -> None:
        if hasattr(self, "_file"):
            self._file.close()

    def __len__(self) -> int:
        return int(self.shape[0])

    def __getitem__(self, key: Any) -> Any:
        if isinstance(key, slice) and key.step in (None, 1):
            start, end, _ = key.indices(len(self))
            block = np.empty((max(end - start, 0), self.shape[1]), self.dtype)
            self._fill(block, start)
            return block
        if isinstance(key, np.ndarray) and key.dtype == np.int64 and key.ndim == 1:
            return self._gather(key)
        return self.array[key]

    def _gather(self, rows: IntArray) -> NDArray[Any]:
        """Return single rows; those that nearly follow one another are read in one go."""
        if not len(rows):
            return np.empty((0, self.shape[1]), self.dtype)
        low, high = int(rows.min()), int(rows.max()) + 1
        if high - low <= 2 * len(rows):
            block: NDArray[Any] = self[low:high]
            return block[rows - low]
        block = np.empty((len(rows), self.shape[1]), self.dtype)
        for place, row in enumerate(rows.tolist()):
            self._fill(block[place : place + 1], row)
        return block

    def _fill(self, block: NDArray[Any], row: int) -> None:
        space = block.reshape(-1).view(np.uint8).data
        place = self.array.offset + row * self._row_bytes
        while len(space):
            count = os.preadv(self._file.fileno(), [space[:AT_ONCE]], place)
            if count == 0:  # reading on through the mapping would end the whole process
                raise stop(
                    code="file.changed",
                    where=os.path.basename(str(self.array.filename)),
                    what="the file became shorter while it was read.",
                    fix="Wait until it is written, then load it again.",
                    why="What was read so far may be of another file.",
                )
            space, place = space[count:], place + count


def read_past_mapping(matrix: Probabilities) -> Probabilities:
    """Return the same matrix for one reading from end to end, sparing memory where it can."""
    if isinstance(matrix, ProbMatrix):
        parts = [_file_rows(part) for part in matrix.parts]
        return ProbMatrix(
            parts,
            rows=matrix.rows,
            columns=matrix.columns,
            convert=matrix.convert,
            scaled=matrix.scaled,
        )
    rows: Probabilities = _file_rows(matrix)
    return rows


def _file_rows(array: Any) -> Any:
    if not isinstance(array, np.memmap) or not hasattr(os, "preadv"):
        return array
    is_view = array.base is None or isinstance(array.base, np.ndarray)  # may begin elsewhere
    if is_view or not array.flags.c_contiguous or not isinstance(array.filename, str | os.PathLike):
        return array
    try:
        return FileRows(array)
    except OSError:
        return array  # moved away since it was mapped; the mapping still holds
