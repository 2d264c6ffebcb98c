"""Checks that rows are distributions; if not, finds out what they are, such as logits."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from curation.core.checks import VALUE_TOLERANCE, Places, Survey, format_value, row_sum_tolerance
from curation.core.matrix import BoolArray, FloatArray, Probabilities
from curation.report import Diagnosis, Severity

MAX_WARNED_SHARE = 0.01  # of rows: if no more are off, it is rounding, and only a warning
MIN_OTHER_KIND_SHARE = 0.5  # of rows: if more are off, the matrix is another kind of number
SAMPLED_SLICES, SLICE_ROWS = 16, 64  # read to find out which kind of number it is
PERCENT_TOLERANCE = 2.0  # percentages rounded to whole numbers add up to 98 to 102
LOG_TOLERANCE = 0.02  # how far the exponentials of log-probabilities may be from adding up to 1
MIN_MATCHING_SHARE = 0.95  # of the sampled rows; the others may be damaged
SCALE_TOLERANCE = 0.01  # how far, as a share, row sums may differ and still have one scale
ROUNDING_TOLERANCE = 0.01  # a value no further outside 0 to 1 is a rounding error, not a logit

Ids = Sequence[Any] | NDArray[Any] | None


@np.errstate(all="ignore")  # invalid numbers are counted by the survey
def diagnose_values(
    survey: Survey, pred_probs: Probabilities, ids: Ids = None, *, where: str = "probabilities"
) -> list[Diagnosis]:
    """Return why rows are not distributions, from a survey of all rows and a sample of them."""
    num_rows = pred_probs.shape[0]
    found = [*_diagnose_unusable(survey, num_rows, ids, where)]
    # By the range of the finite values: an infinity is above 1, but not a sign of logits.
    tolerance = row_sum_tolerance(pred_probs.dtype)
    if survey.lowest < -VALUE_TOLERANCE or survey.highest > 1 + tolerance:
        found.append(_diagnose_range(survey, _read_sample(pred_probs), ids, where, num_rows))
    elif survey.off_sum:
        found.append(_diagnose_sums(survey, pred_probs, ids, where))
    if survey.just_above_one and not found:
        found.append(_just_above_one(survey, num_rows, ids, where))
    if pred_probs.dtype == np.float16 and not found:
        found.append(_half_precision(num_rows, where))
    return found


def _diagnose_unusable(survey: Survey, num_rows: int, ids: Ids, where: str) -> list[Diagnosis]:
    kinds = (
        (
            "probs.nan",
            survey.missing,
            "NaN",
            "A NaN hides some of the label errors without any notice.",
        ),
        (
            "probs.infinite",
            survey.infinite,
            "an infinity",
            "An infinity makes every average infinite. A softmax in float16 overflows above 11: "
            "exp(float16(12)) is inf.",
        ),
        ("probs.zero", survey.zero, "only zeros", "Such a row favours no class."),
    )
    return [
        Diagnosis(
            severity=Severity.BLOCK,
            code=code,
            what=f"{_rows_in_words(places, num_rows)} {what}.",
            where=where,
            why=why,
            fix="Predict these rows again (in float32), or leave them out.",
            count=places.count,
            first_rows=name_rows(places, ids),
            override={"drop_rows": True},
        )
        for code, places, what, why in kinds
        if places
    ]


def _diagnose_range(
    survey: Survey, sample: FloatArray, ids: Ids, where: str, num_rows: int
) -> Diagnosis:
    """Return a diagnosis of which kind of number is outside 0 to 1."""
    outside = max(survey.negative, survey.above_one, key=lambda each: each.count)
    sums = sample.sum(axis=1)
    span = f"Values run from {format_value(survey.lowest)} to {format_value(survey.highest)}"
    many = max(survey.off_sum.count, outside.count) > MIN_OTHER_KIND_SHARE * num_rows
    middle = float(np.median(sums)) if len(sums) else 0.0
    code, what, fix, override = _name_kind(survey, sample, sums, middle, many)
    return Diagnosis(
        severity=Severity.BLOCK,
        code=code,
        what=f"{span}: {what}. {_rows_in_words(outside, num_rows)} values outside 0 to 1.",
        where=where,
        why="Confident learning averages probabilities; other numbers give wrong thresholds.",
        fix=fix,
        count=outside.count,
        first_rows=name_rows(outside, ids),
        override=override,
    )


def _name_kind(
    survey: Survey, sample: FloatArray, sums: FloatArray, middle: float, many: bool
) -> tuple[str, str, str, Mapping[str, Any]]:
    """Return the code, the words, the fix and the override for numbers outside 0 to 1."""
    rounding = survey.lowest >= -ROUNDING_TOLERANCE and survey.highest <= 1 + ROUNDING_TOLERANCE
    if not many or rounding:
        words = "a few rows are not probabilities" if not many else "a little outside 0 to 1"
        fix = "Clip the values to 0 and 1 and divide each row by its sum, then save again."
        return "probs.range", words, fix, {} if survey.negative else {"convert": "rescale"}
    if not survey.negative and _most(np.abs(sums - 100) <= PERCENT_TOLERANCE):
        words = "rows add up to 100, so these look like percentages"
        return "probs.percent", words, "Divide them by 100.", {"convert": "percent"}
    if not survey.negative and middle > 1 and _most(np.abs(sums / middle - 1) < SCALE_TOLERANCE):
        words = f"rows add up to {middle:.4g}, so these look like counts or scaled probabilities"
        return "probs.scaled", words, "Divide each row by its sum.", {"convert": "rescale"}
    log = survey.highest <= 0 and _most(np.abs(np.exp(sample).sum(axis=1) - 1) < LOG_TOLERANCE)
    words = "these look like log-probabilities" if log else "looks like logits"
    fix = "Apply softmax to each row before saving, or have it applied on load."
    return "probs.logits", f"{words}; apply softmax", fix, {"convert": "softmax"}


def _most(matches: BoolArray) -> bool:
    """Return whether nearly all rows match; False if there are no rows."""
    return len(matches) > 0 and float(matches.mean()) > MIN_MATCHING_SHARE


def _diagnose_sums(survey: Survey, pred_probs: Probabilities, ids: Ids, where: str) -> Diagnosis:
    places, num_rows = survey.off_sum, pred_probs.shape[0]
    row = places.first[0]
    total = float(np.asarray(pred_probs[row : row + 1], dtype=np.float64).sum())
    tolerance = row_sum_tolerance(pred_probs.dtype)
    few = places.count <= MAX_WARNED_SHARE * num_rows
    return Diagnosis(
        severity=Severity.WARN if few else Severity.BLOCK,
        code="probs.sums",
        what=f"{places.count:,} of {num_rows:,} rows do not add up to 1 within {tolerance:g}; the "
        f"first adds up to {format_value(total)}.{'' if few else _guess_sums(pred_probs)}",
        where=where,
        why="Confident learning compares the classes within a row, so a row must be a "
        "distribution.",
        fix="Save the probabilities after softmax, or have each row divided by its sum on load.",
        count=places.count,
        first_rows=name_rows(places, ids),
        override={"convert": "rescale"},
    )


def _guess_sums(pred_probs: Probabilities) -> str:
    """Return what the numbers may be, when many rows do not add up to 1."""
    sums = _read_sample(pred_probs).sum(axis=1)
    if _most(np.abs(sums - 1) <= row_sum_tolerance(np.dtype(np.float16))):
        return " Rounded, perhaps once saved as float16?"
    return " Are they independent sigmoid scores, as in multi-label data?"


@np.errstate(all="ignore")  # invalid numbers are counted by the survey
def diagnose_conversion(convert: str, stored: Probabilities, *, where: str) -> list[Diagnosis]:
    """Return a warning if the requested conversion does not fit the stored numbers.

    At most a thousand rows are read. Once converted, most numbers look like probabilities, so no
    later check would notice.
    """
    sample = _read_sample(stored)
    if not len(sample):
        return []
    sums = sample.sum(axis=1)
    inside = sample.min() >= -VALUE_TOLERANCE and sample.max() <= 1 + VALUE_TOLERANCE
    if (
        convert != "rescale"
        and inside
        and _most(np.abs(sums - 1) <= row_sum_tolerance(stored.dtype))
    ):
        what = f"convert={convert!r} was asked for, but these are probabilities already."
        return [_unfit(what, "Leave convert out.", {}, where, stored.shape[0])]
    percent = sample.min() >= 0 and _most(np.abs(sums - 100) <= PERCENT_TOLERANCE)
    if convert == "softmax" and percent:
        what = "convert='softmax' was asked for, but rows add up to 100, as percentages do."
        fix = "Divide them by 100: convert='percent'."
        return [_unfit(what, fix, {"convert": "percent"}, where, stored.shape[0])]
    return []


def _unfit(
    what: str, fix: str, override: Mapping[str, Any], where: str, num_rows: int
) -> Diagnosis:
    why = "After a double or wrong conversion, confidences and thresholds are wrong."
    code = "probs.conversion"
    return Diagnosis(
        severity=Severity.WARN,
        code=code,
        what=what,
        where=where,
        why=why,
        fix=fix,
        count=num_rows,
        first_rows=(),
        override=override,
    )


def _just_above_one(survey: Survey, num_rows: int, ids: Ids, where: str) -> Diagnosis:
    places = survey.just_above_one
    return Diagnosis(
        severity=Severity.AUTO,
        code="probs.just_above_one",
        what=f"{_rows_in_words(places, num_rows)} a value a little above 1, at most "
        f"{format_value(survey.highest)}. It counts as 1.",
        where=where,
        why="The rows add up to 1 as far as rounding allows, so this is a rounding error.",
        fix="Nothing needs to be done. Save the probabilities with more digits to avoid this.",
        count=places.count,
        first_rows=name_rows(places, ids),
    )


def _half_precision(num_rows: int, where: str) -> Diagnosis:
    return Diagnosis(
        severity=Severity.AUTO,
        code="probs.float16",
        what="The probabilities are stored as float16 and computed with as float32.",
        where=where,
        why="Half precision keeps three digits, so the order of nearly equal examples may differ.",
        fix="Nothing needs to be done. Save float32 to keep more digits.",
        count=num_rows,
    )


def _read_sample(pred_probs: Probabilities) -> FloatArray:
    """Return at most a thousand rows, spread over the matrix, without the unusable ones."""
    num_rows = pred_probs.shape[0]
    starts = np.unique(np.linspace(0, max(0, num_rows - SLICE_ROWS), SAMPLED_SLICES).astype(int))
    slices = [pred_probs[start : start + SLICE_ROWS] for start in starts.tolist()]
    rows = np.concatenate([np.asarray(each, dtype=np.float64) for each in slices])
    return np.asarray(rows[np.isfinite(rows).all(axis=1)])


def name_rows(places: Places, ids: Ids) -> tuple[str, ...]:
    """Return the first rows by id, or by number from 0 if there are no ids."""
    return tuple(f"row {row}" if ids is None else str(ids[row]) for row in places.first)


def _rows_in_words(places: Places, num_rows: int) -> str:
    return f"{places.count:,} of {num_rows:,} rows {'holds' if places.count == 1 else 'hold'}"
