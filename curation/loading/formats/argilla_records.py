"""Argilla's records: as versions 1 and 2 save them, nested, flattened, or as a dataset."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from curation.loading.formats.record_form import Flattened, RecordForm, plain_value, spread_answers

RESPONSES = ".responses"  # the ending of a flattened column of answers
SUGGESTION = "-suggestion"  # next to a question in a dataset of version 1
DISCARDED = ("discarded", "draft")  # answers that were not submitted
OWN_KEYS = frozenset(
    "annotation annotation_agent prediction prediction_agent inputs multi_label explanation "
    "vectors event_timestamp metrics search_keywords fields responses suggestions _server_id "
    "status metadata".split()
)


class ArgillaRecords(RecordForm):
    """Nested records of Argilla 2, or of a feedback dataset of Argilla 1."""

    name = "argilla"
    tool = "Argilla"

    def fits(self, record: Any) -> bool:
        return isinstance(record, dict) and (
            (isinstance(record.get("fields"), dict) and "responses" in record)
            or _is_flattened(record)
            or _is_from_version_1(record)
            or bool(_find_feedback(record))
        )

    def flatten(self, records: Sequence[Any], where: str) -> Flattened:
        found = spread_answers([_read_answers(record) for record in records])
        rows = [_fields(record) | row for record, row in zip(records, found.rows, strict=True)]
        return Flattened(rows, found.annotators, found.questions)


def _is_flattened(record: Mapping[str, Any]) -> bool:
    return "_server_id" in record and any(key.endswith(RESPONSES) for key in record)


def _is_from_version_1(record: Mapping[str, Any]) -> bool:
    return "annotation" in record and "prediction_agent" in record and "inputs" in record


def _find_feedback(record: Mapping[str, Any]) -> list[str]:
    """Return the questions of a dataset that version 1 saved: each has its suggestion next to it.

    Its answers are lists of {user_id, value, status}; in Arrow, one object of lists.
    """
    return [key for key in record if f"{key}{SUGGESTION}" in record]


def _fields(record: Mapping[str, Any]) -> dict[str, Any]:
    """Return what was shown to the annotators, and a prediction if there is one."""
    found: dict[str, Any] = {"id": record.get("id", record.get("external_id"))}
    shown = record.get("fields") or record.get("inputs")
    if isinstance(shown, dict):
        found |= shown
    others = {
        key: value
        for key, value in record.items()
        if key not in OWN_KEYS and ".suggestion" not in key and RESPONSES not in key
    }
    questions = _find_feedback(record)
    found |= {k: v for k, v in others.items() if k not in questions and SUGGESTION not in k}
    found.pop("label", None)
    if _is_from_version_1(record) and (scores := _scores(record.get("prediction"))):
        found["prediction"] = scores
    return found


def _scores(prediction: Any) -> list[dict[str, Any]]:
    """Return a prediction of version 1 as labels and scores; it was saved as pairs or as objects.

    >>> _scores([["cat", 0.9], ["dog", 0.1]])
    [{'label': 'cat', 'score': 0.9}, {'label': 'dog', 'score': 0.1}]
    """
    if not isinstance(prediction, list):
        return []
    pairs = [
        (each.get("label"), each.get("score")) if isinstance(each, dict) else tuple(each)
        for each in prediction
        if isinstance(each, dict | list | tuple)
    ]
    return [{"label": pair[0], "score": pair[1]} for pair in pairs if len(pair) == 2]


def _read_answers(record: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    """Return the submitted answers of one record as {question: {annotator: label}}."""
    if _is_from_version_1(record):
        agent = record.get("annotation_agent") or "nobody"
        said = plain_value(record["annotation"])
        return {"annotation": {} if said is None else {str(agent): said}}
    if _is_flattened(record):
        return _read_flattened(record)
    responses = record.get("responses")
    if isinstance(responses, list):
        return _read_response_list(responses)
    if isinstance(responses, dict):
        return {str(question): _read_people(said) for question, said in responses.items()}
    return {question: _read_people(record[question]) for question in _find_feedback(record)}


def _read_flattened(record: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    answers: dict[str, dict[str, Any]] = {}
    for key in (each for each in record if each.endswith(RESPONSES)):
        values = record[key] or []
        users = record.get(f"{key}.users") or [None] * len(values)
        states = record.get(f"{key}.status") or [None] * len(values)
        people = zip(values, users, states, strict=False)
        answers[key.removesuffix(RESPONSES)] = {
            str(user or "nobody"): plain_value(value)
            for value, user, state in people
            if state not in DISCARDED
        }
    return answers


def _read_response_list(responses: Sequence[Any]) -> dict[str, dict[str, Any]]:
    """Return the answers in a feedback dataset of version 1: one response for each person."""
    answers: dict[str, dict[str, Any]] = {}
    for response in (each for each in responses if isinstance(each, dict)):
        values = response.get("values")
        if response.get("status") in DISCARDED or not isinstance(values, dict):
            continue
        for question, said in values.items():
            value = said.get("value") if isinstance(said, dict) else said
            people = answers.setdefault(str(question), {})
            people[str(response.get("user_id") or "nobody")] = plain_value(value)
    return answers


def _read_people(said: Any) -> dict[str, Any]:
    """Return the answers to one question, saved as a list of objects or as one object of lists.

    >>> _read_people({"user_id": ["a"], "value": ["cat"], "status": ["submitted"]})
    {'a': 'cat'}
    """
    if isinstance(said, dict) and isinstance(said.get("value"), list):
        users = said.get("user_id") or [None] * len(said["value"])
        states = said.get("status") or ["submitted"] * len(said["value"])
        said = [
            {"value": value, "user_id": user, "status": state}
            for value, user, state in zip(said["value"], users, states, strict=False)
        ]
    people = [each for each in said or () if isinstance(each, dict)]
    return {
        str(each.get("user_id") or "nobody"): plain_value(each.get("value"))
        for each in people
        if each.get("status") not in DISCARDED
    }
