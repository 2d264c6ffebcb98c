"""What Argilla exports."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.ipc

from tests.loading.shapes.hugging_face_shapes import save_to_disk, scored
from tests.loading.shapes.shape_list import (
    LABELS,
    TEXTS,
    N,
    dump,
    lines,
    save_probs,
    shape,
)  # fmt: skip

ANA, BO = (f"{each}1111111-1111-4111-8111-111111111111" for each in "12")


def record(k: int, *people: str) -> dict[str, Any]:
    return {
        "id": f"r{k}", "fields": {"text": TEXTS[k]}, "metadata": {"source": "web"},
        "suggestions": {"animal": {"value": "cat", "score": 0.5, "agent": "bert"}},
        "responses": {"animal": [{"value": LABELS[k], "user_id": each} for each in people]},
        "vectors": {}, "status": "completed", "_server_id": None,
    }  # fmt: skip


@shape("Argilla 2, records.to_json", kind="text", code="table.tool_export", written=".csv")
def _(at: Path) -> None:
    dump(at, "records.json", [record(k, ANA) for k in range(N)])
    save_probs(at)


@shape("Argilla 2, to_disk with its settings", kind="text")
def _(at: Path) -> None:
    dump(at, "records.json", [record(k, ANA) for k in range(N)])
    dump(at, ".argilla/settings.json", {"fields": [], "questions": []})
    dump(at, ".argilla/dataset.json", {"name": "pets"})
    save_probs(at)


@shape("Argilla 2, two annotators", asks="labels.annotators", choices=3)
def _(at: Path) -> None:
    dump(at, "records.json", [record(k, ANA, BO) for k in range(N)])
    save_probs(at)


def flat(k: int) -> dict[str, Any]:
    return {
        "id": f"r{k}", "status": "completed", "_server_id": None, "text": TEXTS[k],
        "animal.responses": [LABELS[k]], "animal.responses.users": [ANA],
        "animal.responses.status": ["submitted"], "animal.suggestion": "cat",
        "animal.suggestion.score": 0.5, "animal.suggestion.agent": "bert",
    }  # fmt: skip


@shape("Argilla 2, to_list(flatten=True)", kind="text")
def _(at: Path) -> None:
    dump(at, "argilla.json", [flat(k) for k in range(N)])
    save_probs(at)


@shape("Argilla 2, records.to_datasets().save_to_disk", kind="text", written=".csv")
def _(at: Path) -> None:
    save_to_disk(at, pa.Table.from_pylist([flat(k) for k in range(N)]))
    save_probs(at)


@shape("Argilla 1, records with predictions", kind="text")
def _(at: Path) -> None:
    lines(at, "pets.jsonl", [
        {
            "text": TEXTS[k], "inputs": {"text": TEXTS[k]}, "prediction_agent": "bert",
            "prediction": scored(k),
            "annotation": LABELS[k], "annotation_agent": "ana", "vectors": None,
            "multi_label": False, "explanation": None, "id": f"r{k}", "metadata": None,
            "status": "Validated", "event_timestamp": None, "metrics": None,
        }
        for k in range(N)
    ])  # fmt: skip


@shape("Argilla 1, feedback records", kind="text")
def _(at: Path) -> None:
    dump(at, "feedback.json", [
        {
            "fields": {"text": TEXTS[k]}, "metadata": {}, "external_id": f"r{k}",
            "responses": [{"user_id": ANA, "status": "submitted",
                           "values": {"animal": {"value": LABELS[k]}}}],
            "suggestions": [],
        }
        for k in range(N)
    ])  # fmt: skip
    save_probs(at)
