"""Tables with one row per annotation: Label Studio's, Prodigy's, and those of crowd workers.

An example that several people labelled has several rows. They become one, with a column for each
annotator. Two columns give such a table away: one that names the annotator, and one that names the
example and repeats, but never for the same annotator.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

import pyarrow as pa
import pyarrow.compute as pc

from curation.loading.formats.label_studio_records import LabelStudioTasks
from curation.loading.formats.table import Table
from curation.loading.labels.annotators import MAJORITY
from curation.loading.labels.label_lists import unwrap_labels
from curation.loading.report_builder import ReportBuilder
from curation.loading.vocabulary import (
    ANNOTATOR_WORDS,
    EXAMPLE_WORDS,
    FILE_COLUMNS,
    LABEL_COLUMNS,
    TEXT_COLUMNS,
)

SIGNS = frozenset({"id", "annotator", "annotation_id", "lead_time"})  # of Label Studio
OWN_COLUMNS = frozenset({*SIGNS, "created_at", "updated_at", "agreement", "comment_count"})
ANSWER, ACCEPTED = "answer", "accept"  # Prodigy's column, about a whole row
SESSION = "_session_id"  # in older versions of Prodigy, instead of _annotator_id
MTURK_ANSWER = "answer."  # what Mechanical Turk writes before the names of its questions
MIN_PER_EXAMPLE = 1.2  # annotations, on average; with fewer, some examples are just there twice


def read_annotation_rows(table: Table, report: ReportBuilder) -> Table:
    """Return the table with one row per example, and the columns that hold answers as `questions`.

    Any other table is returned as it is.
    """
    if set(table.data.column_names) >= SIGNS:
        answers = _find_answers(table)
        if len(pc.unique(table.text("id"))) < len(table) and len(answers) == 1:
            joined = _join_rows(table, "id", "annotator", answers[0], report)
            return replace(joined, format=LabelStudioTasks.name)
        return replace(table, questions=tuple(answers))
    person, example, answer = _find_person(table), None, _find_answer(table)
    if person is not None and answer is not None:
        example = _find_example(table, person, answer)
    if person is None or answer is None or example is None or _is_one_label(table, answer):
        return table
    return _join_rows(table, example, person, answer, report)


def _find_answers(table: Table) -> list[str]:
    """Return the columns that can be answers: neither Label Studio's own nor what was shown."""
    shown = {*FILE_COLUMNS, *TEXT_COLUMNS}
    free = [c for c in table.data.column_names if c not in OWN_COLUMNS and c.lower() not in shown]
    named = [c for c in free if c.lower() in LABEL_COLUMNS]
    few = [c for c in free if len(pc.unique(table.text(c))) <= max(2, len(table) / 3)]
    return named or few


def _word(column: str) -> str:
    """Return a column's name as a single word.

    >>> _word("_annotator_id"), _word("WorkerId"), _word("Input.text")
    ('annotatorid', 'workerid', 'inputtext')
    """
    return re.sub(r"[^a-z0-9]", "", column.lower())


def _find_person(table: Table) -> str | None:
    """Return the column that names the annotator, if there are several people in it."""
    names: list[str] = table.data.column_names
    named = {_word(c): c for c in reversed(names) if _is_plain(table, c)}
    found = [named[word] for word in ANNOTATOR_WORDS if word in named]
    found += [SESSION] if SESSION in table.data.column_names else []
    return next((c for c in found if len(pc.unique(table.text(c))) > 1), None)


def _is_plain(table: Table, column: str) -> bool:
    return table.kind(column) not in ("list", "other")


def _find_answer(table: Table) -> str | None:
    """Return the only column of labels, by its name; one that is empty does not count."""
    filled = [c for c in table.data.column_names if table.data.column(c).null_count < len(table)]
    named = [c for c in filled if c.strip().lower() in LABEL_COLUMNS]
    named = named or [c for c in filled if c.strip().lower().startswith(MTURK_ANSWER)]
    return named[0] if len(named) == 1 and table.kind(named[0]) != "other" else None


def _is_one_label(table: Table, answer: str) -> bool:
    """Return whether there is only one label, to be accepted or rejected."""
    return table.kind(answer) != "list" and len(pc.unique(table.text(answer).drop_null())) < 2


def _find_example(table: Table, person: str, answer: str) -> str | None:
    """Return the column that names the example: several annotators labelled it, each once."""
    names: list[str] = table.data.column_names
    named = {_word(c): c for c in reversed(names) if _is_plain(table, c)}
    for word in EXAMPLE_WORDS:
        column = named.get(word)
        if column is None or column in (person, answer):
            continue
        pairs = pa.table({"example": table.text(column), "person": table.text(person)})
        examples = len(pc.unique(table.text(column)))
        once = bool(pairs.group_by(["example", "person"]).aggregate([]).num_rows == len(table))
        if once and len(table) >= MIN_PER_EXAMPLE * examples:
            return column
    return None


def _join_rows(
    table: Table, example: str, person: str, answer: str, report: ReportBuilder
) -> Table:
    examples, people = table.text(example).to_pylist(), table.text(person).to_pylist()
    rows: dict[str, int] = {}  # the first row of each example
    answers: dict[str, dict[str, str | None]] = {}
    said = zip(examples, people, _read_labels(table, answer), strict=True)
    for row, (task, who, label) in enumerate(said):
        rows.setdefault(task, row)
        answers.setdefault(who, {})[task] = label
    report.add_auto_fix(
        code="table.tool_export",
        where=table.name,
        what=f"{len(table)} annotations of {len(rows)} examples are read as one row for each "
        f"example: {example!r} names it, and {person!r} the annotator.",
        fix="If these are not annotations of the same examples, give each row its own id.",
        why="The cleaned labels are a CSV table of ids and labels, one for each example.",
        count=len(table),
    )
    data = table.data.take(pa.array(list(rows.values())))
    if ANSWER in data.column_names:
        data = data.drop_columns([ANSWER])  # of the first annotator alone
    columns = {who: f"{answer} of {who}" for who in answers}
    for who, column in columns.items():
        cells = [answers[who].get(task) for task in rows]
        data = data.append_column(column, pa.array(cells, pa.string()))
    joined = replace(table, data=data, format=MAJORITY, header_row=False)
    return _with_answers(joined, list(columns.values()), answer)


def _read_labels(table: Table, answer: str) -> list[str | None]:
    """Return the label of each row; Prodigy's rows that were not accepted have none."""
    cells = table.text(answer)
    if table.kind(answer) == "list":
        cells, _ = unwrap_labels(table, answer, f"{table.name}, column {answer!r}")
    labels: list[str | None] = cells.to_pylist()
    if ANSWER not in table.data.column_names or table.kind(ANSWER) != "text":
        return labels
    said = table.text(ANSWER).to_pylist()
    if ACCEPTED not in said:
        return labels
    return [label if each == ACCEPTED else None for label, each in zip(labels, said, strict=True)]


def _with_answers(table: Table, columns: Sequence[str], answer: str) -> Table:
    if len(columns) > 1:
        return replace(table, annotators=tuple(columns))
    return replace(table, questions=(answer,))
