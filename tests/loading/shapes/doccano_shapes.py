"""What doccano exports."""

from __future__ import annotations

from pathlib import Path

from tests.loading.shapes.shape_list import (
    GIVEN,
    LABELS,
    TEXTS,
    N,
    dump,
    lines,
    save_probs,
    shape,
)  # fmt: skip


@shape("doccano JSONL", kind="text", written=".jsonl")
def _(at: Path) -> None:
    rows = zip(TEXTS, LABELS, strict=True)
    lines(at, "admin.jsonl", [
        {"id": 100 + k, "text": text, "label": [label], "Comments": []}
        for k, (text, label) in enumerate(rows)
    ])  # fmt: skip
    save_probs(at)


@shape("doccano JSON", kind="text", written=".json")
def _(at: Path) -> None:
    rows = enumerate(zip(TEXTS, LABELS, strict=True))
    dump(at, "all.json", [{"id": k, "text": t, "label": [y], "Comments": []} for k, (t, y) in rows])
    save_probs(at)


@shape("doccano 1.0 JSONL, whose text is called data", kind="text", written=".jsonl")
def _(at: Path) -> None:
    rows = enumerate(zip(TEXTS, LABELS, strict=True))
    lines(at, "all.jsonl", [{"id": k, "data": t, "label": [y]} for k, (t, y) in rows])
    save_probs(at)


@shape("doccano before 1.0, with annotations by number", kind="text", classes=("0", "1", "2"))
def _(at: Path) -> None:
    rows = enumerate(zip(TEXTS, GIVEN.tolist(), strict=True))
    lines(at, "project.jsonl", [
        {"id": k, "text": t, "annotations": [{"label": y, "user": 1}], "meta": {}}
        for k, (t, y) in rows
    ])  # fmt: skip
    save_probs(at)


@shape("doccano with two labels for one text", asks="labels.lists")
def _(at: Path) -> None:
    rows = [{"id": k, "text": TEXTS[k], "label": [LABELS[k]]} for k in range(N)]
    rows[5]["label"] = ["cat", "dog"]
    lines(at, "all.jsonl", rows)
    save_probs(at)


@shape("doccano spans", asks="labels.lists")
def _(at: Path) -> None:
    lines(
        at, "all.jsonl", [{"id": k, "text": TEXTS[k], "label": [[0, 4, "PER"]]} for k in range(N)]
    )
    save_probs(at)
