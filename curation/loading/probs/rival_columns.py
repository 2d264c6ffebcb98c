"""Two sets of probability columns in one table: equal ones are noted, different ones stop."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from curation.core.matrix import BoolArray
from curation.loading.formats.base import Array
from curation.loading.formats.number_columns import (
    SUM_TOLERANCE,
    holds_words,
    misfit,
    peek_numbers,
    stack,
)
from curation.loading.formats.table import Table
from curation.loading.probs.class_named_columns import Choice, KnownClasses, find_affixes
from curation.loading.probs.prob_column_names import are_prob_names
from curation.loading.probs.prob_columns import find_columns
from curation.loading.report_builder import ReportBuilder, Stop, list_few, stop
from curation.loading.vocabulary import NO_AFFIX, NUMBERED_AFFIXES, PROB_AFFIXES

SAME_TOLERANCE = 0.006  # two digits round by at most 0.005


def settle_columns(table: Table, choice: Choice, array: Array, report: ReportBuilder) -> None:
    """Look for a second set of columns for the same classes; stop if it differs."""
    for others in _other_sets(table, choice):
        try:
            rows = np.flatnonzero(differ(array, stack(table, others)))
        except Stop:  # some hold words, so these are not probabilities
            continue
        if len(rows):
            raise _two_sets(table, choice.columns, others, rows)
        _report_same(table, list_few(others), report)


def settle_list(
    table: Table, column: str, array: Array, known: KnownClasses, report: ReportBuilder
) -> None:
    """Look for columns such as p_<class> next to a list of probabilities, and compare them."""
    try:
        choice = find_columns(table, known, ReportBuilder())
        if choice is None or choice.names is None or not are_prob_names(choice.columns):
            return
        order = _class_order(choice.names, known)
        others = stack(table, [choice.columns[k] for k in order])
    except Stop:
        return
    rows = np.flatnonzero(differ(array, others))
    if len(rows):
        raise _two_sets(table, [column], choice.columns, rows)
    _report_same(table, list_few(choice.columns), report)


def differ(mine: Array, theirs: Array) -> BoolArray:
    """Return the rows in which two matrices of probabilities differ."""
    if mine.shape != theirs.shape:
        return np.ones(len(mine), bool)
    same = (np.abs(mine - theirs) <= SAME_TOLERANCE) | (np.isnan(mine) & np.isnan(theirs))
    return np.asarray(~same.all(axis=1))


def _class_order(names: Sequence[str], known: KnownClasses) -> list[int]:
    classes = known.classes
    ordered = sorted(names)
    for spelled in () if classes is None else (classes.ids, classes.names):
        if sorted(spelled) == ordered:
            ordered = list(spelled)
    return [list(names).index(name) for name in ordered]


def _other_sets(table: Table, choice: Choice) -> Iterator[list[str]]:
    """Yield other columns named after the same classes that can be probabilities."""
    columns, header = choice.columns, set(table.data.column_names)
    known = (*PROB_AFFIXES, *NUMBERED_AFFIXES, *find_affixes(table, choice.names or ()))
    ways = [way for way in dict.fromkeys(known) if way != NO_AFFIX]
    stems = list(columns)
    for before, after in ways:
        if all(c.startswith(before) and c.endswith(after) and c != before + after for c in columns):
            stems = [c.removeprefix(before).removesuffix(after) for c in columns]
            break
    for before, after in (*ways, NO_AFFIX):
        others = [f"{before}{stem}{after}" for stem in stems]
        if not set(others) <= header or not set(others).isdisjoint(columns):
            continue
        if not any(holds_words(table, c) for c in others) and _is_rival(table, columns, others):
            yield others


def _is_rival(table: Table, columns: Sequence[str], others: Sequence[str]) -> bool:
    if misfit(table, others) > SUM_TOLERANCE:
        return misfit(table, columns) > SUM_TOLERANCE and are_prob_names(others)
    # Next to p_cat, a column cat of 0 and 1 is a label and not a second model.
    values = np.stack([peek_numbers(table, column) for column in others])
    return are_prob_names(others) or not np.isin(values, (0, 1)).all()


def _two_sets(table: Table, mine: Sequence[str], others: Sequence[str], rows: Array) -> Exception:
    return stop(
        code="probs.two_sets",
        where=table.name,
        what=f"there are two sets of probabilities: {list_few(mine)}, and {list_few(others)}; they "
        f"differ in {len(rows)} of {len(table)} rows.",
        fix="Name the columns to use as prob_columns, or leave one set out of the table.",
        why="They may come from two models, and it is unclear which should judge the labels.",
        count=len(rows),
        first_rows=(f"row {row}" for row in rows),
        choices=[{"prob_columns": list(mine)}, {"prob_columns": list(others)}],
    )


def _report_same(table: Table, others: str, report: ReportBuilder) -> None:
    report.add_auto_fix(
        code="probs.two_sets",
        where=table.name,
        what=f"a second set of probabilities is equal and is not read: {others}.",
        fix="To use it instead, name its columns as prob_columns.",
        why="One model's probabilities are enough to judge a label.",
    )
