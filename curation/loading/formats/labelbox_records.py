"""Labelbox's export: one data row per line, with the labels that each project gave it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from curation.loading.formats.record_form import Flattened, RecordForm, plain_value, spread_answers
from curation.loading.report_builder import stop

KEYS = ("external_id", "global_key")  # the user's own names for a data row


class LabelboxRows(RecordForm):
    """Data rows as Labelbox exports them, as JSON Lines or as an array."""

    name = "labelbox"
    tool = "Labelbox"

    def fits(self, record: Any) -> bool:
        return (
            isinstance(record, dict)
            and isinstance(record.get("data_row"), dict)
            and isinstance(record.get("projects"), dict)
        )

    def flatten(self, records: Sequence[Any], where: str) -> Flattened:
        found = spread_answers([_read_answers(record) for record in records])
        if not any(value is not None for row in found.rows for value in row.values()):
            raise stop(
                code="labels.none",
                where=where,
                what=f"none of the {len(records)} data rows has an answer to a question of type "
                "Radio.",
                fix="Export a project that classifies its data rows with a Radio question.",
                why="A box or a span is not the label of its whole example.",
                count=len(records),
            )
        rows = [_data(record) | row for record, row in zip(records, found.rows, strict=True)]
        return Flattened(rows, found.annotators, found.questions)


def _data(record: Mapping[str, Any]) -> dict[str, Any]:
    row = record["data_row"]
    about = record.get("media_attributes")
    mime = str(about.get("mime_type", "")) if isinstance(about, dict) else ""
    shown = row.get("row_data")
    is_picture = mime.startswith("image/") or (not mime and str(shown).startswith("http"))
    named = {key: row[key] for key in KEYS if row.get(key)}
    return {"id": row.get("id")} | named | {"image" if is_picture else "text": shown}


def _read_answers(record: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    """Return the answers to the questions about one data row, as {question: {annotator: label}}."""
    answers: dict[str, dict[str, Any]] = {}
    for annotator, question, label in _iterate_answers(record):
        answers.setdefault(question, {})[annotator] = label
    return answers


def _iterate_answers(record: Mapping[str, Any]) -> Iterator[tuple[str, str, Any]]:
    for project in _objects(record["projects"].values()):
        for label in _objects(project.get("labels")):
            details, said = label.get("label_details"), label.get("annotations")
            who = details.get("created_by") if isinstance(details, dict) else None
            for each in _objects(said.get("classifications") if isinstance(said, dict) else ()):
                answer = _read_answer(each)
                if answer is not None:
                    yield str(who or "nobody"), str(each.get("name", "question")), answer


def _objects(values: Any) -> list[dict[str, Any]]:
    listed = values if isinstance(values, list) else list(values or ())
    return [each for each in listed if isinstance(each, dict)]


def _read_answer(classification: Mapping[str, Any]) -> Any:
    """Return the chosen class, or a list of several; None for a free text."""
    radio = classification.get("radio_answer")
    if isinstance(radio, dict):
        return radio.get("name") or radio.get("value")
    many = [each.get("name") for each in _objects(classification.get("checklist_answers"))]
    return plain_value(many) if many else None
