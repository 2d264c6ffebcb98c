"""Columns of probabilities that are named after the classes, the labels or their numbers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from curation.loading.formats.number_columns import SUM_TOLERANCE, holds_words, misfit
from curation.loading.formats.table import Table
from curation.loading.labels.class_list import Classes, make_classes
from curation.loading.labels.label_cells import is_whole
from curation.loading.labels.label_classes import distinct_labels
from curation.loading.labels.labelled_examples import Examples
from curation.loading.probs.prob_column_names import (
    are_logits,
    class_columns,
    is_model_extra,
    shared_prefix,
)
from curation.loading.report_builder import ReportBuilder, list_few, stop
from curation.loading.vocabulary import NO_AFFIX, NUMBERED_AFFIXES, PROB_AFFIXES


@dataclass(frozen=True)
class KnownClasses:
    """What is known before columns are chosen: the classes or the labels, and the id column."""

    classes: Classes | None = None
    labels: frozenset[str] = frozenset()
    id_column: str | None = None
    columns: tuple[str, ...] = ()  # those that a person named


@dataclass(frozen=True)
class Choice:
    """The columns of probabilities and the class of each; None if they follow the class order."""

    columns: tuple[str, ...]
    names: tuple[str, ...] | None


def gather_known(examples: Examples | None, classes: Classes | None) -> KnownClasses:
    """Return what is known of the classes, from a list of them or from the labels."""
    if examples is None:
        return KnownClasses(classes)
    if classes is None and examples.class_names is not None:
        classes = make_classes(examples.class_names, examples.cells.where)
    return KnownClasses(classes, distinct_labels(examples.cells), examples.source.id_column)


def choose_by_name(table: Table, known: KnownClasses, report: ReportBuilder) -> Choice | None:
    """Return the columns that name the known classes or labels; None if there are none."""
    if known.classes is not None:
        return _by_classes(table, known.classes, report)
    return (
        _by_labels(table, known.labels)
        or _by_number(table, known.labels, report)
        or _by_capitals(table, known.labels)
    )


def _by_classes(table: Table, classes: Classes, report: ReportBuilder) -> Choice | None:
    header = table.data.column_names
    places = tuple(str(place) for place in range(len(classes)))
    affixes = (*PROB_AFFIXES, *find_affixes(table, classes.names))
    for spelled in (classes.ids, classes.names, places):
        for before, after in affixes if spelled != places else NUMBERED_AFFIXES:
            columns = [f"{before}{name}{after}" for name in spelled]
            if len(set(columns)) == len(columns) and set(columns) <= set(header):
                _refuse_missed_classes(table, columns, classes)
                if spelled == places and places not in (classes.ids, classes.names):
                    _report_numbered(table, columns, classes.names, classes.where, report)
                return in_file_order(header, dict(zip(columns, spelled, strict=True)))
    return None


def _refuse_missed_classes(table: Table, columns: Sequence[str], classes: Classes) -> None:
    """Stop if columns that the list of classes does not name are needed to add up to 1."""
    others = other_columns(table, columns)
    if not others or misfit(table, columns) <= SUM_TOLERANCE:
        return
    if misfit(table, [*columns, *others]) > SUM_TOLERANCE:
        return
    raise stop(
        code="probs.column_names",
        where=table.name,
        what=f"columns that are not a class of {classes.where}: {list_few(others)}. The rows add "
        "up to 1 only with them.",
        fix=f"Add them to {classes.where}, or save the probabilities without them.",
        why="Without them, part of every row's probability would be missing.",
        count=len(others),
    )


def _by_labels(table: Table, labels: frozenset[str]) -> Choice | None:
    header = table.data.column_names
    for before, after in (*PROB_AFFIXES, *find_affixes(table, tuple(labels))):
        named = [f"{before}{label}{after}" for label in labels]
        if len(named) < 2 or not set(named) <= set(header):
            continue
        others = other_columns(table, named)
        if others and not _are_classes(table, others, named, before):
            others = []
        names = {c: c.removeprefix(before).removesuffix(after) for c in (*named, *others)}
        return in_file_order(header, names)
    return None


def _are_classes(table: Table, others: list[str], named: list[str], prefix: str) -> bool:
    """Return whether columns without a label are classes that no example was given."""
    alone, together = misfit(table, named), misfit(table, [*named, *others])
    if all(is_model_extra(column, prefix) for column in others):
        return alone > SUM_TOLERANCE >= together
    return together <= alone or alone > SUM_TOLERANCE


def _by_capitals(table: Table, labels: frozenset[str]) -> Choice | None:
    """Return the columns that name the labels in other capitals, all in the same way."""
    for spell in (str.capitalize, str.title, str.upper, str.lower):
        spelled = frozenset(map(spell, labels))
        if len(spelled) == len(labels) and spelled != labels:
            if (choice := _by_labels(table, spelled)) is not None:
                return choice
    return None


def find_affixes(table: Table, names: Sequence[str]) -> list[tuple[str, str]]:
    """Return what all classes have around their names, such as "P (label=" and ")".

    Any text will do if the rows add up to 1; otherwise it must be a word for logits.
    """
    if len(names) < 2:
        return []
    header, longest = set(table.data.column_names), max(names, key=len)
    found = [column.split(longest, 1) for column in table.data.column_names if longest in column]
    whole = [(a, b) for a, b in found if all(f"{a}{name}{b}" in header for name in names)]
    return [pair for pair in whole if pair != NO_AFFIX and _is_sound(table, names, *pair)]


def _is_sound(table: Table, names: Sequence[str], before: str, after: str) -> bool:
    columns = [f"{before}{name}{after}" for name in names]
    if any(holds_words(table, column) for column in columns):
        return False
    return are_logits(columns) or misfit(table, columns) <= SUM_TOLERANCE


def _by_number(table: Table, labels: frozenset[str], report: ReportBuilder) -> Choice | None:
    """Return columns named 0, 1, 2 or p0, p1, p2: for labels of that number, or sorted words."""
    if not labels:
        return None
    for prefix, _ in NUMBERED_AFFIXES:
        tails = {c.removeprefix(prefix): c for c in table.data.column_names if c.startswith(prefix)}
        numbers = [tail for tail in tails if tail.isdigit()]
        in_order = [str(place) for place in range(len(numbers))]
        if len(numbers) < 2 or set(numbers) != set(in_order):
            continue
        columns = tuple(tails[number] for number in in_order)
        if all(is_whole(label) for label in labels):
            return Choice(columns, tuple(in_order)) if labels <= set(in_order) else None
        if len(labels) == len(columns):
            _report_numbered(table, columns, sorted(labels), "the sorted labels", report)
        return Choice(columns, None)
    return None


def _report_numbered(
    table: Table, columns: Sequence[str], names: Sequence[str], where: str, report: ReportBuilder
) -> None:
    report.add_auto_fix(
        code="probs.numbered_columns",
        where=table.name,
        what=f"columns {columns[0]!r} to {columns[-1]!r} are assigned to {where}, in that order: "
        f"{list_few(names)}.",
        fix="If the order is different, name the columns by class, or list the classes in "
        "classes.txt in the order of the columns.",
        why="The columns are numbers and the labels are words, so only their order connects them.",
    )


def other_columns(table: Table, columns: Sequence[str]) -> list[str]:
    """Return the other columns of numbers that are named as classes could be."""
    prefix, mine = shared_prefix(columns), set(columns)
    others = [c for c in class_columns(table.data.column_names) if c not in mine]
    return [c for c in others if c.startswith(prefix) and not holds_words(table, c)]


def in_file_order(header: Sequence[str], names: dict[str, str]) -> Choice:
    """Return the columns and their classes in the order of the header."""
    columns = tuple(c for c in header if c in names)
    return Choice(columns, tuple(names[c] for c in columns))
