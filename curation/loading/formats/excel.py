"""Excel workbooks (.xlsx), read with openpyxl: the sheet that is named, or the first with a table.

Text stays exact text, and numbers and booleans keep their type. Dates become text such as
2024-01-31. Formulas are read as the values that Excel last saved.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Any, BinaryIO

import pyarrow as pa

from curation.dataset import Dataset, LabelKind
from curation.errors import InputError
from curation.loading.formats.base import Array, Held, Peek, TableFile, TableFormat
from curation.loading.formats.csv_parsing import check_names
from curation.loading.formats.edits import Edits, check_rows
from curation.loading.formats.excel_sheets import (
    Layout,
    NumberedRow,
    iterate_rows,
    open_table,
    to_text,
)
from curation.loading.formats.excel_writing import rewrite_workbook
from curation.loading.formats.file_faults import NO_LIMIT, no_rows, too_large
from curation.loading.formats.label_reading_code import quote, read_column
from curation.loading.formats.number_columns import looks_headless, number_header, stack
from curation.loading.formats.read_only_sources import Headless
from curation.loading.formats.table import Table
from curation.loading.report_builder import ReportBuilder, Stop

MAX_UNPACKED_BYTES = 2**32  # limit for a file whose rows are only counted or shown in part
CELL_BYTES = 64  # approximate memory per cell while reading


class Excel(TableFormat):
    """A workbook of sheets, one of which holds the table."""

    name = "xlsx"
    suffixes = (".xlsx",)

    def read(self, file: TableFile, report: ReportBuilder) -> Table:
        layout, rows = _read_rows(file.path, file.name, report, file.memory_limit, file.sheet)
        if file.no_header:
            every = [(layout.header_row, layout.header), *rows]
            table = _make_table(file, number_header(len(layout.columns)), every)
            return replace(table, format=Headless.name, header_row=False)
        check_names(layout.columns, file.name)
        return _make_table(file, layout.columns, rows)

    def read_numbers(self, file: TableFile, report: ReportBuilder) -> Table | Array:
        layout, rows = _read_rows(file.path, file.name, report, file.memory_limit, file.sheet)
        if looks_headless(layout.columns):
            names = number_header(len(layout.columns))
            every = [(layout.header_row, layout.header), *rows]
            return stack(_make_table(file, names, every), names)
        check_names(layout.columns, file.name)
        return _make_table(file, layout.columns, rows)

    def peek(self, path: Path) -> Peek:
        with open_table(path, path.name, ReportBuilder(), MAX_UNPACKED_BYTES) as (sheet, layout):
            _, first = next(iterate_rows(sheet, layout, path.name), (0, ()))
        held = {c: _held(value) for c, value in zip(layout.columns, first, strict=False)}
        return Peek(tuple(layout.columns), held)

    def first_rows(self, path: Path, count: int) -> list[tuple[str, ...]]:
        with open_table(path, path.name, ReportBuilder(), MAX_UNPACKED_BYTES) as (sheet, layout):
            rows = [row for _, row in islice(iterate_rows(sheet, layout, path.name), count)]
        return [tuple(to_text(value) or "" for value in row) for row in rows]

    def count_rows(self, path: Path) -> int | None:
        with open_table(path, path.name, ReportBuilder(), MAX_UNPACKED_BYTES) as (sheet, layout):
            return sum(1 for _ in iterate_rows(sheet, layout, path.name))

    def rewrite(
        self, dataset: Dataset, edits: Edits, file: BinaryIO, *, spreadsheet_safe: bool
    ) -> int:
        path = dataset.source.path
        assert path is not None
        try:
            sheet = dataset.settings.get("sheet")
            layout, rows = _read_rows(path, path.name, ReportBuilder(), NO_LIMIT, sheet)
        except Stop as error:
            raise InputError(error.diagnosis.what, error.diagnosis.fix) from error
        check_rows(edits, len(rows), path.name)
        if edits.nothing:
            file.write(path.read_bytes())
            return len(rows)
        column = dataset.source.label_column or ""
        rewrite_workbook(path, column, layout, rows, edits, file)
        return len(rows)

    def reading_code(self, dataset: Dataset, name: str) -> list[str]:
        column = dataset.source.label_column or "label"
        sheet = dataset.settings.get("sheet")
        chosen = f", sheet_name={quote(sheet)}" if sheet else ""
        read = f"pd.read_excel({quote(name)}{chosen}, converters={{{quote(column)}: str}})"
        return read_column(read, column)


def _read_rows(
    path: Path, name: str, report: ReportBuilder, memory_limit: int, sheet: str | None
) -> tuple[Layout, list[NumberedRow]]:
    """Return where the table is and its rows; stop if they need too much memory."""
    rows: list[NumberedRow] = []
    with open_table(path, name, report, memory_limit, sheet) as (opened, layout):
        row_bytes = len(layout.header) * CELL_BYTES
        for row in iterate_rows(opened, layout, name):
            rows.append(row)
            if len(rows) * row_bytes > memory_limit:
                raise too_large(name, len(rows) * row_bytes, memory_limit)
    return layout, rows


def _held(value: Any) -> Held:
    return "number" if isinstance(value, int | float) and not isinstance(value, bool) else "other"


def _make_table(file: TableFile, header: Sequence[str], rows: Sequence[NumberedRow]) -> Table:
    if not rows:
        raise no_rows(file.name, header)
    columns: dict[str, pa.Array] = {}
    kinds: dict[str, LabelKind] = {}
    for place, column in enumerate(header):
        columns[column], kind = _make_column([values[place] for _, values in rows])
        if kind is not None:
            kinds[column] = kind
    data = pa.table(columns)
    return Table(file.path, file.name, Excel.name, data, kinds=kinds, header_row=True)


def _make_column(cells: Sequence[Any]) -> tuple[pa.Array, LabelKind | None]:
    """Return a column of one type as that type, any other as text; and the kind of mixed cells."""
    types = {type(cell) for cell in cells if cell is not None}
    for kinds, arrow in (({bool}, pa.bool_()), ({int}, pa.int64()), ({int, float}, pa.float64())):
        if types and types <= kinds:
            try:
                return pa.array(cells, arrow), None
            except (pa.ArrowException, OverflowError):
                break  # a whole number that does not fit into 64 bits
    texts = pa.array([to_text(cell) for cell in cells], pa.string())
    mixed = len(types) > 1 and bool(types & {bool, int, float})
    return texts, "mixed" if mixed else None
