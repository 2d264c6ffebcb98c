"""Single cells of a Parquet column; only a window of the column is in memory."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from curation.errors import ContentError, InputError

WINDOW_BYTES = 32_000_000  # approximate size of the part that is in memory
BUFFER_BYTES = 1 << 20


class ParquetCells:
    """The cells of one column of some Parquet files, row after row, file after file.

    Reading the next cell is fast. A jump reads from the start of a row group, since Parquet cannot
    start closer to a cell. At first only footers are read. A file is opened when one of its cells
    is needed, one file at a time.
    """

    def __init__(self, paths: Sequence[Path], column: str) -> None:
        self.paths = tuple(paths)
        self.column = column
        groups = [each for path in paths for each in _row_groups(path, column)]
        self._groups = [(path, group, rows) for path, group, _, rows in groups]
        self._ends = np.cumsum([count for _, _, count, _ in groups], dtype=np.int64)
        self._lock = threading.Lock()
        self._current = -1  # the row group being read,
        self._batches: Iterator[Any] = iter(())  # the rest of it,
        self._window: Any = None  # the batch last read,
        self._start = 0  # and the row it starts with

    def __len__(self) -> int:
        return int(self._ends[-1]) if len(self._ends) else 0

    def __getitem__(self, row: int) -> Any:
        if not 0 <= row < len(self):
            raise IndexError(f"row {row} of {len(self)}")
        with self._lock:
            try:
                return self._read(row)
            except (OSError, pa.ArrowException) as error:
                self._current, self._window = -1, None
                raise ContentError(
                    "cannot be read from its Parquet file",
                    f"Fetch the file again. The error is: {str(error).splitlines()[0][:200]}",
                    "unreadable",
                    f"row {row}",
                ) from None

    def locate(self, row: int) -> tuple[Path, int]:
        """Return the file that holds a cell, and the row of the cell in that file."""
        path = self._groups[int(np.searchsorted(self._ends, row, side="right"))][0]
        first = next(place for place, (each, _, _) in enumerate(self._groups) if each == path)
        return path, row - (int(self._ends[first - 1]) if first else 0)

    def _read(self, row: int) -> Any:
        group = int(np.searchsorted(self._ends, row, side="right"))
        if group != self._current or row < self._start:
            self._begin(group)
        while row >= self._start + len(self._window):
            self._start += len(self._window)
            self._window = self._next_window()
        return self._window[row - self._start].as_py()

    def _begin(self, group: int) -> None:
        path, number, rows_in_window = self._groups[group]
        self._current = -1  # set again once nothing can fail
        file = pq.ParquetFile(path, pre_buffer=False, buffer_size=BUFFER_BYTES)
        self._batches = file.iter_batches(
            rows_in_window, row_groups=[number], columns=[self.column]
        )
        self._start = int(self._ends[group - 1]) if group else 0
        self._window = self._next_window()
        self._current = group

    def _next_window(self) -> Any:
        try:
            return next(self._batches).column(0)
        except StopIteration:
            raise OSError("the file has become shorter since it was opened") from None


def _row_groups(path: Path, column: str) -> list[tuple[Path, int, int, int]]:
    """Return path, number, row count and rows per window for each row group of a file."""
    try:
        with pq.ParquetFile(path) as file:
            names, metadata = file.schema_arrow.names, file.metadata
    except (OSError, pa.ArrowException) as error:
        raise InputError(
            f"{path.name} cannot be read as Parquet: {str(error).splitlines()[0][:200]}",
            "Save the file again, or fetch it again from its source.",
        ) from None
    if column not in names:
        raise InputError(
            f"{path.name} has no column '{column}'; it has {', '.join(names[:20])}.",
            "Name the column that holds the pictures.",
        )
    groups = []
    for number in range(metadata.num_row_groups):
        group = metadata.row_group(number)
        # The size of all columns: pictures are most of it, and pyarrow crashes when asked for a
        # single column that a broken footer describes wrongly.
        window = max(1, WINDOW_BYTES * group.num_rows // max(group.total_byte_size, 1))
        groups.append((path, number, group.num_rows, min(window, max(1, group.num_rows))))
    return groups
