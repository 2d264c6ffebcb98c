"""Which example comes next, what is done, what is left, and why an example was flagged.

A queue is a list of rows that stays as it is while people decide: the third of 244 is the third
today and tomorrow. Deciding changes only what is still to do in it. So whatever costs a look at
all examples is worked out once for each queue, and each step afterwards costs the same with a
thousand examples or a million.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from math import exp, lgamma

import numpy as np
from numpy.typing import NDArray

from curation.analysis.findings import METHODS, Findings, Method, Order
from curation.core.matrix import IntArray
from curation.dataset import Dataset
from curation.review.example_status import CODE_OF, CODES, FINAL, STATUSES, Codes
from curation.store.actions import Action
from curation.wording import isolate, typical_for, verb_of

KEPT = CODE_OF[Action.KEEP]
BACK, AHEAD = 2, 16  # how far a window reaches: steps behind, and examples to decide ahead
CHUNK = 4096  # places looked at together when searching for what is still to do
TYPICAL = 5  # typical examples kept of each class
LIKELIEST = 10  # one for each digit key
SPAN = 50  # examples that a forecast looks back on, and forward to
FEWEST = 10  # settled examples below which nothing is foretold
NUMBERS = ("no", "one", "two", "three", "four", "all five")


@dataclass(frozen=True)
class Filters:
    """Which examples are asked for, in which order; part of a link."""

    method: Method = "confident_joint"
    order: Order = "normalized_margin"
    given: int | None = None
    suggested: int | None = None


@dataclass(frozen=True)
class Step:
    """One place in a queue: where it is, which row stands there, whether it is still to do."""

    place: int
    row: int
    todo: bool


def find_rows(findings: Findings, filters: Filters) -> IntArray:
    """Return the flagged rows that the filters let through, in the order asked for."""
    rows = findings.issues(filters.method, filters.order)
    if filters.given is not None:
        rows = rows[findings.labels[rows] == filters.given]
    if filters.suggested is not None:
        rows = rows[findings.suggested_labels[rows] == filters.suggested]
    return rows


def search_rows(dataset: Dataset, rows: IntArray, search: str) -> IntArray:
    """Return those of the rows that hold a text in their id, their text or another column."""
    if not search.strip():
        return rows
    found = [row for row in rows.tolist() if matches(dataset, row, search)]
    return np.array(found, dtype=np.int64)


def matches(dataset: Dataset, row: int, search: str) -> bool:
    """Return whether an example's id, text or another column holds a text, in any case."""
    wanted = search.strip().casefold()
    if wanted in str(dataset.ids[row]).casefold():
        return True
    if dataset.kind == "text" and wanted in _text(dataset, row).casefold():
        return True
    return any(wanted in str(values[row]).casefold() for values in dataset.extras.values())


def _text(dataset: Dataset, row: int) -> str:
    from curation.errors import ContentError

    try:
        return dataset.content.text(row)
    except ContentError:
        return ""


def find_ahead(
    rows: IntArray, codes: Codes, wanted: Collection[int], start: int, count: int
) -> list[int]:
    """Return the next places after `start` that are still to do, going round past the end.

    >>> rows, codes = np.array([4, 3, 2, 1, 0]), np.array([0, 0, 1, 0, 1], dtype=np.int8)
    >>> find_ahead(rows, codes, {0}, 3, 9)  # rows 0, 1 and 3 are to do, at the places 4, 3 and 1
    [4, 1, 3]
    """
    found: list[int] = []
    size = len(rows)
    for first in range(start + 1, start + 1 + size, CHUNK):
        places = np.arange(first, min(first + CHUNK, start + 1 + size)) % size
        todo = np.isin(codes[rows[places]], list(wanted))
        found += places[todo].tolist()
        if len(found) >= count:
            break
    return found[:count]


def find_window(
    rows: IntArray,
    codes: Codes,
    wanted: Collection[int],
    place: int,
    *,
    back: int = BACK,
    ahead: int = AHEAD,
) -> list[Step]:
    """Return the steps around a place, in the order they are walked.

    They are the neighbours on both sides, whatever their state, and the next ones to do, those
    past the end of the queue last. From the place to the last step nothing to do is left out.

    >>> codes = np.array([0, 1, 1, 1, 0, 1, 0], dtype=np.int8)
    >>> [step.place for step in find_window(np.arange(7), codes, {0}, 3, back=1, ahead=3)]
    [2, 3, 4, 6, 0]
    """
    size = len(rows)
    near = set(range(max(0, place - back), min(size, place + back + 1)))
    onward = find_ahead(rows, codes, wanted, place, ahead)
    places = sorted({*near, *(each for each in onward if each > place)})
    places += [each for each in onward if each < place and each not in near]
    todo = np.isin(codes[rows[np.array(places, dtype=np.int64)]], list(wanted))
    return [
        Step(each, int(rows[each]), bool(is_todo))
        for each, is_todo in zip(places, todo, strict=True)
    ]


def count_states(rows: IntArray, codes: Codes) -> dict[str, int]:
    """Return how many of a queue are undecided, decided, skipped or need a second look."""
    counts = np.bincount(codes[rows], minlength=len(CODES["all"]))
    counted = {
        status: int(counts[list(CODES[status])].sum()) for status in STATUSES if status != "all"
    }
    return counted | {"all": len(rows), "kept": int(counts[KEPT])}


@dataclass(frozen=True)
class Forecast:
    """How many of the next examples are real errors, if they are like the last ones settled."""

    settled: int  # how many it goes by
    real: int  # of them: not kept
    upcoming: int
    expected: float
    low: int  # the 95 % interval, both ends in it
    high: int

    @property
    def summary(self) -> str:
        number = f"{self.expected:.0f}"
        are = verb_of(self.expected, "is", "are")
        return f"about {number} of the next {self.upcoming} {are} real ({self.low} to {self.high})"

    @property
    def why(self) -> str:
        were = verb_of(self.real, "was", "were")
        are = verb_of(self.expected, "is", "are")
        return (
            f"Of the last {self.settled} settled in this list {self.real} {were} real: the label "
            f"was not kept. If the next ones are like them, {self.expected:.0f} of "
            f"{self.upcoming} {are} expected, and {self.low} to {self.high} with 95 % probability. "
            "Further down the list it is often fewer: an estimate, to go on or to stop by."
        )


def forecast(rows: IntArray, codes: Codes, place: int) -> Forecast | None:
    """Return how many of the next examples to decide are real; None where too few are settled.

    It goes by the settled ones nearest before the place, for the share of real errors changes
    along the list. With k real of n, the share has the posterior Beta(k + 1/2, n - k + 1/2) under
    Jeffreys' prior; so the number among the next N is beta-binomial.
    """
    behind = codes[rows[max(0, place - CHUNK) : place]]
    last = behind[np.isin(behind, FINAL)][-SPAN:]
    upcoming = len(find_ahead(rows, codes, CODES["undecided"], place - 1, SPAN))
    if len(last) < FEWEST or not upcoming:
        return None
    real = int(np.count_nonzero(last != KEPT))
    a, b = real + 0.5, len(last) - real + 0.5
    below = np.cumsum([_beta_binomial(each, upcoming, a, b) for each in range(upcoming + 1)])
    low, high = np.searchsorted(below, [0.025, 0.975])
    expected = upcoming * a / (a + b)
    return Forecast(len(last), real, upcoming, expected, int(low), int(min(high, upcoming)))


def _beta_binomial(count: int, total: int, a: float, b: float) -> float:
    """Return how likely it is that `count` of `total` are, when the share is Beta(a, b).

    >>> [round(_beta_binomial(count, 2, 1, 1), 3) for count in range(3)]
    [0.333, 0.333, 0.333]
    """
    ways = lgamma(total + 1) - lgamma(count + 1) - lgamma(total - count + 1)
    return exp(ways + _log_beta(count + a, total - count + b) - _log_beta(a, b))


def _log_beta(a: float, b: float) -> float:
    return lgamma(a) + lgamma(b) - lgamma(a + b)


def find_place(rows: IntArray, row: int, hint: int = -1) -> int | None:
    """Return where a row stands in a queue, looking first where it was last seen."""
    if 0 <= hint < len(rows) and rows[hint] == row:
        return hint
    places = np.flatnonzero(rows == row)
    return int(places[0]) if len(places) else None


def count_methods(findings: Findings, row: int) -> int:
    """Return how many of the five methods flag an example."""
    return sum(bool(findings.masks[method][row]) for method in METHODS)


def explain(findings: Findings, dataset: Dataset, row: int) -> str:
    """Return in one sentence with numbers why an example was flagged."""
    given, other = int(findings.labels[row]), int(findings.suggested_labels[row])
    name, given_name = (_quote(str(findings.class_names[each])) for each in (other, given))
    probability = float(dataset.pred_probs[row : row + 1][0, other])
    typical = float(findings.thresholds[other])
    usual = f"{typical_for(findings.threshold)} for {name} is {typical:.2f}"
    usual = usual if np.isfinite(typical) else "which has no label"
    times = NUMBERS[count_methods(findings, row)]
    flags = "flags" if times in ("no", "one") else "flag"
    methods = "no method" if times == "no" else times if times == "all five" else f"{times} of five"
    methods += "" if times == "no" else " methods"
    return (
        f"The model gives {name} {probability:.2f}, {usual}; it gives the label {given_name} "
        f"{float(findings.self_confidence[row]):.2f}; {methods} {flags} it."
    )


def _quote(name: str) -> str:
    """Return a class name for a sentence with numbers; one that looks like a number is quoted.

    >>> _quote("dog"), _quote("7"), _quote("5 stars")
    ('dog', '“7”', '“5 stars”')
    """
    return f"“{isolate(name)}”" if name[:1].isdigit() or name[-1:].isdigit() else isolate(name)


def rank_classes(probabilities: NDArray[np.floating], count: int = LIKELIEST) -> list[int]:
    """Return the likeliest classes of one example, the likeliest first.

    >>> rank_classes(np.array([.1, .6, .3]), 2)
    [1, 2]
    """
    likeliest = np.argsort(-probabilities, kind="stable")[:count]
    return [int(each) for each in likeliest]


def find_typical(findings: Findings, count: int = TYPICAL) -> list[IntArray]:
    """Return for each class the rows that are most surely of it: given it and predicted as it."""
    agreed = np.flatnonzero(findings.labels == findings.predicted_labels)
    labels = findings.labels[agreed]
    order = np.lexsort((-findings.self_confidence[agreed], labels))
    starts = np.searchsorted(labels[order], np.arange(len(findings.class_names) + 1))
    return [
        agreed[order[start : min(start + count, stop)]]
        for start, stop in zip(starts[:-1], starts[1:], strict=True)
    ]
