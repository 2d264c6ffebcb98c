"""Probabilities that stay on disk: one file or many, reordered and converted on reading."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from curation.core.matrix import FloatArray, IntArray
from curation.fingerprint import FileHashes, little_endian, matrix_chunks
from curation.loading.formats.disk_array import DiskArray
from curation.loading.overrides import Conversion

ABSENT = -1  # the column of a class that a matrix does not have: its probability is 0
CELLS_PER_BLOCK = 4 * 2**20  # cells read at once where whole rows are needed: 32 MB as float64


class ProbMatrix:
    """An (n, m) matrix over arrays that may be on disk, read by blocks or by cells.

    The arrays follow one another row by row. Row i of the matrix is their row `rows[i]`, and column
    j is their column `columns[j]`, or 0 if that is `ABSENT`. `convert` is what a person agreed to:
    "softmax" of logits, "percent" from 0 to 100, or "rescale" of rows to a sum of 1. `scaled` are
    single rows to divide, with the sums to divide them by.

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
    dtype: np.dtype[Any]
    shape: tuple[int, int]

    def __init__(
        self,
        parts: Sequence[NDArray[Any] | DiskArray | ProbMatrix],
        *,
        rows: IntArray | None = None,
        columns: IntArray | None = None,
        convert: Conversion | None = None,
        scaled: tuple[IntArray, FloatArray] | None = None,
    ) -> None:
        self.parts: tuple[Any, ...] = tuple(parts)
        self.starts = np.cumsum([0, *(len(part) for part in parts)])
        self.rows = rows
        self.columns = columns
        self.convert = convert
        self.scaled = scaled
        stored = np.result_type(*(part.dtype for part in parts))
        self.dtype: np.dtype[Any] = self._dtype_when_read(stored)
        high = int(self.starts[-1]) if rows is None else len(rows)
        wide = int(parts[0].shape[1]) if columns is None else len(columns)
        self.shape: tuple[int, int] = (high, wide)

    def _dtype_when_read(self, stored: np.dtype[Any]) -> np.dtype[Any]:
        if stored.kind != "f" or stored.itemsize > 8:
            return np.dtype(np.float64)
        if self.convert in ("softmax", "rescale") and stored.itemsize < 4:
            return np.dtype(np.float32)  # converted rows add up exactly, and are checked as such
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

    @np.errstate(all="ignore")  # overflow and NaN are counted by the survey
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
        if self.columns is not None:
            cells[stored_columns == ABSENT] = 0
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

    @np.errstate(all="ignore")  # as in _gather
    def _read(self, rows: IntArray, *, ordered: bool = False) -> NDArray[Any]:
        """Return whole rows, converted; `ordered` says that they are consecutive."""
        stored = rows if self.rows is None else self.rows[rows]
        block = self._read_stored(stored, ordered=ordered and self.rows is None)
        if self.columns is not None:
            block = block[:, self.columns]
            block[:, self.columns == ABSENT] = 0
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

    def _split(self, rows: IntArray) -> list[tuple[Any, Any, IntArray]]:
        """Return each array with the rows to take from it and where they go in the result."""
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

    def check_unchanged(self) -> None:
        """Raise `FileChangedError` if a file of the matrix is no longer what was loaded."""
        for part in self.parts:
            if isinstance(part, DiskArray | ProbMatrix):
                part.check_unchanged()

    def hash_chunks(self, files: FileHashes) -> Iterator[bytes]:
        """Yield what identifies this matrix: its arrays, and how they are converted on reading."""
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
