"""A column of labels as text: whole numbers, spaces around labels, and cells without one."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from curation.core.matrix import IntArray
from curation.dataset import LabelKind
from curation.loading.labels.class_list import Classes
from curation.loading.report_builder import ReportBuilder, list_few, stop
from curation.report import FIRST_ROWS

UNLABELLED = frozenset({"", "unlabeled", "unlabelled"})  # and -1, in any notation
# What programs write for a missing number. Among words they are words: a class may be called NA.
NOT_A_NUMBER = frozenset({"nan", "na", "n/a", "none", "null", "<na>"})

_WHOLE = re.compile(r"(-?(?:0|[1-9][0-9]{0,17}))(\.0*)?")
_WRITTEN_LIST = re.compile(r"""\[\s*(?P<quote>['"])(?P<label>[^'"\[\]]+)(?P=quote)\s*\]""")
_SCIENTIFIC = re.compile(r"-?[0-9](?:\.[0-9]*)?[eE][-+]?[0-9]{1,2}")  # as np.savetxt writes


@dataclass(frozen=True)
class Cells:
    """A column of labels as text, null where a cell is empty, and where it comes from."""

    values: pa.ChunkedArray
    kind: LabelKind
    where: str

    def rows_of(self, texts: Iterable[str]) -> IntArray:
        """Return the rows whose cell is one of these texts."""
        wanted = pa.array(list(texts), pa.string())
        found = pc.is_in(self.values, value_set=wanted).to_numpy()
        return np.flatnonzero(found)


def is_whole(text: str) -> bool:
    """Return whether a label is a whole number.

    >>> is_whole("12"), is_whole("1.0"), is_whole("1.00e+00"), is_whole("cat"), is_whole("007")
    (True, True, True, False, False)
    """
    return as_whole(text) is not None


def as_whole(text: str) -> str | None:
    """Return a whole number in its shortest form; None for anything else.

    >>> as_whole("1.0"), as_whole("1.20e+01"), as_whole("1.25e+01"), as_whole("cat")
    ('1', '12', None, None)
    """
    if match := _WHOLE.fullmatch(text):
        return match[1]
    if _SCIENTIFIC.fullmatch(text) and float(text).is_integer() and abs(float(text)) < 2**53:
        return str(int(float(text)))
    return None


def is_number(text: str) -> bool:
    """Return whether a label is any number."""
    try:
        float(text)
    except ValueError:
        return False
    return True


def name_rows(rows: IntArray) -> list[str]:
    """Return the names of the first rows, for messages."""
    return [f"row {row}" for row in rows[:FIRST_ROWS].tolist()]


def without_spaces(
    labels: dict[str, str], known: set[str], cells: Cells, report: ReportBuilder
) -> dict[str, str]:
    """Return labels without the spaces around them, if that makes them classes or numbers."""
    stripped = {written: label.strip() for written, label in labels.items()}
    distinct = set(stripped.values())
    if stripped == labels or set(labels.values()) <= known:
        return labels
    if not distinct <= known and not all(map(is_whole, distinct)):
        return labels
    changed = _find_changed(labels, stripped, cells)
    report.add_auto_fix(
        code="labels.spaces",
        where=cells.where,
        what="spaces around labels are ignored.",
        fix="If a class is written with them, list the classes in classes.txt as they are written.",
        why="A space after a comma is usually a typing habit, not part of the label.",
        count=len(changed),
        first_rows=name_rows(changed),
    )
    return stripped


def _find_changed(before: Mapping[str, str], after: Mapping[str, str], cells: Cells) -> IntArray:
    """Return the rows whose label was changed, by what their cells hold."""
    return cells.rows_of(each for each in before if after[each] != before[each])


def without_brackets(
    labels: dict[str, str], known: set[str], cells: Cells, report: ReportBuilder
) -> dict[str, str]:
    """Return labels such as "['cat']" as cat, if pandas saved them all as lists of one word."""
    if set(labels.values()) <= known:
        return labels
    inner = strip_brackets(labels)
    if inner is None:
        return labels
    report.add_auto_fix(
        code="labels.written_lists",
        where=cells.where,
        what=f"labels such as {next(iter(labels))} are read without their brackets.",
        fix="If the brackets belong to the names, list the classes in classes.txt.",
        why="Each is a list of one label, written as text.",
        count=len(cells.values),
    )
    return inner


def strip_brackets(labels: Mapping[str, str]) -> dict[str, str] | None:
    """Return the word in each label that is a list of one; None unless all labels are.

    >>> strip_brackets({"a": "['cat']", "b": '["dog"]'}), strip_brackets({"a": "['cat', 'dog']"})
    ({'a': 'cat', 'b': 'dog'}, None)
    """
    found = {written: _WRITTEN_LIST.fullmatch(label) for written, label in labels.items()}
    inner = {written: match["label"] for written, match in found.items() if match is not None}
    return inner if len(inner) == len(labels) else None


def as_spelled(
    labels: dict[str, str], known: set[str], cells: Cells, report: ReportBuilder
) -> dict[str, str]:
    """Return labels as the classes are spelled, if only capitals or stored accents differ.

    macOS stores an accent apart from its letter, so a word that looks the same may be another text.
    Each label must fit one class, and no two labels the same one.
    """
    if set(labels.values()) <= known or any(map(is_number, labels.values())):
        return labels
    folded: dict[str, set[str]] = {}
    for name in known:
        folded.setdefault(_fold(name), set()).add(name)
    found = {written: folded.get(_fold(label), set()) for written, label in labels.items()}
    if any(len(names) != 1 for names in found.values()):
        return labels
    spelled = {written: next(iter(names)) for written, names in found.items()}
    if len(set(spelled.values())) < len(set(labels.values())):
        return labels
    changed = _find_changed(labels, spelled, cells)
    report.add_auto_fix(
        code="labels.spelling",
        where=cells.where,
        what=f"labels such as {next(e for e in labels if spelled[e] != labels[e])!r} are read as "
        "the classes that differ from them only in capitals or in how accents are stored.",
        fix="If these are other classes, list all classes in classes.txt.",
        why="Each label fits exactly one class.",
        count=len(changed),
        first_rows=name_rows(changed),
    )
    return spelled


def _fold(text: str) -> str:
    return unicodedata.normalize("NFC", text).casefold()


def whole_numbers(
    labels: dict[str, str], known: set[str], cells: Cells, report: ReportBuilder
) -> dict[str, str]:
    """Return labels such as 1.0 as 1, if all are numbers; stop at 1.5."""
    if set(labels.values()) <= known:
        return labels
    numbers = {written: as_whole(label) for written, label in labels.items()}
    if all(numbers.values()):
        whole = {written: number for written, number in numbers.items() if number}
        if whole != labels:
            changed = _find_changed(labels, whole, cells)
            report.add_auto_fix(
                code="labels.whole",
                where=cells.where,
                what="labels such as 1.0 were read as 1.",
                fix="If 1.0 and 1 are names of two classes, list them in classes.txt.",
                why="Programs write whole numbers this way if a cell of the column is missing.",
                count=len(changed),
                first_rows=name_rows(changed),
            )
        return whole
    parts = [label for label in labels.values() if not is_whole(label)]
    if all(is_number(label) and not label.lstrip("-").startswith("0") for label in parts):
        fractions = [label for label in parts if "." in label]
        if fractions and all(is_number(label) for label in labels.values()):
            rows = cells.rows_of(each for each, label in labels.items() if label in fractions)
            raise stop(
                code="labels.fraction",
                where=cells.where,
                what=f"labels that are not whole numbers: {list_few(sorted(fractions))}.",
                fix="Classes are whole numbers or names. If these are names, list them in "
                "classes.txt.",
                why="There is no class between two classes. These may be measurements, not labels.",
                count=len(rows),
                first_rows=name_rows(rows),
            )
    return labels


def find_unlabelled(written: Sequence[str], known: set[str]) -> set[str]:
    """Return the cells that mean "no label"; the name of a known class never does."""
    missing = {each for each in written if each.strip().lower() in UNLABELLED - known} - known
    if "-1" not in known:
        missing |= set(filter(is_minus_one, written)) - known
    others = [each for each in written if each not in missing]
    words = {each for each in others if each.strip().lower() in NOT_A_NUMBER} - known
    if words and len(words) < len(others) and all(is_number(e) for e in others if e not in words):
        missing |= words
    return missing


def is_minus_one(text: str) -> bool:
    """Return whether a cell is -1, written as a whole number or as a float."""
    return as_whole(text.strip()) == "-1"


def stop_if_minus_one_is_a_class(
    labels: Mapping[str, str],
    missing: set[str],
    wide: int | None,
    classes: Classes | None,
    cells: Cells,
) -> None:
    """Stop if -1 may be a class: with it, there are as many labels as classes."""
    distinct = set(labels.values())
    if len(distinct) + 1 != wide or not all(map(is_whole, distinct)):
        return
    if classes is not None and distinct <= {*classes.names, *classes.ids}:
        return  # the list has these numbers, but not -1
    numbers = [-1, *sorted(int(label) for label in distinct)]
    offer: dict[str, Any] = {}
    if classes is None:
        offer = {"classes": [str(number) for number in numbers]}
    elif numbers[-1] == wide - 2:
        offer = {"shift_labels": 1}
    rows = cells.rows_of(each for each in missing if is_minus_one(each))
    offers = [offer, {"labels_are": "index"}] if offer and classes is None else []
    setting = "".join(f"{key}={value!r}" for key, value in offer.items())
    raise stop(
        code="labels.minus_one",
        where=cells.where,
        what=f"is -1 a class, or does it mean no label? With it there are {wide} labels "
        f"({list_few(numbers)}), as many as {'columns' if classes is None else 'classes'}.",
        fix=(f"Pass {setting} if -1 is a class" if offer else "Write class names if -1 is a class")
        + ', or labels_are="index" if it means no label.',
        why="If it is a class but read as no label, all its rows are left out and other labels get "
        "the wrong columns.",
        count=len(rows),
        first_rows=name_rows(rows),
        override=offer,
        choices=offers,
    )


def note_unlabelled(codes: IntArray, cells: Cells, report: ReportBuilder) -> None:
    """Warn about rows without a label, with what their cells hold instead."""
    rows = np.flatnonzero(codes < 0)
    if not len(rows):
        report.add_passed("every row has a label")
        return
    there = pc.take(cells.values.combine_chunks(), pa.array(rows)).to_pylist()
    counts = Counter(map(_describe_cell, there)).most_common(FIRST_ROWS)
    written = ", ".join(f"{cell} in {count:,}" for cell, count in counts)
    report.add_warning(
        code="labels.unlabelled",
        where=cells.where,
        what=f"{len(rows)} of {len(codes)} rows "
        + ("has no label" if len(rows) == 1 else "have no label")
        + f" ({written}); "
        + ("it is" if len(rows) == 1 else "they are")
        + " left out of scoring.",
        fix="Label them, or leave them: exports keep these rows as they are.",
        why="A missing label is neither right nor wrong, and it is not a class.",
        count=len(rows),
        first_rows=name_rows(rows),
    )


def _describe_cell(value: str | None) -> str:
    return repr(value) if value and value.strip() else "an empty cell"
