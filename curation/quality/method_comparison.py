"""Which method suits this dataset: the five of them measured by the same audit."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from curation.analysis.findings import METHODS, Findings, Method
from curation.quality.audit_plan import AuditPlan, view_by_method
from curation.quality.estimates import estimate_quality
from curation.quality.label_quality import Interval
from curation.wording import METHOD_NAMES

MIN_JUDGED = 20  # draws below which nothing is compared


@dataclass(frozen=True)
class MeasuredMethod:
    """What an audit says about the flags of one method."""

    method: Method
    num_flagged: int
    precision: Interval  # share of its flags that are wrong labels
    recall: Interval  # share of the wrong labels that it flags


@dataclass(frozen=True)
class Comparison:
    """The five methods side by side; all their intervals hold together."""

    methods: Sequence[MeasuredMethod]
    confidence: float
    finds_most: Method | None  # None as long as the intervals overlap
    most_precise: Method | None

    @property
    def advice(self) -> str:
        """Return what the comparison recommends, if anything."""
        most, precise = self.finds_most, self.most_precise
        if most and most == precise:
            return (
                f"{METHOD_NAMES[most]} suits this dataset best: it finds the largest share of the "
                "errors, and the largest share of its flags is wrong."
            )
        said = []
        if most:
            said.append(f"{METHOD_NAMES[most]} finds the largest share of the errors.")
        if precise:
            said.append(f"{METHOD_NAMES[precise]} has the largest share of wrong labels.")
        return " ".join(said) or (
            "No recommendation: the intervals overlap, so none of the methods is shown to be "
            "better. They are narrower the more labels an audit judges."
        )


def compare_methods(
    findings: Findings,
    verdicts: Mapping[int, bool | None],
    plan: AuditPlan,
    *,
    confidence: float = 0.95,
) -> Comparison | None:
    """Return the five methods as one audit measures them; None if too little is judged.

    Each interval is wider than alone, so that all five of a kind hold together with the confidence
    asked for.
    """
    each_one = 1 - (1 - confidence) / len(METHODS)
    found = []
    for method in METHODS:
        view = plan if method == plan.method else view_by_method(plan, findings, method)
        quality = estimate_quality(findings, verdicts, view, confidence=each_one)
        if quality.judged < min(MIN_JUDGED, len(plan.rows)):
            return None
        flagged = int(np.count_nonzero(findings.mask(method)))
        found.append(MeasuredMethod(method, flagged, quality.precision, quality.recall))
    return Comparison(
        found,
        confidence,
        finds_most=_find_best(found, lambda each: each.recall),
        most_precise=_find_best(found, lambda each: each.precision),
    )


def _find_best(
    methods: Sequence[MeasuredMethod], measure: Callable[[MeasuredMethod], Interval]
) -> Method | None:
    """Return the method whose interval lies above all others."""
    best = max(methods, key=lambda each: measure(each).low)
    others = [measure(each).high for each in methods if each is not best]
    return best.method if measure(best).low > max(others) else None
