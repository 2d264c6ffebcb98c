"""The output of a Hugging Face pipeline: the score of each class, or only of the likeliest."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from curation.loading.formats.json_columns import SCORED
from curation.loading.formats.record_form import Flattened, RecordForm
from curation.loading.report_builder import list_few, stop

COLUMN = "probs"  # what the only column of the table is called


class PipelineOutput(RecordForm):
    """A list of {label, score} for each example, as top_k=None gives, or one of them."""

    name = "pipeline"
    tool = "a Hugging Face pipeline"

    def fits(self, record: Any) -> bool:
        if isinstance(record, list):
            return bool(record) and all(_is_score(each) for each in record)
        return _is_score(record)

    def flatten(self, records: Sequence[Any], where: str) -> Flattened:
        if not all(self.fits(each) for each in records):
            row = next(row for row, each in enumerate(records) if not self.fits(each))
            raise stop(
                code="probs.not_a_number",
                where=f"{where}, row {row}",
                what=f"{str(records[row])[:80]} is not a label with its score.",
                fix="Save what the pipeline returned, one result for each text.",
                why="An example without probabilities cannot be checked.",
            )
        if all(isinstance(each, dict) for each in records):
            return Flattened([{COLUMN: each} for each in _complete(records, where)])
        return Flattened([{COLUMN: each if isinstance(each, list) else [each]} for each in records])


def _is_score(value: Any) -> bool:
    return (
        isinstance(value, dict)
        and value.keys() == SCORED
        and isinstance(value["label"], str)
        and type(value["score"]) in (int, float)
    )


def _complete(records: Sequence[Any], where: str) -> list[list[dict[str, Any]]]:
    """Return both scores of each example, from that of the likelier of two classes."""
    labels = sorted({each["label"] for each in records})
    if len(labels) != 2:
        raise stop(
            code="probs.top_one",
            where=where,
            what=f"only the score of the likeliest class is there, of {list_few(labels)}.",
            fix="Run the pipeline with top_k=None, and save the scores of all classes.",
            why="With more than two classes, the rest of the probability could belong to any.",
            count=len(records),
        )
    other = {labels[0]: labels[1], labels[1]: labels[0]}
    return [[each, {"label": other[each["label"]], "score": 1 - each["score"]}] for each in records]
