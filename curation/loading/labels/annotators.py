"""Several annotators in several columns: one of them is chosen, or what most of them say."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from curation.loading.formats.table import Table
from curation.loading.labels.label_cells import find_unlabelled, name_rows
from curation.loading.report_builder import ReportBuilder, list_few, stop

MAJORITY = "majority"  # the format of labels that are not in one column
MAJORITY_COLUMN = "majority of annotators"
_PERSON = re.compile(
    r"(?P<person>annotator|rater|coder|worker|reviewer|judge|labell?er|expert|user|crowd)"
    r"[ _.\-]?\w+|(?P<label>label|annotation|vote|rating)[ _.\-]?(?:by[ _.\-])?\w+"
    r"|\w+[ _.\-](?P<ending>label|annotation|vote)",
    re.IGNORECASE,
)
_MODEL = re.compile(r"pred|model|orig|true|gold", re.IGNORECASE)  # labels that no annotator gave
MIN_SHARED = 0.5  # share of the values of a column that the others must have too


def find_annotators(table: Table) -> tuple[str, ...]:
    """Return the columns that hold one annotator's labels each, by their names and values."""
    if table.annotators:
        return table.annotators
    groups: dict[str, list[str]] = {}
    for column in table.data.column_names:
        match = None if _MODEL.search(column) else _PERSON.fullmatch(column.strip())
        if match and table.kind(column) in ("text", "integer"):
            groups.setdefault(str(match.lastgroup), []).append(column)
    alike = [columns for columns in groups.values() if _share_values(table, columns)]
    return tuple(alike[0]) if len(alike) == 1 else ()


def _share_values(table: Table, columns: Sequence[str]) -> bool:
    if len(columns) < 2:
        return False
    sets = [set(pc.unique(table.text(c)).to_pylist()) - {None, ""} for c in columns]
    if any(not each or len(each) > len(table) / 2 for each in sets):
        return False
    return all(
        len(each & set().union(*(s for s in sets if s is not each))) >= MIN_SHARED * len(each)
        for each in sets
    )


def ask_for_annotator(table: Table, columns: Sequence[str]) -> Exception:
    """Return the stop that asks whose labels to check."""
    differ = _rows_that_differ(table, columns)
    return stop(
        code="labels.annotators",
        where=table.name,
        what=f"{len(columns)} annotators labelled the examples, in the columns "
        f"{list_few(columns)}; they differ in {len(differ)} of {len(table)} rows.",
        fix=f'Pass label_column="{columns[0]}" to check one of them, or '
        f"majority_of={list(columns)!r} to check what most of them say.",
        why="A label can only be checked once it is clear which one was given.",
        count=len(differ),
        first_rows=name_rows(differ),
        override={"majority_of": list(columns)},
        choices=[{"majority_of": list(columns)}, *({"label_column": each} for each in columns)],
    )


def _rows_that_differ(table: Table, columns: Sequence[str]) -> np.ndarray:
    rows = zip(*(table.text(column).to_pylist() for column in columns), strict=True)
    return np.flatnonzero([len({each for each in row if each}) > 1 for row in rows])


def take_majority(table: Table, columns: Sequence[str], report: ReportBuilder) -> Table:
    """Return the table with a column of what most annotators said; report the ties.

    A cell without a label is not a vote. In a tie, the annotator whose column comes first decides.

    >>> data = pa.table({"a": ["cat", "cat"], "b": ["cat", "dog"]})
    >>> from pathlib import Path
    >>> found = take_majority(Table(Path("x"), "x", "csv", data), ["a", "b"], ReportBuilder())
    >>> found.data.column(MAJORITY_COLUMN).to_pylist()
    ['cat', 'cat']
    """
    texts = [table.text(column).to_pylist() for column in columns]
    missing = find_unlabelled(sorted({t for each in texts for t in each if t is not None}), set())
    labels: list[str | None] = []
    ties: list[int] = []
    for row, cells in enumerate(zip(*texts, strict=True)):
        votes = Counter(cell for cell in cells if cell is not None and cell not in missing)
        most = max(votes.values(), default=0)
        best = [cell for cell in votes if votes[cell] == most]
        labels.append(best[0] if best else None)
        if len(best) > 1:
            ties.append(row)
    _report(table, columns, ties, report)
    data = table.data.append_column(MAJORITY_COLUMN, pa.array(labels, pa.string()))
    return replace(table, data=data, format=MAJORITY)


def _report(
    table: Table, columns: Sequence[str], ties: Sequence[int], report: ReportBuilder
) -> None:
    report.add_auto_fix(
        code="labels.majority",
        where=table.name,
        what=f"the label of an example is what most of {list_few(columns)} say.",
        fix="To check one annotator, pass that column as label_column.",
        why="The labels are not in one column, so the cleaned labels are a table of ids and "
        "labels.",
        count=len(columns),
    )
    if ties:
        report.add_warning(
            code="labels.ties",
            where=table.name,
            what=f"{len(ties)} of {len(table)} rows have no majority: there, the first of the tied "
            "annotators decides.",
            fix="Review these examples, or name another order of the columns as majority_of.",
            why="Half of the annotators gave these examples another label.",
            count=len(ties),
            first_rows=name_rows(np.array(ties)),
        )
