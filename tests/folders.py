"""Small dataset folders on disk, for tests of pages."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from pathlib import Path

import numpy as np

HOSTILE = [
    "<script>alert(1)</script>", ":red[x] **b**", "😀", "שלום", "$x$ %{x}", "a long name " * 8,
]  # fmt: skip


def write_folder(
    folder: Path,
    num_classes: int,
    num_rows: int,
    names: Sequence[str] | None = None,
    *,
    true_labels: bool = False,
) -> Path:
    """Write a dataset whose class k is now and then taken for class k + 1, and 0 for 1 most often.

    Labels are the names; the model is sure of the true class, so that every error is counted.
    """
    rng = np.random.default_rng(0)
    true = rng.permutation(np.arange(num_rows) % num_classes)
    slips = rng.random(num_rows) < np.where(true == 1, 0.4, 0.1)
    given = np.where(slips, (true - 1) % num_classes, true)
    probs = rng.uniform(0.001, 0.002, (num_rows, num_classes))
    probs[np.arange(num_rows), true] += rng.uniform(8, 9, num_rows)
    names = names or [f"class {label}" for label in range(num_classes)]
    folder.mkdir(parents=True)
    np.save(folder / "probs.npy", (probs / probs.sum(axis=1, keepdims=True)).astype(np.float32))
    (folder / "classes.txt").write_text("".join(f"{name}\n" for name in names), encoding="utf-8")
    _write_labels(folder / "labels.csv", [names[label] for label in given])
    if true_labels:
        _write_labels(folder / "true_labels.csv", [names[label] for label in true])
    return folder


def _write_labels(path: Path, labels: Sequence[str]) -> None:
    with path.open("w", newline="", encoding="utf-8") as file:
        rows = csv.writer(file)
        rows.writerow(["id", "label"])
        rows.writerows((f"example-{row}", label) for row, label in enumerate(labels))
