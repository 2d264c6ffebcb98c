"""CSV and TSV files. Every cell is kept as exact text, such as 007, NA, None and True.

When the file is written back, only the bytes of decided cells change.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO, ClassVar

import pyarrow as pa

from curation.dataset import Dataset, LabelSource
from curation.errors import InputError
from curation.loading.formats.base import Array, Held, Peek, TableFile, TextFormat
from curation.loading.formats.csv_bytes import Grammar, Records, read_cell, write_cell
from curation.loading.formats.csv_numbers import parse_numbers
from curation.loading.formats.csv_parsing import (
    ODD_DELIMITERS,
    check_names,
    drop_blank_columns,
    end_of_header,
    find_delimiter,
    first_record,
    read_cells,
    split_record,
)
from curation.loading.formats.csv_writing import make_safe
from curation.loading.formats.edits import Edits, check_old, check_rows, flag_name
from curation.loading.formats.file_faults import no_rows
from curation.loading.formats.label_reading_code import read_csv
from curation.loading.formats.number_columns import number_header
from curation.loading.formats.read_only_sources import Headless
from curation.loading.formats.table import Table
from curation.loading.formats.text_encoding import (
    as_utf8,
    decode_text,
    encode_back,
    find_encoding,
    split_mark,
)
from curation.loading.report_builder import ReportBuilder, stop

PEEK_BYTES = 2**20  # read to find the first two records
_NUMBER = re.compile(r"[-+]?[0-9]*[.,]?[0-9]+(?:[eE][-+]?[0-9]+)?")


class Csv(TextFormat):
    """Delimited text: .csv with a delimiter that is detected, .tsv with tabs."""

    name = "csv"
    suffixes: ClassVar[tuple[str, ...]] = (".csv", ".tsv")

    def read(self, file: TableFile, report: ReportBuilder) -> Table:
        raw = self.read_bytes(file.path, file.name, file.memory_limit)
        data, bom = as_utf8(raw, file.name, file.encoding)
        delimiter = file.delimiter or self.choose_delimiter(file.path, first_record(data))
        cells = read_cells(data, file.name, delimiter)
        if file.no_header:
            table = cells.rename_columns(number_header(cells.num_columns))
        else:
            table = _take_header(cells, file.name, report)
        _check_last_quote(data, table, file.name)
        return Table(
            file.path,
            file.name,
            Headless.name if file.no_header else self.name,
            table,
            encoding=file.encoding or "utf-8",
            delimiter=delimiter,
            bom=bom,
            header_row=not file.no_header,
        )

    def read_numbers(self, file: TableFile, report: ReportBuilder) -> Table | Array:
        raw = self.read_bytes(file.path, file.name, file.memory_limit)
        data, _ = decode_text(raw, file.name, file.encoding)
        empty = Table(
            file.path,
            file.name,
            self.name,
            pa.table({}),
            delimiter=self.choose_delimiter(file.path, first_record(data)),
            header_row=True,
        )
        return parse_numbers(data, empty, report, id_column=file.id_column)

    def choose_delimiter(self, path: Path, header: str) -> str:
        """Return a tab for .tsv; otherwise the delimiter is detected in the header."""
        is_tsv = path.name.lower().removesuffix(".gz").endswith(".tsv")
        return "\t" if is_tsv else find_delimiter(header)

    def peek(self, path: Path) -> Peek:
        data, delimiter = self._read_beginning(path)
        columns = split_record(first_record(data), delimiter)
        cells = split_record(first_record(data[end_of_header(data) :]), delimiter)
        held = {column: _held(cell) for column, cell in zip(columns, cells, strict=False)}
        return Peek(tuple(columns), held)

    def first_rows(self, path: Path, count: int) -> list[tuple[str, ...]]:
        data, delimiter = self._read_beginning(path)
        rows: list[tuple[str, ...]] = []
        while len(rows) < count and (data := data[end_of_header(data) :]).strip():
            rows.append(tuple(split_record(first_record(data), delimiter)))
        return rows

    def _read_beginning(self, path: Path) -> tuple[bytes, str]:
        """Return the first records as UTF-8, and what separates their cells."""
        head = self.read_head(path, PEEK_BYTES)
        data = head[: head.rfind(b"\n") + 1] or head  # so that no character is cut in two
        data, _ = as_utf8(data, path.name, find_encoding(data))
        record = first_record(data)
        delimiter = self.choose_delimiter(path, record)
        if delimiter not in record:
            delimiter = next((mark for mark in ODD_DELIMITERS if mark in record), delimiter)
        return data, delimiter

    def count_rows(self, path: Path) -> int | None:
        return self.count_lines(path) - 1

    def rewrite(
        self, dataset: Dataset, edits: Edits, file: BinaryIO, *, spreadsheet_safe: bool
    ) -> int:
        raw, name = self.read_source(dataset)
        return rewrite_delimited(
            raw, dataset.source, edits, file, name, spreadsheet_safe=spreadsheet_safe
        )

    def reading_code(self, dataset: Dataset, name: str) -> list[str]:
        source = dataset.source
        column, delimiter = source.label_column or "label", source.delimiter or ","
        return read_csv(name, column, delimiter, source.encoding)


def _held(cell: str) -> Held:
    if "[" in cell:
        return "list"
    return "number" if _NUMBER.fullmatch(cell.strip()) else "other"


def _take_header(cells: pa.Table, name: str, report: ReportBuilder) -> pa.Table:
    cells = drop_blank_columns(cells, name, report)
    names = [cells.column(k)[0].as_py() for k in range(cells.num_columns)]
    check_names(names, name)
    if cells.num_rows == 1:
        raise no_rows(name, names)
    return cells.slice(1).rename_columns(names)


def _check_last_quote(data: bytes, table: pa.Table, name: str) -> None:
    """Stop if a quote is opened and never closed: the rest of the file is inside one cell."""
    if data.count(b'"') % 2 == 0:
        return
    last = [table.column(k)[-1].as_py() for k in range(table.num_columns)]
    if not any("\n" in cell or "\r" in cell for cell in last):
        return
    swallowed = max(cell.count("\n") + cell.count("\r") for cell in last)
    total = data.count(b"\n") or data.count(b"\r")
    raise stop(
        code="table.open_quote",
        where=f"{name}, line {max(total - swallowed + 1, 1)}",
        what="the quote that is opened here is never closed.",
        fix='Close it, or write "" for a quote inside the text.',
        why=f"The {swallowed} lines after it would all be read as one cell.",
    )


def rewrite_delimited(
    raw: bytes,
    source: LabelSource,
    edits: Edits,
    file: BinaryIO,
    name: str,
    *,
    spreadsheet_safe: bool,
) -> int:
    """Write the label file with its edits, and return its number of rows."""
    mark, encoding, data = split_mark(raw, source.encoding, name)
    grammar = Grammar.of(source.delimiter or ",")
    layout = find_layout(data, grammar, source, name)
    check_rows(edits, len(layout.rows), name)
    pieces = _rewrite(data, grammar, layout, edits, name)
    if spreadsheet_safe:
        pieces = iter([make_safe(b"".join(pieces), grammar)])
    file.write(mark)
    if encoding == "utf-8":
        file.writelines(pieces)
    else:
        file.write(encode_back(b"".join(pieces).decode(), encoding, name))
    return len(layout.rows)


class Layout:
    """The header and the rows of a table, and which cell of a row is the label."""

    def __init__(self, header: tuple[int, int], rows: Records, columns: list[str], label: int):
        self.header, self.rows, self.columns, self.label = header, rows, columns, label


def find_layout(data: bytes, grammar: Grammar, source: LabelSource, name: str) -> Layout:
    """Return where the header, the rows and the labels are.

    Blank lines are not rows, unless the table has one column.
    """
    every = grammar.records(data)
    full = every.without_blank()
    start, end = (int(full.starts[0]), int(full.stops[0])) if len(full) else (0, 0)
    columns = [read_cell(data[a:b]) for a, b in grammar.cells(data, start, end)]
    records = full if len(columns) > 1 else every
    rows = Records(records.starts[1:], records.stops[1:], records.ends[1:])
    if source.label_column not in columns:
        raise InputError(
            f"{name} no longer has a column {source.label_column!r}.",
            "Load the dataset again, then export.",
        )
    return Layout((start, end), rows, columns, columns.index(source.label_column))


def _rewrite(
    data: bytes, grammar: Grammar, layout: Layout, edits: Edits, name: str
) -> Iterator[bytes]:
    """Yield the pieces of the new file: old bytes where nothing changes, otherwise new ones."""
    place = 0
    for start, end, new in _changes(data, grammar, layout, edits, name):
        yield data[place:start]
        yield new
        place = end
    yield data[place:]


def _changes(
    data: bytes, grammar: Grammar, layout: Layout, edits: Edits, name: str
) -> Iterator[tuple[int, int, bytes]]:
    """Yield the ranges of bytes that change, in order, and what replaces them."""
    rows, wanted = layout.rows, dict(zip(edits.rows.tolist(), range(len(edits.rows)), strict=True))
    out = set(edits.out.tolist())
    if edits.flag:
        column = write_cell(flag_name(layout.columns), grammar.delimiter)
        yield layout.header[1], layout.header[1], grammar.delimiter + column
    touched = range(len(rows)) if edits.flag else sorted(out | set(wanted))
    marks = {True: grammar.delimiter + b"true", False: grammar.delimiter + b"false"}
    for row in touched:
        start, end = int(rows.starts[row]), int(rows.stops[row])
        if row in out and not edits.flag:
            yield start, int(rows.ends[row]), b""
            continue
        if row in wanted:
            at, to = _find_cell(grammar, data, start, end, layout.label)
            raw, edit = data[at:to], wanted[row]
            check_old(read_cell(raw), edits.old[edit], row, name)
            yield at, to, write_cell(edits.new[edit], grammar.delimiter, like=raw)
        if edits.flag:
            yield end, end, marks[row in out]


def _find_cell(grammar: Grammar, data: bytes, start: int, end: int, column: int) -> tuple[int, int]:
    for place, cell in enumerate(grammar.cells(data, start, end)):
        if place == column:
            return cell
    return end, end
