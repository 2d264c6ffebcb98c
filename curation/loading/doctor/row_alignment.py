"""Checks that row k of the labels and of the probabilities is the same example."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from curation.core.matrix import BoolArray, IntArray
from curation.report import Diagnosis, Severity

MIN_AGREEMENT_ABOVE_CHANCE = 0.10  # a model with the right rows exceeds chance by at least this
# If one class is most of the data, chance is nearly 1 and no model can be 0.10 above it.
# Then the model must gain this share of what chance leaves; at a chance of 1/2 both rules agree.
MIN_SHARE_OF_REST = 0.20
MAX_FLAGGED_SHARE = 0.5
TRIED_SHIFTS = (1, -1, 2, -2, 3, -3, 4, -4, 5, -5)  # rows
MIN_SHIFT_STANDARD_ERRORS = 4.0  # by which a shift must do better: 1 in 30,000 by chance
MIN_LATE_SHIFT_STANDARD_ERRORS = 6.0  # if it starts at a later row: any row could be that one


def diagnose_rows(
    labels: IntArray, predicted_labels: IntArray, flagged: BoolArray | int | None, where: str
) -> list[Diagnosis]:
    """Return a warning if labels and predictions hardly agree, or would agree when shifted."""
    agreement = float(np.mean(labels == predicted_labels))
    chance = _agreement_by_chance(labels, predicted_labels)
    low = agrees_by_chance(labels, predicted_labels)
    num_flagged = int(np.sum(flagged)) if flagged is not None else 0
    many = num_flagged > MAX_FLAGGED_SHARE * len(labels)
    shift, shifted = _find_shift(labels, predicted_labels)
    if not (low or many or shift):
        return []
    what = (
        f"The model agrees with the labels in {'only ' if low else ''}{write_percent(agreement)} "
        f"of {len(labels):,} examples; chance is {write_percent(chance)}."
    )
    if many:
        what += f" {num_flagged:,} of {len(labels):,} labels are flagged."
    if shift:
        what += f" {_shift_in_words(shift)}, it agrees in {write_percent(shifted)}."
    return [
        Diagnosis(
            severity=Severity.WARN,
            code="rows.shifted" if shift else "rows.misaligned",
            what=what,
            where=where,
            why="If labels and probabilities in a row belong to different examples, all findings "
            "are meaningless.",
            fix=_row_fix(labels, predicted_labels, shift),
            count=len(labels),
        )
    ]


def agrees_by_chance(labels: IntArray, predicted_labels: IntArray) -> bool:
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


def diagnose_rest(
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
            what=f"The model agrees with the labels in {write_percent(float(same[:start].mean()))} "
            f"of the examples before row {start:,}, and in "
            f"{write_percent(float(same[start:].mean()))} from there on. {_shift_in_words(shift)}, "
            f"it agrees with these in {write_percent(float(moved.mean()))}.",
            where=where,
            why="If labels and probabilities in a row belong to different examples, all findings "
            "about them are meaningless.",
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
        if hits > _count_usual(labels[start:], rest) and not agrees_by_chance(
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
    return "Save labels and probabilities in the same order, or give both an id column."


def _is_sorted(values: IntArray) -> bool:
    """Return whether values are grouped: fewer than one in ten differs from the one before."""
    return bool(np.count_nonzero(np.diff(values)) < len(values) / 10)


def write_percent(share: float) -> str:
    """Return a share as a percentage with one decimal."""
    return f"{100 * share:.1f} %"
