"""What an audit says about the labels of a whole dataset, with intervals that hold at every look.

Verdicts are facts wherever they come from. Only those on the plan are also random draws, and only
the leading part of the plan that is judged without a gap. See docs/quality.md.
"""

from __future__ import annotations

from collections.abc import Mapping
from numbers import Integral, Real
from typing import Any

import numpy as np

from curation.analysis.findings import Findings
from curation.core.matrix import IntArray
from curation.errors import InputError
from curation.quality.audit_plan import AuditPlan, check_digests, check_rows
from curation.quality.audit_reading import AuditReading
from curation.quality.label_quality import Quality, join_readings


def estimate_quality(
    findings: Findings,
    verdicts: Mapping[int, bool | None],
    plan: AuditPlan,
    *,
    confidence: float = 0.95,
) -> Quality:
    """Return how many labels are wrong, flagged or not, from the verdicts so far.

    `verdicts` says for each judged row whether its given label is wrong; rows of the plan and any
    others. None means that nobody can tell: the intervals then cover both readings, all such
    labels wrong and all of them right.

    >>> from curation import analyze
    >>> from curation.quality.audit_plan import plan_audit
    >>> findings = analyze([0, 0, 1, 1], [[.9, .1], [.2, .8], [.3, .7], [.1, .9]])
    >>> plan = plan_audit(findings, size=3, seed=1, known=[0])
    >>> estimate_quality(findings, {0: False, 1: True, 3: False}, plan).total_errors
    Interval(estimate=1.1..., low=1.0, high=2.0)
    """
    _check_confidence(confidence)
    if len(findings.labels) != plan.num_examples:
        raise InputError(
            f"The audit was drawn from {plan.num_examples:,} examples, the findings are about "
            f"{len(findings.labels):,}.",
            "Pass the findings that the audit was drawn from, or draw a new audit.",
        )
    check_digests(plan.digests, findings, plan.method)
    rows, wrong = _check_verdicts(verdicts, plan.num_examples)
    flagged = findings.mask(plan.method)
    unclear = wrong < 0
    readings = [
        AuditReading(plan, flagged, rows, np.where(unclear, reading, wrong) > 0, confidence).quality
        for reading in ((0, 1) if unclear.any() else (0,))
    ]
    return join_readings(readings)


def _check_confidence(confidence: Any) -> None:
    is_number = isinstance(confidence, Real) and not isinstance(confidence, bool)
    if not (is_number and 0 < confidence < 1):
        raise InputError(
            f"The confidence is {confidence!r}.", "Pass a number between 0 and 1, such as 0.95."
        )


def _check_verdicts(verdicts: Any, num_examples: int) -> tuple[IntArray, IntArray]:
    """Return the judged rows, ascending, and 1 for wrong, 0 for right, -1 for nobody can tell."""
    if not isinstance(verdicts, Mapping):
        raise InputError(
            f"The verdicts are a {type(verdicts).__name__}.",
            "Pass a dictionary: row -> True if its given label is wrong.",
        )
    rows = check_rows(verdicts, num_examples, "verdicts")
    values = []
    for row, value in verdicts.items():
        is_truth = isinstance(value, bool | np.bool_ | Integral) and value in (0, 1)
        if value is not None and not is_truth:
            raise InputError(
                f"The verdict on row {int(row):,} is {value!r}.",
                "Pass True if the given label is wrong, False if it is right, None if nobody can "
                "tell.",
            )
        values.append(-1 if value is None else int(value))
    order = np.argsort(np.fromiter(verdicts, dtype=np.int64, count=len(verdicts)), kind="stable")
    return rows, np.array(values, dtype=np.int64)[order]
