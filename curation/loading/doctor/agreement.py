"""Checks that labels and predictions agree as they should, and are out of sample."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from curation.class_names import distinct_names
from curation.core.matrix import BoolArray, FloatArray, IntArray
from curation.loading.doctor.column_order import find_class_order
from curation.loading.doctor.in_sample import diagnose_in_sample
from curation.loading.doctor.row_alignment import (
    agrees_by_chance,
    diagnose_rest,
    diagnose_rows,
    write_percent,
)
from curation.report import FIRST_ROWS, Diagnosis, Severity

MIN_ROWS_TO_JUDGE = 10  # the agreement of fewer rows says nothing
FLAT_TOLERANCE = 0.05  # as a share of 1/m: no class stands out
SAME_ROW_TOLERANCE = 1e-6  # rows that differ by less are the same prediction


def diagnose_agreement(
    labels: IntArray,
    predicted_labels: IntArray,
    self_confidence: FloatArray,
    class_names: Sequence[str],
    class_ids: Sequence[str] | None = None,
    *,
    top_confidence: FloatArray | None = None,
    flagged: BoolArray | int | None = None,
    ids: Sequence[Any] | NDArray[Any] | None = None,
    where: str = "probabilities",
) -> list[Diagnosis]:
    """Return what the agreement of labels and predictions reveals.

    A model that ignores its input explains low agreement, and so does a wrong order of the
    columns. If either is found, the order of the rows is not questioned as well.
    """
    if len(labels) < 2:
        return []
    if _is_constant(labels, predicted_labels, self_confidence):
        return [_constant(labels, self_confidence, class_names, where)]
    if _is_flat(self_confidence, len(class_names)) and agrees_by_chance(labels, predicted_labels):
        return [_flat(labels, class_names, where)]
    found = diagnose_in_sample(labels, predicted_labels, self_confidence, where, top_confidence)
    if not found and _are_hard(top_confidence):
        found = [_hard(len(labels), where)]
    if len(labels) < MIN_ROWS_TO_JUDGE:
        return found
    permuted = _diagnose_order(labels, predicted_labels, class_names, class_ids, where)
    rows = permuted or diagnose_rows(labels, predicted_labels, flagged, where)
    return found + (rows or diagnose_rest(labels, predicted_labels, ids, where))


def _are_hard(top_confidence: FloatArray | None) -> bool:
    """Return whether the likeliest class has all of the probability, in every one of many rows."""
    if top_confidence is None or len(top_confidence) < MIN_ROWS_TO_JUDGE:
        return False
    return bool((top_confidence >= 1 - SAME_ROW_TOLERANCE).all())


def _hard(num_rows: int, where: str) -> Diagnosis:
    return Diagnosis(
        severity=Severity.WARN,
        code="probs.hard",
        where=where,
        what=f"in all {num_rows:,} rows one class has probability 1 and the others 0: these look "
        "like predicted classes, not probabilities.",
        why="All disagreements seem equally sure, so none can be ranked before another.",
        fix="Save what predict_proba or softmax returns, before the likeliest class is taken.",
        count=num_rows,
    )


def _is_constant(labels: IntArray, predicted_labels: IntArray, self_confidence: FloatArray) -> bool:
    """Return whether every row is the same: one prediction, and one confidence for each label."""
    if (predicted_labels != predicted_labels[0]).any():
        return False
    size = int(labels.max()) + 1
    low, high = np.full(size, np.inf), np.full(size, -np.inf)
    np.minimum.at(low, labels, self_confidence)
    np.maximum.at(high, labels, self_confidence)
    given = np.isfinite(low)
    return bool((high[given] - low[given] <= SAME_ROW_TOLERANCE).all())


def _is_flat(self_confidence: FloatArray, num_classes: int) -> bool:
    """Return whether every example's label is about as likely as any other class."""
    return bool((np.abs(self_confidence * num_classes - 1) <= FLAT_TOLERANCE).all())


def _flat(labels: IntArray, class_names: Sequence[str], where: str) -> Diagnosis:
    return Diagnosis(
        severity=Severity.WARN,
        code="probs.constant",
        what=f"In all {len(labels):,} rows the {len(class_names):,} classes are about equally "
        f"likely (within {100 * FLAT_TOLERANCE:.0f} % of 1/{len(class_names)}).",
        where=where,
        why="The model does not use the input, so it cannot tell a wrong label from a right one.",
        fix="Check the training and the features, and predict again.",
        count=len(labels),
    )


def _constant(
    labels: IntArray, self_confidence: FloatArray, class_names: Sequence[str], where: str
) -> Diagnosis:
    uniform = (
        np.ptp(self_confidence) <= SAME_ROW_TOLERANCE
        and abs(self_confidence[0] * len(class_names) - 1) < 0.01
    )
    return Diagnosis(
        severity=Severity.WARN,
        code="probs.constant",
        what=f"All {len(labels):,} rows of probabilities are the same"
        + (": every class is equally likely." if uniform else "."),
        where=where,
        why="The model does not use the input, so it cannot tell a wrong label from a right one.",
        fix="Check the training and the features, and predict again.",
        count=len(labels),
    )


def _diagnose_order(
    labels: IntArray,
    predicted_labels: IntArray,
    class_names: Sequence[str],
    class_ids: Sequence[str] | None,
    where: str,
) -> list[Diagnosis]:
    """Return a warning with the order of columns that agrees clearly better, if there is one."""
    order = find_class_order(labels, predicted_labels, len(class_names))
    moved = np.flatnonzero(order != np.arange(len(order)))
    if not len(moved):
        return []
    before = float(np.mean(predicted_labels == labels))
    after = float(np.mean(order[predicted_labels] == labels))
    names = distinct_names(class_names, class_ids)
    lines = [f"the column of '{names[each]}' holds '{names[order[each]]}'" for each in moved]
    more = f", and {len(lines) - FIRST_ROWS:,} more" if len(lines) > FIRST_ROWS else ""
    keys = class_names if len(set(class_names)) == len(class_names) else (class_ids or class_names)
    return [
        Diagnosis(
            severity=Severity.WARN,
            code="columns.permuted",
            what=f"{len(moved):,} of {len(names):,} columns seem to belong to other classes: the "
            f"model agrees with {write_percent(before)} of the labels now, and with "
            f"{write_percent(after)} if {', '.join(lines[:FIRST_ROWS])}{more}.",
            where=where,
            why="If its columns are mixed up, a model contradicts most labels, and most are "
            "flagged.",
            fix="If this is right, give the classes in the order of the columns.",
            count=len(moved),
            first_rows=tuple(lines[:FIRST_ROWS]),
            override={"class_order": [keys[each] for each in order]},
        )
    ]
