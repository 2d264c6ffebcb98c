"""prodigy.jsonl: one task per example for Prodigy."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from curation.exports.tool_records import ToolRecord, read_records, write_json
from curation.review.cleaning_plan import Plan
from curation.store.actions import Action

ANSWERS = {  # others: ignore; a reject would say that the label is wrong
    Action.KEEP: "accept",
    Action.RELABEL: "accept",
    Action.AMBIGUOUS: "accept",
}


def write_prodigy(plan: Plan) -> Iterator[bytes]:
    """Yield one task per line: the decided label with its answer, or the suggestion to judge.

    Both labels of an example are choices that were both accepted.
    """
    for record in read_records(plan):
        task: dict[str, Any] = {**record.content, **_choose_labels(record)}
        if record.outcome is not None:
            task["answer"] = ANSWERS.get(record.outcome.decision.action, "ignore")
        task["meta"] = {
            "id": record.id,
            "given_label": record.given,
            "suggested_label": record.suggested,
            "score": record.score,
            **record.said,
        }
        yield write_json(task) + b"\n"


def _choose_labels(record: ToolRecord) -> dict[str, Any]:
    """Return the one label of a task, or the choices of an example that shows several classes."""
    outcome = record.outcome
    if outcome is None or len(outcome.choices) == 1:
        return {"label": outcome.choice if outcome else record.suggested}
    options = [{"id": label, "text": label} for label in outcome.choices]
    return {"options": options, "accept": list(outcome.choices)}
