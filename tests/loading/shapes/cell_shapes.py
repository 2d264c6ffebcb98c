"""Probabilities inside the cells of one column, as programs print and nest them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq

from tests.loading.shapes.shape_list import (
    GIVEN,
    LABELS,
    NAMES,
    PROBS,
    TEXTS,
    N,
    csv,
    shape,
    write,
)  # fmt: skip

BY_CLASS: list[dict[str, float]] = [
    dict(zip(NAMES, row, strict=True)) for row in PROBS.tolist()
]  # fmt: skip
NUMBERS = [", ".join(map(str, row)) for row in PROBS.tolist()]


def cells(at: Path, values: list[Any], column: str = "probs") -> None:
    frame = pd.DataFrame({"text": TEXTS, "label": LABELS, column: values})
    frame.to_csv(at / "data.csv", index=False)


@shape("a cell such as tensor([0.1, 0.9])", kind="text", code="probs.written_lists")
def _(at: Path) -> None:
    cells(at, [f"tensor([{each}], device='cuda:0')" for each in NUMBERS])


@shape("a cell such as array([0.1, 0.9], dtype=float32)", kind="text", code="probs.written_lists")
def _(at: Path) -> None:
    cells(at, [f"array([{each}], dtype=float32)" for each in NUMBERS])


@shape("a cell such as [np.float64(0.1), np.float64(0.9)]", kind="text")
def _(at: Path) -> None:
    rows = PROBS.tolist()
    cells(at, ["[" + ", ".join(f"np.float64({each})" for each in row) + "]" for row in rows])


@shape("a cell such as [[0.1 0.9]]", kind="text", code="probs.written_lists")
def _(at: Path) -> None:
    cells(at, [str(row[None]) for row in PROBS])


@shape("a cell such as 0.1;0.9", kind="text", code="probs.written_lists")
def _(at: Path) -> None:
    cells(at, [each.replace(", ", ";") for each in NUMBERS])


@shape("a cell such as 0.1 0.9", kind="text", code="probs.written_lists")
def _(at: Path) -> None:
    cells(at, [each.replace(",", "") for each in NUMBERS])


@shape("numbers in a cell that do not add up to 1", asks="folder.no_probabilities")
def _(at: Path) -> None:
    cells(at, ["90 85 70"] * N, column="scores")


@shape("an array that NumPy shortened", asks="probs.not_a_number", says="np.save")
def _(at: Path) -> None:
    cells(at, ["[0.1 0.2 ... 0.7]"] * N)


@shape("a cell such as {'cat': 0.9}", kind="text", code="probs.scored_cells")
def _(at: Path) -> None:
    cells(at, [str(each) for each in BY_CLASS])


@shape("a JSON object in a cell, in a column of any name", kind="text", code="probs.scored_cells")
def _(at: Path) -> None:
    cells(at, [json.dumps(each) for each in BY_CLASS], column="bert")


@shape("two models, each with an object in a cell", asks="probs.two_sets", choices=2)
def _(at: Path) -> None:
    said = [json.dumps(each) for each in BY_CLASS]
    frame = pd.DataFrame({"text": TEXTS, "label": LABELS, "bert": said, "svm": said[::-1]})
    frame.to_csv(at / "data.csv", index=False)


@shape(
    "the second of two models", kind="text", code="probs.scored_cells",
    overrides={"prob_columns": ["svm"]},
)  # fmt: skip
def _(at: Path) -> None:
    said = [json.dumps(each) for each in BY_CLASS]
    frame = pd.DataFrame({"text": TEXTS, "label": LABELS, "bert": said[::-1], "svm": said})
    frame.to_csv(at / "data.csv", index=False)


@shape("a pipeline's output as text in a cell", kind="text", code="probs.scored_cells")
def _(at: Path) -> None:
    rows = [sorted(each.items(), key=lambda pair: -pair[1]) for each in BY_CLASS]
    cells(at, [str([{"label": name, "score": p} for name, p in row]) for row in rows], "scores")


@shape("labels with their scores in lists", kind="text", code="probs.scored_cells")
def _(at: Path) -> None:
    rows = [
        {"text": TEXTS[k], "label": LABELS[k], "prediction": list(map(list, BY_CLASS[k].items()))}
        for k in range(N)
    ]
    write(at, "data.jsonl", "".join(json.dumps(row) + "\n" for row in rows))


@shape("Parquet with a map of scores", kind="text", code="probs.scored_cells")
def _(at: Path) -> None:
    scores = pa.array([list(each.items()) for each in BY_CLASS], pa.map_(pa.string(), pa.float64()))
    pq.write_table(pa.table({"text": TEXTS, "label": LABELS, "probs": scores}), at / "data.parquet")


@shape("an object with the two likeliest classes", asks="probs.top_one", says="top_k=None")
def _(at: Path) -> None:
    likely = [sorted(each.items(), key=lambda pair: -pair[1])[:2] for each in BY_CLASS]
    cells(at, [json.dumps(dict(pairs)) for pairs in likely])


@shape(
    "an LLM's log-probabilities of the classes, answered", kind="text",
    overrides={"convert": "softmax"},
)  # fmt: skip
def _(at: Path) -> None:
    rows = [
        {"text": TEXTS[k], "label": LABELS[k],
         "top_logprobs": {name: float(np.log(p)) for name, p in BY_CLASS[k].items()}}
        for k in range(N)
    ]  # fmt: skip
    write(at, "data.jsonl", "".join(json.dumps(row) + "\n" for row in rows))


@shape("timm, the likeliest class first", kind="image", overrides={"probs": "results.json"})
def _(at: Path) -> None:
    files = [f"{k}.png" for k in range(N)]
    write(at, "labels.csv", csv("filename,label", files, LABELS))
    order = np.argsort(-PROBS, axis=1)
    rows = [
        {"filename": files[k], "label": [NAMES[c] for c in order[k]],
         "prob": PROBS[k, order[k]].tolist()}
        for k in range(N)
    ]  # fmt: skip
    write(at, "results.json", json.dumps(rows))


def ranked(at: Path, most: int) -> None:
    files = [f"{k}.png" for k in range(N)]
    write(at, "labels.csv", csv("filename,label", files, GIVEN))
    order = np.argsort(-PROBS, axis=1)[:, :most]
    header = ",".join(["filename", *(f"index_{k}" for k in range(most)),
                       *(f"prob_{k}" for k in range(most))])  # fmt: skip
    scores = np.take_along_axis(PROBS, order, axis=1)
    write(at, "results.csv", csv(header, files, *order.T, *scores.T))


@shape("timm, columns by rank", kind="image", overrides={"probs": "results.csv"},
       classes=("0", "1", "2"), code="probs.scored_cells")  # fmt: skip
def _(at: Path) -> None:
    ranked(at, 3)


@shape("timm, only the two likeliest", asks="probs.top_one", overrides={"probs": "results.csv"})
def _(at: Path) -> None:
    ranked(at, 2)


@shape("Vertex AI, predictions of a table", code="probs.scored_cells")
def _(at: Path) -> None:
    rows = [
        {"id": k, "label": LABELS[k],
         "predicted_label": {"classes": list(NAMES), "scores": PROBS[k].tolist()}}
        for k in range(N)
    ]  # fmt: skip
    write(at, "predictions.jsonl", "".join(json.dumps(row) + "\n" for row in rows))


@shape("Vertex AI, a batch prediction in another order", kind="image", code="table.tool_export")
def _(at: Path) -> None:
    files = [f"gs://bucket/{k}.jpg" for k in range(N)]
    write(at, "labels.csv", csv("image,label", files, LABELS))
    rows = []
    for k in reversed(range(N)):
        order = np.argsort(-PROBS[k])
        rows.append({
            "instance": {"content": files[k], "mimeType": "image/jpeg"},
            "prediction": {"ids": ["7", "8", "9"], "displayNames": [NAMES[c] for c in order],
                           "confidences": PROBS[k, order].tolist()},
        })  # fmt: skip
    write(at, "predictions_00001.jsonl", "".join(json.dumps(row) + "\n" for row in rows))


# --- arrays with one axis too many


@shape("Keras, an axis of length 1 between examples and classes", code="probs.dimensions")
def _(at: Path) -> None:
    write(at, "labels.csv", csv("id,label", range(N), LABELS))
    np.save(at / "probs.npy", PROBS[:, None, :])


@shape("a batch of one, stored column by column", code="probs.dimensions", classes=("0", "1", "2"))
def _(at: Path) -> None:
    np.save(at / "labels.npy", GIVEN)
    np.save(at / "probs.npy", np.asfortranarray(PROBS[None]))


@shape("the probabilities of five models", asks="probs.dimensions", says="mean(axis=0)")
def _(at: Path) -> None:
    write(at, "labels.csv", csv("id,label", range(N), LABELS))
    np.save(at / "probs.npy", np.stack([PROBS] * 5))
