"""Columns and lists of numbers from tables. Errors name the row and column of a bad cell."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from curation.core.matrix import FloatArray
from curation.loading.formats.base import Array
from curation.loading.formats.table import Table
from curation.loading.report_builder import ReportBuilder, stop
from curation.loading.vocabulary import INDEX_COLUMNS, find_id_column

SUM_TOLERANCE = 0.02  # of the sum of a row, for probabilities written with two digits
MOST_ROWS = 0.9  # share of the sampled rows that must add up; a few may be broken
SAMPLE_ROWS = 200  # rows that are read to see what a column holds
# a list as Python, NumPy and PyTorch write it: [0.1, 0.9], array([0.1, 0.9]), tensor([[0.1, 0.9]])
_WRITTEN_LIST = re.compile(
    r"\s*(?:(?:np\.|numpy\.)?(?:array|tensor)\(\s*)?\[+(?P<inner>[^\[\]{}\"']*)\]+"
    r"(?:\s*(?:,\s*\w+=[^\[\]{}]*)?\))?\s*"
)
_NUMPY_NUMBER = re.compile(r"\b(?:np|numpy)\.float\d+\(([^()]*)\)")
_BETWEEN = re.compile(r"[\s,;|]+")
# numbers without brackets, in a column that is named as probabilities
_BARE_LIST = re.compile(r"\s*[-+.\deE]+(?:(?:\s*[;|]\s*|\s+)[-+.\deE]+)+\s*")


def note_row_numbers(
    columns: Sequence[str], column: Callable[[str], Any], where: str, report: ReportBuilder
) -> None:
    """Report that pandas' row numbers are not used; warn if they show that rows were shuffled.

    If there are ids, the row numbers do not matter.
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
            fix="If these are ids, name the column id in both files, to join by it.",
            why="Row numbers change whenever a table is sorted or filtered.",
        )
        return
    report.add_warning(
        code="rows.index",
        where=where,
        what=f"column {name!r} looks like row numbers that are not in order; it is not used, and "
        "rows are joined by position.",
        fix="If these are ids, name the column id in both files, to join by it.",
        why="In a shuffled table joined by position, each example gets another example's "
        "probabilities.",
    )


def looks_headless(cells: Sequence[str]) -> bool:
    """Return whether the first row holds numbers, not names; 0,1,2 are names, 1,0,0 are not.

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


def number_header(width: int) -> list[str]:
    """Return names for the columns of a table without a header."""
    return [f"column {place}" for place in range(width)]


def no_rows(name: str) -> Exception:
    """Return the stop for a table of probabilities that is empty."""
    return stop(
        code="probs.no_rows",
        where=name,
        what="there are no rows or columns of numbers.",
        fix="Save it again.",
        why="No label can be checked without probabilities.",
    )


def as_number(cell: str) -> float | None:
    """Return a cell as a number; None if it is not one."""
    try:
        return float(cell)
    except ValueError:
        return None


def stack(table: Table, columns: Sequence[str]) -> Array:
    """Return columns of numbers as a matrix."""
    if not columns or len(table) == 0:
        raise no_rows(table.name)
    array = np.empty((len(table), len(columns)), common_type(table, columns))
    for place, column in enumerate(columns):
        array[:, place] = as_numbers(table, column)
    return array


def as_numbers(table: Table, column: str) -> Array:
    """Return a column of numbers, with NaN for missing cells; stop if it holds words."""
    if _holds_numbers(table, column):
        return np.asarray(pc.cast(table.data.column(column), pa.float64()).to_numpy())
    texts = table.text(column)
    try:
        blank = pc.equal(pc.utf8_trim_whitespace(texts), "")
        return np.asarray(pc.if_else(blank, None, texts).cast(pa.float64()).to_numpy())
    except pa.ArrowException:  # a word, or a number that only Python can read
        return _python_numbers(table.name, column, texts.to_pylist())


def _python_numbers(name: str, column: str, texts: Sequence[str | None]) -> Array:
    numbers = np.empty(len(texts))
    words: list[int] = []
    for row, cell in enumerate(texts):
        number = np.nan if cell is None or not cell.strip() else as_number(cell)
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
            why="A row with an unreadable probability cannot be used.",
            count=len(words),
            first_rows=(f"row {row}" for row in words),
        )
    return numbers


def _holds_numbers(table: Table, column: str) -> bool:
    return table.kind(column) in ("integer", "float", "boolean") and column not in table.kinds


def peek_numbers(table: Table, column: str) -> Array:
    """Return the first numbers of a column; NaN for cells that are not numbers."""
    head = replace(table, data=table.data.select([column]).slice(0, SAMPLE_ROWS))
    if _holds_numbers(head, column):
        return as_numbers(head, column)
    found = (as_number(cell or "") for cell in head.text(column).to_pylist())
    return np.array([np.nan if number is None else number for number in found])


def misfit(table: Table, columns: Sequence[str]) -> float:
    """Return how far most rows are from adding up to 1, or to 100 as percentages do."""
    sums: FloatArray = np.sum([peek_numbers(table, column) for column in columns], axis=0)
    return misfit_of_sums(sums)


def misfit_of_sums(sums: FloatArray) -> float:
    """Return how far most of these sums are from 1, or from 100; infinity if there are none."""
    sums = sums[np.isfinite(sums)]
    if not len(sums):
        return np.inf
    return float(min(np.quantile(np.abs(sums / whole - 1), MOST_ROWS) for whole in (1, 100)))


def holds_words(table: Table, column: str) -> bool:
    """Return whether a column begins with cells that are not numbers."""
    if _holds_numbers(table, column):
        return False
    head = replace(table, data=table.data.select([column]).slice(0, SAMPLE_ROWS))
    cells = [cell for cell in head.text(column).to_pylist() if cell and cell.strip()]
    return bool(cells) and all(as_number(cell) is None for cell in cells)


def common_type(table: Table, columns: Sequence[str]) -> Any:
    """Return float32 if all columns have that type, otherwise float64."""
    kinds = {table.data.schema.field(column).type for column in columns}
    return np.float32 if kinds == {pa.float32()} else np.float64


def holds_written_lists(table: Table, column: str) -> bool:
    """Return whether a column begins with text such as "[0.1, 0.9]", as pandas saves lists."""
    cells = [cell for cell in table.text(column).slice(0, SAMPLE_ROWS).to_pylist() if cell]
    return bool(cells) and all(_inner(cell) is not None for cell in cells)


def _inner(cell: str) -> str | None:
    """Return the numbers of a written list, without what is around them; None for other text.

    >>> _inner("tensor([0.1, 0.9], device='cuda:0')"), _inner("0.1;0.9"), _inner("0.1")
    ('0.1, 0.9', '0.1;0.9', None)
    """
    plain = strip_numpy(cell)
    if match := _WRITTEN_LIST.fullmatch(plain):
        return match["inner"]
    if not _BARE_LIST.fullmatch(plain):
        return None
    numbers = [as_number(each) for each in _BETWEEN.split(plain.strip())]
    parts = [each for each in numbers if each is not None and each >= 0]
    whole = len(parts) == len(numbers) and abs(sum(parts) - 1) <= SUM_TOLERANCE
    return plain if whole else None


def strip_numpy(text: str) -> str:
    """Return a text with numbers such as np.float64(0.9) as plain numbers.

    >>> strip_numpy("[np.float64(0.9), 0.1]")
    '[0.9, 0.1]'
    """
    return _NUMPY_NUMBER.sub(r"\1", text)


def read_written_lists(cells: pa.ChunkedArray, where: str) -> pa.ChunkedArray:
    """Return lists of numbers from text, separated by commas, or by spaces as NumPy prints them."""
    lists: list[list[float] | None] = []
    for row, cell in enumerate(cells.to_pylist()):
        try:
            inner = _inner(cell) if cell else ""
            numbers = _BETWEEN.split(cell if inner is None else inner)
            lists.append([float(each) for each in numbers if each])
        except ValueError:
            raise stop(
                code="probs.not_a_number",
                where=f"{where}, row {row}",
                what=f"{cell[:80]!r} is not a list of numbers.",
                fix="Save the probabilities with np.save: as text, NumPy shortens long arrays with "
                "'...'.",
                why="An example without all its probabilities cannot be checked.",
            ) from None
    return pa.chunked_array([pa.array(lists, pa.list_(pa.float64()))])


def from_lists(column: pa.ChunkedArray, where: str) -> Array:
    """Return a column of lists of one length as a matrix; a missing list becomes NaN."""
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
            why="It is unclear which number belongs to which class.",
            count=max(len(odd), 1),
            first_rows=(f"row {each}" for each in odd),
        )
    flat = pc.list_flatten(column)  # without the missing lists
    if not pa.types.is_floating(flat.type):
        flat = flat.cast(pa.float64())
    rows = np.asarray(flat.to_numpy().reshape(int(given.sum()), wide))
    if given.all():
        return rows
    whole = np.full((len(lengths), wide), np.nan, rows.dtype)
    whole[given] = rows
    return whole


def _usual(lengths: Array) -> int:
    """Return the most frequent length, so that the one different row is reported."""
    values, counts = np.unique(lengths, return_counts=True)
    return int(values[counts.argmax()]) if len(values) else 0
