"""Print this package's figures beside those the paper prints, on the paper's own experiments.

    python benchmarks/paper.py FOLDER

Each .npz in FOLDER is one CIFAR-10 experiment: `pred_probs`, `noisy_labels`, `true_labels`, named
noise2_sparsity0.npz for 20 % noise at sparsity 0.0. The paper's figures are its Tables 2 and S2,
means of ten trials; for experiments that it does not print, only ours are shown.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

import curation
from curation.analysis.findings import METHODS

MEASURES = ("accuracy", "F1", "precision", "recall")

# (noise, sparsity) -> for each method its accuracy, F1, precision and recall in per cent.
PAPER_MEASURES = {
    (0.2, 0.0): (
        (84, 71, 56, 98), (89, 75, 67, 86), (88, 76, 64, 96), (89, 77, 65, 93), (90, 78, 67, 93),
    ),
    (0.2, 0.6): (
        (85, 72, 58, 97), (90, 78, 70, 88), (88, 76, 65, 93), (90, 79, 68, 94), (90, 78, 69, 90),
    ),
    (0.4, 0.0): (
        (85, 84, 74, 97), (86, 84, 78, 91), (86, 84, 76, 94), (88, 85, 82, 88), (87, 84, 82, 87),
    ),
    (0.4, 0.6): (
        (81, 79, 70, 90), (84, 80, 77, 84), (82, 79, 74, 85), (84, 80, 79, 82), (83, 78, 79, 78),
    ),
}  # fmt: skip
# (noise, sparsity) -> RMSE of the joint by the confident joint, and by the confusion baseline.
PAPER_RMSE = {
    (0.2, 0.0): (0.004, 0.006),
    (0.2, 0.2): (0.004, 0.006),
    (0.2, 0.4): (0.004, 0.005),
    (0.2, 0.6): (0.004, 0.005),
    (0.4, 0.0): (0.004, 0.005),
    (0.4, 0.2): (0.004, 0.005),
    (0.4, 0.4): (0.004, 0.005),
    (0.4, 0.6): (0.005, 0.007),
    (0.7, 0.0): (0.011, 0.011),
    (0.7, 0.2): (0.010, 0.011),
    (0.7, 0.4): (0.015, 0.015),
    (0.7, 0.6): (0.017, 0.019),
}


def measure_flags(flagged: NDArray[np.bool_], wrong: NDArray[np.bool_]) -> tuple[float, ...]:
    """Return accuracy, F1, precision and recall of the flags, in per cent."""
    hits = np.count_nonzero(flagged & wrong)
    precision = hits / max(1, np.count_nonzero(flagged))
    recall = hits / max(1, np.count_nonzero(wrong))
    f1 = 2 * precision * recall / max(1e-12, precision + recall)
    return tuple(100 * each for each in (np.mean(flagged == wrong), f1, precision, recall))


def measure_rmse(
    counts: NDArray[np.int64], labels: NDArray[np.int64], true_labels: NDArray[np.int64]
) -> float:
    """Return the root of the mean squared error of the joint that these counts give."""
    true_counts = np.zeros(counts.shape)
    np.add.at(true_counts, (labels, true_labels), 1)
    difference = curation.estimate_joint(counts, labels) - true_counts / len(labels)
    return float(np.sqrt(np.mean(difference**2)))


def print_experiment(path: Path) -> None:
    with np.load(path, allow_pickle=False) as arrays:
        labels, true_labels = (
            arrays[name].astype(np.int64) for name in ("noisy_labels", "true_labels")
        )
        findings = curation.analyze(labels, arrays["pred_probs"])
    setting = read_setting(path.stem)
    printed = PAPER_MEASURES.get(setting) if setting else None
    print(f"\n{path.name}: {len(labels):,} examples, {np.mean(labels != true_labels):.1%} wrong")
    print(f"  {'':20}" + "".join(f"{measure:>20}" for measure in MEASURES))
    for row, method in enumerate(METHODS):
        ours = measure_flags(findings.mask(method), labels != true_labels)
        cells = (
            f"{value:8.2f} (paper {printed[row][column]:3d})" if printed else f"{value:20.2f}"
            for column, value in enumerate(ours)
        )
        print(f"  {method:20}" + "".join(f"{cell:>20}" for cell in cells))
    for row, (name, counts) in enumerate(
        (("confident joint", findings.confident_joint), ("confusion", findings.confusion))
    ):
        paper = f" (paper {PAPER_RMSE[setting][row]:.3f})" if setting in PAPER_RMSE else ""
        print(
            f"  RMSE of the joint, {name:15} {measure_rmse(counts, labels, true_labels):.4f}{paper}"
        )


def read_setting(stem: str) -> tuple[float, float] | None:
    """Return (noise, sparsity) from a file's name.

    >>> read_setting("noise4_sparsity6")
    (0.4, 0.6)
    """
    match = re.fullmatch(r"noise(\d)_sparsity(\d)", stem)
    return (int(match[1]) / 10, int(match[2]) / 10) if match else None


def main() -> None:
    if len(sys.argv) != 2 or not Path(sys.argv[1]).is_dir():
        sys.exit("usage: python benchmarks/paper.py FOLDER   (a folder of .npz files)")
    paths = sorted(Path(sys.argv[1]).glob("*.npz"))
    if not paths:
        sys.exit(f"There is no .npz file in {sys.argv[1]}.")
    for path in paths:
        print_experiment(path)


if __name__ == "__main__":
    main()
