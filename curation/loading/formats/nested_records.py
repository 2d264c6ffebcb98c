"""Two forms that nest what was shown: Vertex AI's predictions, and FiftyOne's samples."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from curation.loading.formats.record_form import LABEL, Flattened, RecordForm

CLASSIFICATION = "Classification"  # what FiftyOne calls a label of a whole sample
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
