"""Checks labels and probabilities once, so that the mathematics after it can trust them.

An error names what is wrong, the rows and the value found, and what to do. The loader makes the
same checks through `survey_probabilities` and writes its own messages.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NoReturn

import numpy as np
from numpy.typing import NDArray

from curation.core.matrix import BoolArray, IntArray, Probabilities, read_blocks
from curation.errors import InputError

FIRST_ROWS = 5  # how many rows a message names

# How far a row may be from adding up to 1. Single precision keeps a sum of a thousand terms to
# 1e-5; 1e-3 leaves room for probabilities saved with three decimals. Half precision rounds each
# term by up to 5e-4: the paper's own files, ten classes in float16, are off by up to 0.014.
ROW_SUM_TOLERANCE = 1e-3
ROW_SUM_TOLERANCE_HALF = 2e-2
# How far a value may be below 0: the rounding error of 1 - (a sum). Above 1 it may be as far off as
# the sum of a row: a published file holds 1.00001 in rows that add up to 1.00002. It counts as 1.
VALUE_TOLERANCE = 1e-6


@dataclass(frozen=True)
class Places:
    """How many rows have a certain fault, and the first few of them."""

    count: int
    first: tuple[int, ...]

    def __bool__(self) -> bool:
        return self.count > 0


@dataclass(frozen=True)
class Survey:
    """The range of a matrix's finite values, its invalid rows of six kinds, and rounded ones."""

    lowest: float
    highest: float
    missing: Places  # a NaN
    infinite: Places
    negative: Places
    above_one: Places
    zero: Places  # only zeros
    off_sum: Places  # finite, and adding up to something other than 1
    just_above_one: Places  # a value above 1 by no more than rounding; valid, and counts as 1

    @property
    def valid(self) -> bool:
        return not any(getattr(self, oddity) for oddity in _ODDITIES)


_ODDITIES = ("missing", "infinite", "negative", "above_one", "zero", "off_sum")


def row_sum_tolerance(dtype: np.dtype[Any]) -> float:
    """Return how far a row of this type may be from adding up to 1."""
    return ROW_SUM_TOLERANCE_HALF if dtype == np.float16 else ROW_SUM_TOLERANCE


@np.errstate(all="ignore")  # invalid numbers are counted, so NumPy need not warn
def holds_distributions(block: NDArray[Any], tolerance: float) -> bool:
    """Return whether every row of a block is a distribution.

    A quick test is enough for nearly every block: a NaN or an infinity makes its row's sum one
    too, so the sums and the lowest value show every fault. The sums are computed in the block's
    own type, so only nine tenths of the tolerance pass; the rest is checked exactly.
    """
    sums = np.einsum("ij->i", block)  # several times faster than block.sum(axis=1)
    if np.abs(sums - 1).max() <= 0.9 * tolerance and block.min() >= 0:
        return True
    return not any(odd.any() for odd in _find_odd_rows(block, tolerance))


@np.errstate(all="ignore")  # invalid numbers are counted, so NumPy need not warn
def survey_probabilities(pred_probs: Probabilities) -> Survey:
    """Return everything that is wrong with a matrix, reading it once.

    >>> survey = survey_probabilities(np.array([[.5, .5], [.7, .6], [np.nan, 1.]]))
    >>> survey.off_sum, survey.missing
    (Places(count=1, first=(1,)), Places(count=1, first=(2,)))
    """
    tolerance = row_sum_tolerance(pred_probs.dtype)
    counts = [0] * (len(_ODDITIES) + 1)
    firsts: list[list[int]] = [[] for _ in counts]
    lowest, highest = np.inf, -np.inf
    for first, _, block in read_blocks(pred_probs, 0, pred_probs.shape[0]):
        finite = True if holds_distributions(block, tolerance) else np.isfinite(block)
        lowest = min(lowest, float(block.min(where=finite, initial=np.inf)))
        block_highest = float(block.max(where=finite, initial=-np.inf))
        highest = max(highest, block_highest)
        if finite is True and block_highest <= 1 + VALUE_TOLERANCE:
            continue
        above = np.asarray((block > 1 + VALUE_TOLERANCE) & (block <= 1 + tolerance)).any(axis=1)
        for kind, odd in enumerate([*_find_odd_rows(block, tolerance), above]):
            rows = np.flatnonzero(odd)
            counts[kind] += len(rows)
            room = FIRST_ROWS - len(firsts[kind])
            firsts[kind].extend(int(first + row) for row in rows[:room])
    places = [Places(count, tuple(rows)) for count, rows in zip(counts, firsts, strict=True)]
    return Survey(lowest, highest, *places)


def _find_odd_rows(block: NDArray[Any], tolerance: float) -> list[BoolArray]:
    """Return a mask of rows for each kind of invalid row, in the order of Survey's fields."""
    missing = np.isnan(block).any(axis=1)
    infinite = np.isinf(block).any(axis=1)
    negative = np.asarray(block < -VALUE_TOLERANCE).any(axis=1)
    above_one = np.asarray(block > 1 + tolerance).any(axis=1)
    off = np.abs(block.sum(axis=1, dtype=np.float64) - 1) > tolerance
    zero = ~block.any(axis=1)
    return [missing, infinite, negative, above_one, zero, off & ~missing & ~infinite & ~zero]


def as_probabilities(values: Any) -> Probabilities:
    """Return a matrix unchanged if it can be read in blocks, otherwise as an array.

    >>> as_probabilities([[.5, .5]]).shape
    (1, 2)
    """
    if isinstance(getattr(values, "dtype", None), np.dtype) and hasattr(values, "shape"):
        matrix: Probabilities = values
        return matrix
    return as_array(values, "probabilities")


def as_array(values: Any, name: str) -> NDArray[Any]:
    """Return values as an array; refuse a list of rows of different lengths."""
    try:
        return np.asarray(values)
    except ValueError:
        raise InputError(
            f"The {name} are rows of different lengths.",
            "Each row needs the same number of values.",
        ) from None


def check_shapes(labels: Sequence[Any] | NDArray[Any], pred_probs: Probabilities) -> None:
    """Refuse arrays that do not fit together, too few classes, no rows, or no numbers."""
    if np.ma.isMaskedArray(pred_probs) or np.ma.isMaskedArray(labels):
        raise InputError(
            "The input is a masked array, and the masked values are unknown.",
            "Leave out the masked rows, and pass plain arrays.",
        )
    if len(pred_probs.shape) != 2:
        raise InputError(
            f"The probabilities have shape {pred_probs.shape}, not (examples, classes).",
            "Pass one row for each example and one column for each class.",
        )
    if not hasattr(labels, "__len__") or getattr(labels, "ndim", 1) == 0:
        raise InputError(
            f"The labels are {type(labels).__name__}, not one label for each example.",
            "Pass a list or an array of class indices.",
        )
    num_labels, (num_rows, num_classes) = len(labels), pred_probs.shape
    if num_rows == 0:
        raise InputError("There are no rows.", "Pass at least one labelled example.")
    if num_labels != num_rows:
        looks_transposed = num_labels == num_classes
        raise InputError(
            f"{num_labels:,} labels came with probabilities of shape {pred_probs.shape}."
            + (" They look transposed." if looks_transposed else ""),
            "Transpose them: one row for each example."
            if looks_transposed
            else "Each example needs one label and one row; check that both belong to the same "
            "dataset.",
        )
    if num_classes < 2:
        raise InputError(
            f"The probabilities have {num_classes} column; label errors need at least 2 classes.",
            "Pass one column for each class; for a binary model pass [1 - p, p].",
        )
    if pred_probs.dtype.kind not in "fiub" or pred_probs.dtype.itemsize > 8:
        raise InputError(
            f"The probabilities are of type {pred_probs.dtype}, not floating-point numbers.",
            "Convert them to float16, float32 or float64.",
        )


def check_probabilities(pred_probs: Probabilities) -> None:
    """Refuse a matrix whose rows are not distributions, naming the first of them."""
    survey = survey_probabilities(pred_probs)
    if not survey.valid:
        _refuse(survey, pred_probs)


def _refuse(survey: Survey, pred_probs: Probabilities) -> NoReturn:
    """Raise the InputError for the worst fault that the survey found."""
    num_rows = pred_probs.shape[0]

    def first_row(places: Places) -> NDArray[Any]:
        row: NDArray[Any] = pred_probs[places.first[0] : places.first[0] + 1][0]
        return row.astype(np.float64)

    def places_in_words(places: Places) -> str:
        return f"{places.count:,} of {num_rows:,} rows; first: {_join(places.first)}"

    if survey.missing:
        raise InputError(
            f"Row {survey.missing.first[0]} of the probabilities holds a NaN "
            f"({places_in_words(survey.missing)}).",
            "Predict those rows again, or leave them out together with their labels.",
        )
    if survey.infinite:
        raise InputError(
            f"Row {survey.infinite.first[0]} of the probabilities holds an infinity "
            f"({places_in_words(survey.infinite)}).",
            "A softmax in float16 overflows above 11; compute it in float32.",
        )
    outside = survey.negative or survey.above_one
    if outside:
        row = first_row(outside)
        value = row.min() if outside is survey.negative else row.max()
        raise InputError(
            f"Row {outside.first[0]} of the probabilities holds {format_value(value)}, outside "
            f"0 to 1 ({places_in_words(outside)}).",
            "Apply softmax to logits; divide percentages by 100.",
        )
    places = survey.zero or survey.off_sum
    raise InputError(
        f"Row {places.first[0]}: the {pred_probs.shape[1]} probabilities add up to "
        f"{format_value(first_row(places).sum())}, not 1 ({places_in_words(places)}).",
        "Save them after softmax; independent scores for each class cannot be used.",
    )


def format_value(value: float) -> str:
    """Return a number with four digits, or with as many as show that it is not 0 or 1.

    >>> format_value(2.34567), format_value(1.00001), format_value(1.0), format_value(-1e-05)
    ('2.346', '1.00001', '1', '-1e-05')
    """
    digits = range(4, 18)
    shown = (f"{value:.{each}g}" for each in digits)
    return next((text for text in shown if float(text) not in (0, 1)), f"{value:.4g}")


def check_labels(labels: Sequence[Any] | NDArray[Any], num_classes: int) -> IntArray:
    """Return the labels as whole class indices, or refuse them, naming the first rows.

    >>> check_labels([0.0, 1.0], 2)
    array([0, 1])
    """
    values = as_array(labels, "labels")
    if values.ndim != 1:
        raise InputError(
            f"The labels have shape {values.shape}, not one label for each example.",
            "Pass class indices in one dimension; for one-hot labels take argmax(axis=1).",
        )
    if values.dtype.kind == "O":
        values = _unbox(values)
    if values.dtype.kind not in "iubf":
        raise InputError(
            f"The labels are of type {values.dtype}, not class indices; the first is "
            f"{values[0].item()!r}.",
            f"Number the classes from 0 to {num_classes - 1} in the order of the columns.",
        )
    if values.dtype.kind == "f":
        _refuse_rows(np.isnan(values), values, "is missing", "Leave out unlabelled examples.")
        with np.errstate(invalid="ignore"):
            fractional = values != np.floor(values)
        _refuse_rows(fractional, values, "is not a whole number", "Labels are class indices.")
    outside = (values < 0) | (values >= num_classes)
    _refuse_rows(
        outside,
        values,
        f"is not a class from 0 to {num_classes - 1}",
        "Number the classes from 0 in the order of the columns; leave out unlabelled examples.",
    )
    return values.astype(np.int64)


def _unbox(values: NDArray[Any]) -> NDArray[Any]:
    """Return an object array's numbers, with NaN for missing values."""
    try:
        return np.array([np.nan if _is_missing(value) else float(value) for value in values])
    except (TypeError, ValueError):
        strange = next(value for value in values if not _is_number(value))
        raise InputError(
            f"A label is {strange!r}, which is not a class index.",
            "Number the classes from 0 in the order of the probabilities' columns.",
        ) from None


def _is_missing(value: Any) -> bool:
    # pandas' missing values are recognized by name, because core does not import pandas
    return value is None or type(value).__name__ in ("NAType", "NaTType")


def _is_number(value: Any) -> bool:
    try:
        float(value)
    except (TypeError, ValueError):
        return _is_missing(value)
    return not isinstance(value, str)


def _refuse_rows(odd: BoolArray, values: NDArray[Any], problem: str, remedy: str) -> None:
    rows = np.flatnonzero(odd)
    if len(rows):
        named = _join(rows[:FIRST_ROWS])
        raise InputError(
            f"The label of row {rows[0]} ({values[rows[0]]}) {problem} ({len(rows):,} of "
            f"{len(values):,} rows; first: {named}).",
            remedy,
        )


def _join(rows: Sequence[int] | NDArray[Any]) -> str:
    return ", ".join(str(row) for row in rows)
