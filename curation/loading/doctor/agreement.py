"""Checks that labels and predictions are about the same rows and classes, and out of sample."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from curation.class_names import distinct_names
from curation.core.matrix import BoolArray, FloatArray, IntArray
from curation.loading.doctor.column_order import find_class_order
from curation.report import FIRST_ROWS, Diagnosis, Severity

MIN_ROWS_TO_JUDGE = 10  # the agreement of fewer rows says nothing
MIN_AGREEMENT_ABOVE_CHANCE = 0.10  # a model with the right rows exceeds chance by at least this
# If one class is most of the data, chance is nearly 1 and no model can be 0.10 above it.
# Then the model must gain this share of what chance leaves; at a chance of 1/2 both rules agree.
MIN_SHARE_OF_REST = 0.20
MAX_FLAGGED_SHARE = 0.5
TRIED_SHIFTS = (1, -1, 2, -2, 3, -3, 4, -4, 5, -5)  # rows
MIN_SHIFT_STANDARD_ERRORS = 4.0  # by which a shift must do better: 1 in 30,000 by chance
MIN_LATE_SHIFT_STANDARD_ERRORS = 6.0  # if it starts at a later row: any row could be that one
IN_SAMPLE_AGREEMENT = 0.995
IN_SAMPLE_CONFIDENCE = 0.99
CONTRADICTED_BELOW = 0.1  # self-confidence below which the model is sure of another class
MIN_ROWS_TO_EXPECT_ERRORS = 300  # with 1 % wrong labels, 95 % of such sets have one (0.99 ** 300)
MAX_CONTRADICTED_SHARE = 0.001  # of rows: the same content under two labels, which no model repeats
FLAT_TOLERANCE = 0.05  # as a share of 1/m: no class stands out
SAME_ROW_TOLERANCE = 1e-6  # rows that differ by less are the same prediction


def diagnose_agreement(
    labels: IntArray,
    predicted_labels: IntArray,
    self_confidence: FloatArray,
    class_names: Sequence[str],
    class_ids: Sequence[str] | None = None,
    *,
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
    if _is_flat(self_confidence, len(class_names)) and _agrees_by_chance(labels, predicted_labels):
        return [_flat(labels, class_names, where)]
    found = _diagnose_in_sample(labels, predicted_labels, self_confidence, where)
    if len(labels) < MIN_ROWS_TO_JUDGE:
        return found
    permuted = _diagnose_order(labels, predicted_labels, class_names, class_ids, where)
    rows = permuted or _diagnose_rows(labels, predicted_labels, flagged, where)
    return found + (rows or _diagnose_rest(labels, predicted_labels, ids, where))


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
        "likely "
        f"(within {100 * FLAT_TOLERANCE:.0f} % of 1/{len(class_names)}).",
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


def _diagnose_in_sample(
    labels: IntArray, predicted_labels: IntArray, self_confidence: FloatArray, where: str
) -> list[Diagnosis]:
    """Return a warning if the model repeats its labels as only one trained on them does.

    It agrees with at least 99.5 % of the labels, gives them 0.99 on average, and is sure of
    another class for at most one example in a thousand. The last condition separates a model that
    memorized its labels from a good model of easy data: if a label is wrong, a model that never
    saw it is sure of the right one. Fewer than 300 examples may have no wrong label; then only a
    model with no doubt at all is suspected, such as a tree or a nearest neighbour.

    Measured (tests/loading/doctor/test_in_sample.py): of 384 varied out-of-sample sets 4.4 % are
    suspected, 6.2 % without the last two conditions; these are sets without errors that any
    model gets right. All in-sample trees and nearest neighbours are found. A forest or a
    strongly regularised model repeats its labels with doubts, and is not found.
    """
    agreement, confidence = (
        float(np.mean(labels == predicted_labels)),
        float(self_confidence.mean()),
    )
    contradicted = int((self_confidence < CONTRADICTED_BELOW).sum())
    if agreement < IN_SAMPLE_AGREEMENT or confidence < IN_SAMPLE_CONFIDENCE:
        return []
    if contradicted > MAX_CONTRADICTED_SHARE * len(labels):
        return []
    doubts = (self_confidence[labels == predicted_labels] < 1).any()
    if len(labels) < MIN_ROWS_TO_EXPECT_ERRORS and doubts:
        return []
    return [
        Diagnosis(
            severity=Severity.WARN,
            code="probs.in_sample",
            what=f"The model agrees with {_percent(agreement)} of the labels and gives them "
            f"{_percent(confidence)} on average: probably predicted on training data.",
            where=where,
            why="A model repeats the labels it was trained on, including the wrong ones, so few "
            "will be found.",
            fix="Predict each part with a model trained on the others (cross-validation), such as "
            "scikit-learn's cross_val_predict(model, X, y, method='predict_proba').",
            count=len(labels),
        )
    ]


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
            "model "
            f"agrees with {_percent(before)} of the labels now, and with "
            f"{_percent(after)} if {', '.join(lines[:FIRST_ROWS])}{more}.",
            where=where,
            why="With its columns mixed up a model contradicts most labels, and most get flagged.",
            fix="If this is right, give the classes in the order of the columns.",
            count=len(moved),
            first_rows=tuple(lines[:FIRST_ROWS]),
            override={"class_order": [keys[each] for each in order]},
        )
    ]


def _diagnose_rows(
    labels: IntArray, predicted_labels: IntArray, flagged: BoolArray | int | None, where: str
) -> list[Diagnosis]:
    """Return a warning if labels and predictions hardly agree, or would agree when shifted."""
    agreement = float(np.mean(labels == predicted_labels))
    chance = _agreement_by_chance(labels, predicted_labels)
    low = _agrees_by_chance(labels, predicted_labels)
    num_flagged = int(np.sum(flagged)) if flagged is not None else 0
    many = num_flagged > MAX_FLAGGED_SHARE * len(labels)
    shift, shifted = _find_shift(labels, predicted_labels)
    if not (low or many or shift):
        return []
    what = (
        f"The model agrees with the labels in {'only ' if low else ''}{_percent(agreement)} of "
        f"{len(labels):,} examples; chance is {_percent(chance)}."
    )
    if many:
        what += f" {num_flagged:,} of {len(labels):,} labels are flagged."
    if shift:
        what += f" {_shift_in_words(shift)}, it agrees in {_percent(shifted)}."
    return [
        Diagnosis(
            severity=Severity.WARN,
            code="rows.shifted" if shift else "rows.misaligned",
            what=what,
            where=where,
            why="If rows of labels and probabilities are not the same example, everything "
            "found is "
            "meaningless.",
            fix=_row_fix(labels, predicted_labels, shift),
            count=len(labels),
        )
    ]


def _agrees_by_chance(labels: IntArray, predicted_labels: IntArray) -> bool:
    """Return whether labels and predictions agree hardly more than by chance."""
    chance = _agreement_by_chance(labels, predicted_labels)
    agreement = float(np.mean(labels == predicted_labels))
    return agreement <= chance + min(MIN_AGREEMENT_ABOVE_CHANCE, MIN_SHARE_OF_REST * (1 - chance))


def _agreement_by_chance(labels: IntArray, predicted_labels: IntArray) -> float:
    """Return how often labels and predictions would agree if they were independent."""
    size = int(max(labels.max(), predicted_labels.max())) + 1
    given = np.bincount(labels, minlength=size) / len(labels)
    predicted = np.bincount(predicted_labels, minlength=size) / len(labels)
    return float(given @ predicted)


def _find_shift(labels: IntArray, predicted_labels: IntArray) -> tuple[int, float]:
    """Return the shift of the probabilities, in rows, that agrees clearly better, and how well.

    Only predictions whose label would change with the shift are counted. This also finds a shift
    in sorted data, where it hardly changes the agreement: at the borders between classes, the
    predictions still favour it.
    """
    best = (0, 0)
    for shift in TRIED_SHIFTS:
        if abs(shift) >= len(labels) // 2:
            continue
        shifted = np.roll(labels, -shift)
        changed = shifted != labels
        gained = int(((predicted_labels == shifted) & changed).sum())
        lost = int(((predicted_labels == labels) & changed).sum())
        if gained - lost > max(best[1], MIN_SHIFT_STANDARD_ERRORS * (gained + lost) ** 0.5):
            best = (shift, gained - lost)
    return best[0], float(np.mean(np.roll(labels, -best[0]) == predicted_labels))


def _diagnose_rest(
    labels: IntArray,
    predicted_labels: IntArray,
    ids: Sequence[Any] | NDArray[Any] | None,
    where: str,
) -> list[Diagnosis]:
    """Return a warning if labels and predictions would agree when shifted from some row on.

    Measured (tests/loading/doctor/test_shifted_rest.py): none of 400 varied correct sets is
    suspected, including sorted ones and ones that get harder towards the end. A shift of the last
    100 rows by one is found in all of 100 sets with 20 classes and 90 % agreement.
    """
    shift, start = find_shifted_rest(labels, predicted_labels)
    if not shift:
        return []
    same = labels == predicted_labels
    moved = np.roll(labels, -shift)[start:] == predicted_labels[start:]
    return [
        Diagnosis(
            severity=Severity.WARN,
            code="rows.shifted",
            what=f"The model agrees with the labels in {_percent(float(same[:start].mean()))} of "
            "the "
            f"examples before row {start:,}, and in {_percent(float(same[start:].mean()))} from "
            f"there on. {_shift_in_words(shift)}, it agrees with these in "
            f"{_percent(float(moved.mean()))}.",
            where=where,
            why="If rows of labels and probabilities are not the same example, everything found "
            "about them is meaningless.",
            fix="Look for a missing or an extra row near there in one of the files.",
            count=len(labels) - start,
            first_rows=(f"row {start}" if ids is None else str(ids[start]),),
        )
    ]


def find_shifted_rest(labels: IntArray, predicted_labels: IntArray) -> tuple[int, int]:
    """Return a shift that agrees clearly better from some row on, and that row; 0 if none does.

    Harder examples at the end are not mistaken for a shift: their predictions are wrong, but do
    not match their neighbours' labels. Confused classes are not either: there the prediction
    depends on the label, not on the row. If labels repeat in a fixed order, the two look the same.

    >>> labels = np.arange(300) ** 2 // 5 % 7
    >>> predicted = np.append(labels[:200], np.roll(labels[200:], 2))
    >>> find_shifted_rest(labels, predicted)
    (-2, 202)
    """
    best = (0, 0, 0)
    for shift in TRIED_SHIFTS:
        if abs(shift) >= len(labels) // 2:
            continue
        shifted = np.roll(labels, -shift)
        gain = (predicted_labels == shifted).astype(np.int8) - (predicted_labels == labels)
        gains = np.cumsum(gain[::-1], dtype=np.int64)[::-1]  # from each row to the end
        start = int(gains.argmax())
        enough = MIN_LATE_SHIFT_STANDARD_ERRORS * np.count_nonzero(gain[start:]) ** 0.5
        if start == 0 or gains[start] <= max(best[0], enough):
            continue
        rest = predicted_labels[start:]
        hits = int((shifted[start:] == rest).sum())
        if hits > _count_usual(labels[start:], rest) and not _agrees_by_chance(
            shifted[start:], rest
        ):
            best = (int(gains[start]), shift, start)
    return best[1], best[2]


def _count_usual(labels: IntArray, predicted_labels: IntArray) -> int:
    """Return how many predictions are the usual one for their label, judged by the other rows.

    >>> _count_usual(np.array([0, 0, 0, 1, 1, 2]), np.array([2, 2, 2, 0, 1, 1]))
    3
    """
    size = int(max(labels.max(), predicted_labels.max())) + 1
    pairs, counts = np.unique(labels * size + predicted_labels, return_counts=True)
    first, second = np.zeros(size, np.int64), np.zeros(size, np.int64)
    np.maximum.at(first, pairs // size, counts)
    top = counts == first[pairs // size]
    np.maximum.at(second, pairs[~top] // size, counts[~top])
    tied = np.bincount(pairs[top] // size, minlength=size) > 1
    return int(first[(first - 1 > second) & ~tied].sum())


def _shift_in_words(shift: int) -> str:
    rows = "1 row" if abs(shift) == 1 else f"{abs(shift)} rows"
    return f"With the probabilities moved {'down' if shift > 0 else 'up'} by {rows}"


def _row_fix(labels: IntArray, predicted_labels: IntArray, shift: int) -> str:
    if shift:
        return "Look for a missing or an extra row at the beginning of one of the files."
    if _is_sorted(labels) != _is_sorted(predicted_labels):
        one = "labels" if _is_sorted(labels) else "predictions"
        return f"The {one} are sorted by class and the others are not: save both in the same order."
    return (
        "Save labels and probabilities in the same order, or give both an id column to join "
        "them by."
    )


def _is_sorted(values: IntArray) -> bool:
    """Return whether values are grouped: fewer than one in ten differs from the one before."""
    return bool(np.count_nonzero(np.diff(values)) < len(values) / 10)


def _percent(share: float) -> str:
    return f"{100 * share:.1f} %"
