"""Probabilities that stay on disk: one file or many, reordered and converted on reading."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from curation.core.matrix import FloatArray, IntArray, Probabilities
from curation.fingerprint import FileHashes, little_endian, matrix_chunks
from curation.loading.overrides import Conversion
from curation.loading.report_builder import stop

MAX_READ_BYTES = 2**30  # bytes; systems read a little under 2 GB in one call

CELLS_PER_BLOCK = 4 * 2**20  # cells read at once where whole rows are needed: 32 MB as float64


class ProbMatrix:
    """An (n, m) matrix over arrays that may be on disk, read by blocks or by cells.

    The arrays follow one another row by row. `rows[i]` is the row of them that row i shows, and
    `columns[j]` the column that column j shows. `convert` is what a person agreed to: "softmax"
    of logits, "percent" of 0 to 100, or "rescale" of rows to a sum of 1. `scaled` are single
    rows to divide by the sums that go with them.

    >>> shards = [np.array([[0.1, 0.9]]), np.array([[0.8, 0.2], [0.5, 0.5]])]
    >>> matrix = ProbMatrix(shards, rows=np.array([2, 0]), columns=np.array([1, 0]))
    >>> matrix.shape
    (2, 2)
    >>> matrix[0:2]
    array([[0.5, 0.5], [0.9, 0.1]])
    >>> matrix[np.array([1]), np.array([0])]
    array([0.9])
    """

    ndim = 2

    def __init__(
        self,
        parts: Sequence[NDArray[Any]],
        *,
        rows: IntArray | None = None,
        columns: IntArray | None = None,
        convert: Conversion | None = None,
        scaled: tuple[IntArray, FloatArray] | None = None,
    ) -> None:
        self.parts = tuple(parts)
        self.starts = np.cumsum([0, *(len(part) for part in parts)])
        self.rows = rows
        self.columns = columns
        self.convert = convert
        self.scaled = scaled
        stored = np.result_type(*(part.dtype for part in parts))
        self.dtype = self._dtype_when_read(stored)
        high = int(self.starts[-1]) if rows is None else len(rows)
        wide = int(parts[0].shape[1]) if columns is None else len(columns)
        self.shape = (high, wide)

    def _dtype_when_read(self, stored: np.dtype[Any]) -> np.dtype[Any]:
        if stored.kind != "f" or stored.itemsize > 8:
            return np.dtype(np.float64)
        if self.convert in ("softmax", "rescale") and stored.itemsize < 4:
            return np.dtype(np.float32)  # the rows will add up exactly, and must be judged so
        return stored.newbyteorder("=")

    @property
    def size(self) -> int:
        return self.shape[0] * self.shape[1]

    def __len__(self) -> int:
        return self.shape[0]

    def __repr__(self) -> str:
        return f"ProbMatrix(shape={self.shape}, dtype={self.dtype}, parts={len(self.parts)})"

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> NDArray[Any]:
        if copy is False:
            raise ValueError("probabilities on disk cannot become an array without a copy")
        return self._read(np.arange(len(self))).astype(dtype or self.dtype, copy=False)

    def __getitem__(self, key: Any) -> Any:
        """Return rows for an index, a slice or an array, and cells for a pair of these."""
        if isinstance(key, tuple):
            if len(key) != 2:
                raise IndexError(f"a matrix takes 2 indices, not {len(key)}")
            return self._cells(*key)
        if isinstance(key, int | np.integer):
            return self._read(self._check(np.array([key])))[0]
        if isinstance(key, slice):
            return self._read(np.arange(*key.indices(len(self))), ordered=key.step in (None, 1))
        return self._read(self._check(_positions(key)))

    def _check(self, rows: IntArray) -> IntArray:
        high = len(self)
        if rows.size and (rows.min() < -high or rows.max() >= high):
            raise IndexError(f"row {int(rows.max())} of a matrix with {high} rows")
        return np.where(rows < 0, rows + high, rows)

    def _cells(self, row_key: Any, column_key: Any) -> Any:
        if isinstance(row_key, slice):
            return self[row_key][:, column_key]
        if isinstance(column_key, slice):
            return self[row_key][..., column_key]
        rows, columns = np.broadcast_arrays(_positions(row_key), _positions(column_key))
        cells = self._gather(self._check(rows.ravel()), columns.ravel()).reshape(rows.shape)
        return cells[()] if cells.ndim == 0 else cells

    @np.errstate(all="ignore")  # what overflows or is no number is counted by the survey
    def _gather(self, rows: IntArray, columns: IntArray) -> NDArray[Any]:
        if self.convert in ("softmax", "rescale"):
            return self._gather_from_whole_rows(rows, columns)
        wide = self.shape[1]
        if columns.size and (columns.min() < -wide or columns.max() >= wide):
            raise IndexError(f"column {int(columns.max())} of a matrix with {wide} columns")
        stored_columns = columns % wide if self.columns is None else self.columns[columns]
        stored_rows = rows if self.rows is None else self.rows[rows]
        cells = np.empty(len(rows), self.dtype)
        for part, mine, inside in self._split(stored_rows):
            cells[mine] = part[inside, stored_columns[mine]]
        if self.convert == "percent":
            cells /= 100
        return self._divide_scaled(cells, rows)

    def _gather_from_whole_rows(self, rows: IntArray, columns: IntArray) -> NDArray[Any]:
        step = max(1, CELLS_PER_BLOCK // max(self.shape[1], 1))
        cells = np.empty(len(rows), self.dtype)
        for start in range(0, len(rows), step):
            block = slice(start, start + step)
            cells[block] = self._read(rows[block])[np.arange(len(rows[block])), columns[block]]
        return cells

    @np.errstate(all="ignore")  # as above
    def _read(self, rows: IntArray, *, ordered: bool = False) -> NDArray[Any]:
        """Return whole rows, converted; `ordered` says that they follow one another."""
        stored = rows if self.rows is None else self.rows[rows]
        block = self._read_stored(stored, ordered=ordered and self.rows is None)
        if self.columns is not None:
            block = block[:, self.columns]
        return self._divide_scaled(self._convert(block), rows)

    def _read_stored(self, rows: IntArray, *, ordered: bool) -> NDArray[Any]:
        pieces = self._split(rows)
        if len(pieces) == 1 and len(rows):
            part, _, inside = pieces[0]
            view = part[inside[0] : inside[-1] + 1] if ordered else part[inside]
            return np.asarray(view)
        block = np.empty((len(rows), self.parts[0].shape[1]), self.dtype)
        for part, mine, inside in pieces:
            block[mine] = part[inside]
        return block

    def _split(self, rows: IntArray) -> list[tuple[NDArray[Any], Any, IntArray]]:
        """Return each array with the places it fills and the rows of it that fill them."""
        if len(self.parts) == 1:
            return [(self.parts[0], slice(None), rows)]
        owner = np.searchsorted(self.starts, rows, side="right") - 1
        return [
            (self.parts[each], mine, rows[mine] - self.starts[each])
            for each in np.unique(owner)
            for mine in [np.flatnonzero(owner == each)]
        ]

    def _convert(self, block: NDArray[Any]) -> NDArray[Any]:
        if self.convert is None:
            return block.astype(self.dtype, copy=False)
        if self.convert == "percent":
            return np.asarray(np.divide(block, 100, dtype=np.float64), dtype=self.dtype)
        values = block.astype(np.float64)
        if self.convert == "softmax":
            values = np.exp(values - values.max(axis=1, keepdims=True))
        shares = values / values.sum(axis=1, keepdims=True)  # a row of zeros becomes NaN
        return np.asarray(shares, dtype=self.dtype)

    def _divide_scaled(self, block: NDArray[Any], rows: IntArray) -> NDArray[Any]:
        if self.scaled is None or not len(rows):
            return block
        marked, sums = self.scaled
        place = np.minimum(np.searchsorted(marked, rows), len(marked) - 1)
        hit = np.flatnonzero(marked[place] == rows)
        if len(hit):
            block = np.array(block)
            divisor = sums[place[hit]].astype(self.dtype)
            block[hit] /= divisor if block.ndim == 1 else divisor[:, None]
        return block

    def hash_chunks(self, files: FileHashes) -> Iterator[bytes]:
        """Yield what tells this matrix: its arrays, and what is done to them as they are read."""
        for part in self.parts:
            yield from matrix_chunks(part, files)
        yield f"convert {self.convert}\n".encode()
        for order in (self.rows, self.columns, *(self.scaled or (None,))):
            yield b"in order\n" if order is None else little_endian(order).tobytes()


def _positions(key: Any) -> IntArray:
    array = np.asarray(key)
    if array.dtype == bool:
        return np.flatnonzero(array)
    if array.size == 0:
        return array.astype(np.int64)
    if array.dtype.kind not in "iu":
        raise IndexError(f"rows and columns are whole numbers, not {array.dtype}")
    return array.astype(np.int64, copy=False)


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
            count = os.preadv(self._file.fileno(), [space[:MAX_READ_BYTES]], place)
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
