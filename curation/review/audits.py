"""Audits of a dataset: drawn, judged by the decisions in the log, and closed.

An audit belongs to the dataset it was drawn from: its labels, its probabilities and its ids. The
decisions on its examples are its verdicts, no matter who makes them and on which page. Later
decisions do not change a closed audit.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, cast

from curation.analysis.findings import Findings, Method
from curation.core.count import Collisions, Threshold
from curation.dataset import Dataset
from curation.errors import InputError
from curation.quality import AuditPlan, Quality, estimate_quality, plan_audit
from curation.review.verdicts import Verdict, count_verdicts, find_verdicts
from curation.store.actions import AuditAction
from curation.store.decision_store import Store
from curation.store.entries import AuditEntry, Decision, Entry
from curation.store.replay import ExampleState, replay

CONFIDENCE = 0.95
DEFAULT_SIZE = 200


@dataclass(frozen=True)
class Audit:
    """One audit as the log holds it."""

    drawn: AuditEntry
    closed: AuditEntry | None = None

    @property
    def name(self) -> str:
        return self.drawn.op_id

    @property
    def stored(self) -> Mapping[str, Any]:
        """Return the plan, and what else was stored with it."""
        return self.drawn.plan or {}

    @property
    def seed(self) -> int:
        return int(self.stored["seed"])

    @property
    def method(self) -> Method:
        return cast(Method, self.stored["method"])

    @property
    def threshold(self) -> Threshold:
        return cast(Threshold, self.stored["threshold"])

    @property
    def collisions(self) -> Collisions:
        return cast(Collisions, self.stored["collisions"])

    @property
    def rows(self) -> list[int]:
        """Return the planned rows, in the order they are to be judged."""
        return list(self.stored["rows"])


@dataclass(frozen=True)
class JudgedAudit:
    """An audit, the verdicts that count in it, and what they say about all labels."""

    audit: Audit
    plan: AuditPlan
    findings: Findings
    verdicts: Mapping[int, Verdict]  # on any row
    confidence: float = CONFIDENCE

    @cached_property
    def quality(self) -> Quality:
        counted = count_verdicts(self.verdicts, self.plan.rows)
        return estimate_quality(self.findings, counted, self.plan, confidence=self.confidence)

    @property
    def num_judged(self) -> int:
        """Return how many planned examples have a verdict, with or without a gap before them."""
        return sum(row in self.verdicts for row in self.plan.rows.tolist())


def find_audits(entries: Iterable[Entry]) -> list[Audit]:
    """Return the audits in a log, oldest first."""
    audits: dict[str, Audit] = {}
    for entry in entries:
        if not isinstance(entry, AuditEntry):
            continue
        if entry.action is AuditAction.DRAW:
            audits[entry.op_id] = Audit(entry)
        elif entry.target in audits:
            audits[entry.target] = Audit(audits[entry.target].drawn, entry)
    return list(audits.values())


def draw_audit(
    store: Store,
    findings: Findings,
    *,
    known: Iterable[int],
    seed: int,
    curator: str,
    size: int = DEFAULT_SIZE,
    method: Method = "confident_joint",
    collisions: Collisions = "argmax",
    op_id: str | None = None,
) -> Audit:
    """Draw an audit from all examples that are not decided, and store it before anybody judges.

    `known` are the rows that are decided; `findings` must be those of the store's dataset.
    """
    dataset = cast(Dataset, store.dataset)
    plan = plan_audit(findings, size=size, seed=seed, known=known, method=method)
    if not len(plan.rows):
        raise InputError(
            "Every example is decided, so nothing is left to draw.",
            "The decisions themselves say how many labels are wrong.",
        )
    stored = {
        **plan.to_dict(),
        "ids": [str(dataset.ids[row]) for row in plan.rows],
        "threshold": findings.threshold,
        "collisions": collisions,
        "parts": dict(dataset.fingerprint_parts),
    }
    return Audit(store.draw_audit(stored, curator=curator, op_id=op_id))


def read_plan(audit: Audit, dataset: Dataset, findings: Findings) -> AuditPlan:
    """Return the plan of an audit, drawn again; refuse it if the dataset is no longer the same."""
    if len(dataset) != audit.stored["num_examples"]:
        raise _other_dataset_error(
            f"it was drawn from {audit.stored['num_examples']:,} examples, but now there are "
            f"{len(dataset):,}"
        )
    if [str(dataset.ids[row]) for row in audit.rows] != list(audit.stored["ids"]):
        raise _other_dataset_error("the ids of its examples have changed")
    try:
        return AuditPlan.from_dict(dict(audit.stored), findings)
    except InputError as error:
        changed = find_changes(audit, dataset)
        if not changed:
            raise
        what = "the " + " and the ".join(changed)
        raise _other_dataset_error(f"{what} have changed since it was drawn") from error


def find_changes(audit: Audit, dataset: Dataset) -> list[str]:
    """Return the parts of the dataset that have changed since the audit was drawn."""
    if audit.drawn.fingerprint == dataset.fingerprint:
        return []
    then, now = audit.stored["parts"], dataset.fingerprint_parts
    return sorted(name for name in {*then, *now} if then.get(name) != now.get(name))


def _other_dataset_error(reason: str) -> InputError:
    return InputError(
        f"The audit no longer fits the dataset: {reason}.",
        "Close it and draw a new one; all decisions are kept.",
    )


def read_log(
    dataset: Dataset, log: Sequence[Entry], until: int | None = None
) -> dict[int, Verdict]:
    """Return the verdicts that follow from a log, up to an entry."""
    return find_verdicts(dataset, replay_examples(log, until))


def replay_examples(
    log: Sequence[Entry], until: int | None = None
) -> Mapping[str, ExampleState[Decision]]:
    """Return what stands for each example after the entries up to a number."""
    taken = log if until is None else [entry for entry in log if entry.seq <= until]
    return replay(cast("Iterable[Decision]", taken)).examples


def judge_audit(
    audit: Audit,
    dataset: Dataset,
    findings: Findings,
    log: Sequence[Entry],
    *,
    confidence: float = CONFIDENCE,
) -> JudgedAudit:
    """Return an audit with its verdicts: those of the log, up to its close."""
    plan = read_plan(audit, dataset, findings)
    until = audit.closed.seq if audit.closed else None
    return JudgedAudit(audit, plan, findings, read_log(dataset, log, until), confidence)


def find_decided(dataset: Dataset, states: Mapping[str, ExampleState[Decision]]) -> list[int]:
    """Return the rows that are decided and do not need to be judged again."""
    decided = []
    for example_id, state in states.items():
        current, row = state.current(), dataset.row_of.get(example_id)
        if current is not None and current.action.is_final and row is not None:
            decided.append(row)
    return decided
