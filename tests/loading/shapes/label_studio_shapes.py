"""What Label Studio exports, in its own JSON and as tables."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tests.loading.shapes.shape_list import (
    LABELS,
    NAMES,
    TEXTS,
    N,
    csv,
    dump,
    save_probs,
    shape,
    write,
)  # fmt: skip

TIME = "2026-03-01T09:30:00.000000Z"


def task(k: int, said: dict[Any, str], data: dict[str, Any] | None = None) -> dict[str, Any]:
    annotations = [
        {
            "id": 10 * k + place, "completed_by": person, "was_cancelled": False,
            "ground_truth": False, "created_at": TIME, "updated_at": TIME, "lead_time": 2.5,
            "prediction": {}, "result_count": 1, "task": k + 1, "project": 1,
            "result": [{"value": {"choices": [label]}, "id": f"r{k}", "from_name": "animal",
                        "to_name": "text", "type": "choices", "origin": "manual"}],
        }
        for place, (person, label) in enumerate(said.items())
    ]  # fmt: skip
    return {
        "id": k + 1, "annotations": annotations, "file_upload": "1a2b-x.csv", "drafts": [],
        "predictions": [], "data": data or {"text": TEXTS[k]}, "meta": {}, "created_at": TIME,
        "updated_at": TIME, "inner_id": k + 1, "total_annotations": len(said),
        "cancelled_annotations": 0, "total_predictions": 0, "comment_count": 0, "project": 1,
    }  # fmt: skip


@shape("Label Studio JSON", kind="text", code="table.tool_export", written=".csv")
def _(at: Path) -> None:
    name = "project-3-at-2026-03-01-09-30-1a2b3c4d.json"
    dump(at, name, [task(k, {1: LABELS[k]}) for k in range(N)])
    save_probs(at)


def other(label: str) -> str:
    return NAMES[(NAMES.index(label) + 1) % 3]


def three(k: int) -> dict[Any, str]:
    """Return what three people said: the third is wrong about every fifth."""
    return {1: LABELS[k], 2: LABELS[k], 3: other(LABELS[k]) if k % 5 == 0 else LABELS[k]}


@shape("Label Studio JSON, three annotators", asks="labels.annotators", choices=4)
def _(at: Path) -> None:
    dump(at, "project-3.json", [task(k, three(k)) for k in range(N)])
    save_probs(at)


@shape(
    "Label Studio JSON, what most annotators say", kind="text", code="labels.majority",
    overrides={"majority_of": ["label of 1", "label of 2", "label of 3"]}, written=".csv",
)  # fmt: skip
def _(at: Path) -> None:
    dump(at, "project-3.json", [task(k, three(k)) for k in range(N)])
    save_probs(at)


@shape("Label Studio JSON-MIN", kind="text", written=".json")
def _(at: Path) -> None:
    dump(at, "project-3-min.json", [minimal(k, 1, LABELS[k]) for k in range(N)])
    save_probs(at)


def minimal(k: int, person: int, label: str) -> dict[str, Any]:
    return {
        "text": TEXTS[k], "id": k + 1, "animal": label, "annotator": person,
        "annotation_id": 10 * k + person, "created_at": TIME, "updated_at": TIME, "lead_time": 2.5,
    }  # fmt: skip


@shape("Label Studio CSV", kind="text", written=".csv")
def _(at: Path) -> None:
    header = (
        '"annotation_id","annotator","created_at","id","lead_time","animal","text","updated_at"'
    )
    texts = [f'"{text}"' for text in TEXTS]
    times = [f'"{TIME}"'] * N
    write(at, "project-3.csv", csv(
        header, range(N), ['"1"'] * N, times, range(1, N + 1), [2.5] * N, LABELS, texts, times
    ))  # fmt: skip
    save_probs(at)


@shape("Label Studio CSV, two annotators", asks="labels.annotators", choices=3)
def _(at: Path) -> None:
    rows = [
        (10 * k + who, who, TIME, k + 1, 2.5, LABELS[k], f"t{k}", TIME)
        for k in range(N)
        for who in (1, 2)
    ]
    header = "annotation_id,annotator,created_at,id,lead_time,animal,text,updated_at"
    write(at, "project-3.csv", csv(header, *zip(*rows, strict=True)))
    save_probs(at)


@shape("Label Studio boxes", asks="labels.none")
def _(at: Path) -> None:
    tasks = [task(k, {1: "x"}) for k in range(N)]
    for each in tasks:
        each["annotations"][0]["result"][0] |= {
            "type": "rectanglelabels", "value": {"x": 1, "rectanglelabels": ["cat"]},
        }  # fmt: skip
    dump(at, "project-3.json", tasks)
    save_probs(at)


@shape("Label Studio, two questions", asks="table.label_columns", choices=2)
def _(at: Path) -> None:
    tasks = [task(k, {1: LABELS[k]}) for k in range(N)]
    for each in tasks:
        result = dict(each["annotations"][0]["result"][0])
        each["annotations"][0]["result"].append(
            result | {"from_name": "mood", "value": {"choices": ["calm"]}}
        )
    dump(at, "project-3.json", tasks)
    save_probs(at)
