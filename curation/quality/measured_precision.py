"""What the decisions so far say about the flags: along the rank, by pair of classes, by method.

These figures count what was reviewed. They are not a random sample, so their intervals hold only if
the labels reviewed are like the others; the figures of an audit need no such assumption.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from curation.analysis.findings import METHODS, Findings, Method, Order
from curation.core.matrix import BoolArray, IntArray

BLOCKS = 10  # that the flagged labels are split into
MIN_BLOCK = 25  # flagged labels in one of them


@dataclass(frozen=True)
class Precision:
    """How many of some labels were judged, and how many of those are wrong."""

    judged: int
    wrong: int

    @property
    def share(self) -> float | None:
        return self.wrong / self.judged if self.judged else None

    @property
    def interval(self) -> tuple[float, float]:
        """Return the 95 % interval of the share, if the others are like those judged (Jeffreys).

        >>> low, high = Precision(10, 2).interval
        >>> f"{low:.2f} {high:.2f}"
        '0.04 0.50'
        """
        from scipy.special import betaincinv  # here: it takes long to import

        wrong, right = self.wrong, self.judged - self.wrong
        low = float(betaincinv(wrong + 0.5, right + 0.5, 0.025)) if wrong else 0.0
        high = float(betaincinv(wrong + 0.5, right + 0.5, 0.975)) if right else 1.0
        return low, high


@dataclass(frozen=True)
class RankBlock:
    """Flagged labels from one place in the order to another, counted from 1."""

    first: int
    last: int
    precision: Precision


@dataclass(frozen=True)
class PairPrecision:
    """Flagged labels given one class, with another suggested."""

    given: int
    suggested: int
    flagged: int
    precision: Precision


@dataclass(frozen=True)
class MethodPrecision:
    """Flags of one method among what was judged, and the share of the errors found by them."""

    method: Method
    flagged: int
    precision: Precision
    errors_found: int  # by anybody, flagged by this method or not

    @property
    def share_found(self) -> float | None:
        return self.precision.wrong / self.errors_found if self.errors_found else None


class Judged:
    """Which rows are judged, and which of them are wrong, as masks."""

    def __init__(self, num_examples: int, verdicts: Mapping[int, bool]) -> None:
        self.judged = np.zeros(num_examples, dtype=np.bool_)
        self.wrong = np.zeros(num_examples, dtype=np.bool_)
        self.judged[list(verdicts)] = True
        self.wrong[[row for row, wrong in verdicts.items() if wrong]] = True

    def among(self, rows: IntArray | BoolArray) -> Precision:
        judged, wrong = self.judged[rows], self.wrong[rows]
        return Precision(int(np.count_nonzero(judged)), int(np.count_nonzero(wrong)))


def measure_along_rank(
    findings: Findings,
    verdicts: Mapping[int, bool],
    method: Method = "confident_joint",
    order: Order = "normalized_margin",
) -> list[RankBlock]:
    """Return the flagged labels in blocks of equal size, the most suspect first."""
    rows = findings.issues(method, order)
    judged = Judged(len(findings.labels), verdicts)
    blocks = max(1, min(BLOCKS, len(rows) // MIN_BLOCK))
    found, first = [], 1
    for block in np.array_split(rows, blocks) if len(rows) else []:
        found.append(RankBlock(first, first + len(block) - 1, judged.among(block)))
        first += len(block)
    return found


def measure_pairs(
    findings: Findings, verdicts: Mapping[int, bool], method: Method = "confident_joint"
) -> list[PairPrecision]:
    """Return each pair of given and suggested class with a judged flag, the most judged first."""
    num_classes = len(findings.class_names)
    judged = Judged(len(findings.labels), verdicts)
    rows = np.flatnonzero(findings.mask(method))
    pairs = findings.labels[rows] * num_classes + findings.suggested_labels[rows]
    found = []
    for pair in np.unique(pairs[judged.judged[rows]]).tolist():
        mine = rows[pairs == pair]
        given, suggested = divmod(pair, num_classes)
        found.append(PairPrecision(given, suggested, len(mine), judged.among(mine)))
    return sorted(found, key=lambda each: (-each.precision.judged, each.given, each.suggested))


def measure_methods(findings: Findings, verdicts: Mapping[int, bool]) -> list[MethodPrecision]:
    """Return each method's flags among what was judged."""
    judged = Judged(len(findings.labels), verdicts)
    errors = int(np.count_nonzero(judged.wrong))
    return [
        MethodPrecision(
            method,
            int(np.count_nonzero(findings.mask(method))),
            judged.among(findings.mask(method)),
            errors,
        )
        for method in METHODS
    ]
