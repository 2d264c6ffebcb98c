"""One look at every row of the probabilities, and what is done about the odd ones."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from curation.core.checks import FIRST_ROWS, Places, Survey, row_sum_tolerance, survey_probabilities
from curation.core.matrix import (
    FloatArray,
    IntArray,
    Probabilities,
    ShareDone,
    map_threads,
    read_blocks,
    working_dtype,
)
from curation.loading.doctor.values import FEW, name_rows
from curation.loading.probs.streaming import read_past_mapping
from curation.report import Diagnosis, Severity

FAR_OFF = 0.05  # from 1: more than any rounding of probabilities leaves
CHUNK_BYTES = 4 * 2**20  # what a thread reads at a time


@dataclass(frozen=True)
class Look:
    """What one reading of the whole matrix told."""

    survey: Survey
    predicted_labels: IntArray
    self_confidence: FloatArray


def look_at(matrix: Probabilities, labels: IntArray, progress: ShareDone | None = None) -> Look:
    """Return everything the doctor needs of a matrix, in one reading by several threads."""
    source = read_past_mapping(matrix)
    num_rows, num_classes = matrix.shape
    step = max(1, CHUNK_BYTES // (num_classes * matrix.dtype.itemsize))
    starts = range(0, num_rows, step)
    predicted = np.empty(num_rows, np.int64)
    confidence = np.empty(num_rows)
    surveys: dict[int, Survey] = {}

    @np.errstate(all="ignore")  # odd numbers are counted, not warned of
    def look(start: int) -> None:
        rows = slice(start, min(start + step, num_rows))
        chunk = np.asarray(source[rows])
        surveys[start] = survey_probabilities(chunk)
        given = labels[rows]
        confidence[rows] = chunk[np.arange(len(given)), given]
        predicted[rows] = chunk.astype(working_dtype(chunk.dtype), copy=False).argmax(axis=1)

    map_threads(look, starts, progress)
    return Look(_merge([(start, surveys[start]) for start in starts]), predicted, confidence)


def _merge(surveys: Sequence[tuple[int, Survey]]) -> Survey:
    """Return the survey of all chunks, rows counted from the start of the first."""
    odd = [field.name for field in fields(Survey) if field.name not in ("lowest", "highest")]
    merged: dict[str, Any] = {}
    for name in odd:
        places = [(start, getattr(each, name)) for start, each in surveys]
        rows = [start + row for start, place in places for row in place.first]
        merged[name] = Places(sum(place.count for _, place in places), tuple(rows[:FIRST_ROWS]))
    return Survey(
        min(each.lowest for _, each in surveys), max(each.highest for _, each in surveys), **merged
    )


@np.errstate(all="ignore")  # odd numbers are counted, not warned of
def find_unusable(matrix: Probabilities, survey: Survey) -> IntArray:
    """Return the rows with a NaN or an infinity, or nothing but zeros: no conversion mends them."""
    if not (survey.missing or survey.infinite or survey.zero):
        return np.empty(0, np.int64)

    def is_unusable(block: NDArray[Any]) -> NDArray[Any]:
        return np.asarray(~np.isfinite(block).all(axis=1) | ~block.any(axis=1))

    return _find_rows(matrix, is_unusable)


@np.errstate(all="ignore")  # odd numbers are counted, not warned of
def find_sums(matrix: Probabilities, survey: Survey) -> tuple[IntArray, FloatArray] | None:
    """Return the rows to divide by their sums, if they are few and otherwise sound."""
    odd = survey.missing or survey.infinite or survey.negative or survey.above_one or survey.zero
    if odd or not 0 < survey.off_sum.count <= FEW * matrix.shape[0]:
        return None
    tolerance = row_sum_tolerance(matrix.dtype)

    def is_off(block: NDArray[Any]) -> NDArray[Any]:
        return np.asarray(np.abs(block.sum(axis=1, dtype=np.float64) - 1) > tolerance)

    rows = _find_rows(matrix, is_off)
    return rows, np.asarray(matrix[rows], dtype=np.float64).sum(axis=1)


def say_divided(
    diagnosis: Diagnosis, scaled: tuple[IntArray, FloatArray], ids: Sequence[Any] | Any
) -> Diagnosis:
    """Return the doctor's warning about a few sums, saying what was done about them.

    Rounding leaves a row a little off. A row far off was not a distribution, and dividing it by
    its sum makes it look like one: those are said first, with their sums, and not called harmless.
    """
    if diagnosis.code != "probs.sums" or diagnosis.severity is not Severity.WARN:
        return diagnosis
    rows, sums = scaled
    what = f"{diagnosis.what} These rows are divided by their sum when read."
    far = np.flatnonzero(np.abs(sums - 1) > FAR_OFF)
    if not len(far):
        fix = "Nothing needs doing; save the probabilities with more digits to be rid of this."
        return replace(diagnosis, what=what, fix=fix, override={})
    worst = far[np.argsort(-np.abs(sums[far] - 1), kind="stable")][:FIRST_ROWS]
    first = tuple(
        f"{name} (adds up to {sums[each]:.4g})"
        for each, name in zip(worst, name_rows(Places(0, tuple(rows[worst])), ids), strict=True)
    )
    return replace(
        diagnosis,
        what=f"{what} {len(far):,} {'is' if len(far) == 1 else 'are'} off by more than "
        f"{FAR_OFF:g}, which is no rounding.",
        why="Divided by its sum, a damaged row looks like a sound one and may hide a label error.",
        fix="Look at these rows and predict them again; do not trust what is said of them.",
        first_rows=first,
        override={},
    )


def _find_rows(matrix: Probabilities, odd: Callable[[NDArray[Any]], NDArray[Any]]) -> IntArray:
    found = [
        first + np.flatnonzero(odd(block))
        for first, _, block in read_blocks(read_past_mapping(matrix), 0, matrix.shape[0])
    ]
    return np.concatenate(found) if found else np.empty(0, np.int64)
