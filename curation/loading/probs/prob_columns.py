"""Which columns of a table hold the probabilities, and the class of each.

If the classes are known, their columns are the probabilities and all others are not. If only the
labels or the header are known, the columns whose rows add up to 1 are chosen.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from curation.loading.formats.number_columns import (
    SUM_TOLERANCE,
    holds_words,
    misfit,
    misfit_of_sums,
    peek_numbers,
)
from curation.loading.formats.table import Table
from curation.loading.labels.column_names import check_named_column
from curation.loading.probs.class_named_columns import (
    Choice,
    KnownClasses,
    choose_by_name,
    in_file_order,
    other_columns,
)
from curation.loading.probs.prob_column_names import (
    are_logits,
    class_columns,
    find_class_in_name,
    find_prefixed,
    is_model_extra,
    is_single_name,
    shared_prefix,
)
from curation.loading.report_builder import ReportBuilder, list_few, stop


def choose_columns(table: Table, known: KnownClasses, report: ReportBuilder) -> Choice:
    """Return the columns of probabilities in a table of probabilities."""
    if known.id_column in table.data.column_names:
        table = replace(table, data=table.data.drop_columns([known.id_column]))
    header = table.data.column_names
    choice = choose_by_name(table, known, report)
    if choice is None and (stripped := _without_spaces(table)) is not None:
        _report_stripped(table, report)
        return _as_in_file(choose_columns(stripped, known, report), header)
    if choice is None:
        choice = _by_sums(table, find_prefixed(header) or class_columns(header), report)
    used = {*choice.columns, *(c for c in header if c not in class_columns(header))}
    _report_unused(table, [c for c in header if c not in used], report)
    return choice


def take_named(table: Table, known: KnownClasses, report: ReportBuilder) -> Choice:
    """Return the columns that a person named, with their classes by name or else by order."""
    for column in known.columns:
        check_named_column(table, column, "prob_columns")
    choice = choose_by_name(replace(table, data=table.data.select(known.columns)), known, report)
    whole = choice is not None and set(choice.columns) == set(known.columns)
    return choice if choice is not None and whole else Choice(known.columns, None)


def find_columns(table: Table, known: KnownClasses, report: ReportBuilder) -> Choice | None:
    """Return the columns of probabilities in a table of labels, if it has any."""
    header = table.data.column_names
    notes = ReportBuilder()
    choice = choose_by_name(table, known, notes)
    if choice is not None and shared_prefix(choice.columns):
        _report_unused(table, other_columns(table, choice.columns), notes)
    elif choice is not None and are_logits(choice.columns):
        pass  # the doctor asks whether to apply softmax
    elif choice is not None and misfit(table, choice.columns) > SUM_TOLERANCE:
        choice, notes = None, ReportBuilder()  # columns that only happen to be named like classes
    if choice is None and (group := find_prefixed(header)):
        choice = _by_sums(table, group, notes)
        _report_unused(table, [c for c in group if c not in choice.columns], notes)
    if choice is None and (stripped := _without_spaces(table)) is not None:
        found = find_columns(stripped, known, notes)
        if found is not None:
            _report_stripped(table, notes)
            choice = _as_in_file(found, header)
    report.add_all(notes)
    return choice


def find_single_column(table: Table, known: KnownClasses) -> Choice | None:
    """Return the only column that can be a binary model's probability of one class, by its name.

    The name may also say which of the two classes it is for: p_spam.
    """
    classes = known.classes.names if known.classes is not None else tuple(known.labels)
    if len(classes) != 2:
        return None
    columns = [c for c in table.data.column_names if c != known.id_column]
    named = [c for c in columns if find_class_in_name(c, classes) is not None]
    named = named or [c for c in columns if is_single_name(c)]
    found = [c for c in named if _holds_probabilities(table, c)]
    return Choice((found[0],), None) if len(found) == 1 else None


def _holds_probabilities(table: Table, column: str) -> bool:
    """Return whether a column holds fractions from 0 to 1, on both sides of one half."""
    if table.kind(column) in ("list", "other") or holds_words(table, column):
        return False
    values = peek_numbers(table, column)
    values = values[np.isfinite(values)]
    if not len(values) or values.min() < 0 or values.max() > 1:
        return False
    return bool((values % 1 > 0).any() and values.min() < 0.5 <= values.max())


def _by_sums(table: Table, columns: Sequence[str], report: ReportBuilder) -> Choice:
    """Return the classes among these columns, chosen only by rows that add up to 1."""
    prefix = shared_prefix(columns)
    columns = [c for c in columns if not holds_words(table, c)]
    plain = [c for c in columns if not is_model_extra(c, prefix)]
    if 1 < len(plain) < len(columns) and misfit(table, plain) <= SUM_TOLERANCE:
        columns = plain
    elif len(columns) > 2 and misfit(table, columns) > SUM_TOLERANCE:
        _refuse_one_too_many(table, columns, prefix)
    names = {c: c.removeprefix(prefix) for c in columns}
    return in_file_order(table.data.column_names, names)


def _refuse_one_too_many(table: Table, columns: Sequence[str], prefix: str) -> None:
    values = np.stack([peek_numbers(table, column) for column in columns], axis=1)
    without = values.sum(axis=1, keepdims=True) - values
    odd = [
        c
        for c, sums in zip(columns, without.T, strict=True)
        if misfit_of_sums(sums) <= SUM_TOLERANCE
    ]
    if len(odd) != 1:
        return
    classes = [c.removeprefix(prefix) for c in columns if c not in odd]
    raise stop(
        code="probs.column_not_a_class",
        where=f"{table.name}, column {odd[0]!r}",
        what="it is among the columns of probabilities, but the rows add up to 1 only without it.",
        fix="If it is not a class, list the classes in classes.txt, or leave the column out.",
        why="If it were read as a class, it would be suggested as a label.",
        override={"classes": classes},
    )


def _without_spaces(table: Table) -> Table | None:
    """Return a table without spaces around its column names; None if there are none."""
    names = [column.strip() for column in table.data.column_names]
    if names == table.data.column_names or len(set(names)) < len(names):
        return None
    return replace(table, data=table.data.rename_columns(names))


def _as_in_file(choice: Choice, header: Sequence[str]) -> Choice:
    """Return a choice made by stripped names, with the names as in the file."""
    own = {column.strip(): column for column in header}
    return replace(choice, columns=tuple(own[column] for column in choice.columns))


def _report_stripped(table: Table, report: ReportBuilder) -> None:
    report.add_auto_fix(
        code="table.spaces",
        where=table.name,
        what="spaces around column names are ignored.",
        fix="If a class is written with them, list the classes in classes.txt as they are written.",
        why="A space after a comma is usually a typing habit, not part of the name.",
    )


def _report_unused(table: Table, columns: Sequence[str], report: ReportBuilder) -> None:
    if not columns:
        return
    report.add_auto_fix(
        code="probs.other_columns",
        where=table.name,
        what="columns that are not a class, and are not read as probabilities: "
        f"{list_few(columns)}.",
        fix="If one is a class, list all classes in classes.txt.",
        why="They are not a known class, or the rows add up to 1 without them.",
        count=len(columns),
    )
