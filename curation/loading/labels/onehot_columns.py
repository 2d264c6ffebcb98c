"""Labels as columns of 0 and 1, one for each class: Roboflow's CSV, get_dummies, spaCy's cats."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from curation.core.matrix import BoolArray
from curation.loading.formats.table import Table
from curation.loading.labels.annotators import MAJORITY
from curation.loading.labels.label_columns import find_label_columns, guess_label_columns
from curation.loading.report_builder import list_few, stop

ONES, ZEROS = ("1", "1.0", "True", "true", "TRUE"), ("0", "0.0", "False", "false", "FALSE")
PREFIXES = ("label_", "class_", "target_", "is_", "y_")  # which get_dummies and people add
COLUMN = "class"  # what the column of labels is called
MIN_COLUMNS = 2


def read_onehot_columns(table: Table, *, agreed: bool) -> Table:
    """Return the table with its labels in one column, if there is a column for each class.

    Tables with a column of labels are returned as they are. Nothing is joined unless a person
    `agreed`.
    """
    if table.annotators or table.questions or find_label_columns(table):
        return table
    found = _find_columns(table)
    if len(found) < MIN_COLUMNS:
        return table
    names = _without_prefix(list(found))
    matrix = np.stack(list(found.values()), axis=1)
    others = set(guess_label_columns(table)) - set(found)
    if not agreed and others:
        return table  # which column holds the labels is asked first
    if not agreed:
        raise stop(
            code="labels.onehot",
            where=table.name,
            what=f"the labels are one-hot, in the columns {list_few(found)}: one of them is 1 in "
            "each row, and the others are 0.",
            fix='Pass labels_are="onehot" to use the column that is 1.',
            why="If these columns are something else, every label would be wrong.",
            count=len(table),
            override={"labels_are": "onehot"},
        )
    labels = pa.array([names[place] for place in matrix.argmax(axis=1)], pa.string())
    kept = [c for c in table.data.column_names if c not in found and not _is_struct(table, c)]
    data = table.data.select(kept).append_column(COLUMN, labels)
    return replace(table, data=data, format=MAJORITY, questions=(COLUMN,))


def _find_columns(table: Table) -> dict[str, BoolArray]:
    """Return the columns of 0 and 1, if exactly one of them is 1 in each row."""
    found = {c: cells for c in table.data.column_names if (cells := _read(table, c)) is not None}
    nested = [c for c in table.data.column_names if _is_struct(table, c)]
    if not found and len(nested) == 1:
        inner = replace(table, data=pa.Table.from_struct_array(table.data.column(nested[0])))
        return _find_columns(inner)
    if len(found) < MIN_COLUMNS:
        return {}
    if (np.stack(list(found.values())).sum(axis=0) != 1).any():
        return {}
    return found if all(each.any() for each in found.values()) else {}


def _is_struct(table: Table, column: str) -> bool:
    return bool(pa.types.is_struct(table.data.schema.field(column).type))


def _read(table: Table, column: str) -> BoolArray | None:
    """Return which cells are 1; None if a cell is neither 0 nor 1."""
    if table.kind(column) in ("list", "other"):
        return None
    texts = pc.utf8_trim_whitespace(table.text(column))
    known = pc.is_in(texts, value_set=pa.array([*ONES, *ZEROS]))
    if not pc.all(known, skip_nulls=False).as_py():
        return None
    return np.asarray(pc.is_in(texts, value_set=pa.array(ONES)))


def _without_prefix(names: Sequence[str]) -> list[str]:
    """Return the names of the classes, without what all columns begin with.

    >>> _without_prefix(["label_cat", "label_dog"]), _without_prefix([" cat", " dog"])
    (['cat', 'dog'], ['cat', 'dog'])
    """
    plain = [name.strip() for name in names]
    prefix = next((p for p in PREFIXES if all(name.startswith(p) for name in plain)), "")
    return [name.removeprefix(prefix) for name in plain]
