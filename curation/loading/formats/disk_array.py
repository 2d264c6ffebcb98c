"""An array that stays in its file, and notices when the file is changed.

The file is kept open and read at given positions. A mapping would be simpler, but when a mapped
file is cut short, for instance because it is being saved again, the next access kills the process.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterator
from io import FileIO
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple
from weakref import finalize

import numpy as np
from numpy.typing import NDArray

from curation.errors import FileChangedError
from curation.fingerprint import FileHashes, UnknownHash, array_chunks

IntArray = NDArray[np.int64]

GAP_BYTES = 8192  # rows closer than this are read together: a call takes longer than these bytes
BLOCK_BYTES = 2**20  # about what stays in a core's cache


class FileState(NamedTuple):
    """What tells whether a file is still the one that was opened."""

    device: int
    inode: int
    size: int
    modified: int  # nanoseconds

    @classmethod
    def of(cls, found: os.stat_result) -> FileState:
        return cls(found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns)


class DiskArray:
    """An array of 1 or 2 dimensions in a file, read by rows or by cells.

    Whatever is read comes from the file as it was when this was made; after a change, reading
    raises `FileChangedError`. A file that is replaced by another of the same name stays readable.
    The file is closed with this object.
    """

    def __init__(
        self,
        path: Path,
        descriptor: int,
        shape: tuple[int, ...],
        dtype: np.dtype[Any],
        *,
        offset: int,
        by_columns: bool = False,
    ) -> None:
        self.path = path
        self.shape = shape
        self.dtype = dtype
        self.ndim = len(shape)
        self.size = int(np.prod(shape, dtype=object))
        self.nbytes = self.size * dtype.itemsize
        self._offset = offset
        self._by_columns = by_columns and self.ndim > 1
        self._descriptor = descriptor
        finalize(self, os.close, descriptor)
        self._state = FileState.of(os.fstat(self._descriptor))
        self._read = self._make_reader()

    def squeeze(self) -> DiskArray:
        """Return the same values without the axes of length 1."""
        return DiskArray(
            self.path,
            os.dup(self._descriptor),
            tuple(side for side in self.shape if side != 1),
            self.dtype,
            offset=self._offset,
            by_columns=self._by_columns,
        )

    def __len__(self) -> int:
        return self.shape[0]

    def __repr__(self) -> str:
        return f"DiskArray({self.path.name!r}, shape={self.shape}, dtype={self.dtype})"

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> NDArray[Any]:
        if copy is False:
            raise ValueError("an array on disk cannot be returned without a copy")
        return np.asarray(self[:]).astype(dtype or self.dtype, copy=False)

    def __getitem__(self, key: Any) -> Any:
        """Return rows for an index, a slice or an array, and cells for a pair of these."""
        found = self._find(key)
        self._check_held()  # after reading: what came before the change is still right
        return found

    def read_into(self, block: NDArray[Any], start: int) -> None:
        """Fill a block of this array's type with the rows from `start`."""
        if self._by_columns or not block.flags.c_contiguous:
            block[...] = self._read_rows(start, start + len(block))
        else:
            wide = self.size // len(self)
            self._fill(
                block.reshape(-1), *(np.array([each * wide]) for each in (start, 0, len(block)))
            )
        self._check_held()

    def _find(self, key: Any) -> Any:
        if isinstance(key, tuple):
            rows, columns = key
            if isinstance(rows, slice) or isinstance(columns, slice):
                return self._find(rows)[..., columns]
            return self._gather_cells(*np.broadcast_arrays(rows, columns))
        if isinstance(key, slice):
            start, stop, step = key.indices(len(self))
            if step == 1:
                return self._read_rows(start, max(start, stop))
            key = np.arange(start, stop, step)
        if isinstance(key, int | np.integer):
            return self._gather_rows(np.array([key]))[0]
        return self._gather_rows(np.asarray(key, dtype=np.int64))

    def _gather_rows(self, rows: IntArray) -> NDArray[Any]:
        found = np.empty((len(rows), *self.shape[1:]), self.dtype)
        for places, block, inside in self._read_runs(self._check_rows(rows)):
            found[places] = block[inside]
        return found

    def _gather_cells(self, rows: IntArray, columns: IntArray) -> Any:
        found = np.empty(rows.size, self.dtype)
        wanted = columns.ravel()
        for places, block, inside in self._read_runs(self._check_rows(rows.ravel())):
            found[places] = block[inside, wanted[places]]
        return found.reshape(rows.shape)[()]

    def _check_rows(self, rows: IntArray) -> IntArray:
        high = len(self)
        if rows.size and (rows.min() < -high or rows.max() >= high):
            raise IndexError(f"row {int(rows.max())} of an array with {high} rows")
        return np.where(rows < 0, rows + high, rows)

    def _read_runs(self, rows: IntArray) -> Iterator[tuple[Any, NDArray[Any], IntArray]]:
        """Yield blocks of rows: their places in `rows`, the block, and where in it each row is.

        Rows that are close together are a run, and read at once. A block holds many runs.
        """
        if not len(rows):
            return
        order = None if (np.diff(rows) >= 0).all() else np.argsort(rows, kind="stable")
        ordered = rows if order is None else rows[order]
        row_bytes = max(1, self.nbytes // len(self))
        apart = np.diff(ordered) > 1 + GAP_BYTES // row_bytes
        full = np.diff(ordered * row_bytes // BLOCK_BYTES) > 0
        starts = np.concatenate([[0], np.flatnonzero(apart | full) + 1])
        ends = np.append(starts[1:], len(rows))
        lows, highs = ordered[starts], ordered[ends - 1] + 1
        filled = np.cumsum((highs - lows) * row_bytes) // BLOCK_BYTES
        firsts = np.concatenate([[0], np.flatnonzero(np.diff(filled)) + 1, [len(starts)]])
        for first, last in pairwise(firsts.tolist()):
            runs = slice(first, last)
            block, bases = self._read_spans(lows[runs], highs[runs])
            mine = slice(int(starts[first]), int(ends[last - 1]))
            shifts = np.repeat(bases - lows[runs], (ends - starts)[runs])
            yield (mine if order is None else order[mine]), block, ordered[mine] + shifts

    def _read_spans(self, lows: IntArray, highs: IntArray) -> tuple[NDArray[Any], IntArray]:
        """Return the rows of several spans below one another, and where each span begins."""
        ends = np.cumsum(highs - lows)
        bases = ends - (highs - lows)
        if self._by_columns:
            columns = np.empty((self.shape[1], int(ends[-1])), self.dtype)
            for column, line in enumerate(columns):
                self._fill(line, column * len(self) + lows, bases, ends)
            return columns.T, bases
        block = np.empty((int(ends[-1]), *self.shape[1:]), self.dtype)
        wide = self.size // len(self)
        self._fill(block.reshape(-1), lows * wide, bases * wide, ends * wide)
        return block, bases

    def _read_rows(self, start: int, stop: int) -> NDArray[Any]:
        if stop <= start:
            return np.empty((0, *self.shape[1:]), self.dtype)
        return self._read_spans(np.array([start]), np.array([stop]))[0]

    def _fill(self, line: NDArray[Any], froms: IntArray, starts: IntArray, ends: IntArray) -> None:
        """Fill each part of a line, from `starts` to `ends`, with what begins at `froms`."""
        space, size = line.view(np.uint8).data, self.dtype.itemsize
        spans = ((starts * size).tolist(), (ends * size).tolist())
        for place, start, end in zip((self._offset + froms * size).tolist(), *spans, strict=True):
            if self._read(space[start:end], place) != end - start:
                self._fill_slowly(space[start:end], place)

    def _fill_slowly(self, space: memoryview, place: int) -> None:
        """Fill space with what the system does not give in one call."""
        while len(space):
            count = self._read(space, place)
            if count == 0:
                raise self._changed("became shorter")
            space, place = space[count:], place + count

    def _make_reader(self) -> Callable[[memoryview, int], int]:
        """Return a function that fills space with what is at a place, and returns how much."""
        if hasattr(os, "preadv"):
            descriptor, read = self._descriptor, os.preadv
            return lambda space, place: read(descriptor, (space,), place)
        lock = threading.Lock()  # without preadv, all readers share one position
        file = FileIO(self._descriptor, closefd=False)

        def read_in_turn(space: memoryview, place: int) -> int:
            with lock:
                file.seek(place)
                return file.readinto(space) or 0

        return read_in_turn

    def check_unchanged(self) -> None:
        """Raise `FileChangedError` if the file was changed, replaced or removed."""
        self._check_held()
        try:
            now = FileState.of(os.stat(self.path))
        except OSError:
            raise self._changed("was moved or deleted") from None
        if now != self._state:
            raise self._changed("was replaced by another file")

    def stat(self) -> os.stat_result:
        """Return the state of the file that is read, whatever is at its path by now."""
        return os.fstat(self._descriptor)

    def _check_held(self) -> None:
        if FileState.of(os.fstat(self._descriptor)) != self._state:
            raise self._changed("was changed")

    def _changed(self, how: str) -> FileChangedError:
        return FileChangedError(self.path.name, how)

    def hash_chunks(self, files: FileHashes) -> Iterator[bytes]:
        """Yield the hash of the whole file, or the values if there is more in the file."""
        if self._offset + self.nbytes == self._state.size:
            yield f"file {self.shape} {files.hash_open(self.path, self._descriptor)}\n".encode()
        elif files.only_known:
            raise UnknownHash(self.path.name)
        else:
            yield from array_chunks(self)
        self._check_held()
