"""Are the rows distributions? One look at all of them, then at the odd ones alone."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from curation.core.checks import Places, Survey, row_sum_tolerance, survey_probabilities
from curation.core.matrix import BoolArray, FloatArray, IntArray, Probabilities, read_blocks
from curation.loading.matrix import read_past_mapping
from curation.loading.notes import Notes

MOST_OFF_SUM = 0.01  # of rows may be off and are rescaled; more is no rounding, but another thing
MOST_ROWS_FOR_ONE = 1  # a single odd row in a small set is still "a few"


def survey(matrix: Probabilities) -> Survey:
    """Return what is odd about the rows, if anything."""
    return survey_probabilities(read_past_mapping(matrix))


def find_rows(matrix: Probabilities, odd: Callable[[NDArray[Any]], NDArray[Any]]) -> IntArray:
    """Return every row for which `odd` holds, read block by block."""
    found = [
        first + np.flatnonzero(odd(block))
        for first, _, block in read_blocks(matrix, 0, matrix.shape[0])
    ]
    return np.concatenate(found) if found else np.empty(0, np.int64)


def is_unusable(block: NDArray[Any]) -> BoolArray:
    """Tell which rows hold a NaN or an infinity, or nothing but zeros."""
    return np.asarray(~np.isfinite(block).all(axis=1) | ~block.any(axis=1))


def unusable_rows(matrix: Probabilities, found: Survey) -> IntArray:
    """Return the rows that no conversion can mend."""
    if not (found.missing or found.infinite or found.zero):
        return np.empty(0, np.int64)
    return find_rows(matrix, is_unusable)


def block_unusable(found: Survey, where: str, names: Callable[[int], str], notes: Notes) -> None:
    """Write down NaN, infinite and all-zero rows as faults, each with its rows."""
    faults = (
        ("probs.nan", found.missing, "a NaN", "One NaN quietly hides part of the label errors."),
        (
            "probs.infinite",
            found.infinite,
            "an infinity",
            "A softmax in float16 overflows above 11: exp(float16(12)) is inf.",
        ),
        ("probs.zero", found.zero, "nothing but zeros", "Such a row says nothing about any class."),
    )
    for code, places, what, why in faults:
        if places:
            notes.block(
                code,
                where,
                f"{places.count} {_rows(places)} hold{_s(places)} {what}.",
                "Predict these rows again, or pass drop_rows=True to leave them out.",
                why=why,
                count=places.count,
                rows=map(names, places.first),
                override={"drop_rows": True},
            )


def warn_dropped(rows: IntArray, where: str, names: Callable[[int], str], notes: Notes) -> None:
    """Write down which rows were left out because a person said so."""
    notes.warn(
        "probs.dropped",
        where,
        f"{len(rows)} rows without usable probabilities (NaN, infinite or all zero) are left out.",
        "Predict these rows again to have them back.",
        count=len(rows),
        rows=map(names, rows[:5].tolist()),
    )


def mend_sums(
    matrix: Probabilities, found: Survey, where: str, names: Callable[[int], str], notes: Notes
) -> tuple[IntArray, FloatArray] | None:
    """Return the few rows to divide by their sums; many are a fault, and are left as they are."""
    places = found.off_sum
    if not places:
        notes.ok("rows of probabilities add up to 1")
        return None
    total = matrix.shape[0]
    tolerance = row_sum_tolerance(matrix.dtype)
    example = float(np.asarray(matrix[places.first[0]], dtype=np.float64).sum())
    what = (
        f"{places.count} of {total} rows do not add up to 1 within {tolerance:g}; "
        f"the first adds up to {example:.4g}."
    )
    if places.count > max(MOST_OFF_SUM * total, MOST_ROWS_FOR_ONE) or found.negative:
        notes.block(
            "probs.sums",
            where,
            f"{what} Independent sigmoid scores? multi-label?",
            'Save them after softmax, or pass convert="rescale" to divide each row by its sum.',
            why="Confident learning compares classes within a row; these are not comparable.",
            count=places.count,
            rows=map(names, places.first),
            override={"convert": "rescale"},
        )
        return None
    notes.warn(
        "probs.sums",
        where,
        f"{what} These rows are divided by their sum when read.",
        "Save the probabilities with more digits.",
        count=places.count,
        rows=map(names, places.first),
    )
    return _rows_and_sums(matrix, tolerance)


def _rows_and_sums(matrix: Probabilities, tolerance: float) -> tuple[IntArray, FloatArray]:
    def is_off(block: NDArray[Any]) -> NDArray[Any]:
        return np.asarray(np.abs(block.sum(axis=1, dtype=np.float64) - 1) > tolerance)

    rows = find_rows(matrix, is_off)
    return rows, np.asarray(matrix[rows], dtype=np.float64).sum(axis=1)


def _rows(places: Places) -> str:
    return "row" if places.count == 1 else "rows"


def _s(places: Places) -> str:
    return "s" if places.count == 1 else ""
