"""Ultralytics' results of classifying pictures: a list of scores for each picture."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from curation.loading.formats.record_form import Flattened, RecordForm

ULTRALYTICS_KEYS = frozenset({"name", "class", "confidence"})


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
