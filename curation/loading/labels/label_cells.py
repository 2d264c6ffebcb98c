"""A column of labels as text, and which of its cells are whole numbers."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from curation.core.matrix import IntArray
from curation.dataset import LabelKind
from curation.loading.report_builder import ReportBuilder, list_few, stop
from curation.report import FIRST_ROWS

_WHOLE = re.compile(r"(-?(?:0|[1-9][0-9]{0,17}))(\.0*)?")
_SCIENTIFIC = re.compile(r"-?[0-9](?:\.[0-9]*)?[eE][-+]?[0-9]{1,2}")  # as np.savetxt writes


@dataclass(frozen=True)
class Cells:
    """A column of labels as text, null where the file has nothing, and where it stands."""

    values: pa.ChunkedArray
    kind: LabelKind
    where: str

    def rows_of(self, texts: Iterable[str]) -> IntArray:
        """Return the rows whose cell is one of these texts."""
        wanted = pa.array(list(texts), pa.string())
        found = pc.is_in(self.values, value_set=wanted).to_numpy()
        return np.flatnonzero(found)


def is_whole(text: str) -> bool:
    """Tell whether a label is a whole number.

    >>> is_whole("12"), is_whole("1.0"), is_whole("1.00e+00"), is_whole("cat"), is_whole("007")
    (True, True, True, False, False)
    """
    return as_whole(text) is not None


def as_whole(text: str) -> str | None:
    """Return a whole number in its plainest form; None for anything else.

    >>> as_whole("1.0"), as_whole("1.20e+01"), as_whole("1.25e+01"), as_whole("cat")
    ('1', '12', None, None)
    """
    if match := _WHOLE.fullmatch(text):
        return match[1]
    if _SCIENTIFIC.fullmatch(text) and float(text).is_integer() and abs(float(text)) < 2**53:
        return str(int(float(text)))
    return None


def is_number(text: str) -> bool:
    """Tell whether a label is any number."""
    try:
        float(text)
    except ValueError:
        return False
    return True


def name_rows(rows: IntArray) -> list[str]:
    """Return the first of these rows as messages call them."""
    return [f"row {row}" for row in rows[:FIRST_ROWS].tolist()]


def without_blanks(
    labels: dict[str, str], known: set[str], cells: Cells, report: ReportBuilder
) -> dict[str, str]:
    """Return labels without the blanks around them, if only so they are classes or numbers."""
    stripped = {written: label.strip() for written, label in labels.items()}
    distinct = set(stripped.values())
    if stripped == labels or set(labels.values()) <= known:
        return labels
    if not distinct <= known and not all(map(is_whole, distinct)):
        return labels
    changed = cells.rows_of(each for each in labels if stripped[each] != labels[each])
    report.add_auto_fix(
        code="labels.blanks",
        where=cells.where,
        what="blanks around labels are overlooked.",
        fix="If a class is written with them, list the classes in classes.txt as they are written.",
        why="People write a blank after the comma, and mean none.",
        count=len(changed),
        first_rows=name_rows(changed),
    )
    return stripped


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
            changed = cells.rows_of(each for each in labels if whole[each] != labels[each])
            report.add_auto_fix(
                code="labels.whole",
                where=cells.where,
                what="labels such as 1.0 were read as 1.",
                fix="If 1.0 and 1 are names of two classes, list them in classes.txt.",
                why="Programs write whole numbers so where a cell of the column is missing.",
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
                why="Between two classes there is none; these may be measurements, not labels.",
                count=len(rows),
                first_rows=name_rows(rows),
            )
    return labels
