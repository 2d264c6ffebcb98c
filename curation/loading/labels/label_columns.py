"""Which columns of a table could hold the labels, by their names and their values."""

from __future__ import annotations

import pyarrow as pa
import pyarrow.compute as pc

from curation.loading.formats.table import Table
from curation.loading.labels.label_cells import is_whole
from curation.loading.vocabulary import (
    FILE_COLUMNS,
    ID_COLUMNS,
    INDEX_COLUMNS,
    LABEL_COLUMNS,
    LIST_COLUMNS,
    TEXT_COLUMNS,
)

MIN_REPEATS = 3  # the mean number of rows per class, below which a column is not labels


def find_label_columns(table: Table) -> list[str]:
    """Return the columns that are named like labels, the most common name first.

    If there are several, those that cannot be labels are left out: a `y` that holds 1.5 is a
    coordinate or a measurement.
    """
    rank = {name: place for place, name in enumerate(LABEL_COLUMNS)}
    named = [c for c in table.data.column_names if c.strip().lower() in rank]
    named = [c for c in named if c.strip().lower() not in LIST_COLUMNS or _is_list(table, c)]
    named.sort(key=lambda column: rank[column.strip().lower()])
    if len(named) < 2:
        return named
    return [column for column in named if _column_can_be_labels(table, column)] or named


def can_be_labels(texts: pa.ChunkedArray) -> bool:
    """Return whether no cell is a fraction, as in measurements."""
    return not any(_is_fraction(each) for each in pc.unique(texts).to_pylist() if each)


def _column_can_be_labels(table: Table, column: str) -> bool:
    return table.kind(column) not in ("list", "other") and can_be_labels(table.text(column))


def _is_list(table: Table, column: str) -> bool:
    return table.kind(column) == "list"


def _is_fraction(text: str) -> bool:
    try:
        return "." in text and not is_whole(text) and float(text) == float(text)
    except ValueError:
        return False


def guess_label_columns(table: Table) -> list[str]:
    """Return the columns whose values could be labels, to be suggested but not used."""
    others = {*ID_COLUMNS, *FILE_COLUMNS, *TEXT_COLUMNS, *INDEX_COLUMNS}
    columns = [c for c in table.data.column_names if c.strip().lower() not in others]
    return [c for c in columns if _column_can_be_labels(table, c) and repeats(table, c)]


def repeats(table: Table, column: str) -> bool:
    """Return whether a column has several values, few enough to be classes."""
    distinct = len(pc.unique(table.text(column)))
    return 2 <= distinct <= len(table) / MIN_REPEATS
