"""What Prodigy exports, and other tables with a row for each annotator."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from tests.loading.shapes.shape_list import (
    GIVEN,
    LABELS,
    NAMES,
    P_SPAM,
    TEXTS,
    N,
    csv,
    lines,
    save_probs,
    shape,
    write,
)  # fmt: skip


def prodigy(k: int, **more: Any) -> dict[str, Any]:
    return {
        "text": TEXTS[k], "_input_hash": 1000 + k, "_task_hash": -2000 - k, **more,
        "_timestamp": 1700000000 + k,
    }  # fmt: skip


@shape("Prodigy textcat, text and label", kind="text", written=".jsonl")
def _(at: Path) -> None:
    lines(at, "annotations.jsonl", [prodigy(k, label=LABELS[k], answer="accept") for k in range(N)])
    save_probs(at)


@shape("Prodigy choice, with options and accept", kind="text", written=".jsonl")
def _(at: Path) -> None:
    options = [{"id": name, "text": name} for name in NAMES]
    lines(at, "pets.jsonl", [
        prodigy(k, options=options, accept=[LABELS[k]], answer="accept", _view_id="choice",
                config={"choice_style": "single"})
        for k in range(N)
    ])  # fmt: skip
    save_probs(at)


@shape(
    "Prodigy choice, with two ignored", kind="text", n=N - 2, wrong=None, code="labels.unlabelled"
)
def _(at: Path) -> None:
    rows = [prodigy(k, accept=[LABELS[k]], answer="accept") for k in range(N)]
    for k in (0, 1):
        rows[k] |= {"accept": [], "answer": "ignore"}
    lines(at, "pets.jsonl", rows)
    save_probs(at)


@shape("Prodigy binary, one label accepted or rejected", asks="labels.rejected", choices=1)
def _(at: Path) -> None:
    answers = ["reject", "accept"]
    lines(at, "spam.jsonl", [prodigy(k, label="SPAM", answer=answers[k % 2]) for k in range(N)])
    np.save(at / "probs.npy", np.stack([1 - P_SPAM, P_SPAM], axis=1))


def session(k: int, person: str) -> dict[str, Any]:
    """Return what one of three people said, as Prodigy saves it: a line for each of them."""
    third = person == "tess" and k % 5 == 0
    label = NAMES[(GIVEN[k] + 1) % 3] if third else LABELS[k]
    options = [{"id": name, "text": name} for name in NAMES]
    hashes = {"_input_hash": 1000 + k, "_task_hash": 2000 + k, "_session_id": f"pets-{person}"}
    said = {"accept": [label], "answer": "accept", "_annotator_id": f"pets-{person}"}
    return prodigy(k, options=options, **hashes, **said)


PEOPLE = ("ana", "bo", "tess")


@shape("Prodigy, a line per annotator", asks="labels.annotators", choices=4)
def _(at: Path) -> None:
    lines(at, "annotations.jsonl", [session(k, who) for k in range(N) for who in PEOPLE])
    save_probs(at)


@shape(
    "Prodigy, what most annotators say", kind="text", code="labels.majority", written=".csv",
    overrides={"majority_of": [f"accept of pets-{who}" for who in PEOPLE]},
)  # fmt: skip
def _(at: Path) -> None:
    lines(at, "annotations.jsonl", [session(k, who) for k in range(N) for who in PEOPLE])
    save_probs(at)


@shape(
    "crowd workers, a row for each task, worker and label", code="table.tool_export",
    overrides={"label_column": "label of w1"}, written=".csv",
)  # fmt: skip
def _(at: Path) -> None:
    rows = [(k, f"w{w}", LABELS[k] if w < 3 else NAMES[0]) for w in (1, 2, 3) for k in range(N)]
    write(at, "crowd.csv", csv("task,worker,label", *zip(*rows, strict=True)))
    save_probs(at)


@shape("Mechanical Turk's results", asks="labels.annotators", choices=3)
def _(at: Path) -> None:
    rows = [(f"H{k}", f"W{w}", f"t{k}", LABELS[k]) for k in range(N) for w in (1, 2)]
    header = "HITId,WorkerId,Input.text,Answer.category.label"
    write(at, "Batch_results.csv", csv(header, *zip(*rows, strict=True)))
    save_probs(at)
