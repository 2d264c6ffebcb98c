"""Compare what confident learning says about datasets with their known true labels.

    python benchmarks/truth.py FOLDER
    python benchmarks/truth.py --simulate [--datasets 3000]

Each .npz in FOLDER holds `pred_probs`, `noisy_labels` and `true_labels`. For each: the estimated
and the true number of wrong labels, how strong the model is, precision and recall of the default
flags, and the average precision of each order over all examples.

With --simulate: how far the estimate is off, by how often the model agrees with the labels, over
simulated datasets. Their noise is human, uniform or between pairs of classes, at 0.3 to 40 %, with
2 to 100 classes and models of every strength, too sure or too unsure. Both tables are in
docs/quality.md.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

import curation
from curation.analysis.findings import ORDERS
from curation.wording import ORDER_NAMES
from devtools.simulation import Simulation, simulate
from devtools.truth import Truth, measure_truth, read_truth

HEADS = (
    *("dataset", "estimate", "wrong", "off by", "agreement", "log loss", "of guessing"),
    *("calibration error", "precision", "recall"),
)
BANDS = (0.0, 0.5, 0.6, 0.7, 0.8, 0.85, 0.9, 0.95, 1.0)  # of agreement
EXAMPLES = 5000  # in a simulated dataset
NOISE_RATES, STRENGTHS, TEMPERATURES = (0.003, 0.4), (0.4, 6.0), (0.4, 2.5)


def print_table(heads: Sequence[str], rows: Iterator[Sequence[str]]) -> None:
    """Print each row as soon as it is there."""
    print(f"| {' | '.join(heads)} |\n|---|{'---:|' * (len(heads) - 1)}", flush=True)
    for row in rows:
        print(f"| {' | '.join(row)} |", flush=True)


def measure_files(paths: Sequence[Path]) -> Iterator[list[str]]:
    """Yield the cells of one dataset after the other."""
    for path in paths:
        yield make_row(path.stem, read_truth(path))


def make_row(name: str, truth: Truth) -> list[str]:
    """Return the cells of one dataset."""
    estimate, strength = truth.findings.estimated_errors, truth.findings.strength
    off = f"{estimate / truth.errors - 1:+.0%}" if truth.errors else "none is wrong"
    return [
        name,
        f"{estimate:,.0f}",
        f"{truth.errors:,}",
        off.replace("-", "−").replace("%", " %"),
        f"{strength.agreement:.1%}".replace("%", " %"),
        *(f"{each:.2f}" for each in (strength.log_loss, strength.shares_log_loss)),
        *(f"{each:.2f}" for each in (strength.calibration_error, truth.precision, truth.recall)),
        *(f"{truth.average_precision[order]:.3f}" for order in ORDERS),
    ]


def draw_datasets(count: int) -> Iterator[tuple[float, float]]:
    """Yield the agreement, and estimated by true number of errors, of simulated datasets."""
    for place in range(count):
        rng = np.random.default_rng([2024, place])
        rate, strength, temperature = (
            float(np.exp(rng.uniform(*np.log(each))))
            for each in (NOISE_RATES, STRENGTHS, TEMPERATURES)
        )
        noise, num_classes = (
            ("human", "uniform", "pairs")[place % 3],
            rng.choice([2, 5, 10, 30, 100]),
        )
        given, probs, true = simulate(
            Simulation(noise, rate, EXAMPLES, int(num_classes), strength, temperature), rng
        )
        truth = measure_truth(curation.analyze(given, probs), true)
        if truth.errors:
            ratio = truth.findings.estimated_errors / truth.errors
            yield truth.findings.strength.agreement, ratio


def make_bands(count: int) -> Iterator[list[str]]:
    """Yield a row for each band of agreement."""
    agreement, ratios = np.array(list(draw_datasets(count))).T
    edges = [*zip(BANDS, BANDS[1:], strict=False), (0.0, 0.85), (0.85, 1.0)]
    for low, high in edges:
        inside = (agreement >= low) & ((agreement < high) | (high == 1))
        found = ratios[inside]
        if len(found):
            within = np.mean((found >= 0.5) & (found <= 2))
            spread = np.quantile(found, (0.1, 0.5, 0.9))
            yield [
                f"{low:.0%} to {high:.0%}".replace("%", " %"),
                f"{len(found)}",
                f"{within:.0%}".replace("%", " %"),
                *(f"{each:.2f}" for each in spread),
            ]


def main() -> None:
    parser = argparse.ArgumentParser(description="Compare the estimate with the truth.")
    parser.add_argument("folder", type=Path, nargs="?", help="a folder of .npz files")
    parser.add_argument("--simulate", action="store_true", help="measure simulated datasets")
    parser.add_argument("--datasets", type=int, default=3000, help="how many are simulated")
    options = parser.parse_args()
    if options.simulate:
        heads = (
            "agreement",
            "datasets",
            "within a factor of 2",
            "10 % below",
            "median",
            "10 % above",
        )
        print_table(heads, make_bands(options.datasets))
        return
    if options.folder is None or not options.folder.is_dir():
        sys.exit("usage: python benchmarks/truth.py FOLDER   (a folder of .npz files)")
    paths = sorted(options.folder.glob("*.npz"))
    if not paths:
        sys.exit(f"There is no .npz file in {options.folder}.")
    heads = (*HEADS, *(f"AP, {ORDER_NAMES[order]}" for order in ORDERS))
    print_table(heads, measure_files(paths))


if __name__ == "__main__":
    main()
