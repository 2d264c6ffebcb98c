"""Labels and probabilities as research code and programs for language models save them."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np

from tests.loading.shapes.shape_list import (
    GIVEN,
    LABELS,
    NAMES,
    PROBS,
    TEXTS,
    TRUE,
    N,
    csv,
    lines,
    save_probs,
    shape,
    write,
)  # fmt: skip

NUMBERS = ("0", "1", "2")
COLUMNS = [PROBS[:, k] for k in range(3)]


@shape("Snorkel, weak and gold labels", classes=NUMBERS)
def _(at: Path) -> None:
    header = "uid,weak_label,gold_label,p0,p1,p2"
    write(at, "weak.csv", csv(header, range(N), GIVEN, TRUE, *COLUMNS))


@shape("true labels next to those of a crowd", asks="table.label_columns", choices=2)
def _(at: Path) -> None:
    header = "uid,crowd_label,true_label,p0,p1,p2"
    write(at, "crowd.csv", csv(header, range(N), GIVEN, TRUE, *COLUMNS))


@shape("lists of one label, written as text", kind="text", code="labels.written_lists",
       written=".csv")  # fmt: skip
def _(at: Path) -> None:
    quoted = [f'"{text}"' for text in TEXTS]
    write(at, "data.csv", csv("text,label", quoted, [f"['{label}']" for label in LABELS]))
    save_probs(at)


@shape("labels as objects with a number and a name", kind="text")
def _(at: Path) -> None:
    rows = [{"text": TEXTS[k], "label": {"id": int(GIVEN[k]), "name": LABELS[k]}} for k in range(N)]
    lines(at, "data.jsonl", rows)
    save_probs(at)


@shape("chats for fine-tuning", asks="table.no_label_column", says="json_normalize")
def _(at: Path) -> None:
    rows = [
        {"messages": [{"role": "user", "content": TEXTS[k]},
                      {"role": "assistant", "content": LABELS[k]}]}
        for k in range(N)
    ]  # fmt: skip
    lines(at, "train.jsonl", rows)
    save_probs(at)


@shape("MedMNIST, labels of each split in a column", opens="pathmnist.npz", asks="npz.no_labels",
       choices=2)  # fmt: skip
def _(at: Path) -> None:
    pictures = np.zeros((N, 8, 8, 3), np.uint8)
    np.savez(
        at / "pathmnist.npz", train_images=pictures[:20], train_labels=GIVEN[:20, None],
        test_images=pictures[20:], test_labels=GIVEN[20:, None],
    )  # fmt: skip


@shape("numbers as labels, words as columns", asks="folder.no_probabilities", choices=1)
def _(at: Path) -> None:
    write(at, "data.csv", csv("id,label,cat,dog,eel", range(N), GIVEN, *COLUMNS))


@shape("numbers as labels, words as columns, answered", classes=NUMBERS,
       overrides={"prob_columns": list(NAMES)})  # fmt: skip
def _(at: Path) -> None:
    write(at, "data.csv", csv("id,label,cat,dog,eel", range(N), GIVEN, *COLUMNS))


@shape("predicted classes as 0 and 1", code="probs.hard")
def _(at: Path) -> None:
    write(at, "labels.csv", csv("id,label", range(N), LABELS))
    np.save(at / "probs.npy", np.eye(3)[PROBS.argmax(axis=1)])


@shape("label.json that names the classes", written=".csv")
def _(at: Path) -> None:
    write(at, "label.json", json.dumps(dict(zip(NUMBERS, NAMES, strict=True))))
    write(at, "train.csv", csv("id,label", range(N), GIVEN))
    save_probs(at)


@shape("two versions of the labels", asks="folder.ambiguous_labels", choices=2)
def _(at: Path) -> None:
    write(at, "labels_v1.csv", csv("id,label", range(N), LABELS))
    write(at, "labels_v2.csv", csv("id,label", range(N), LABELS[::-1]))
    save_probs(at)


@shape("a structured array", asks="npy.type", says='data["label"]')
def _(at: Path) -> None:
    write(at, "probs.csv", csv("cat,dog,eel", *COLUMNS))
    np.save(at / "labels.npy", np.zeros(N, dtype=[("label", "i8"), ("id", "i8")]))
