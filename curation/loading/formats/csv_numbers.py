"""CSV files of probabilities: numbers read as numbers, and files without a header as a matrix."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

import pyarrow as pa
import pyarrow.csv

from curation.loading.formats.base import Array
from curation.loading.formats.csv_parsing import (
    BLOCK_BYTES,
    check_names,
    check_width,
    drop_blank_columns,
    end_of_header,
    first_record,
    read_cells,
    split_record,
)
from curation.loading.formats.decimal_commas import (
    has_decimal_commas,
    read_points,
    report_decimal_comma,
    with_points,
)
from curation.loading.formats.number_columns import (
    SUM_TOLERANCE,
    as_number,
    looks_headless,
    no_rows,
    number_header,
    stack,
)
from curation.loading.formats.table import Table
from curation.loading.report_builder import ReportBuilder, list_few, stop
from curation.loading.vocabulary import INDEX_COLUMNS, exact_columns

FIRST_ROW_BYTES = 4 * 2**20  # read to find the row after the header


def parse_numbers(
    data: bytes, table: Table, report: ReportBuilder, *, id_column: str | None = None
) -> Table | Array:
    """Return the table in CSV text, with numbers as numbers; a matrix if it has no header.

    Ids and file names stay text.
    """
    delimiter, name = table.delimiter or ",", table.name
    header = split_record(first_record(data), delimiter)
    check_width(len(header), name)
    headless = looks_headless(read_points(header, delimiter))
    if headless:
        first, exact = header, set()
        header = number_header(len(header))
    else:
        _refuse_row(header, name)
        header = _uncommented(header, name, report)
        if header.count("") > 1:  # a spreadsheet's blank columns
            return _parse_without_blanks(data, table, report)
        check_names(header, name)
        start = end_of_header(data)
        first = split_record(first_record(data[start : start + FIRST_ROW_BYTES]), delimiter)
        exact = exact_columns(header, id_column)
    first = ["text" if c in exact else cell for c, cell in zip(header, first, strict=False)]
    cells, comma = _parse(data, name, delimiter, header, first, exact, headless=headless)
    if comma:
        report_decimal_comma(name, report)
    table = replace(table, data=cells)
    if headless:
        return stack(table, header)
    if cells.num_rows == 0:
        raise no_rows(name)
    return table


def _refuse_row(header: Sequence[str], name: str) -> None:
    """Stop if the header is a row: an id or a label, and fractions that add up to 1."""
    numbers = [as_number(cell) for cell in header if "." in cell]
    parts = [each for each in numbers if each is not None and 0 <= each <= 1]
    if len(parts) < 2 or abs(sum(parts) - 1) > SUM_TOLERANCE:
        return
    raise stop(
        code="table.no_header",
        where=name,
        what=f"the header seems to be missing: the first line is {list_few(header)}, whose "
        "fractions add up to 1.",
        fix="Write the names of the columns in the first line, such as id and the classes.",
        why="Otherwise the first row would be read as names, and lost.",
    )


def _parse_without_blanks(data: bytes, table: Table, report: ReportBuilder) -> Table:
    """Return a table as text, without the columns that have neither a name nor cells."""
    name = table.name
    cells = drop_blank_columns(read_cells(data, name, table.delimiter or ","), name, report)
    header = [cells.column(k)[0].as_py() for k in range(cells.num_columns)]
    check_names(header, name)
    if cells.num_rows == 1:
        raise no_rows(name)
    return replace(table, data=cells.slice(1).rename_columns(header))


def _uncommented(header: list[str], name: str, report: ReportBuilder) -> list[str]:
    """Return the names without the # that np.savetxt writes before the first one."""
    mark = re.match(r"# (?=\S)", header[0]) if len(header) > 1 else None
    if mark is None or any(each.lstrip().startswith("#") for each in header[1:]):
        return header
    report.add_auto_fix(
        code="table.comment_mark",
        where=name,
        what=f"the first column is called {header[0][mark.end() :]!r}, without the '#' before it.",
        fix="If the # belongs to the name, rename the column and its class.",
        why="NumPy writes a # before the names of the columns.",
    )
    return [header[0][mark.end() :], *header[1:]]


def _parse(
    data: bytes,
    name: str,
    delimiter: str,
    columns: Sequence[str],
    first: Sequence[str],
    exact: set[str],
    *,
    headless: bool,
) -> tuple[pa.Table, bool]:
    """Return the cells below the header, and whether they have decimal commas.

    Columns that begin with a number are read as numbers. If a cell further down is not a number,
    every column is read as text; `as_numbers` reports the cell if its column is needed.
    """
    start = 0 if headless else end_of_header(data)
    comma = has_decimal_commas(first, delimiter)
    texts = {c for c, cell in zip(columns, first, strict=False) if not _is_number(cell, comma)}
    types = {c: pa.string() if c in texts or c in INDEX_COLUMNS else pa.float64() for c in columns}
    try:
        cells = pyarrow.csv.read_csv(
            pa.BufferReader(memoryview(data)[start:]),
            read_options=pyarrow.csv.ReadOptions(
                column_names=list(columns), block_size=BLOCK_BYTES
            ),
            parse_options=pyarrow.csv.ParseOptions(delimiter=delimiter, newlines_in_values=True),
            convert_options=pyarrow.csv.ConvertOptions(
                column_types=types, strings_can_be_null=False, decimal_point="," if comma else "."
            ),
        )
    except pa.ArrowException:
        text = read_cells(data, name, delimiter)  # stops at a ragged row and names its line
        text = text.slice(0 if headless else 1).rename_columns(list(columns))
        if delimiter == ",":
            return text, False
        pointed = with_points(text, exact)  # the first comma may be in any row
        return pointed, not pointed.equals(text)
    return cells, comma


def _is_number(cell: str, comma: bool) -> bool:
    return not cell.strip() or as_number(cell.replace(",", ".") if comma else cell) is not None
