"""How the columns of a table look for each class, and how well one example fits two of them.

The range of a class is that of the examples that were given its label: from the 10th to the 90th
percentile for numbers, and the share of each value for categories. A few wrong labels hardly move
either.

How telling a value x is for the suggested class s against the given class g is the logarithm of
how much likelier it is under s:

    evidence = ln p(x | s) - ln p(x | g)

- Numbers: p is a Laplace density around the median of the class, whose 10th and 90th percentile
  are as far apart as those of the class: ln p = -|x - median| / b - ln 2b, b = range / (2 ln 5). It
  falls off in a straight line, so that one extreme value does not outweigh everything else.
- Categories: p = (k + 1) / (n + c), if k of the class's n examples have the value and the column
  has c different values.
- Missing cells, words that hardly repeat, and classes without a value say nothing: evidence is 0.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from curation.core.matrix import FloatArray, IntArray
from curation.progress import Progress, ignore_progress

LOW, MIDDLE, HIGH = 0.1, 0.5, 0.9
RANGE_IN_SCALES = 2 * math.log(5)  # from the 10th to the 90th percentile of a Laplace density
SMALLEST_SCALE = 0.05  # of the scale of all values: a class of equal values is not infinitely sure
FEW_NUMBERS = 6  # numbers with at most so many different values are categories
MAX_CATEGORIES = 60  # words with more different values are texts, which are not compared
MISSING = ("", "na", "n/a", "nan", "null", "none", "?")  # in lower case


@dataclass(frozen=True)
class NumberRanges:
    """The 10th, 50th and 90th percentile of each class, and its scale; NaN without values."""

    low: FloatArray
    middle: FloatArray
    high: FloatArray
    scale: FloatArray


@dataclass(frozen=True)
class CategoryShares:
    """How many examples of each class have each value, and how many have any."""

    counts: Mapping[str, IntArray]
    totals: IntArray


Summary = NumberRanges | CategoryShares | None


@dataclass(frozen=True)
class Typical:
    """What is typical of one class: a range of numbers, or the share of a value."""

    low: float | None = None
    middle: float | None = None
    high: float | None = None
    share: float | None = None  # of the class's examples that have this value
    commonest: str | None = None  # the value that most of them have


@dataclass(frozen=True)
class FeatureComparison:
    """One value of an example against two classes; evidence above 0 is for the suggested one."""

    name: str
    value: str | None
    number: float | None
    given: Typical | None
    suggested: Typical | None
    evidence: float


def summarize_columns(
    columns: Mapping[str, Any],
    labels: IntArray,
    num_classes: int,
    *,
    progress: Progress = ignore_progress,
) -> dict[str, Summary]:
    """Return how each column looks for each class; one column is in memory at a time."""
    found: dict[str, Summary] = {}
    for done, name in enumerate(columns):
        progress("Comparing the columns with each class", done / len(columns))
        found[name] = summarize_column(columns[name], labels, num_classes)
    return found


def summarize_column(values: Any, labels: IntArray, num_classes: int) -> Summary:
    """Return the ranges or shares of one column; None if its values cannot be compared."""
    texts = _as_text(values)
    distinct = pc.count_distinct(texts, mode="only_valid").as_py()
    numbers = None if distinct <= FEW_NUMBERS else _as_numbers(texts)
    if numbers is not None:
        return _find_ranges(numbers, labels, num_classes)
    if not 0 < distinct <= MAX_CATEGORIES:
        return None
    return _count_categories(texts, labels, num_classes)


def _as_text(values: Any) -> pa.Array:
    """Return cells as text without spaces around it; missing ones are null."""
    array = pa.array(values, from_pandas=True)
    texts = pc.utf8_trim_whitespace(array.cast(pa.string()))
    missing = pc.is_in(pc.utf8_lower(texts), value_set=pa.array(MISSING))
    return pc.if_else(missing, pa.scalar(None, pa.string()), texts)


def _as_numbers(texts: pa.Array) -> FloatArray | None:
    """Return numbers, NaN where they are missing; None if a cell is something else."""
    try:
        numbers = texts.cast(pa.float64()).to_numpy(zero_copy_only=False)
    except pa.ArrowInvalid:
        return None
    return np.where(np.isfinite(numbers), numbers, np.nan)


def _find_ranges(numbers: FloatArray, labels: IntArray, num_classes: int) -> NumberRanges | None:
    valid = ~np.isnan(numbers)
    numbers, labels = numbers[valid], labels[valid]
    if not len(numbers):
        return None
    low, middle, high = find_percentiles(numbers, labels, num_classes, (LOW, MIDDLE, HIGH))
    whole = float(np.subtract(*np.quantile(numbers, (HIGH, LOW)))) / RANGE_IN_SCALES
    if whole == 0:  # most values are equal: the mean distance from the median is a scale too
        whole = float(np.abs(numbers - np.median(numbers)).mean())
    scale = np.maximum((high - low) / RANGE_IN_SCALES, SMALLEST_SCALE * whole)
    return NumberRanges(low, middle, high, scale)


def find_percentiles(
    numbers: FloatArray, labels: IntArray, num_classes: int, shares: Sequence[float]
) -> list[FloatArray]:
    """Return percentiles of each class, interpolated as `np.quantile` does; NaN without values."""
    ordered, owners = numbers[order := np.argsort(numbers)], labels[order]
    small = np.int16 if num_classes < 2**15 else np.int64  # 16 bits are sorted in one pass
    ordered = ordered[np.argsort(owners.astype(small), kind="stable")]
    counts = np.bincount(labels, minlength=num_classes)
    starts = np.concatenate([[0], np.cumsum(counts)[:-1]])
    found = []
    for share in shares:
        place = share * (counts - 1)
        below = np.floor(place).astype(np.int64)
        first = np.minimum(starts + np.maximum(below, 0), len(ordered) - 1)
        second = np.minimum(first + (place > below), len(ordered) - 1)
        between = ordered[first] + (place - below) * (ordered[second] - ordered[first])
        found.append(np.where(counts > 0, between, np.nan))
    return found


def _count_categories(texts: pa.Array, labels: IntArray, num_classes: int) -> CategoryShares:
    encoded = texts.dictionary_encode()
    codes = encoded.indices.fill_null(-1).to_numpy(zero_copy_only=False).astype(np.int64)
    valid = codes >= 0
    names = encoded.dictionary.to_pylist()
    places = labels[valid] * len(names) + codes[valid]
    counts = np.bincount(places, minlength=num_classes * len(names))
    table = counts.reshape(num_classes, len(names))
    return CategoryShares(
        {name: table[:, place] for place, name in enumerate(names)}, table.sum(axis=1)
    )


def compare_features(
    cells: Mapping[str, Any], summaries: Mapping[str, Summary], given: int, suggested: int
) -> list[FeatureComparison]:
    """Return the values of one example, the most telling first; equal ones in column order."""
    compared = [
        _compare(name, cells.get(name), summary, given, suggested)
        for name, summary in summaries.items()
    ]
    return sorted(compared, key=lambda each: -abs(each.evidence))


def _compare(
    name: str, cell: Any, summary: Summary, given: int, suggested: int
) -> FeatureComparison:
    text = None if cell is None else str(cell)
    plain = None if text is None or text.strip().lower() in MISSING else text.strip()
    if isinstance(summary, NumberRanges):
        number = None if plain is None else _read_number(plain)
        chances = (_log_density(summary, number, each) for each in (given, suggested))
        usual = _typical_range(summary, given), _typical_range(summary, suggested)
        return FeatureComparison(name, text, number, usual[0], usual[1], _difference(*chances))
    if isinstance(summary, CategoryShares):
        chances = (_log_share(summary, plain, each) for each in (given, suggested))
        usual = _typical_share(summary, plain, given), _typical_share(summary, plain, suggested)
        return FeatureComparison(name, text, None, usual[0], usual[1], _difference(*chances))
    return FeatureComparison(name, text, None, None, None, 0.0)


def _read_number(text: str) -> float | None:
    try:
        number = float(text)
    except ValueError:
        return None
    return number if math.isfinite(number) else None


def _difference(given: float | None, suggested: float | None) -> float:
    return 0.0 if given is None or suggested is None else suggested - given


def _typical_range(summary: NumberRanges, label: int) -> Typical | None:
    low, middle, high = (float(each[label]) for each in (summary.low, summary.middle, summary.high))
    return None if math.isnan(middle) else Typical(low, middle, high)


def _log_density(summary: NumberRanges, number: float | None, label: int) -> float | None:
    middle, scale = float(summary.middle[label]), float(summary.scale[label])
    if number is None or math.isnan(middle) or scale == 0:
        return None
    return -abs(number - middle) / scale - math.log(2 * scale)


def _typical_share(summary: CategoryShares, value: str | None, label: int) -> Typical | None:
    total = int(summary.totals[label])
    if not total:
        return None
    commonest = max(summary.counts, key=lambda each: int(summary.counts[each][label]))
    count = 0 if value is None or value not in summary.counts else summary.counts[value][label]
    return Typical(share=None if value is None else int(count) / total, commonest=commonest)


def _log_share(summary: CategoryShares, value: str | None, label: int) -> float | None:
    total = int(summary.totals[label])
    if value is None or value not in summary.counts or not total:
        return None
    return math.log((int(summary.counts[value][label]) + 1) / (total + len(summary.counts)))
