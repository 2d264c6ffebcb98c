"""The exports of Labelbox, Datumaro and FiftyOne, as their current versions write them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from PIL import Image

from tests.loading.shapes.shape_list import (
    GIVEN,
    LABELS,
    NAMES,
    PROBS,
    TEXTS,
    N,
    save_probs,
    shape,
    write,
)  # fmt: skip


def classification(name: str, label: str) -> dict[str, Any]:
    answer = {"feature_id": "f2", "name": label, "value": label.lower(), "classifications": []}
    return {"feature_id": "f1", "name": name, "value": name, "radio_answer": answer}


def data_row(k: int, *people: str | None) -> dict[str, Any]:
    labels = [
        {
            "label_kind": "Default", "version": "1.0.0", "id": f"{who}-{k}",
            "label_details": {"created_at": "2026-03-01T09:30:00.000+00:00", "created_by": who},
            "annotations": {"objects": [], "relationships": [],
                            "classifications": [classification("animal", LABELS[k])]},
        }
        for who in people
    ]  # fmt: skip
    return {
        "data_row": {"id": f"cl{k}", "global_key": f"text-{k}", "row_data": TEXTS[k]},
        "media_attributes": {"mime_type": "text/plain"},
        "projects": {"clp1": {"name": "pets", "labels": labels, "project_details": {}}},
    }


@shape("Labelbox NDJSON, a radio question", kind="text", code="table.tool_export", written=".csv")
def _(at: Path) -> None:
    rows = [data_row(k, "ana@example.org") for k in range(N)]
    write(at, "export.ndjson", "".join(json.dumps(row) + "\n" for row in rows))
    save_probs(at)


@shape("Labelbox JSON, two annotators", asks="labels.annotators", choices=3)
def _(at: Path) -> None:
    write(at, "export.json", json.dumps([data_row(k, "ana", "bo") for k in range(N)]))
    save_probs(at)


@shape("Labelbox JSON without details, two annotators", asks="labels.annotators", choices=3)
def _(at: Path) -> None:
    write(at, "export.json", json.dumps([data_row(k, None, None) for k in range(N)]))
    save_probs(at)


@shape("Labelbox, boxes only", asks="labels.none", says="Radio")
def _(at: Path) -> None:
    rows = [data_row(k) for k in range(N)]
    write(at, "export.json", json.dumps(rows))
    save_probs(at)


def datumaro(k: int, kind: str = "label") -> dict[str, Any]:
    said = {"id": 0, "type": kind, "attributes": {}, "group": 0, "label_id": int(GIVEN[k])}
    return {"id": f"img{k}", "annotations": [said], "image": {"path": f"img{k}.png"}}


def datumaro_file(kind: str = "label") -> str:
    labels = [{"name": name, "parent": "", "attributes": []} for name in NAMES]
    categories = {"label": {"labels": labels, "attributes": []}}
    items = [datumaro(k, kind) for k in range(N)]
    return json.dumps({"info": {}, "categories": categories, "items": items})


@shape("Datumaro JSON", kind="image", written=".csv")
def _(at: Path) -> None:
    write(at, "default.json", datumaro_file())
    save_probs(at)


@shape("Datumaro JSON with boxes", asks="labels.lists")
def _(at: Path) -> None:
    write(at, "labels.json", datumaro_file("bbox"))
    save_probs(at)


@shape("FiftyOne, labels.json next to data", kind="image", written=".csv")
def _(at: Path) -> None:
    labels = {f"{k:02}": int(GIVEN[k]) for k in range(N)}
    write(at, "labels.json", json.dumps({"classes": list(NAMES), "labels": labels}))
    (at / "data").mkdir()
    for k in range(N):
        Image.new("L", (4, 4), k).save(at / f"data/{k:02}.png")
    save_probs(at)


@shape("FiftyOne, samples.json", kind="image", code="table.tool_export")
def _(at: Path) -> None:
    samples = [
        {
            "filepath": f"data/{k:02}.jpg", "tags": [],
            "ground_truth": {"_cls": "Classification", "label": LABELS[k]},
            "prediction": {"_cls": "Classification", "label": NAMES[int(PROBS[k].argmax())],
                           "confidence": float(PROBS[k].max())},
        }
        for k in range(N)
    ]  # fmt: skip
    write(at, "samples.json", json.dumps({"samples": samples}))
    save_probs(at)
