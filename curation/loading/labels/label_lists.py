"""Labels in lists of one element, as doccano and Prodigy write them."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pyarrow as pa

from curation.dataset import LabelKind
from curation.loading.formats.table import Table
from curation.loading.report_builder import list_few, stop

# Older doccano and Label Studio put the label into an object; so do programs that store its number.
INNER_KEYS = ("label", "choices", "name")


def unwrap_labels(table: Table, column: str, where: str) -> tuple[pa.ChunkedArray, LabelKind]:
    """Return the only element of each list as text; an empty list is a row without a label."""
    cells = [_read_list(each) for each in table.data.column(column).to_pylist()]
    _refuse_several(cells, where)
    values = [cell[0] if cell else None for cell in cells]
    odd = next((row for row, value in enumerate(values) if isinstance(value, list | dict)), None)
    if odd is not None:
        raise stop(
            code="labels.lists",
            where=where,
            what=f"the labels are not words or numbers: row {odd} holds {str(values[odd])[:80]}.",
            fix="Export labels of whole examples, not of spans or boxes.",
            why="Confident learning assumes one given label and one true label per example.",
        )
    texts = pa.array([None if value is None else _text(value) for value in values], pa.string())
    words = any(isinstance(value, str) for value in values)
    return pa.chunked_array([texts]), "text" if words else "integer"


def _read_list(cell: Any) -> list[Any]:
    """Return a cell as a list; JSON keeps lists of words as text.

    >>> _read_list('["cat"]'), _read_list('[{"label": 2, "user": 1}]'), _read_list("cat")
    (['cat'], [2], ['cat'])
    """
    if isinstance(cell, str):
        try:
            cell = json.loads(cell)
        except ValueError:
            return [cell]
    if isinstance(cell, dict):
        cell = next((cell[key] for key in INNER_KEYS if key in cell), cell)
    if cell is None or not isinstance(cell, list):
        return [] if cell is None else [cell]
    inner = [each["label"] if isinstance(each, dict) and "label" in each else each for each in cell]
    return inner


def _refuse_several(cells: list[list[Any]], where: str) -> None:
    rows = np.flatnonzero([len(cell) > 1 for cell in cells])
    if not len(rows):
        return
    first = cells[int(rows[0])]
    raise stop(
        code="labels.lists",
        where=where,
        what=f"{len(rows)} of {len(cells)} rows have several labels, such as {list_few(first)}: "
        "multi-label is not supported yet.",
        fix="Keep one label for each example.",
        why="Confident learning assumes one given label and one true label per example.",
        count=len(rows),
        first_rows=(f"row {row}" for row in rows.tolist()),
    )


def _text(value: Any) -> str:
    """Return a label as text; whole numbers in lists may have become floats.

    >>> _text("cat"), _text(3.0), _text(True)
    ('cat', '3', 'true')
    """
    if isinstance(value, str):
        return value
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return json.dumps(value)
