"""What the Quality page shows, computed once for each state of the log."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeVar

from curation.quality import AuditPlan
from curation.quality.stopping import Advice, Queue, advise, line_up
from curation.review.audits import Audit, read_log, read_plan
from curation.review.ledger import Ledger
from curation.review.quality_summary import QualitySummary, summarize_quality
from curation.review.verdicts import Verdict
from curation.store import Store
from curation.ui.shell.cache import Key, identify, of_analysis, of_dataset
from curation.ui.shell.decision_progress import ledger_of
from curation.ui.shell.setup import Frame

Result = TypeVar("Result")


def find_summary(frame: Frame, store: Store) -> QualitySummary:
    """Return what is known about the labels now."""
    ledger = ledger_of(store)
    ledger.catch_up()

    def read_closed(until: int) -> Mapping[int, Verdict]:
        return of_dataset(
            frame.dataset,
            ("verdicts at the close", identify(store), until),
            lambda: read_log(frame.dataset, store.log(), until),
        )

    def draw_again(audit: Audit) -> AuditPlan:
        return of_analysis(
            frame.findings,
            ("audit plan", audit.name),
            lambda: read_plan(audit, frame.dataset, frame.findings),
        )

    def work() -> QualitySummary:
        return summarize_quality(
            frame.dataset, frame.findings, frame.settings.collisions, ledger, read_closed,
            draw_again,
        )  # fmt: skip

    return _keep_latest(frame, "quality summary", ledger, work)


def find_advice(frame: Frame, store: Store, known: Mapping[int, bool], value: int) -> Advice | None:
    """Return whether to go on with the queue of the chosen method."""
    method, findings = frame.settings.method, frame.findings

    def make_queue() -> Queue:
        return line_up(findings, method)

    queue = of_analysis(findings, ("whole queue", method), make_queue)
    return _keep_latest(
        frame,
        f"advice {method} {value}",
        ledger_of(store),
        lambda: advise(queue, known, value=value),
    )


def _keep_latest(frame: Frame, name: str, ledger: Ledger, work: Callable[[], Result]) -> Result:
    """Return what `work` returned for this analysis and this state of the log.

    Earlier states are dropped. The result is kept with the dataset, because it may hold the
    findings.
    """
    slot: dict[Key, tuple[Result]] = of_dataset(
        frame.dataset, ("quality figures", name, identify(ledger.store)), dict
    )
    state = (identify(frame.findings), ledger.last)
    kept = slot.get(state)
    if kept is None:
        kept = (work(),)
        slot.clear()
        slot[state] = kept
    return kept[0]  # another visitor, at a later state, may have dropped it from the slot
