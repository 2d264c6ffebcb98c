"""Print this package's results next to the paper's, for the paper's own experiments.

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

import curation
from curation.analysis.findings import METHODS
from devtools.paper import PAPER_MEASURES, PAPER_RMSE, measure_flags, measure_rmse

MEASURES = ("accuracy", "F1", "precision", "recall")


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
