"""A matrix of probabilities in which some rows are left out and some classes are merged."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from curation.core.matrix import IntArray, Probabilities


class MergedProbabilities:
    """Some rows of a matrix, with merged classes added up; read on demand, never copied as a whole.

    Class j of the original goes to column `columns[j]`; classes with the same column are added.
    A column that no class goes to is 0. `rows` are the rows to keep, in order; None keeps all.

    >>> probs = np.array([[.5, .25, .25], [0, .5, .5]])
    >>> MergedProbabilities(probs, columns=[0, 1, 0], num_columns=2)[0:2]
    array([[0.75, 0.25],
           [0.5 , 0.5 ]])
    """

    def __init__(
        self,
        pred_probs: Probabilities,
        *,
        columns: Sequence[int],
        num_columns: int,
        rows: IntArray | None = None,
    ) -> None:
        self._probs, self._rows = pred_probs, rows
        self._first = np.full(num_columns, -1)  # the first class of each column
        self._added: list[tuple[int, int]] = []  # further classes, and the column of each
        for label, column in enumerate(columns):
            if self._first[column] < 0:
                self._first[column] = label
            else:
                self._added.append((label, column))
        self.shape = (pred_probs.shape[0] if rows is None else len(rows), num_columns)
        self.dtype = pred_probs.dtype

    def __getitem__(self, key: Any) -> Any:
        if isinstance(key, tuple):
            return self._read_cells(*key)
        original = np.asarray(self._probs[self._find_rows(key)])
        block = original[..., self._first]
        for label, column in self._added:
            block[..., column] += original[..., label]
        block[..., self._first < 0] = 0
        return block

    def _read_cells(self, rows: Any, columns: Any) -> Any:
        rows, columns = np.broadcast_arrays(self._find_rows(rows), columns)
        first = self._first[columns]
        cells: NDArray[Any] = np.array(self._probs[rows, np.maximum(first, 0)])
        for label, column in self._added:
            at = columns == column
            if at.any():
                cells[at] += self._probs[rows[at], np.full(int(at.sum()), label)]
        cells[first < 0] = 0
        return cells[()]

    def _find_rows(self, key: Any) -> Any:
        return key if self._rows is None else self._rows[key]
