"""Datasets and predictions as Hugging Face saves them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.ipc

from tests.loading.shapes.shape_list import (
    GIVEN,
    LABELS,
    LABELS_2,
    NAMES,
    P_SPAM,
    PROBS,
    TEXTS,
    N,
    csv,
    dump,
    lines,
    save_probs,
    shape,
    write,
)  # fmt: skip


def save_to_disk(
    at: Path, table: pa.Table, names: tuple[str, ...] | None = None, shards: int = 1
) -> None:
    """Write a table as `Dataset.save_to_disk` does: Arrow streams, and two files about them."""
    at.mkdir(parents=True, exist_ok=True)
    kinds = {c: {"dtype": "string", "_type": "Value"} for c in table.column_names}
    if names is not None:
        kinds["label"] = {"names": list(names), "_type": "ClassLabel"}
    info = {"info": {"features": kinds}}
    table = table.replace_schema_metadata({"huggingface": json.dumps(info)})
    files = [f"data-{k:05}-of-{shards:05}.arrow" for k in range(shards)]
    step = -(-len(table) // shards)
    for place, name in enumerate(files):
        with pa.ipc.new_stream(at / name, table.schema) as stream:
            stream.write_table(table.slice(place * step, step))
    dump(
        at,
        "dataset_info.json",
        {"citation": "", "description": "", "features": kinds, "homepage": "", "license": ""},
    )
    dump(at, "state.json", {
        "_data_files": [{"filename": name} for name in files], "_fingerprint": "3f4f361a70437307",
        "_format_columns": None, "_format_kwargs": {}, "_format_type": None,
        "_output_all_columns": False, "_split": None,
    })  # fmt: skip


def table() -> pa.Table:
    return pa.table({"text": TEXTS, "label": pa.array(GIVEN.tolist(), pa.int64())})


@shape("datasets, save_to_disk", kind="text", written=".csv")
def _(at: Path) -> None:
    save_to_disk(at, table(), NAMES)
    save_probs(at)


@shape("datasets, save_to_disk in three shards", kind="text", code="labels.shards")
def _(at: Path) -> None:
    save_to_disk(at, table(), NAMES, shards=3)
    save_probs(at)


@shape("datasets, a DatasetDict of which one split fits", kind="text", code="folder.split_chosen")
def _(at: Path) -> None:
    save_to_disk(at / "train", table(), NAMES)
    save_to_disk(at / "test", table().slice(0, 9), NAMES)
    dump(at, "dataset_dict.json", {"splits": ["train", "test"]})
    save_probs(at)


def scored(k: int) -> list[dict[str, Any]]:
    order = np.argsort(-PROBS[k])
    return [{"label": NAMES[j], "score": float(PROBS[k, j])} for j in order]


@shape("pipeline output, top_k=None", kind="text")
def _(at: Path) -> None:
    write(at, "labels.csv", csv("text,label", [f'"{t}"' for t in TEXTS], LABELS))
    dump(at, "predictions.json", [scored(k) for k in range(N)])


@shape("pipeline output as JSONL, under any name", kind="text")
def _(at: Path) -> None:
    write(at, "labels.csv", csv("text,label", [f'"{t}"' for t in TEXTS], LABELS))
    lines(at, "bert.jsonl", [scored(k) for k in range(N)])


@shape("pipeline output of two classes, the likeliest only", classes=("ham", "spam"))
def _(at: Path) -> None:
    write(at, "labels.csv", csv("label", LABELS_2))
    dump(at, "predictions.json", [
        {"label": "spam", "score": p} if p >= 0.5 else {"label": "ham", "score": 1 - p}
        for p in P_SPAM.tolist()
    ])  # fmt: skip


@shape("pipeline output of three classes, the likeliest only", asks="probs.top_one")
def _(at: Path) -> None:
    write(at, "labels.csv", csv("label", LABELS))
    dump(at, "predictions.json", [scored(k)[0] for k in range(N)])


@shape("pipeline output next to the labels, in one JSONL", kind="text")
def _(at: Path) -> None:
    lines(
        at,
        "out.jsonl",
        [{"text": TEXTS[k], "label": LABELS[k], "prediction": scored(k)} for k in range(N)],
    )


@shape("pipeline output as LABEL_0, with labels by number", classes=("0", "1"))
def _(at: Path) -> None:
    write(at, "labels.csv", csv("label", np.where(np.array(LABELS_2) == "spam", 1, 0)))
    dump(at, "predictions.json", [
        [{"label": "LABEL_0", "score": 1 - p}, {"label": "LABEL_1", "score": p}]
        for p in P_SPAM.tolist()
    ])  # fmt: skip


@shape("config.json with id2label", code=None)
def _(at: Path) -> None:
    np.save(at / "labels.npy", GIVEN)
    save_probs(at)
    dump(at, "config.json", {
        "architectures": ["BertForSequenceClassification"], "hidden_size": 768,
        "id2label": {str(k): name for k, name in enumerate(NAMES)},
        "label2id": {name: k for k, name in enumerate(NAMES)},
    })  # fmt: skip
