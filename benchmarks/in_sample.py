"""Print how often the doctor suspects that a model predicted its own training data.

    python benchmarks/in_sample.py [--runs 420] [--fresh]

As many runs are honest (cross-validated or out of bag), and as many are predictions of the training
data. The models and datasets are in devtools/in_sample_runs.py. With --fresh the datasets are
others, which had no part in choosing the limits of the check. Exits with 1 if more than 2 % of the
honest runs are suspected, or fewer than 95 % of the others.

The warning says that the model probably predicted its training data, unless hardly any label is
wrong. So it is false only for an honest run on data with wrong labels; those are counted too.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator

import numpy as np

from curation.loading.doctor.in_sample import diagnose_in_sample
from devtools.in_sample_runs import (
    Run,
    make_fresh_sets,
    make_sets,
    predict_honestly,
    predict_training_data,
)

MAX_FALSE_ALARMS = 0.02
MIN_FOUND = 0.95


def is_suspected(run: Run) -> bool:
    own, top = run.probs[np.arange(len(run.labels)), run.labels], run.probs.max(axis=1)
    return bool(diagnose_in_sample(run.labels, run.probs.argmax(axis=1), own, "probs", top))


def print_runs(title: str, runs: Iterator[Run], *, wanted: bool) -> list[tuple[float, bool]]:
    """Print a row for each model, with what was judged wrongly.

    Return the share of wrong labels of each run, and whether it was suspected.
    """
    by_model: dict[str, list[tuple[float, bool]]] = {}
    wrong: dict[str, list[str]] = {}
    for run in runs:
        suspected = is_suspected(run)
        by_model.setdefault(run.model, []).append((run.noise, suspected))
        if suspected is not wanted:
            words = f"{run.dataset}, {run.noise:.0%} noise (agrees with {run.agreement:.1%})"
            wrong.setdefault(run.model, []).append(words)
    print(f"\n| {title} | runs | suspected | judged wrongly |\n|---|---:|---:|---|")
    for model, found in sorted(by_model.items()):
        suspects = sum(suspected for _, suspected in found)
        print(f"| {model} | {len(found)} | {suspects} | {'; '.join(wrong.get(model, []))} |")
    every = [each for found in by_model.values() for each in found]
    print(f"| all | {len(every)} | {share_suspected(every):.1%} | |", flush=True)
    return every


def share_suspected(runs: list[tuple[float, bool]]) -> float:
    return float(np.mean([suspected for _, suspected in runs]))


def main() -> None:
    parser = argparse.ArgumentParser(description="Measure the check for training data.")
    parser.add_argument("--runs", type=int, default=420, help="of each kind")
    parser.add_argument("--fresh", action="store_true", help="on other datasets")
    options = parser.parse_args()
    sets = make_fresh_sets() if options.fresh else make_sets()
    honest = print_runs("honest", predict_honestly(options.runs, sets), wanted=False)
    every = print_runs("training data", predict_training_data(options.runs, sets), wanted=True)
    noisy = [each for each in honest if each[0] > 0]
    false = sum(suspected for _, suspected in noisy)
    print(f"\nHonest runs on data with wrong labels: {false} of {len(noisy)} suspected")
    alarms, found = share_suspected(honest), share_suspected(every)
    raise SystemExit(0 if alarms <= MAX_FALSE_ALARMS and found >= MIN_FOUND else 1)


if __name__ == "__main__":
    main()
