"""argilla.json: one record per example for Argilla, with a response from each curator."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from curation.exports.tool_records import AGENT, ToolRecord, read_records, write_json_list
from curation.review.cleaning_plan import Plan
from curation.store.actions import Action

STATUSES = {  # others: draft
    Action.KEEP: "submitted",
    Action.RELABEL: "submitted",
    Action.AMBIGUOUS: "submitted",
    Action.EXCLUDE: "discarded",
}


def write_argilla(plan: Plan) -> Iterator[bytes]:
    """Yield a list of records, each with the suggestion and every curator's response."""
    yield from write_json_list(_make_item(each) for each in read_records(plan))


def _make_item(record: ToolRecord) -> dict[str, Any]:
    answers = record.answers
    statuses = [STATUSES.get(each.decision.action, "draft") for each in answers]
    return {
        "id": record.id,
        **record.content,
        "given_label": record.given,
        "label.suggestion": record.suggested,
        "label.suggestion.score": record.score,
        "label.suggestion.agent": AGENT,
        "label.responses": [each.choice for each in answers],
        "label.responses.users": [each.decision.curator for each in answers],
        "label.responses.status": statuses,
    }
