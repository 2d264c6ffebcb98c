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


TREES = ("ash", "beech", "cedar")
CHOSEN = {  # how the unclear folder is read, as the screen writes it
    "id_column": "tag", "label_column": "wood", "labels": "survey.csv",
    "prob_columns": ["m1", "m2", "m3"], "probs": "output.csv",
}  # fmt: skip


def write_unclear(root: Path) -> Path:
    """Write a folder in which no file and no column has a usual name: nothing can be decided.

    survey.csv holds the labels in `wood`, output.csv the probabilities in m1 to m3.
    """
    rng = np.random.default_rng(0)
    true = np.arange(240) % 3
    given = np.where(rng.random(240) < 0.1, (true + 1) % 3, true)
    probs = np.eye(3)[true] * 0.7 + rng.uniform(0.09, 0.11, (240, 3))
    probs /= probs.sum(axis=1, keepdims=True)
    heights = rng.normal(10 + 15 * true, 2)
    root.mkdir(parents=True)
    with (root / "survey.csv").open("w", newline="", encoding="utf-8") as file:
        rows = csv.writer(file)
        rows.writerow(["tag", "wood", "height", "side <b>"])
        for k, label in enumerate(given):
            rows.writerow([f"t{k}", TREES[label], f"{heights[k]:.1f}", "NS"[k % 2]])
    with (root / "output.csv").open("w", newline="", encoding="utf-8") as file:
        rows = csv.writer(file)
        rows.writerow(["tag", "m1", "m2", "m3"])
        rows.writerows([f"t{k}", *(f"{p:.5f}" for p in row)] for k, row in enumerate(probs))
    for name, width in (("x1.npy", 4), ("x2.npy", 5)):
        np.save(root / name, rng.random((240, width)))
    return root


def _write_labels(path: Path, labels: Sequence[str]) -> None:
    with path.open("w", newline="", encoding="utf-8") as file:
        rows = csv.writer(file)
        rows.writerow(["id", "label"])
        rows.writerows((f"example-{row}", label) for row, label in enumerate(labels))
