"""What an audit can say about the labels of a dataset: figures, each with its interval."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from typing import Any

from curation.analysis.findings import Method


@dataclass(frozen=True)
class Interval:
    """A figure, and the range that holds it with the confidence asked for, at every look."""

    estimate: float
    low: float
    high: float


@dataclass(frozen=True)
class Quality:
    """What is known about the given labels of all examples.

    Each interval holds with the confidence asked for, at all looks together; five intervals do not
    hold together with that confidence. A share of nothing is called 1.
    """

    total_errors: Interval  # wrong labels
    missed_errors: Interval  # of these, not flagged
    flagged_errors: Interval  # of these, flagged
    precision: Interval  # share of the flagged labels that are wrong
    recall: Interval  # share of the wrong labels that are flagged
    label_accuracy: Interval  # share of all labels that are right
    errors_left: Interval  # wrong labels that no verdict has found
    accuracy_after_cleaning: Interval  # label accuracy once the errors found are corrected
    confidence: float
    method: Method
    planned: int  # rows in the plan
    judged: int  # rows of the plan that count as draws: judged, without a gap before them
    known_errors: int  # labels that a verdict calls wrong
    known_correct: int  # labels that a verdict calls right


def join_readings(readings: list[Quality]) -> Quality:
    """Return intervals that cover all readings; estimates are their mean."""
    first, last = readings[0], readings[-1]
    if first is last:
        return first
    unclear = last.known_errors - first.known_errors
    joined: dict[str, Any] = {}
    for field in fields(Quality):
        one, two = getattr(first, field.name), getattr(last, field.name)
        if isinstance(one, Interval):
            joined[field.name] = Interval(
                (one.estimate + two.estimate) / 2, min(one.low, two.low), max(one.high, two.high)
            )
    joined["known_correct"] = first.known_correct - unclear
    return replace(first, **joined)
