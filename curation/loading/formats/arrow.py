"""Arrow files, as Hugging Face's save_to_disk and pandas' to_feather write them.

The cleaned labels are written as a table of ids and labels.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import pyarrow as pa
import pyarrow.ipc

from curation.errors import ContentError
from curation.loading.formats.base import Peek, TableFile, TableFormat
from curation.loading.formats.csv_parsing import check_names
from curation.loading.formats.disk_array import FileState
from curation.loading.formats.file_faults import (
    NO_LIMIT,
    check_size,
    no_rows,
    too_large,
    unreadable,
)
from curation.loading.formats.id_label_table import ExportedAsTable
from curation.loading.formats.parquet import (
    find_class_names,
    held_in,
    holds_images,
    usual_type,
)
from curation.loading.formats.record_registry import find_form, make_table
from curation.loading.formats.table import Table
from curation.loading.report_builder import ReportBuilder, Stop

MAGIC = b"ARROW1"  # an Arrow file begins with these bytes, an Arrow stream does not


class Arrow(ExportedAsTable, TableFormat):
    """A table in Arrow's own format, as a file or as a stream."""

    name = "arrow"
    suffixes: ClassVar[tuple[str, ...]] = (".arrow", ".feather")
    origin = "The labels are in an Arrow file"

    def read(self, file: TableFile, report: ReportBuilder) -> Table:
        return read_arrow(file, report)

    def peek(self, path: Path) -> Peek:
        with pa.memory_map(str(path)) as source:
            schema = _open(source, path).schema
            return Peek(tuple(schema.names), {each.name: held_in(each.type) for each in schema})

    def count_rows(self, path: Path) -> int | None:
        return int(map_table(path).num_rows)


def map_table(path: Path, name: str = "", memory_limit: int = NO_LIMIT) -> pa.Table:
    """Return the table in a file; its cells stay on disk until they are used.

    A compressed table does not: it is read in batches, and stopped at the limit.
    """
    source = pa.memory_map(str(path))
    before, batches = pa.total_allocated_bytes(), []
    opened = _open(source, path)
    for batch in _batches(opened):
        batches.append(batch)
        if pa.total_allocated_bytes() - before > memory_limit:
            raise too_large(name, 2 * memory_limit, memory_limit)
    return pa.Table.from_batches(batches, opened.schema)


def _batches(opened: Any) -> Iterator[Any]:
    if isinstance(opened, pa.ipc.RecordBatchFileReader):
        return (opened.get_batch(place) for place in range(opened.num_record_batches))
    return iter(opened)


def _open(source: Any, path: Path) -> Any:
    with path.open("rb") as file:
        is_file = file.read(len(MAGIC)) == MAGIC
    return pa.ipc.open_file(source) if is_file else pa.ipc.open_stream(source)


def read_arrow(file: TableFile, report: ReportBuilder) -> Table:
    """Return the columns of an Arrow file; of embedded images, only the column names."""
    check_size(file.path, file.name, NO_LIMIT)  # pictures stay on disk
    try:
        data = map_table(file.path, file.name, file.memory_limit)
        data.validate(full=True)
        return _read(data, file, report)
    except Stop:
        raise
    except Exception as error:  # a parser may fail in any way on untrusted bytes
        raise unreadable(file.name, error) from error


def _copy(data: pa.Table) -> pa.Table:
    """Return a table in memory: a mapped file that is cut short would end the process."""
    copy = pa.BufferOutputStream()
    with pa.ipc.new_stream(copy, data.schema) as stream:
        stream.write_table(data)
    return pa.ipc.open_stream(copy.getvalue()).read_all()


def _read(data: pa.Table, file: TableFile, report: ReportBuilder) -> Table:
    check_names(data.column_names, file.name)
    if data.num_rows == 0:
        raise no_rows(file.name)
    images = tuple(each.name for each in data.schema if holds_images(each.type))
    names = find_class_names(data.schema)
    data = _copy(data.drop_columns(list(images)))
    form = find_form(data.slice(0, 1).to_pylist()[0]) if data.num_columns else None
    if form is not None:
        rows = data.to_pylist()
        return make_table(rows, lambda: rows, file, Arrow.name, report)
    for place, column in enumerate(data.column_names):
        data = data.set_column(place, column, usual_type(data.column(place)))
    return Table(file.path, file.name, Arrow.name, data, image_columns=images, class_names=names)


class ArrowCells:
    """The cells of one column of some Arrow files, row after row, file after file.

    The files are mapped into memory, so a cell is read from disk when it is needed. Its file is
    checked first: a changed one could show other pictures, or end the process if it was cut.
    """

    def __init__(self, paths: tuple[Path, ...], column: str) -> None:
        self.paths = paths
        self.column = column
        self._states = [FileState.of(os.stat(path)) for path in paths]
        tables = [map_table(path).select([column]) for path in paths]
        self._ends = np.cumsum([table.num_rows for table in tables])
        self._cells = pa.concat_tables(tables)

    def __len__(self) -> int:
        return int(self._cells.num_rows)

    def __getitem__(self, row: int) -> Any:
        file = int(np.searchsorted(self._ends, row, side="right"))
        self._check(file)
        return self._cells.column(0)[row].as_py()

    def locate(self, row: int) -> tuple[Path, int]:
        """Return the file that holds a cell, and the row of the cell in that file."""
        file = int(np.searchsorted(self._ends, row, side="right"))
        return self.paths[file], row - (int(self._ends[file - 1]) if file else 0)

    def _check(self, file: int) -> None:
        path = self.paths[file]
        try:
            unchanged = FileState.of(os.stat(path)) == self._states[file]
        except OSError:
            unchanged = False
        if not unchanged:
            raise ContentError(
                f"{path.name} was changed or moved after the dataset was loaded",
                "Load the dataset again.",
                "unreadable",
                path.name,
            )
