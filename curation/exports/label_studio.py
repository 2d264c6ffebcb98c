"""label_studio.json: one task per example for Label Studio.

The labelling interface needs a Choices control called `label` for an object called `text` or
`image`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from curation.exports.tool_records import (
    AGENT,
    Annotation,
    ToolRecord,
    read_records,
    write_json_list,
)
from curation.review.cleaning_plan import Plan
from curation.store.actions import Action


def write_label_studio(plan: Plan) -> Iterator[bytes]:
    """Yield tasks with the suggestion as prediction and each curator's decision as annotation.

    An excluded example has a cancelled annotation.
    """
    yield from write_json_list(_make_task(each) for each in read_records(plan))


def _make_task(record: ToolRecord) -> dict[str, Any]:
    to_name = next(iter(record.content))
    prediction = {
        "model_version": AGENT,
        "score": record.score,
        "result": [_make_result([record.suggested], to_name)],
    }
    return {
        "data": {"id": record.id, **record.content, "given_label": record.given},
        "predictions": [prediction],
        "annotations": [
            _make_annotation(each, to_name)
            for each in record.answers
            if each.decision.action.is_final
        ],
    }


def _make_annotation(answer: Annotation, to_name: str) -> dict[str, Any]:
    decision = answer.decision
    cancelled = decision.action is Action.EXCLUDE
    return {
        "result": [] if cancelled else [_make_result(answer.choices, to_name)],
        "was_cancelled": cancelled,
        "meta": {
            "curator": decision.curator,
            "action": decision.action.word,
            "note": decision.note,
        },
    }


def _make_result(labels: Sequence[str], to_name: str) -> dict[str, Any]:
    return {
        "from_name": "label",
        "to_name": to_name,
        "type": "choices",
        "value": {"choices": list(labels)},
    }
