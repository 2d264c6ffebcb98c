"""Tables with one row per annotation, as Label Studio exports them as CSV and as JSON-MIN.

A task that several people labelled has several rows. They become one, with a column for each
annotator.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pyarrow as pa
import pyarrow.compute as pc

from curation.loading.formats.label_studio_records import LabelStudioTasks
from curation.loading.formats.table import Table
from curation.loading.report_builder import ReportBuilder
from curation.loading.vocabulary import FILE_COLUMNS, LABEL_COLUMNS, TEXT_COLUMNS

SIGNS = frozenset({"id", "annotator", "annotation_id", "lead_time"})
OWN_COLUMNS = frozenset({*SIGNS, "created_at", "updated_at", "agreement", "comment_count"})


def read_annotation_rows(table: Table, report: ReportBuilder) -> Table:
    """Return the table with one row per task, and the columns that hold answers as `questions`."""
    if not set(table.data.column_names) >= SIGNS:
        return table
    answers = _find_answers(table)
    if len(pc.unique(table.text("id"))) < len(table) and len(answers) == 1:
        return _join_rows(table, answers[0], report)
    return replace(table, questions=tuple(answers))


def _find_answers(table: Table) -> list[str]:
    """Return the columns that can be answers: neither Label Studio's own nor what was shown."""
    shown = {*FILE_COLUMNS, *TEXT_COLUMNS}
    free = [c for c in table.data.column_names if c not in OWN_COLUMNS and c.lower() not in shown]
    named = [c for c in free if c.lower() in LABEL_COLUMNS]
    few = [c for c in free if len(pc.unique(table.text(c))) <= max(2, len(table) / 3)]
    return named or few


def _join_rows(table: Table, answer: str, report: ReportBuilder) -> Table:
    ids, people = table.text("id").to_pylist(), table.text("annotator").to_pylist()
    said = table.text(answer).to_pylist()
    rows: dict[str, int] = {}  # the first row of each task
    answers: dict[str, dict[str, str | None]] = {}
    for row, (task, person, label) in enumerate(zip(ids, people, said, strict=True)):
        rows.setdefault(task, row)
        answers.setdefault(person, {})[task] = label
    report.add_auto_fix(
        code="table.tool_export",
        where=table.name,
        what=f"{len(table)} annotations of {len(rows)} tasks are read as one row for each task.",
        fix="If the ids do not name tasks, give each row its own id.",
        why="The cleaned labels are a CSV table of ids and labels, one for each task.",
        count=len(table),
    )
    data = table.data.take(pa.array(list(rows.values())))
    columns = {person: f"{answer} of {person}" for person in answers}
    for person, column in columns.items():
        cells = [answers[person].get(task) for task in rows]
        data = data.append_column(column, pa.array(cells, pa.string()))
    return _with_answers(replace(table, data=data), list(columns.values()), answer)


def _with_answers(table: Table, columns: Sequence[str], answer: str) -> Table:
    found = replace(table, format=LabelStudioTasks.name, header_row=False, kinds={})
    if len(columns) > 1:
        return replace(found, annotators=tuple(columns))
    return replace(found, questions=(answer,))
