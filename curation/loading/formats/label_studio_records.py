"""Label Studio's JSON export: tasks with their data, and the annotations of each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from curation.loading.formats.record_form import (
    Flattened,
    RecordForm,
    plain_value,
    spread_answers,
    tell_apart,
)
from curation.loading.report_builder import list_few, stop

ANNOTATIONS = ("annotations", "completions")  # as version 1 and version 0 write


class LabelStudioTasks(RecordForm):
    """Tasks as Label Studio exports them as JSON, with every annotation."""

    name = "label_studio"
    tool = "Label Studio"

    def fits(self, record: Any) -> bool:
        return (
            isinstance(record, dict)
            and isinstance(record.get("data"), dict)
            and any(isinstance(record.get(key), list) for key in ANNOTATIONS)
        )

    def flatten(self, records: Sequence[Any], where: str) -> Flattened:
        kinds: set[str] = set()
        found = spread_answers([_read_answers(task, kinds) for task in records])
        if not any(row.values() for row in map(dict, found.rows)):
            raise stop(
                code="labels.none",
                where=where,
                what=f"none of the {len(records)} tasks has a choice"
                + (f"; there are results of type {list_few(sorted(kinds))}." if kinds else "."),
                fix="Export a project that classifies its tasks with Choices.",
                why="A box or a span is not the label of its whole example.",
                count=len(records),
            )
        rows = [_data(task) | row for task, row in zip(records, found.rows, strict=True)]
        return Flattened(rows, found.annotators, found.questions)


def _data(task: Mapping[str, Any]) -> dict[str, Any]:
    fields = {key: value for key, value in task["data"].items() if key not in ("id", "label")}
    return {"id": task.get("id")} | fields


def _read_answers(task: Mapping[str, Any], kinds: set[str]) -> dict[str, dict[str, Any]]:
    """Return the choices of one task as {question: {annotator: label}}."""
    answers: dict[str, dict[str, Any]] = {}
    for annotation in _list(task, ANNOTATIONS):
        if not isinstance(annotation, dict) or annotation.get("was_cancelled"):
            continue
        for result in _list(annotation, ("result",)):
            choices = _choices(result, kinds)
            if choices is not None:
                people = answers.setdefault(str(result.get("from_name", "choice")), {})
                who = _name(annotation.get("completed_by"))
                people[tell_apart(who, choices, people)] = choices
    return answers


def _list(record: Mapping[str, Any], keys: Sequence[str]) -> list[Any]:
    found = (record.get(key) for key in keys)
    return next((each for each in found if isinstance(each, list)), [])


def _choices(result: Any, kinds: set[str]) -> Any:
    """Return what was chosen: one text, or a list of several; None for other results."""
    value = result.get("value") if isinstance(result, dict) else None
    if not isinstance(value, dict):
        return None
    kinds.add(str(result.get("type")))
    if "rating" in value:
        return value["rating"]
    chosen = plain_value(value.get("choices", value.get("taxonomy")))
    return plain_value(chosen)


def _name(annotator: Any) -> str | None:
    """Return who annotated: an email address, or the number of the user."""
    if isinstance(annotator, dict):
        annotator = annotator.get("email") or annotator.get("id")
    return None if annotator is None else str(annotator)
