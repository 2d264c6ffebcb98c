"""prodigy.jsonl: one task per example for Prodigy."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from curation.exports.tool_records import read_records, write_json
from curation.review.cleaning_plan import Plan
from curation.store.actions import Action

ANSWERS = {  # others: ignore
    Action.KEEP: "accept",
    Action.RELABEL: "accept",
    Action.EXCLUDE: "reject",
}


def write_prodigy(plan: Plan) -> Iterator[bytes]:
    """Yield one task per line: the label decided, with its answer, or the suggestion to judge."""
    for record in read_records(plan):
        outcome = record.outcome
        decision = outcome.decision if outcome else None
        label = outcome.choice if outcome else record.suggested
        task: dict[str, Any] = {**record.content, "label": label}
        if decision is not None:
            task["answer"] = ANSWERS.get(decision.action, "ignore")
        task["meta"] = {
            "id": record.id,
            "given_label": record.given,
            "suggested_label": record.suggested,
            "score": record.score,
            "action": decision.action if decision else "",
            "curator": decision.curator if decision else "",
            "note": decision.note if decision else "",
        }
        yield write_json(task) + b"\n"
