"""Categories that pandas keeps in an order of their own, which may be that of the columns."""

from __future__ import annotations

import json
from typing import Any

import pyarrow as pa

from curation.loading.formats.table import Table
from curation.loading.report_builder import ReportBuilder, list_few

FEW = 8  # names that fit into the advice


def note_category_order(table: Table | None, column: str | None, report: ReportBuilder) -> None:
    """Warn if labels are categories in another order than the alphabet's.

    For columns of probabilities without names: a model that learned from `cat.codes` has them in
    the order of the categories, one that learned from the words in that of the alphabet.
    """
    names = [] if table is None or column is None else _list_categories(table, column)
    if names == sorted(names):
        return
    report.add_warning(
        code="labels.category_order",
        where=f"{table.name if table else ''}, column {column!r}",
        what=f"its categories are in the order {list_few(names)}, but the columns of the "
        "probabilities are taken in the order of the alphabet.",
        fix=f"If the model learned from the codes of the categories, pass classes={names}."
        if len(names) <= FEW
        else "If the model learned from the codes of the categories, list them in classes.txt in "
        "that order.",
        why="In another order, most labels would look wrong.",
        override={"classes": names},
    )


def _list_categories(table: Table, column: str) -> list[str]:
    """Return the categories of a column that pandas saved as such; [] for any other."""
    if column not in table.data.column_names:  # made of several
        return []
    kind = table.data.schema.field(column).type
    saved = (table.data.schema.metadata or {}).get(b"pandas")
    if not pa.types.is_dictionary(kind) or saved is None or not table.data.num_rows:
        return []
    about: list[dict[str, Any]] = json.loads(saved).get("columns", [])
    if not any(
        each.get("name") == column and each.get("pandas_type") == "categorical" for each in about
    ):
        return []
    return [str(each) for each in table.data.column(column).chunk(0).dictionary.to_pylist()]
