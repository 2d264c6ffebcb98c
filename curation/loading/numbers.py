"""Columns and lists of numbers out of tables, each bad cell named with its place."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv

from curation.loading.arrays import Array
from curation.loading.delimited import (
    BLOCK_BYTES,
    check_names,
    find_delimiter,
    first_record,
    read_cells,
    read_text,
    split_record,
)
from curation.loading.notes import Notes, stop
from curation.loading.tables import Table, unreadable

if TYPE_CHECKING:
    from curation.loading.probabilities import Probs

ID_NAMES = ("id", "ids", "example_id", "image_id", "uid", "key")
INDEX_NAMES = ("", "index", "Unnamed: 0", "__index_level_0__")  # pandas' row numbers: never ids
NOT_PROBABILITIES = frozenset(
    "label labels given_label true_label target y class prediction predicted predicted_label "
    "image file_name filename path text sentence review content split fold".split()
)


def class_columns(columns: Sequence[str]) -> list[str]:
    """Return the columns that can be classes: neither ids nor row numbers nor labels."""
    others = {*ID_NAMES, *NOT_PROBABILITIES}
    return [c for c in columns if c.lower() not in others and c not in INDEX_NAMES]


def find_id_column(columns: Sequence[str]) -> str | None:
    """Return the column of ids, known by its name."""
    lower = {column.lower(): column for column in reversed(columns)}
    return next((lower[name] for name in ID_NAMES if name in lower), None)


def note_row_numbers(
    columns: Sequence[str], column: Callable[[str], Any], where: str, notes: Notes
) -> None:
    """Say that pandas' row numbers are not used; warn if they show that rows were shuffled.

    Where there are ids, these are used, and the row numbers do not matter.
    """
    name = next((each for each in INDEX_NAMES if each in columns), None)
    noted = any(each.code == "rows.index" and each.where == where for each in notes.diagnoses)
    if name is None or noted or find_id_column(columns) is not None:
        return
    numbers = column(name).to_pylist()
    if not all(each and each.isdigit() for each in numbers):
        return
    if numbers == [str(row) for row in range(len(numbers))]:
        notes.auto(
            "rows.index",
            where,
            f"the row numbers in column {name!r} are not used.",
            "If these are ids, name the column id in both files, to be joined by it.",
            why="Row numbers change whenever a table is sorted or filtered.",
        )
        return
    notes.warn(
        "rows.index",
        where,
        f"column {name!r} looks like row numbers that are not in order; it is not used, and rows "
        "are joined by their place.",
        "If these are ids, name the column id in both files, to be joined by it.",
        why="A shuffled table joined by place gives each example another's probabilities.",
    )


def table_ids(table: Table) -> pa.ChunkedArray | None:
    """Return the ids in a table as text, if it has any."""
    column = find_id_column(table.data.column_names)
    return None if column is None else table.text(column)


def read_number_table(path: Path, name: str, notes: Notes, *, encoding: str | None = None) -> Probs:
    """Return the probabilities in a CSV file, straight to numbers; without a header too."""
    from curation.loading.probabilities import Probs, strip_prefix

    data, _ = read_text(path, name, encoding)
    record = first_record(data)
    delimiter = "\t" if path.suffix.lower() == ".tsv" else find_delimiter(record)
    header = split_record(record, delimiter)
    if looks_headless(header):
        names = [f"column {place}" for place in range(len(header))]
        cells = _parse(data, path, name, delimiter, names, names, headless=True)
        return Probs((_stack(cells, names, name),), name)
    check_names(header, name)
    chosen = _chosen(header)
    cells = _parse(data, path, name, delimiter, header, chosen, headless=False)
    note_row_numbers(header, cells.column, name, notes)
    ids = find_id_column(header)
    return Probs(
        (_stack(cells, chosen, name),),
        name,
        strip_prefix(chosen),
        None if ids is None else cells.column(ids),
    )


def _chosen(header: Sequence[str]) -> list[str]:
    from curation.loading.probabilities import PREFIXES

    for prefix in PREFIXES:
        found = [column for column in header if column.startswith(prefix)]
        if len(found) >= 2:
            return found
    return class_columns(header)


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
    path: Path,
    name: str,
    delimiter: str,
    columns: Sequence[str],
    chosen: Sequence[str],
    *,
    headless: bool,
) -> pa.Table:
    """Return the cells below the header: the chosen columns as numbers, the others as text."""
    start = 0 if headless else _end_of_header(data)
    types = {c: pa.float64() if c in set(chosen) else pa.string() for c in columns}
    try:
        return pyarrow.csv.read_csv(
            pa.BufferReader(memoryview(data)[start:]),
            read_options=pyarrow.csv.ReadOptions(
                column_names=list(columns), block_size=BLOCK_BYTES
            ),
            parse_options=pyarrow.csv.ParseOptions(delimiter=delimiter, newlines_in_values=True),
            convert_options=pyarrow.csv.ConvertOptions(
                column_types=types, strings_can_be_null=False
            ),
        )
    except pa.ArrowException as error:
        text = read_cells(data, name, delimiter)  # stops at a ragged row, with its line
        text = text.slice(0 if headless else 1).rename_columns(list(columns))
        table = Table(path, name, "csv", text, delimiter=delimiter)
        for column in chosen:
            as_numbers(table, column)  # stops at a cell that is no number
        raise unreadable(name, error) from error


def _end_of_header(data: bytes) -> int:
    record = first_record(data).encode()
    return data.find(record) + len(record)


def _stack(cells: pa.Table, columns: Sequence[str], name: str) -> Array:
    if not columns or cells.num_rows == 0:
        raise stop(
            "probs.no_rows",
            name,
            "there are no rows or columns of numbers.",
            "Save it again.",
            why="Without probabilities no label can be judged.",
        )
    array = np.empty((cells.num_rows, len(columns)))
    for place, column in enumerate(columns):
        array[:, place] = cells.column(column).to_numpy()
    return array


def as_numbers(table: Table, column: str) -> Array:
    """Return a column of numbers; missing cells are NaN, and words stop with their rows."""
    values = table.data.column(column)
    if table.kind(column) in ("integer", "float", "boolean") and column not in table.kinds:
        return np.asarray(pc.cast(values, pa.float64()).to_numpy())
    texts = table.text(column).to_pylist()
    numbers = np.empty(len(texts))
    words: list[int] = []
    for row, cell in enumerate(texts):
        try:
            numbers[row] = np.nan if cell is None or not cell.strip() else float(cell)
        except ValueError:
            words.append(row)
    if words:
        raise stop(
            "probs.not_a_number",
            f"{table.name}, row {words[0]}",
            f"{texts[words[0]][:80]!r} in column {column!r} is not a number.",
            "Correct the cell, or leave the column out.",
            why="A probability that cannot be read leaves its row without a meaning.",
            count=len(words),
            rows=(f"row {row}" for row in words),
        )
    return numbers


def common_type(table: Table, columns: Sequence[str]) -> Any:
    """Return float32 if all columns are, else float64."""
    kinds = {table.data.schema.field(column).type for column in columns}
    return np.float32 if kinds == {pa.float32()} else np.float64


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
            "probs.ragged",
            f"{where}, row {row}",
            f"{found} {'number' if found == 1 else 'numbers'}"
            + (f" where most rows have {wide}." if wide else ": there are none in any row."),
            "Save one number for each class in every row.",
            why="Which number belongs to which class cannot be told.",
            count=max(len(odd), 1),
            rows=(f"row {each}" for each in odd),
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
