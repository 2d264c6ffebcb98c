"""FiftyOne's samples: a picture, and its labels as fields."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from curation.loading.formats.record_form import LABEL, Flattened, RecordForm

CLASSIFICATION = "Classification"  # what FiftyOne calls a label of a whole sample
GIVEN = "ground_truth"  # its usual name for the labels


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
