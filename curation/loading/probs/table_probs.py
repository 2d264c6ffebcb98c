"""The probabilities in a table: a list column, or one column for each class."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from curation.loading.formats.answer_records import TOKENS
from curation.loading.formats.decimal_commas import read_decimal_commas
from curation.loading.formats.file_faults import too_large
from curation.loading.formats.number_columns import (
    SUM_TOLERANCE,
    from_lists,
    holds_written_lists,
    misfit,
    note_row_numbers,
    peek_numbers,
    read_written_lists,
    stack,
)
from curation.loading.formats.table import Table
from curation.loading.probs.class_named_columns import Choice, KnownClasses
from curation.loading.probs.prob_columns import (
    choose_columns,
    find_columns,
    find_single_column,
    take_named,
)
from curation.loading.probs.rival_columns import settle_columns, settle_list
from curation.loading.probs.scored_cells import find_scored_cells, pair_lists, spread_scores
from curation.loading.probs.stored_probs import StoredProbs
from curation.loading.probs.token_probs import spread_tokens
from curation.loading.probs.top_scores import (
    complete_top_scores,
    refuse_predictions,
    refuse_top_scores,
)
from curation.loading.report_builder import ReportBuilder, Stop, list_few, stop
from curation.loading.row_keys import table_keys
from curation.loading.vocabulary import PROB_LIST_COLUMNS, exact_columns, is_id_name

_PERCENT = r"^\s*[0-9]+(?:\.[0-9]+)?\s*%\s*$"


def list_column(table: Table, *, named: bool) -> str | None:
    """Return the only column of lists of numbers that is `named` as probabilities, or is not."""
    lists = [
        column
        for column in table.data.column_names
        if table.kind(column) == "list"
        and _holds_numbers(table, column)
        and (column.strip().lower() in PROB_LIST_COLUMNS) == named
    ]
    return lists[0] if len(lists) == 1 else None


def _holds_numbers(table: Table, column: str) -> bool:
    kind = table.data.schema.field(column).type
    return hasattr(kind, "value_type") and bool(
        pa.types.is_floating(kind.value_type) or pa.types.is_integer(kind.value_type)
    )


def from_table(
    table: Table, known: KnownClasses, report: ReportBuilder, *, memory_limit: int
) -> StoredProbs:
    """Return the probabilities in a table: a list column, or one column for each class."""
    table = _with_decimal_points(table, known, report)
    if known.columns:
        return _from_chosen(table, known, report, memory_limit)
    if (tokens := spread_tokens(table, class_names(known), report)) is not None:
        return _from_spread(table, TOKENS, tokens, known, report, memory_limit)
    _refuse_long(table, known)
    if (paired := pair_lists(table, known.labels, class_names(known), report)) is not None:
        return _from_scores(paired, paired.data.column_names[-1], known, report, memory_limit)
    nested = _from_named_column(table, known, report, memory_limit)
    if nested is None and find_columns(table, known, ReportBuilder()) is None:
        nested = _from_scored_cells(table, known, report, memory_limit)
        nested = nested or _from_unnamed_lists(table, known, report)
        if nested is None and not _has_all_columns(table, known):
            nested = _from_top_scores(table, known, report, memory_limit)
            if nested is None and find_single_column(table, known) is None:
                refuse_top_scores(table, class_names(known))
    if nested is not None:
        return nested
    if known.id_column not in table.data.column_names:
        note_row_numbers(table.data.column_names, table.text, table.name, report)
    choice = find_columns(table, known, ReportBuilder()) and choose_columns(table, known, report)
    choice = choice or find_single_column(table, known) or choose_columns(table, known, report)
    if not choice.columns and (alone := _find_only_fraction(table, known)) is not None:
        choice = Choice((alone,), None)
    if not choice.columns:
        refuse_predictions(table, class_names(known))
        raise stop(
            code="probs.columns",
            where=table.name,
            what=f"no columns of probabilities; found {list_few(table.columns)}.",
            fix="Name the columns by class, or p_<class>.",
            why="No label can be checked without probabilities.",
        )
    return _from_columns(table, choice, known, report, memory_limit)


def _has_all_columns(table: Table, known: KnownClasses) -> bool:
    """Return whether there is a column for each class, whatever they are called."""
    try:
        columns = choose_columns(table, known, ReportBuilder()).columns
    except Stop:
        return False
    return len(columns) == len(class_names(known)) and misfit(table, columns) <= SUM_TOLERANCE


def _find_only_fraction(table: Table, known: KnownClasses) -> str | None:
    """Return the only column besides ids, if it holds a binary model's probabilities.

    In Kaggle's files it is called as the labels are; for which class it is, is asked.
    """
    free = [c for c in table.data.column_names if not is_id_name(c) and c != known.id_column]
    if len(free) != 1 or len(class_names(known)) != 2 or table.kind(free[0]) in ("list", "other"):
        return None
    values = peek_numbers(table, free[0])
    fits = bool(((values >= 0) & (values <= 1)).all()) and not np.isin(values, (0, 1)).all()
    return free[0] if len(values) and fits else None


def find_in_labels(
    table: Table,
    known: KnownClasses,
    report: ReportBuilder,
    *,
    memory_limit: int,
    unnamed_lists: bool = True,
) -> StoredProbs | None:
    """Return the probabilities in a table of labels, if it holds any.

    Columns named after classes come before a list that is not named as probabilities.
    """
    table = _with_decimal_points(table, known, report)
    if known.columns:
        return _from_chosen(table, known, report, memory_limit)
    nested = _from_named_column(table, known, report, memory_limit)
    if nested is not None:
        return nested
    choice = find_columns(table, known, report)
    if choice is not None:
        return _from_columns(table, choice, known, report, memory_limit)
    nested = _from_scored_cells(table, known, report, memory_limit)
    if nested is None and unnamed_lists:
        nested = _from_unnamed_lists(table, known, report)
    nested = nested or _from_top_scores(table, known, report, memory_limit)
    single = find_single_column(table, known) if nested is None else None
    return nested if single is None else _from_columns(table, single, known, report, memory_limit)


def _from_chosen(
    table: Table, known: KnownClasses, report: ReportBuilder, memory_limit: int
) -> StoredProbs:
    """Return the probabilities in the columns that a person named."""
    choice = take_named(table, known, report)
    column = choice.columns[0]
    if len(choice.columns) == 1 and table.kind(column) == "list":
        return _from_lists(table, column, table.data.column(column), known)
    if len(choice.columns) == 1 and find_scored_cells(_select(table, column), known.labels):
        return _from_scores(table, column, known, report, memory_limit)
    if len(choice.columns) == 1 and table.kind(column) == "text":
        if holds_written_lists(table, column):
            where = f"{table.name}, column {column!r}"
            return _from_lists(table, column, read_written_lists(table.text(column), where), known)
    return _from_columns(table, choice, known, report, memory_limit)


def _with_decimal_points(table: Table, known: KnownClasses, report: ReportBuilder) -> Table:
    exact = exact_columns(table.data.column_names, known.id_column)
    return _without_signs(read_decimal_commas(table, exact, report))


def _without_signs(table: Table) -> Table:
    """Return cells such as 97.2% as 97.2; the doctor asks whether they are percentages."""
    data = table.data
    for place, column in enumerate(data.column_names):
        if not pa.types.is_string(data.schema.field(place).type):
            continue
        texts = data.column(place)
        if len(texts) and pc.all(pc.match_substring_regex(texts, _PERCENT)).as_py():
            plain = pc.utf8_trim_whitespace(pc.replace_substring(texts, "%", ""))
            data = data.set_column(place, column, plain)
    return table if data is table.data else replace(table, data=data)


def _refuse_long(table: Table, known: KnownClasses) -> None:
    """Stop if each row holds the probability of one class, and an example has several rows."""
    names = set(known.labels) or set(known.classes.names if known.classes is not None else ())
    keys = [c for c in table.data.column_names if is_id_name(c) or c == known.id_column]
    if len(names) < 2 or not keys or len(table) % len(names):
        return
    for column in table.data.column_names:
        if table.kind(column) != "text" or set(pc.unique(table.text(column)).to_pylist()) != names:
            continue
        if len(pc.unique(table.text(keys[0]))) * len(names) != len(table):
            continue
        raise stop(
            code="probs.long",
            where=table.name,
            what=f"each row holds one class, named in {column!r}, so that every example has "
            f"{len(names)} rows.",
            fix=f'Save a column per class: table.pivot(index="{keys[0]}", columns="{column}").',
            why="All probabilities of an example are read from one row.",
            count=len(table),
        )


def _from_unnamed_lists(
    table: Table, known: KnownClasses, report: ReportBuilder
) -> StoredProbs | None:
    column = list_column(table, named=False)
    if column is None:
        return None
    report.add_auto_fix(
        code="probs.list_column",
        where=f"{table.name}, column {column!r}",
        what="its lists of numbers are read as the probabilities.",
        fix="If they are something else, name the file of the probabilities as probs in "
        "curation.toml, or call the right column pred_probs.",
        why="It is the only column of lists, and no columns are named by class.",
    )
    return _from_lists(table, column, table.data.column(column), known)


def _from_named_column(
    table: Table, known: KnownClasses, report: ReportBuilder, memory_limit: int
) -> StoredProbs | None:
    """Return the probabilities in one column: lists, lists as text, or a struct by class."""
    column = list_column(table, named=True)
    if column is not None:
        found = _from_lists(table, column, table.data.column(column), known)
        settle_list(table, column, np.asarray(found.parts[0]), known, report)
        return found
    for column in table.data.column_names:
        if column.lower() not in PROB_LIST_COLUMNS:
            continue
        where = f"{table.name}, column {column!r}"
        if pa.types.is_struct(table.data.schema.field(column).type):
            inner = pa.Table.from_struct_array(table.data.column(column))
            inside = replace(table, data=inner, name=where)
            choice = choose_columns(inside, known, report)
            found = _from_columns(inside, choice, known, report, memory_limit)
            keys = table_keys(table, (column,), known.id_column)
            return replace(found, where=where, keys=keys, source_columns=(column,))
        if table.kind(column) == "text" and holds_written_lists(table, column):
            report.add_auto_fix(
                code="probs.written_lists",
                where=where,
                what="lists written as text are read as numbers.",
                fix="If they are something else, save the probabilities in a separate file.",
                why="A table such as CSV has no lists, only text that looks like them.",
            )
            lists = read_written_lists(table.text(column), where)
            found = _from_lists(table, column, lists, known)
            settle_list(table, column, np.asarray(found.parts[0]), known, report)
            return found
    return None


def _from_scored_cells(
    table: Table, known: KnownClasses, report: ReportBuilder, memory_limit: int
) -> StoredProbs | None:
    """Return the probabilities in cells that hold a score for each class, such as a dict."""
    found = find_scored_cells(table, known.labels)
    if len(found) > 1:
        raise stop(
            code="probs.two_sets",
            where=table.name,
            what=f"{len(found)} columns hold a score for each class: {list_few(found)}.",
            fix="Name the column to use as prob_columns, or leave the others out of the table.",
            why="They may come from two models, and it is unclear which should judge the labels.",
            count=len(found),
            choices=[{"prob_columns": [column]} for column in found],
        )
    return _from_scores(table, found[0], known, report, memory_limit) if found else None


def _from_scores(
    table: Table, column: str, known: KnownClasses, report: ReportBuilder, memory_limit: int
) -> StoredProbs:
    inside = spread_scores(table, column, report)
    return _from_spread(table, column, inside, known, report, memory_limit)


def class_names(known: KnownClasses) -> tuple[str, ...]:
    return known.classes.names if known.classes is not None else tuple(sorted(known.labels))


def _from_spread(
    table: Table,
    column: str,
    inside: Table,
    known: KnownClasses,
    report: ReportBuilder,
    memory_limit: int,
) -> StoredProbs:
    """Return the probabilities in a table that was made of one column, joined as that column is."""
    spread = _from_columns(
        inside, choose_columns(inside, replace(known, columns=()), report), known, report,
        memory_limit,
    )  # fmt: skip
    keys = table_keys(table, (column,), known.id_column)
    return replace(spread, keys=keys, source_columns=(column,))


def _from_top_scores(
    table: Table, known: KnownClasses, report: ReportBuilder, memory_limit: int
) -> StoredProbs | None:
    """Return the probabilities of two classes, from the likelier one and its score."""
    found = complete_top_scores(table, class_names(known), report)
    return found and _from_spread(table, *found, known, report, memory_limit)


def _select(table: Table, column: str) -> Table:
    return replace(table, data=table.data.select([column]))


def _from_lists(
    table: Table, column: str, lists: pa.ChunkedArray, known: KnownClasses
) -> StoredProbs:
    array = from_lists(lists, f"{table.name}, column {column!r}")
    keys = table_keys(table, (column,), known.id_column)
    return StoredProbs((array,), table.name, keys=keys, source_columns=(column,))


def _from_columns(
    table: Table, choice: Choice, known: KnownClasses, report: ReportBuilder, memory_limit: int
) -> StoredProbs:
    needed = len(table) * len(choice.columns) * 8
    if needed > memory_limit:
        raise too_large(table.name, needed, memory_limit)
    array = stack(table, choice.columns)
    if not known.columns:
        settle_columns(table, choice, array, report)
    names = choice.names if len(choice.columns) > 1 else None  # one column: its class is asked
    keys = table_keys(table, choice.columns, known.id_column)
    return StoredProbs((array,), table.name, names, keys, choice.columns)
