"""SageMaker Ground Truth's output manifest: what was shown, the class, and facts about it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from curation.loading.formats.record_form import LABEL, Flattened, RecordForm

METADATA = "-metadata"  # what Ground Truth adds to the name of the question
SOURCES = {"source-ref": "image", "source": "text"}


class GroundTruth(RecordForm):
    """Lines of an output manifest: what was shown, the class, and what is known about it."""

    name = "ground_truth"
    tool = "SageMaker Ground Truth"

    def fits(self, record: Any) -> bool:
        return (
            isinstance(record, dict)
            and any(key in record for key in SOURCES)
            and any(_class_name(record, key) is not None for key in record)
        )

    def flatten(self, records: Sequence[Any], where: str) -> Flattened:
        answered = [key for key in records[0] if _class_name(records[0], key) is not None]
        rows = []
        for record in records:
            shown = {SOURCES[key]: record[key] for key in SOURCES if key in record}
            names = {key: _class_name(record, key) for key in answered}
            rows.append(shown | ({LABEL: names[answered[0]]} if len(answered) == 1 else names))
        if len(answered) > 1:
            return Flattened(rows, questions=tuple(answered))
        return Flattened(rows, class_names=_order_classes(records, answered[0]))


def _order_classes(records: Sequence[Any], question: str) -> tuple[str, ...]:
    """Return the classes in the order of their numbers; empty if a number was never given."""
    numbers = {record.get(question): _class_name(record, question) for record in records}
    names = [numbers.get(place) for place in range(len(numbers))]
    return tuple(str(name) for name in names) if all(names) else ()


def _class_name(record: Mapping[str, Any], question: str) -> str | None:
    """Return the class that was the answer to a question."""
    about = record.get(question + METADATA)
    name = about.get("class-name") if isinstance(about, dict) else None
    return name if isinstance(name, str) else None
