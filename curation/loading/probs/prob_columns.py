"""Which columns of a table hold the probabilities, and the class of each.

If the classes are known, their columns are the probabilities and all others are not. If only the
labels or the header are known, the columns whose rows add up to 1 are chosen.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from curation.core.matrix import FloatArray
from curation.loading.formats.number_columns import holds_words, peek_numbers
from curation.loading.formats.table import Table
from curation.loading.labels.class_list import Classes, make_classes
from curation.loading.labels.example_columns import check_named_column
from curation.loading.labels.label_cells import is_whole
from curation.loading.labels.label_classes import distinct_labels
from curation.loading.labels.labelled_examples import Examples
from curation.loading.report_builder import ReportBuilder, list_few, stop
from curation.loading.vocabulary import (
    ID_COLUMNS,
    INDEX_COLUMNS,
    LOGIT_WORDS,
    MODEL_EXTRAS,
    NO_AFFIX,
    NOT_PROB_COLUMNS,
    NUMBERED_AFFIXES,
    PROB_AFFIXES,
    PROB_ENDINGS,
    PROB_PREFIXES,
    SINGLE_ENDINGS,
    SINGLE_PROB_NAMES,
)

SUM_TOLERANCE = 0.02  # of the sums of rows, for probabilities written with two digits
MOST_ROWS = 0.9  # share of the sampled rows that must fit; a few may be broken


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


def class_columns(columns: Sequence[str]) -> list[str]:
    """Return the columns that can be classes: not ids, row numbers or labels."""
    others = {*ID_COLUMNS, *NOT_PROB_COLUMNS}
    return [c for c in columns if c.strip().lower() not in others and c not in INDEX_COLUMNS]


def choose_columns(table: Table, known: KnownClasses, report: ReportBuilder) -> Choice:
    """Return the columns of probabilities in a table of probabilities."""
    if known.id_column in table.data.column_names:
        table = replace(table, data=table.data.drop_columns([known.id_column]))
    header = table.data.column_names
    choice = _choose(table, known, report)
    if choice is None and (stripped := _without_spaces(table)) is not None:
        _report_stripped(table, report)
        return _as_in_file(choose_columns(stripped, known, report), header)
    if choice is None:
        choice = _by_sums(table, _prefixed(header) or class_columns(header), report)
    used = {*choice.columns, *(c for c in header if c not in class_columns(header))}
    _report_unused(table, [c for c in header if c not in used], report)
    return choice


def take_named(table: Table, known: KnownClasses, report: ReportBuilder) -> Choice:
    """Return the columns that a person named; their names say the classes, or else their order."""
    for column in known.columns:
        check_named_column(table, column, "prob_columns")
    choice = _choose(replace(table, data=table.data.select(known.columns)), known, report)
    whole = choice is not None and set(choice.columns) == set(known.columns)
    return choice if choice is not None and whole else Choice(known.columns, None)


def find_columns(table: Table, known: KnownClasses, report: ReportBuilder) -> Choice | None:
    """Return the columns of probabilities in a table of labels, if it has any."""
    header = table.data.column_names
    notes = ReportBuilder()
    choice = _choose(table, known, notes)
    if choice is not None and _prefix_of(choice.columns):
        _report_unused(table, _other_columns(table, choice.columns), notes)
    elif choice is not None and _are_logits(choice.columns):
        pass  # the doctor asks whether to apply softmax
    elif choice is not None and misfit(table, choice.columns) > SUM_TOLERANCE:
        choice, notes = None, ReportBuilder()  # columns that only happen to be named like classes
    if choice is None and (group := _prefixed(header)):
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
    named = [c for c in columns if find_told_class(c, classes) is not None]
    named = named or [c for c in columns if is_single_name(c)]
    found = [c for c in named if _holds_probabilities(table, c)]
    return Choice((found[0],), None) if len(found) == 1 else None


def is_single_name(name: str) -> bool:
    """Return whether a name is one for the probability of one class, such as score or p_spam."""
    lower = name.strip().lower()
    return lower in SINGLE_PROB_NAMES or lower.startswith(PROB_PREFIXES)


def find_told_class(name: str, classes: Sequence[str]) -> int | None:
    """Return the class that the name of a column or a file speaks of; None if it names none.

    >>> find_told_class("p_spam", ["ham", "spam"]), find_told_class("score", ["ham", "spam"])
    (1, None)
    """
    lower = name.strip().lower()
    affixes = (*PROB_AFFIXES, *NUMBERED_AFFIXES, *(("", ending) for ending in SINGLE_ENDINGS))
    told = [
        place
        for place, each in enumerate(classes)
        if any(lower == f"{before}{each}{after}".lower() for before, after in affixes)
    ]
    return told[0] if len(told) == 1 else None


def _holds_probabilities(table: Table, column: str) -> bool:
    """Return whether a column holds fractions from 0 to 1, on both sides of one half."""
    if table.kind(column) in ("list", "other") or holds_words(table, column):
        return False
    values = peek_numbers(table, column)
    values = values[np.isfinite(values)]
    if not len(values) or values.min() < 0 or values.max() > 1:
        return False
    return bool((values % 1 > 0).any() and values.min() < 0.5 <= values.max())


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


def _choose(table: Table, known: KnownClasses, report: ReportBuilder) -> Choice | None:
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
                return _in_file_order(header, dict(zip(columns, spelled, strict=True)))
    return None


def _refuse_missed_classes(table: Table, columns: Sequence[str], classes: Classes) -> None:
    """Stop if columns that the list of classes does not name are needed to add up to 1."""
    others = _other_columns(table, columns)
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
        others = _other_columns(table, named)
        if others and not _are_classes(table, others, named, before):
            others = []
        names = {c: c.removeprefix(before).removesuffix(after) for c in (*named, *others)}
        return _in_file_order(header, names)
    return None


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

    Any words will do if the rows add up to 1, and those of logits if they do not.
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
    return _are_logits(columns) or misfit(table, columns) <= SUM_TOLERANCE


def _are_logits(columns: Sequence[str]) -> bool:
    """Return whether columns are named as scores that are no probabilities yet.

    >>> _are_logits(["logit_cat", "logit_dog"]), _are_logits(["p_cat", "p_dog"])
    (True, False)
    """
    before = os.path.commonprefix(list(columns)).lower().rstrip(" _.-(")
    return before in LOGIT_WORDS


def _are_classes(table: Table, others: list[str], named: list[str], prefix: str) -> bool:
    """Return whether columns without a label are classes that no example was given."""
    alone, together = misfit(table, named), misfit(table, [*named, *others])
    if all(_is_model_extra(column, prefix) for column in others):
        return alone > SUM_TOLERANCE >= together
    return together <= alone or alone > SUM_TOLERANCE


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


def _by_sums(table: Table, columns: Sequence[str], report: ReportBuilder) -> Choice:
    """Return the classes among these columns, chosen only by rows that add up to 1."""
    prefix = _prefix_of(columns)
    columns = [c for c in columns if not holds_words(table, c)]
    plain = [c for c in columns if not _is_model_extra(c, prefix)]
    if 1 < len(plain) < len(columns) and misfit(table, plain) <= SUM_TOLERANCE:
        columns = plain
    elif len(columns) > 2 and misfit(table, columns) > SUM_TOLERANCE:
        _refuse_one_too_many(table, columns, prefix)
    names = {c: c.removeprefix(prefix) for c in columns}
    return _in_file_order(table.data.column_names, names)


def _refuse_one_too_many(table: Table, columns: Sequence[str], prefix: str) -> None:
    values = np.stack([peek_numbers(table, column) for column in columns], axis=1)
    without = values.sum(axis=1, keepdims=True) - values
    odd = [
        c
        for c, sums in zip(columns, without.T, strict=True)
        if _misfit_of_sums(sums) <= SUM_TOLERANCE
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


def _other_columns(table: Table, columns: Sequence[str]) -> list[str]:
    """Return the other columns of numbers that are named as classes could be."""
    prefix, mine = _prefix_of(columns), set(columns)
    others = [c for c in class_columns(table.data.column_names) if c not in mine]
    return [c for c in others if c.startswith(prefix) and not holds_words(table, c)]


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


def _prefixed(header: Sequence[str]) -> list[str]:
    for prefix in PROB_PREFIXES:
        found = [column for column in header if column.startswith(prefix)]
        if len(found) >= 2:
            return found
    return []


def has_prefix(columns: Sequence[str]) -> bool:
    """Return whether all these columns are named as probabilities, such as p_cat or cat_prob."""
    by_ending = any(all(c.endswith(ending) for c in columns) for ending in PROB_ENDINGS)
    return bool(columns) and (bool(_prefix_of(columns)) or by_ending)


def _prefix_of(columns: Sequence[str]) -> str:
    """Return the prefix of probabilities that all these columns share; "" if there is none."""
    fits = (p for p in PROB_PREFIXES if columns and all(c.startswith(p) for c in columns))
    return next(fits, "")


def _is_model_extra(column: str, prefix: str) -> bool:
    return bool({column.lower(), column.removeprefix(prefix).lower()} & MODEL_EXTRAS)


def _in_file_order(header: Sequence[str], names: dict[str, str]) -> Choice:
    columns = tuple(c for c in header if c in names)
    return Choice(columns, tuple(names[c] for c in columns))


def misfit(table: Table, columns: Sequence[str]) -> float:
    """Return how far most rows are from adding up to 1, or to 100 as percentages do."""
    sums: FloatArray = np.sum([peek_numbers(table, column) for column in columns], axis=0)
    return _misfit_of_sums(sums)


def _misfit_of_sums(sums: FloatArray) -> float:
    sums = sums[np.isfinite(sums)]
    if not len(sums):
        return np.inf
    return float(min(np.quantile(np.abs(sums / whole - 1), MOST_ROWS) for whole in (1, 100)))


def gather_known(examples: Examples | None, classes: Classes | None) -> KnownClasses:
    """Return what is known of the classes, from a list of them or from the labels."""
    if examples is None:
        return KnownClasses(classes)
    if classes is None and examples.class_names is not None:
        classes = make_classes(examples.class_names, examples.cells.where)
    return KnownClasses(classes, distinct_labels(examples.cells), examples.source.id_column)
