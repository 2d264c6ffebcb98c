"""Columns and lists of numbers out of tables, each bad cell named with its place."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv

from curation.loading.formats.base import Table
from curation.loading.formats.csv import (
    BLOCK_BYTES,
    check_names,
    find_delimiter,
    first_record,
    read_cells,
    read_text,
    split_record,
)
from curation.loading.formats.decimal_commas import (
    has_decimal_commas,
    read_points,
    say_decimal_comma,
    with_points,
)
from curation.loading.formats.npy import Array
from curation.loading.report_builder import ReportBuilder, stop
from curation.loading.vocabulary import FILE_COLUMNS, INDEX_COLUMNS, find_id_column, is_id_name

LOOKED_AT = 200  # rows of a column that are looked at to tell what it holds
HEAD_BYTES = 4 * 2**20  # of a file, in which its first rows are looked for
_WRITTEN_LIST = re.compile(r"\s*\[[^\[\]{}\"']*\]\s*")


def note_row_numbers(
    columns: Sequence[str], column: Callable[[str], Any], where: str, report: ReportBuilder
) -> None:
    """Say that pandas' row numbers are not used; warn if they show that rows were shuffled.

    Where there are ids, these are used, and the row numbers do not matter.
    """
    name = next((each for each in INDEX_COLUMNS if each in columns), None)
    noted = any(each.code == "rows.index" and each.where == where for each in report.diagnoses)
    if name is None or noted or find_id_column(columns) is not None:
        return
    numbers = column(name).to_pylist()
    if not all(each and each.isdigit() for each in numbers):
        return
    if numbers == [str(row) for row in range(len(numbers))]:
        report.add_auto_fix(
            code="rows.index",
            where=where,
            what=f"the row numbers in column {name!r} are not used.",
            fix="If these are ids, name the column id in both files, to be joined by it.",
            why="Row numbers change whenever a table is sorted or filtered.",
        )
        return
    report.add_warning(
        code="rows.index",
        where=where,
        what=f"column {name!r} looks like row numbers that are not in order; it is not used, and "
        "rows "
        "are joined by their place.",
        fix="If these are ids, name the column id in both files, to be joined by it.",
        why="A shuffled table joined by place gives each example another's probabilities.",
    )


def read_number_table(
    path: Path,
    name: str,
    report: ReportBuilder,
    *,
    encoding: str | None = None,
    id_column: str | None = None,
) -> Table | Array:
    """Return a CSV file with its numbers as numbers; one without a header as a matrix."""
    data, _ = read_text(path, name, encoding)
    record = first_record(data)
    delimiter = "\t" if path.suffix.lower() == ".tsv" else find_delimiter(record)
    header = split_record(record, delimiter)
    headless = looks_headless(read_points(header, delimiter))
    if headless:
        first, exact = header, set()
        header = [f"column {place}" for place in range(len(header))]
    else:
        header = _uncommented(header, name, report)
        check_names(header, name)
        start = _end_of_header(data)
        first = split_record(first_record(data[start : start + HEAD_BYTES]), delimiter)
        exact = exact_columns(header, id_column)
    first = ["text" if c in exact else cell for c, cell in zip(header, first, strict=False)]
    cells, comma = _parse(data, name, delimiter, header, first, exact, headless=headless)
    if comma:
        say_decimal_comma(name, report)
    table = Table(path, name, "csv", cells, delimiter=delimiter)
    if headless:
        return stack(table, header)
    if cells.num_rows == 0:
        raise _no_rows(name)
    return table


def exact_columns(header: Sequence[str], id_column: str | None) -> set[str]:
    """Return the columns of ids and file names, which are never read as numbers."""
    asked = None if id_column is None else id_column.strip()
    return {
        c
        for c in header
        if is_id_name(c) or c.strip().lower() in FILE_COLUMNS or c.strip() == asked
    }


def _uncommented(header: list[str], name: str, report: ReportBuilder) -> list[str]:
    """Return the names without the # that np.savetxt writes before the first one."""
    mark = re.match(r"# (?=\S)", header[0]) if len(header) > 1 else None
    if mark is None or any(each.lstrip().startswith("#") for each in header[1:]):
        return header
    report.add_auto_fix(
        code="table.comment_mark",
        where=name,
        what=f"the first column is called {header[0][mark.end() :]!r}, without the '#' before it.",
        fix="If the # belongs to the name, rename the column, and its class alike.",
        why="NumPy writes a # before the names of the columns.",
    )
    return [header[0][mark.end() :], *header[1:]]


def _no_rows(name: str) -> Exception:
    return stop(
        code="probs.no_rows",
        where=name,
        what="there are no rows or columns of numbers.",
        fix="Save it again.",
        why="Without probabilities no label can be judged.",
    )


def looks_headless(cells: Sequence[str]) -> bool:
    """Tell whether a first row holds numbers and not names; 0,1,2 are names, 1,0,0 are not.

    >>> looks_headless(["0.1", "0.9"]), looks_headless(["0", "1", "2"]), looks_headless(["cat"])
    (True, False, False)
    """
    try:
        values = [float(cell) for cell in cells]
    except ValueError:
        return False
    if all(cell.isdigit() for cell in cells):
        return len(set(values)) < len(values)
    return bool(values)


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
    """Return the cells below the header, and whether commas stand for points in them.

    Columns that begin with a number are read as numbers.

    Where a cell further down is no number after all, every column is text, for `as_numbers` to
    say which cell it is if the column is needed.
    """
    start = 0 if headless else _end_of_header(data)
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
        text = read_cells(data, name, delimiter)  # stops at a ragged row, with its line
        text = text.slice(0 if headless else 1).rename_columns(list(columns))
        if delimiter == ",":
            return text, False
        pointed = with_points(text, exact)  # the first comma may stand in any row
        return pointed, not pointed.equals(text)
    return cells, comma


def _is_number(cell: str, comma: bool) -> bool:
    return not cell.strip() or _as_number(cell.replace(",", ".") if comma else cell) is not None


def _as_number(cell: str) -> float | None:
    try:
        return float(cell)
    except ValueError:
        return None


def _end_of_header(data: bytes) -> int:
    record = first_record(data).encode()
    return data.find(record) + len(record)


def stack(table: Table, columns: Sequence[str]) -> Array:
    """Return columns of numbers side by side."""
    if not columns or len(table) == 0:
        raise _no_rows(table.name)
    array = np.empty((len(table), len(columns)), common_type(table, columns))
    for place, column in enumerate(columns):
        array[:, place] = as_numbers(table, column)
    return array


def as_numbers(table: Table, column: str) -> Array:
    """Return a column of numbers; missing cells are NaN, and words stop with their rows."""
    if _holds_numbers(table, column):
        return np.asarray(pc.cast(table.data.column(column), pa.float64()).to_numpy())
    texts = table.text(column)
    try:
        blank = pc.equal(pc.utf8_trim_whitespace(texts), "")
        return np.asarray(pc.if_else(blank, None, texts).cast(pa.float64()).to_numpy())
    except pa.ArrowException:  # a word, or a number that only Python reads
        return _python_numbers(table.name, column, texts.to_pylist())


def _python_numbers(name: str, column: str, texts: Sequence[str | None]) -> Array:
    numbers = np.empty(len(texts))
    words: list[int] = []
    for row, cell in enumerate(texts):
        number = np.nan if cell is None or not cell.strip() else _as_number(cell)
        if number is None:
            words.append(row)
        else:
            numbers[row] = number
    if words:
        raise stop(
            code="probs.not_a_number",
            where=f"{name}, row {words[0]}",
            what=f"{(texts[words[0]] or '')[:80]!r} in column {column!r} is not a number.",
            fix="Correct the cell, or leave the column out.",
            why="A probability that cannot be read leaves its row without a meaning.",
            count=len(words),
            first_rows=(f"row {row}" for row in words),
        )
    return numbers


def _holds_numbers(table: Table, column: str) -> bool:
    return table.kind(column) in ("integer", "float", "boolean") and column not in table.kinds


def peek_numbers(table: Table, column: str) -> Array:
    """Return the first numbers of a column; NaN for what is none."""
    head = replace(table, data=table.data.select([column]).slice(0, LOOKED_AT))
    if _holds_numbers(head, column):
        return as_numbers(head, column)
    found = (_as_number(cell or "") for cell in head.text(column).to_pylist())
    return np.array([np.nan if number is None else number for number in found])


def holds_words(table: Table, column: str) -> bool:
    """Tell whether a column begins with cells of which none is a number."""
    if _holds_numbers(table, column):
        return False
    head = replace(table, data=table.data.select([column]).slice(0, LOOKED_AT))
    cells = [cell for cell in head.text(column).to_pylist() if cell and cell.strip()]
    return bool(cells) and all(_as_number(cell) is None for cell in cells)


def common_type(table: Table, columns: Sequence[str]) -> Any:
    """Return float32 if all columns are, else float64."""
    kinds = {table.data.schema.field(column).type for column in columns}
    return np.float32 if kinds == {pa.float32()} else np.float64


def holds_written_lists(table: Table, column: str) -> bool:
    """Tell whether a column begins with text such as "[0.1, 0.9]", as pandas saves lists to CSV."""
    cells = [cell for cell in table.text(column).slice(0, LOOKED_AT).to_pylist() if cell]
    return bool(cells) and all(_WRITTEN_LIST.fullmatch(cell) for cell in cells)


def read_written_lists(cells: pa.ChunkedArray, where: str) -> pa.ChunkedArray:
    """Return lists of numbers from text, divided by commas or, as NumPy prints them, by spaces."""
    lists: list[list[float] | None] = []
    for row, cell in enumerate(cells.to_pylist()):
        try:
            inner = (cell or "").strip().removeprefix("[").removesuffix("]").replace(",", " ")
            lists.append([float(each) for each in inner.split()])
        except ValueError:
            raise stop(
                code="probs.not_a_number",
                where=f"{where}, row {row}",
                what=f"{cell[:80]!r} is not a list of numbers.",
                fix="Save the probabilities with np.save, whole: NumPy prints long arrays with "
                "'...'.",
                why="A row without all its probabilities cannot be judged.",
            ) from None
    return pa.chunked_array([pa.array(lists, pa.list_(pa.float64()))])


def from_lists(column: pa.ChunkedArray, where: str) -> Array:
    """Return a column of lists as a matrix; all must be equally long, and a missing one is NaN."""
    lengths = pc.list_value_length(column).fill_null(-1).to_numpy()
    given = lengths >= 0
    wide = _usual(lengths[given])
    odd = np.flatnonzero(given & (lengths != wide))
    if len(odd) or wide == 0:
        row = int(odd[0]) if len(odd) else 0
        found = max(int(lengths[row]), 0)
        raise stop(
            code="probs.ragged",
            where=f"{where}, row {row}",
            what=f"{found} {'number' if found == 1 else 'numbers'}"
            + (f" where most rows have {wide}." if wide else ": there are none in any row."),
            fix="Save one number for each class in every row.",
            why="Which number belongs to which class cannot be told.",
            count=max(len(odd), 1),
            first_rows=(f"row {each}" for each in odd),
        )
    flat = pc.list_flatten(column)  # leaves out the missing lists
    if not pa.types.is_floating(flat.type):
        flat = flat.cast(pa.float64())
    rows = np.asarray(flat.to_numpy().reshape(int(given.sum()), wide))
    if given.all():
        return rows
    whole = np.full((len(lengths), wide), np.nan, rows.dtype)
    whole[given] = rows
    return whole


def _usual(lengths: Array) -> int:
    """Return the most frequent length, so that one odd row is blamed and not all the others."""
    values, counts = np.unique(lengths, return_counts=True)
    return int(values[counts.argmax()]) if len(values) else 0
