"""What one reading of a whole matrix shows: invalid rows, predictions and confidences."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields
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
from curation.loading.doctor.values import MAX_WARNED_SHARE

CHUNK_BYTES = 4 * 2**20  # read by a thread at a time


@dataclass(frozen=True)
class MatrixSurvey:
    """What one reading of the whole matrix showed."""

    survey: Survey
    predicted_labels: IntArray
    self_confidence: FloatArray
    top_confidence: FloatArray  # of the likeliest class


def survey_matrix(
    matrix: Probabilities, labels: IntArray, progress: ShareDone | None = None
) -> MatrixSurvey:
    """Return everything the doctor needs to know about a matrix, read once by several threads."""
    num_rows, num_classes = matrix.shape
    step = max(1, CHUNK_BYTES // (num_classes * matrix.dtype.itemsize))
    starts = range(0, num_rows, step)
    predicted = np.empty(num_rows, np.int64)
    confidence, top = np.empty(num_rows), np.empty(num_rows)
    surveys: dict[int, Survey] = {}

    @np.errstate(all="ignore")  # invalid numbers are counted by the survey
    def look(start: int) -> None:
        rows = slice(start, min(start + step, num_rows))
        chunk = np.asarray(matrix[rows])
        surveys[start] = survey_probabilities(chunk)
        given = labels[rows]
        confidence[rows] = chunk[np.arange(len(given)), given]
        predicted[rows] = chunk.astype(working_dtype(chunk.dtype), copy=False).argmax(axis=1)
        top[rows] = chunk[np.arange(len(given)), predicted[rows]]

    map_threads(look, starts, progress)
    return MatrixSurvey(
        _merge([(start, surveys[start]) for start in starts]), predicted, confidence, top
    )


def _merge(surveys: Sequence[tuple[int, Survey]]) -> Survey:
    """Return the survey of all chunks, with rows counted from the start of the matrix."""
    odd = [field.name for field in fields(Survey) if field.name not in ("lowest", "highest")]
    merged: dict[str, Any] = {}
    for name in odd:
        places = [(start, getattr(each, name)) for start, each in surveys]
        rows = [start + row for start, place in places for row in place.first]
        merged[name] = Places(sum(place.count for _, place in places), tuple(rows[:FIRST_ROWS]))
    return Survey(
        min(each.lowest for _, each in surveys), max(each.highest for _, each in surveys), **merged
    )


@np.errstate(all="ignore")  # invalid numbers are counted by the survey
def find_unusable(matrix: Probabilities, survey: Survey) -> IntArray:
    """Return the rows with NaN, infinity or only zeros: no conversion fixes them."""
    if not (survey.missing or survey.infinite or survey.zero):
        return np.empty(0, np.int64)

    def is_unusable(block: NDArray[Any]) -> NDArray[Any]:
        return np.asarray(~np.isfinite(block).all(axis=1) | ~block.any(axis=1))

    return _find_rows(matrix, is_unusable)


@np.errstate(all="ignore")  # invalid numbers are counted by the survey
def find_rows_to_rescale(
    matrix: Probabilities, survey: Survey
) -> tuple[IntArray, FloatArray] | None:
    """Return the rows to divide by their sums, if they are few and otherwise valid."""
    odd = survey.missing or survey.infinite or survey.negative or survey.above_one or survey.zero
    if odd or not 0 < survey.off_sum.count <= MAX_WARNED_SHARE * matrix.shape[0]:
        return None
    tolerance = row_sum_tolerance(matrix.dtype)

    def is_off(block: NDArray[Any]) -> NDArray[Any]:
        return np.asarray(np.abs(block.sum(axis=1, dtype=np.float64) - 1) > tolerance)

    rows = _find_rows(matrix, is_off)
    return rows, np.asarray(matrix[rows], dtype=np.float64).sum(axis=1)


def _find_rows(matrix: Probabilities, odd: Callable[[NDArray[Any]], NDArray[Any]]) -> IntArray:
    found = [
        first + np.flatnonzero(odd(block))
        for first, _, block in read_blocks(matrix, 0, matrix.shape[0])
    ]
    return np.concatenate(found) if found else np.empty(0, np.int64)
