"""Nested forms: Vertex AI's predictions, Ultralytics' results, and FiftyOne's samples."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from curation.loading.formats.record_form import LABEL, Flattened, RecordForm

CLASSIFICATION = "Classification"  # what FiftyOne calls a label of a whole sample
ULTRALYTICS_KEYS = frozenset({"name", "class", "confidence"})
GIVEN = "ground_truth"  # its usual name for the labels


class VertexPredictions(RecordForm):
    """Lines of a batch prediction: the instance, and the confidence in each class."""

    name = "vertex"
    tool = "Vertex AI's batch prediction"

    def fits(self, record: Any) -> bool:
        return (
            isinstance(record, dict)
            and isinstance(record.get("instance"), dict)
            and _are_scores(record.get("prediction"))
        )

    def flatten(self, records: Sequence[Any], where: str) -> Flattened:
        return Flattened([_read_prediction(record) for record in records])


def _are_scores(prediction: Any) -> bool:
    if not isinstance(prediction, dict):
        return False
    names, scores = prediction.get("displayNames"), prediction.get("confidences")
    return isinstance(names, list) and isinstance(scores, list) and len(names) == len(scores)


def _read_prediction(record: Mapping[str, Any]) -> dict[str, Any]:
    """Return what was predicted about one instance; its rows are in no order, so it is the key."""
    instance, prediction = record.get("instance") or {}, record.get("prediction") or {}
    is_picture = str(instance.get("mimeType", "")).startswith("image/")
    shown = {"image" if is_picture else "text": instance.get("content")}
    names, scores = prediction.get("displayNames") or [], prediction.get("confidences") or []
    pairs = zip(names, scores, strict=False)
    return shown | {"probs": [{"label": name, "score": score} for name, score in pairs]}


class UltralyticsResults(RecordForm):
    """What was predicted for each picture: what `Results.to_json` gives, or its names and probs.

    The first holds only the five likeliest classes, or fewer.
    """

    name = "ultralytics"
    tool = "Ultralytics"

    def fits(self, record: Any) -> bool:
        if isinstance(record, list):
            return bool(record) and all(map(_is_class_score, record))
        return isinstance(record, dict) and _list_names(record) is not None

    def flatten(self, records: Sequence[Any], where: str) -> Flattened:
        return Flattened([_read_result(record) for record in records])


def _list_names(record: Mapping[str, Any]) -> list[str] | None:
    """Return the classes in the order of the probabilities, from names by number; None without.

    >>> _list_names({"names": {"0": "tabby", "1": "pug"}, "probs": [0.9, 0.1]})
    ['tabby', 'pug']
    """
    names, probs = record.get("names"), record.get("probs")
    if not isinstance(names, dict) or not isinstance(probs, list) or len(names) != len(probs):
        return None
    numbered = [names.get(str(place)) for place in range(len(probs))]
    named = [each for each in numbered if isinstance(each, str)]
    return named if len(named) == len(probs) else None


def _read_result(record: Any) -> dict[str, Any]:
    if isinstance(record, list):
        return {"probs": [_as_score(each) for each in record]}
    pairs = zip(_list_names(record) or [], record["probs"], strict=True)
    shown = {key: value for key, value in record.items() if key not in ("names", "probs")}
    return shown | {"probs": [{"label": name, "score": score} for name, score in pairs]}


def _is_class_score(value: Any) -> bool:
    # with a box, it is a detection
    return isinstance(value, dict) and ULTRALYTICS_KEYS <= value.keys() and "box" not in value


def _as_score(value: Mapping[str, Any]) -> dict[str, Any]:
    return {"label": value["name"], "score": value["confidence"]}


class FiftyOneSamples(RecordForm):
    """The samples of a FiftyOne dataset, with their labels as fields."""

    name = "fiftyone"
    tool = "FiftyOne"

    def fits(self, record: Any) -> bool:
        return isinstance(record, dict) and "filepath" in record and bool(_fields(record))

    def flatten(self, records: Sequence[Any], where: str) -> Flattened:
        fields = list(dict.fromkeys(field for record in records for field in _fields(record)))
        chosen = GIVEN if GIVEN in fields else fields[0] if len(fields) == 1 else None
        rows = []
        for record in records:
            found = _fields(record)
            said = {LABEL: found.get(chosen)} if chosen else {f: found.get(f) for f in fields}
            rows.append({"filepath": record.get("filepath")} | said)
        return Flattened(rows, questions=() if chosen else tuple(fields))


def _fields(record: Mapping[str, Any]) -> dict[str, Any]:
    """Return the labels of a sample, by the name of their field."""
    return {
        name: value.get("label")
        for name, value in record.items()
        if isinstance(value, dict) and value.get("_cls") == CLASSIFICATION
    }
