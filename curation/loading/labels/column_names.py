"""Columns that a person named, and columns of a table that has no names for them."""

from __future__ import annotations

from curation.loading.formats.table import Table
from curation.loading.report_builder import ReportBuilder, list_few, stop

MAX_CHOICES = 12  # columns that are offered; the screen that maps columns has all of them


def check_named_column(table: Table, named: str | None, option: str) -> str | None:
    """Return the column that a person named, None if none was; stop if there is no such column."""
    if named is not None and named not in table.columns:
        raise stop(
            code="table.no_such_column",
            where=table.name,
            what=f"there is no column {named!r}; the columns are "
            f"{list_few(table.columns, most=12)}.",
            fix=f"Correct {option}.",
            why="If a column is named, no other column is used instead.",
            choices=[{option: each} for each in table.columns[:MAX_CHOICES]],
        )
    return named


def report_headless(table: Table, column: str, words: str, report: ReportBuilder) -> None:
    """Report how a column was chosen by its values, in a table without a header."""
    report.add_auto_fix(
        code="table.headless_columns",
        where=table.name,
        what=f"{column!r} is read as the {words}.",
        fix="If another column is meant, choose it, or write a header.",
        why="Without a header, only the values show what a column holds.",
    )
