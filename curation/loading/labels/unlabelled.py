"""Cells that hold no label, and -1, which may be none or a class."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from curation.core.matrix import IntArray
from curation.loading.labels.class_list import Classes
from curation.loading.labels.label_cells import Cells, as_whole, is_number, is_whole, name_rows
from curation.loading.report_builder import ReportBuilder, list_few, stop
from curation.report import FIRST_ROWS

UNLABELLED = frozenset({"", "unlabeled", "unlabelled"})  # and -1, however it is written
# What programs write for a missing number. Among words these are words: a class may be called NA.
NOT_A_NUMBER = frozenset({"nan", "na", "n/a", "none", "null", "<na>"})


def find_unlabelled(written: Sequence[str], known: set[str]) -> set[str]:
    """Return the cells that stand for no label; one that is a known class never does."""
    missing = {each for each in written if each.strip().lower() in UNLABELLED - known} - known
    if "-1" not in known:
        missing |= set(filter(is_minus_one, written)) - known
    others = [each for each in written if each not in missing]
    words = {each for each in others if each.strip().lower() in NOT_A_NUMBER} - known
    if words and len(words) < len(others) and all(is_number(e) for e in others if e not in words):
        missing |= words
    return missing


def is_minus_one(text: str) -> bool:
    """Tell whether a cell is -1, written as a whole number or as a float."""
    return as_whole(text.strip()) == "-1"


def stop_if_minus_one_is_a_class(
    labels: Mapping[str, str],
    missing: set[str],
    wide: int | None,
    classes: Classes | None,
    cells: Cells,
) -> None:
    """Stop if -1 is what the labels lack to be as many as the classes: it may be one of them."""
    distinct = set(labels.values())
    if len(distinct) + 1 != wide or not all(map(is_whole, distinct)):
        return
    if classes is not None and distinct <= {*classes.names, *classes.ids}:
        return  # the list names these numbers, and not -1
    numbers = [-1, *sorted(int(label) for label in distinct)]
    offer: dict[str, Any] = {}
    if classes is None:
        offer = {"classes": [str(number) for number in numbers]}
    elif numbers[-1] == wide - 2:
        offer = {"shift_labels": 1}
    rows = cells.rows_of(each for each in missing if is_minus_one(each))
    asked = "".join(f"{key}={value!r}" for key, value in offer.items())
    raise stop(
        code="labels.minus_one",
        where=cells.where,
        what=f"is -1 a class or no label? With it there are {wide} labels ({list_few(numbers)}), "
        f"as many as {'columns' if classes is None else 'classes'}.",
        fix=(f"Pass {asked} if -1 is a class" if offer else "Write class names if -1 is a class")
        + ', or labels_are="index" if it means no label.',
        why="Taken for no label, all rows of that class are left out and the others belong to "
        "other columns.",
        count=len(rows),
        first_rows=name_rows(rows),
        override=offer,
    )


def note_unlabelled(codes: IntArray, cells: Cells, report: ReportBuilder) -> None:
    """Warn of rows without a label, and say what stands there instead."""
    rows = np.flatnonzero(codes < 0)
    if not len(rows):
        report.add_passed("every row has a label")
        return
    there = pc.take(cells.values.combine_chunks(), pa.array(rows)).to_pylist()
    counts = Counter(map(_say_cell, there)).most_common(FIRST_ROWS)
    written = ", ".join(f"{cell} in {count:,}" for cell, count in counts)
    report.add_warning(
        code="labels.unlabelled",
        where=cells.where,
        what=f"{len(rows)} of {len(codes)} rows "
        + ("has no label" if len(rows) == 1 else "have no label")
        + f" ({written}); "
        + ("it is" if len(rows) == 1 else "they are")
        + " left out of scoring.",
        fix="Label them, or leave it so: exports keep these rows as they are.",
        why="A missing label is neither right nor wrong, and is no class of its own.",
        count=len(rows),
        first_rows=name_rows(rows),
    )


def _say_cell(value: str | None) -> str:
    return repr(value) if value and value.strip() else "an empty cell"
