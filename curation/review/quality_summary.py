"""What is known about the labels now: errors found, what the audit says, and what is left."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from curation.analysis.findings import Findings
from curation.core.count import Collisions
from curation.core.matrix import IntArray
from curation.dataset import Dataset
from curation.errors import InputError
from curation.quality import AuditPlan, Interval
from curation.quality.method_comparison import Comparison, compare_methods
from curation.review.audits import Audit, JudgedAudit, find_audits
from curation.review.ledger import Ledger
from curation.review.verdicts import Verdict, count_verdicts, find_known
from curation.store.entries import Decision
from curation.store.replay import ExampleState
from curation.wording import count_of, verb_of

States = Mapping[str, ExampleState[Decision]]


@dataclass(frozen=True, eq=False)
class QualitySummary:
    """Errors found by all decisions, and the last audit with its verdicts."""

    num_examples: int
    known: Mapping[int, bool]  # row -> whether its label is wrong, from every decision
    history: IntArray  # (k,) errors found after each judged label, in the order of the decisions
    audit: Audit | None
    judged: JudgedAudit | None  # None if there is no audit, or it does not fit
    problem: InputError | None  # why it does not fit

    @property
    def errors_found(self) -> int:
        return int(self.history[-1]) if len(self.history) else 0

    @cached_property
    def errors_left(self) -> Interval | None:
        """Return how many wrong labels nobody has found; they may be found after the close."""
        if self.judged is None:
            return None
        total, found = self.judged.quality.total_errors, self.errors_found
        ends = (max(0.0, each - found) for each in (total.estimate, total.low, total.high))
        return Interval(*ends)

    @cached_property
    def comparison(self) -> Comparison | None:
        """Return the five methods side by side, once enough of the audit is judged."""
        if self.judged is None:
            return None
        verdicts = count_verdicts(self.judged.verdicts, self.judged.plan.rows)
        return compare_methods(self.judged.findings, verdicts, self.judged.plan)


def summarize_quality(
    dataset: Dataset,
    findings: Findings,
    collisions: Collisions,
    ledger: Ledger,
    read_closed: Callable[[int], Mapping[int, Verdict]],
    draw_again: Callable[[Audit], AuditPlan],
) -> QualitySummary:
    """Return what is known now.

    `read_closed` gives the verdicts up to an entry of the log, `draw_again` the plan of an audit;
    the page keeps what both return.
    """
    verdicts = ledger.verdicts()
    found = find_audits(ledger.audits())
    audit = found[-1] if found else None
    judged, problem = None, None
    if audit is not None:
        try:
            counted = read_closed(audit.closed.seq) if audit.closed else verdicts
            _check_settings(audit, findings, collisions)
            judged = JudgedAudit(audit, draw_again(audit), findings, counted)
        except InputError as error:
            problem = error
    known = find_known(verdicts)
    return QualitySummary(
        len(dataset), known, _find_history(dataset, ledger.states(), known), audit, judged, problem
    )


def _check_settings(audit: Audit, findings: Findings, collisions: Collisions) -> None:
    if (findings.threshold, collisions) != (audit.threshold, audit.collisions):
        raise InputError(
            f"The audit was drawn with the threshold {audit.threshold} and the collisions "
            f"{audit.collisions!r}, and other settings are chosen now.",
            "Choose the settings of the audit to see its figures.",
        )


def _find_history(dataset: Dataset, states: States, known: Mapping[int, bool]) -> IntArray:
    """Return the errors found so far after each judged label, in the order of the decisions."""
    times = []
    for example_id, state in states.items():
        row, current = dataset.row_of.get(example_id), state.current()
        if row is not None and row in known and current is not None:
            times.append((current.seq, known[row]))
    history: IntArray = np.cumsum([wrong for _, wrong in sorted(times)], dtype=np.int64)
    return history


def compare_with_estimate(findings: Findings, judged: JudgedAudit | None) -> str:
    """Return how good the paper's estimate was, according to the audit."""
    estimated = findings.estimated_errors
    number = count_of(estimated, "wrong label")
    said = f"Confident learning alone, from this model, estimates {number}."
    if judged is None or not judged.quality.judged:
        return f"{said} An audit measures how far off that is."
    total = judged.quality.total_errors
    between = f"{total.low:,.0f} to {total.high:,.0f}"
    if total.low <= estimated <= total.high:
        return f"{said} The audit, {between}, does not contradict it."
    side = "too few" if estimated < total.low else "too many"
    are = verb_of(total.high, "is", "are")
    return f"{said} That is {side}: the audit says that {between} {are} wrong."
