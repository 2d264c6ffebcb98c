"""Which column holds the labels: the one named, the only candidate, or a question to a person."""

from __future__ import annotations

from collections.abc import Sequence

import pyarrow.compute as pc

from curation.loading.formats.read_only_sources import Headless
from curation.loading.formats.table import Table
from curation.loading.labels.annotators import ask_for_annotator, find_annotators
from curation.loading.labels.column_names import (
    MAX_CHOICES,
    check_named_column,
    report_headless,
)
from curation.loading.labels.label_columns import find_label_columns, guess_label_columns, repeats
from curation.loading.labels.rival_labels import WHICH, settle_label_columns
from curation.loading.report_builder import ReportBuilder, list_few, stop
from curation.loading.vocabulary import LABEL_COLUMNS, TRUE_COLUMNS, find_column


def choose_label_column(table: Table, named: str | None, report: ReportBuilder) -> str:
    """Return the column of labels; stop with every candidate if it is unclear which it is."""
    if named is not None:
        return check_named_column(table, named, "label_column") or named
    if (column := _find_by_name(table, report)) is not None:
        return column
    _refuse_bytes(table)
    _refuse_one_column(table)
    _refuse_missing_header(table)
    _refuse_nested(table)
    guesses = guess_label_columns(table)
    guess = guesses[0] if len(guesses) == 1 else None
    if guess is not None and table.format == Headless.name:
        report_headless(table, guess, "labels: no other column repeats a few values", report)
        return guess
    raise _no_label_column(table, guesses, guess)


def _find_by_name(table: Table, report: ReportBuilder) -> str | None:
    """Return the column that is named like labels; stop if there are several annotators."""
    if table.annotators:
        raise ask_for_annotator(table, table.annotators)
    if len(table.questions) == 1:
        return table.questions[0]
    if table.questions:
        raise _ask_for_question(table)
    found = find_label_columns(table)
    if found:
        settle_label_columns(table, found, report)
        return found[0]
    if (column := _find_true_column(table, report)) is not None:
        return column
    if annotators := find_annotators(table):
        raise ask_for_annotator(table, annotators)
    return None


def _refuse_bytes(table: Table) -> None:
    """Stop if the column of labels holds bytes that are not text."""
    unread = find_column(table.image_columns, LABEL_COLUMNS)
    if unread is not None:
        raise stop(
            code="labels.bytes",
            where=f"{table.name}, column {unread!r}",
            what="the labels are bytes that are not UTF-8 text.",
            fix="Save the column as text, or pass another label_column.",
            why="It is unclear which characters they stand for.",
        )


def _refuse_one_column(table: Table) -> None:
    """Stop if the only column looks like several that another delimiter separates."""
    alone = table.columns[0] if len(table.columns) == 1 else ""
    divider = next((each for each in "|;\t,:" if each in alone), None)
    if divider is not None:
        raise stop(
            code="table.one_column",
            where=table.name,
            what=f"there is only one column: {alone!r}.",
            fix=f"Pass delimiter={divider!r} if that separates the cells.",
            why="No label can be read until the cells are separated.",
            override={"delimiter": divider},
        )


def _no_label_column(table: Table, guesses: Sequence[str], guess: str | None) -> Exception:
    return stop(
        code="table.no_label_column",
        where=table.name,
        what=f"no label column among {list_few(table.columns, most=12)}."
        + (f" {guess!r} could be it." if guess else ""),
        fix=f'Pass label_column="{guess or "..."}", or name the column one of '
        f"{', '.join(LABEL_COLUMNS[:5])}.",
        why="With another column as the labels, every finding would be wrong.",
        choices=[{"label_column": each} for each in guesses[:MAX_CHOICES]],
    )


def _ask_for_question(table: Table) -> Exception:
    names = table.questions
    return stop(
        code="table.label_columns",
        where=table.name,
        what=f"the annotators answered {len(names)} questions: {list_few(names, most=12)}.",
        fix=f'Pass the one to check, such as label_column="{names[0]}".',
        why="Each question has its own labels.",
        count=len(names),
        override={"label_column": names[0]},
        choices=[{"label_column": each} for each in names],
    )


def _find_true_column(table: Table, report: ReportBuilder) -> str | None:
    """Return the column of true labels if no other column holds labels, as in y_true, y_pred."""
    column = find_column(table.data.column_names, TRUE_COLUMNS)
    if column is None or table.kind(column) in ("list", "other"):
        return None
    rivals = [c for c in guess_label_columns(table) if c != column and _is_given_name(c)]
    if rivals:
        raise stop(
            code="table.label_columns",
            where=table.name,
            what=f"column {column!r} holds true labels; {list_few(rivals)} may be those to check.",
            fix=f'Pass the one to check, such as label_column="{rivals[0]}".',
            why=WHICH,
            count=len(rivals) + 1,
            choices=[{"label_column": each} for each in (*rivals, column)],
        )
    report.add_auto_fix(
        code="table.true_as_given",
        where=table.name,
        what=f"column {column!r} is read as the labels to check: there is no other.",
        fix="If another column holds the labels, pass it as label_column.",
        why="A model is scored against labels that are called true, but these are the given ones.",
    )
    return column


def _is_given_name(column: str) -> bool:
    """Return whether a column is named like labels that people gave, not predictions.

    >>> _is_given_name("crowd_label"), _is_given_name("predicted_label")
    (True, False)
    """
    lower = column.lower()
    return ("label" in lower or "annot" in lower) and "pred" not in lower


def _refuse_nested(table: Table) -> None:
    """Stop if every column holds objects or lists: the labels are inside them."""
    if not table.data.num_columns or table.image_columns:
        return
    if any(table.kind(column) not in ("list", "other") for column in table.data.column_names):
        return
    raise stop(
        code="table.no_label_column",
        where=table.name,
        what=f"every column holds objects or lists: {list_few(table.columns, most=12)}.",
        fix='Save the values inside them as columns: pd.json_normalize(rows).to_csv("labels.csv").',
        why="Only columns of words or numbers can be labels.",
    )


def _refuse_missing_header(table: Table) -> None:
    """Stop if the header looks like a row: a column's name is also one of its few values."""
    if not table.header_row:
        return
    names = [c for c in table.data.column_names if repeats(table, c)]
    odd = [c for c in names if pc.any(pc.equal(table.text(c), c)).as_py()]
    if not odd:
        return
    raise stop(
        code="table.no_header",
        where=table.name,
        what=f"the header seems to be missing: the first line is {list_few(table.columns)}, and "
        f"{odd[0]!r} occurs again below it.",
        fix="Pass no_header=True, or write the names of the columns in the first line, such as "
        "id,label.",
        why="Otherwise the first example would be read as names, and lost.",
        override={"no_header": True},
    )
