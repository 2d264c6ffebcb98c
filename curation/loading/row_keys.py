"""What identifies the rows of a file: ids, file names, and columns that another file may share."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

import numpy as np
import pyarrow as pa

from curation.loading.formats.npy import Header, text_array
from curation.loading.formats.npz import read_member
from curation.loading.formats.table import Table
from curation.loading.vocabulary import (
    FILE_COLUMNS,
    ID_COLUMNS,
    INDEX_COLUMNS,
    find_column,
    find_id_column,
)

Texts: TypeAlias = pa.ChunkedArray
EXACT = 2.0**53  # whole numbers below this are exact as floats
MAX_TEXT_BYTES = 2**30  # of a column of texts whose values are compared
SAMPLE_ROWS = 200  # rows that are read to see what a column holds
_NUMBER = re.compile(r"\s*[-+]?[0-9]*\.?[0-9]+(?:[eE][-+]?[0-9]+)?\s*")


@dataclass(frozen=True)
class Keys:
    """What identifies the rows of a file; None if it has no such column."""

    ids: Texts | None = None
    files: Texts | None = None
    where: str = ""
    id_name: str = "ids"  # the name of the id column
    file_name: str = "files"
    ids_were_named: bool = False  # a person named the id column
    table: Table | None = None  # its other columns may be in the other file too
    label: str | None = None  # its column of labels
    apart: frozenset[str] = frozenset()  # its columns of probabilities


def table_keys(table: Table, taken: tuple[str, ...] = (), id_column: str | None = None) -> Keys:
    """Return the columns of a table that identify its rows.

    `taken` are columns with another use; `id_column` is the id column of the label table.
    """
    free = [column for column in table.data.column_names if column not in taken]
    lower = {plain_name(column): column for column in reversed(free)}
    ids = lower.get(plain_name(id_column)) if id_column is not None else None
    ids = id_column if id_column in free else ids or find_id_column(free)
    files = find_column(free, FILE_COLUMNS)
    return Keys(
        None if ids is None else table.text(ids),
        None if files is None else table.text(files),
        table.name,
        "ids" if ids is None else ids,
        files or "files",
        table=table,
        apart=frozenset(taken),
    )


def archive_keys(path: Path, name: str, headers: Mapping[str, Header]) -> Keys:
    """Return the ids and the file names in an archive, found by their names."""
    lower = {member.strip().lower(): member for member in reversed(list(headers))}
    flat = {each: member for each, member in lower.items() if len(headers[member].shape) == 1}
    ids = next((flat[each] for each in ID_COLUMNS if each in flat), None)
    words = {each: member for each, member in flat.items() if headers[member].dtype.kind in "US"}
    files = next((words[each] for each in FILE_COLUMNS if each in words), None)

    def read(member: str | None) -> pa.ChunkedArray | None:
        if member is None:
            return None
        return text_array(read_member(path, name, member), f"{name}, array {member!r}")

    return Keys(read(ids), read(files), name, ids or "ids", files or "files")


def shared_columns(mine: Keys, theirs: Keys) -> dict[str, tuple[str, str]]:
    """Return the columns with the same name in both files, as each file spells it.

    Probabilities and pandas' row numbers are left out.
    """
    if mine.table is None or theirs.table is None:
        return {}
    ours, others = _by_name(mine), _by_name(theirs)
    return {name: (ours[name], others[name]) for name in ours if name in others}


def _by_name(keys: Keys) -> dict[str, str]:
    assert keys.table is not None
    columns = [c for c in keys.table.data.column_names if c not in keys.apart]
    return {plain_name(c): c for c in reversed(columns) if c not in INDEX_COLUMNS}


def plain_name(column: str) -> str:
    """Return a column's name in lower case, without spaces around it."""
    return column.strip().lower()


def key_texts(keys: Keys, column: str) -> Texts | None:
    """Return a column as text, with 1.0 as 1; None if it cannot be a key."""
    assert keys.table is not None
    values = keys.table.data.column(column)
    if pa.types.is_floating(values.type):
        numbers = values.cast(pa.float64()).to_numpy()
        with np.errstate(invalid="ignore"):
            whole = (numbers == np.floor(numbers)) & (np.abs(numbers) < EXACT)
        if not whole.all():
            return None
        return pa.chunked_array([pa.array(numbers.astype(np.int64)).cast(pa.string())])
    if keys.table.kind(column) not in ("text", "integer") or values.nbytes > MAX_TEXT_BYTES:
        return None
    return keys.table.text(column)


def holds_words(texts: Texts) -> bool:
    """Return whether a column begins with cells that are not all numbers."""
    cells = [cell for cell in texts.slice(0, SAMPLE_ROWS).to_pylist() if cell and cell.strip()]
    return not all(_NUMBER.fullmatch(cell) for cell in cells)
