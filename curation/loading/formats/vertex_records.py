"""Vertex AI's batch predictions: an instance, and the confidence in each class."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from curation.loading.formats.record_form import Flattened, RecordForm


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
    """Return what was predicted about one instance, which is the key: the rows are in no order."""
    instance, prediction = record.get("instance") or {}, record.get("prediction") or {}
    is_picture = str(instance.get("mimeType", "")).startswith("image/")
    shown = {"image" if is_picture else "text": instance.get("content")}
    names, scores = prediction.get("displayNames") or [], prediction.get("confidences") or []
    pairs = zip(names, scores, strict=False)
    return shown | {"probs": [{"label": name, "score": score} for name, score in pairs]}
