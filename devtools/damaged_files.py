"""A small good file of every kind that can be loaded, to be damaged by tests and by fuzzing.

A format needs a file named labels.* here, with the labels in `LABELS`.
"""

from __future__ import annotations

import gzip
import io
import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import openpyxl
import pyarrow as pa
import pyarrow.ipc
import pyarrow.parquet as pq

import curation
from curation.dataset import Dataset
from curation.errors import CurationError

LABELS = [0, 1, 2, 0, 1, 2]
PROBS = np.eye(3)[LABELS] * 0.7 + 0.1


def as_npy(array: Any) -> bytes:
    """Return an array as the bytes of a .npy file."""
    np.save(buffer := io.BytesIO(), array)
    return buffer.getvalue()


def as_npz(**arrays: Any) -> bytes:
    """Return arrays as the bytes of an .npz archive."""
    np.savez(buffer := io.BytesIO(), **arrays)
    return buffer.getvalue()


def as_parquet(columns: Any) -> bytes:
    """Return columns as the bytes of a Parquet file."""
    pq.write_table(pa.table(columns), buffer := io.BytesIO())
    return buffer.getvalue()


def as_arrow(columns: Any) -> bytes:
    """Return columns as the bytes of an Arrow stream."""
    table = pa.table(columns)
    with pa.ipc.new_stream(buffer := io.BytesIO(), table.schema) as stream:
        stream.write_table(table)
    return buffer.getvalue()


def as_xlsx(*rows: Any) -> bytes:
    """Return rows as the bytes of a workbook."""
    book = openpyxl.Workbook()
    for row in rows:
        book.active.append(row)
    book.save(buffer := io.BytesIO())
    return buffer.getvalue()


def as_answer(row: Any) -> dict[str, Any]:
    """Return probabilities as OpenAI's API returns them: the logarithm of each token's."""
    tokens = [{"token": str(k), "logprob": math.log(p)} for k, p in enumerate(row)]
    best = max(tokens, key=lambda each: each["logprob"])
    message = {"role": "assistant", "content": best["token"]}
    choice = {"message": message, "logprobs": {"content": [{**best, "top_logprobs": tokens}]}}
    return {"object": "chat.completion", "choices": [choice]}


WHOLE: dict[str, bytes] = {
    "labels.csv": b"id,label\n" + b"".join(b"%d,%d\n" % pair for pair in enumerate(LABELS)),
    "labels.tsv": b"id\tlabel\n" + b"".join(b"%d\t%d\n" % pair for pair in enumerate(LABELS)),
    "labels.jsonl": b"".join(json.dumps({"label": k}).encode() + b"\n" for k in LABELS),
    "labels.json": json.dumps([{"label": k} for k in LABELS]).encode(),
    "labels.txt": b"".join(b"%d\n" % label for label in LABELS),
    "labels.parquet": as_parquet({"label": LABELS}),
    "labels.arrow": as_arrow({"label": LABELS}),
    "labels.xlsx": as_xlsx(("id", "label"), *enumerate(LABELS)),
    "labels.npy": as_npy(np.array(LABELS)),
    "all.npz": as_npz(labels=np.array(LABELS), pred_probs=PROBS),
    "probs.npy": as_npy(PROBS),
    "probs.npz": as_npz(pred_probs=PROBS),
    "probs.csv": b"0,1,2\n" + b"".join(b"%f,%f,%f\n" % tuple(row) for row in PROBS),
    "probs.parquet": as_parquet({"probs": PROBS.tolist()}),
    "probs.xlsx": as_xlsx((0, 1, 2), *PROBS.tolist()),
    "probs-00000.npy": as_npy(PROBS),
    "oof_preds.parquet": as_parquet({name: PROBS[:, k] for k, name in enumerate("012")}),
    "preds.jsonl": b"".join(
        json.dumps({"probs": dict(zip("012", row, strict=True))}).encode() + b"\n"
        for row in PROBS.tolist()
    ),
    "preds_of_gpt.jsonl": b"".join(
        json.dumps(as_answer(row)).encode() + b"\n" for row in PROBS.tolist()
    ),
    "train-00000-of-00001.parquet": as_parquet({"label": LABELS}),
    "test.csv": b"image,label,class\n" + b"".join(b"%d.png,%d,%d\n" % (k, k, k) for k in LABELS),
    "classes.txt": b"0\n1\n2\n",
    "classes.json": b'["0", "1", "2"]',
    "classes.csv": b"id,name\n0,a\n1,b\n2,c\n",
    "true_labels.csv": b"id,label\n0,1\n1,2\n",
    "labels.csv.gz": gzip.compress(b"label\n" + b"".join(b"%d\n" % label for label in LABELS)),
    "labels.jsonl.gz": gzip.compress(
        b"".join(json.dumps({"label": k}).encode() + b"\n" for k in LABELS)
    ),
    "curation.toml": b'labels = "labels.csv"\nprobs = "probs.npy"\n',
}


def neighbours(name: str) -> dict[str, bytes]:
    """Return the files that a file needs next to it to be a dataset."""
    if name == "all.npz":
        return {}
    wanted = {"labels.csv", "probs.npy"} - {name}
    if name.startswith(("labels", "train", "test")):
        wanted -= {"labels.csv"}
    if name.startswith(("probs", "oof", "preds")):
        wanted -= {"probs.npy"}
    return {each: WHOLE[each] for each in wanted}


def load_or_refuse(root: Path, files: dict[str, bytes], **overrides: Any) -> None:
    """Load these files; whatever they hold, that gives a Dataset or a CurationError."""
    root.mkdir(exist_ok=True)
    for old in root.iterdir():
        if old.is_file():
            old.unlink()
    for name, raw in files.items():
        (root / name).write_bytes(raw)
    try:
        dataset = curation.load(root, **overrides)
    except CurationError as error:
        assert error.problem and error.remedy
        str(error).encode()
        return
    assert isinstance(dataset, Dataset)
    assert len(dataset.ids) == len(dataset.labels) == dataset.pred_probs.shape[0]
    assert set(dataset.labels) <= set(range(len(dataset.class_names)))
    assert dataset.fingerprint
    np.asarray(dataset.pred_probs)
    curation.analyze(dataset.labels, dataset.pred_probs, dataset.class_names)
