"""Print what cleaning is worth on data whose wrong labels are known.

    python benchmarks/benefit.py [--runs N] [--only NAME]
    python benchmarks/benefit.py --coverage [--datasets N]

The first prints, for each dataset, the accuracy of the built-in model on held-out examples with
their true labels (and for two of them with the given ones): trained on the labels as given, without
the issues of each method, without as many random examples, and with every decision that an
errorless curator would make about the flagged examples. The second draws many datasets from one
population and counts how often the 95 % interval of the gain holds the true gain. The tables are
in docs/benefit.md.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from curation.analysis.array_analysis import analyze
from curation.analysis.findings import METHODS
from curation.core.matrix import IntArray
from curation.modelling.benefit_intervals import find_gain_over_splits
from curation.modelling.benefit_result import WAY_NAMES, Benefit, write_points
from curation.modelling.benefit_split import DecidedLabels, HeldOut
from curation.modelling.benefit_trial import Arm, Experiment, Way, list_arms, run_trial
from curation.modelling.classifiers import Classifier, choose_classifiers
from curation.modelling.cross_validation import cross_predict
from curation.modelling.folds import FOLDS, assign_folds


@dataclass(frozen=True)
class Task:
    """Features of examples, their given labels, and the true ones."""

    name: str
    kind: str
    features: Any
    labels: IntArray
    true_labels: IntArray
    compared: IntArray  # the labels that predictions on held-out examples are compared with


def flip(true: IntArray, share: float, rng: np.random.Generator, how: str) -> IntArray:
    """Return labels of which a share is wrong, in one of several ways."""
    classes, n = int(true.max()) + 1, len(true)
    wrong = rng.random(n) < share
    if how == "any":  # another class, all equally likely
        return np.where(wrong, (true + rng.integers(1, classes, n)) % classes, true)
    if how == "pair":  # always the next class
        return np.where(wrong, (true + 1) % classes, true)
    if how == "one":  # all of it in three classes
        hit = np.isin(true, (1, 3, 8)) & (rng.random(n) < share * classes / 3)
        return np.where(hit, (true + 1) % classes, true)
    raise ValueError(how)


def make_digits(name: str, share: float, how: str) -> Task:
    """Return scikit-learn's digits, 8 by 8 pixels, with planted noise."""
    from sklearn.datasets import load_digits

    pixels, true = load_digits(return_X_y=True)
    true = true.astype(np.int64)
    rng = np.random.default_rng(0)
    labels = flip(true, share, rng, how)
    return Task(name, "dense", pixels.astype(np.float32), labels, true, true)


def read_demo(name: str) -> Task:
    """Return a demo dataset, whose true labels are known."""
    import curation
    from curation.modelling.example_features import find_features
    from curation.paths import find_dashboard

    data = curation.load_labelled(find_dashboard() / "demo_data" / name)
    found = find_features(data, None, lambda share: None)
    assert data.true_labels is not None
    true = data.true_labels
    return Task(f"demo {name}", found.kind, found.matrix, data.labels, true, true)


def compare_with_given(task: Task) -> Task:
    """Return the same data as if its true labels were not known."""
    return replace(task, name=f"{task.name}; compared with given labels", compared=task.labels)


TASKS: tuple[Callable[[], Task], ...] = (
    lambda: make_digits("digits, any other class", 0.2, "any"),
    lambda: make_digits("digits, the next class", 0.2, "pair"),
    lambda: make_digits("digits, the next class", 0.4, "pair"),
    lambda: make_digits("digits, three classes only", 0.1, "one"),
    lambda: make_digits("digits, nothing wrong", 0.0, "any"),
    lambda: read_demo("objects"),
    lambda: read_demo("reviews"),
    lambda: compare_with_given(make_digits("digits, any other class", 0.2, "any")),
    lambda: compare_with_given(make_digits("digits, the next class", 0.4, "pair")),
)


def measure(task: Task, runs: int) -> Benefit:
    """Return the benefit on one dataset."""
    classes, n = int(task.true_labels.max()) + 1, len(task.labels)
    classifier = choose_classifiers(task.kind, None)[0]
    decided = _decide(task, classifier, classes)
    changes = bool((decided.labels != task.labels).any())
    held = HeldOut("true", np.arange(n), task.compared, np.ones(n, bool), False)
    experiment = Experiment(
        task.features, task.labels, classes, np.arange(n), held, decided, classifier,
        "confident_joint", list_arms(with_decisions=changes),
    )  # fmt: skip
    return _run(experiment, runs)


def _run(experiment: Experiment, runs: int) -> Benefit:
    trials = tuple(run_trial(experiment, seed, lambda stage: None) for seed in range(runs))
    held = experiment.held_out
    return Benefit(
        arms=experiment.arms, trials=trials, against="true", is_fixed=held.is_fixed,
        held_share=HeldOut.find_share("true", held.is_fixed), held_labels=held.labels,
        units=experiment.units, method=experiment.method, model=experiment.classifier.name,
        features="", notes=(), class_names=tuple(map(str, range(experiment.num_classes))),
    )  # fmt: skip


def _decide(task: Task, classifier: Classifier, classes: int) -> DecidedLabels:
    """Return the decisions of somebody who sees all flagged examples and makes no mistake."""
    n, rng = len(task.labels), np.random.default_rng(0)
    folds = assign_folds(task.labels, np.arange(n), classes, folds=FOLDS, rng=rng)
    usable = np.ones(n, bool)
    probs = cross_predict(classifier, task.features, task.labels, folds, usable, classes)
    flagged = analyze(task.labels, probs).mask()
    labels = np.where(flagged, task.true_labels, task.labels)
    return DecidedLabels(labels, np.zeros(n, bool), flagged, np.arange(classes))


WAYS: tuple[Way, ...] = (*METHODS, "random", "decisions")


def tabulate(task: Task, benefit: Benefit) -> list[str]:
    """Return the accuracy with the labels as given, and the gain of each way to clean."""
    wrong = f"{100 * (task.labels != task.true_labels).mean():.0f} %"
    given = benefit.score("given")
    accuracy = f"{100 * given.accuracy:.1f} ± {100 * given.spread:.1f}"
    return [task.name, wrong, accuracy, *(_write(benefit, way) for way in WAYS)]


def _write(benefit: Benefit, way: Way) -> str:
    if way not in benefit.ways:
        return ""  # no flagged label was wrong, so no decision changes one
    gain = benefit.score(way).gain
    ends = f"{write_points(gain.low)} to {write_points(gain.high)}"
    return f"{write_points(gain.estimate)} ({ends})"


# The coverage of the intervals, on data drawn from a known population.

POPULATION, EACH, DIMENSIONS, CLASSES = 20_000, 300, 6, 3
COVERAGE_ARMS = (Arm("given", 0.0), Arm("confident_joint", 1.0))


def draw(n: int, rng: np.random.Generator, noise: float) -> tuple[NDArray[Any], IntArray, IntArray]:
    """Return features, given labels and true labels of n examples of one population."""
    centres = 1.1 * np.eye(CLASSES, DIMENSIONS)
    true = rng.integers(0, CLASSES, n)
    features = centres[true] + rng.normal(size=(n, DIMENSIONS))
    wrong = rng.random(n) < noise
    return features.astype(np.float32), np.where(wrong, (true + 1) % CLASSES, true), true


def make_tree() -> Any:
    from sklearn.tree import DecisionTreeClassifier

    return DecisionTreeClassifier(max_depth=8, min_samples_leaf=2)


def make_linear() -> Any:
    from sklearn.linear_model import LogisticRegression

    return LogisticRegression()


MODELS = {"linear": make_linear, "tree": make_tree}


def check_coverage(datasets: int, noise: float, model: str) -> list[str]:
    """Return how often the corrected and the plain interval hold the true gain."""
    rng = np.random.default_rng(1)
    intervals, plain, true_gains = [], [], []
    for _ in range(datasets):
        features, labels, true = draw(EACH, rng, noise)
        rows = np.arange(EACH)
        found = _run(_make_experiment(features, labels, true, model, rows, False), 10)
        intervals.append(found.scores[1].gain)
        gains = [each.correct[1].mean() - each.correct[0].mean() for each in found.trials]
        plain.append(find_gain_over_splits(np.array(gains), 0.0))
        true_gains.append(_measure_truth(rng, noise, model))
    truth = float(np.mean(true_gains))
    error = float(np.std(true_gains) / np.sqrt(datasets))
    held = [
        np.mean([each.low <= truth <= each.high for each in some]) for some in (intervals, plain)
    ]
    return [model, f"{100 * noise:.0f} %", f"{write_points(truth)} ± {100 * error:.1f}",
            *(f"{100 * each:.1f} %" for each in held)]  # fmt: skip


def _measure_truth(rng: np.random.Generator, noise: float, model: str) -> float:
    """Return the gain for one training set of the usual size, on a large part of the population."""
    trained = EACH * 3 // 4
    features, labels, true = draw(trained + POPULATION, rng, noise)
    test = np.arange(trained, len(labels))
    experiment = _make_experiment(features, labels, true, model, test, True)
    trial = run_trial(experiment, int(rng.integers(1 << 30)), lambda stage: None)
    return float(trial.correct[1].mean() - trial.correct[0].mean())


def _make_experiment(
    features: Any, labels: IntArray, true: IntArray, model: str, rows: IntArray, fixed: bool
) -> Experiment:
    n = len(labels)
    trainable = np.ones(n, bool)
    if fixed:
        trainable[rows] = False
    nothing = np.zeros(n, bool)
    return Experiment(
        features, labels, CLASSES, np.arange(n), HeldOut("true", rows, true, trainable, fixed),
        DecidedLabels(labels, nothing, nothing, np.arange(CLASSES)),
        Classifier(model, MODELS[model]), "confident_joint", COVERAGE_ARMS,
    )  # fmt: skip


def _print(cells: Any) -> None:
    print(f"| {' | '.join(cells)} |", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--runs", type=int, default=10, help="runs for each dataset (10)")
    parser.add_argument("--only", default="", help="datasets whose name contains this")
    parser.add_argument("--coverage", action="store_true", help="check the intervals instead")
    parser.add_argument("--datasets", type=int, default=200, help="to draw with --coverage (200)")
    options = parser.parse_args()
    if options.coverage:
        _print(("model", "wrong", "true gain, points", "corrected interval", "plain interval"))
        print("|---|---:|---:|---:|---:|")
        for model in MODELS:
            for noise in (0.0, 0.2, 0.35):
                _print(check_coverage(options.datasets, noise, model))
        return
    _print(("dataset", "wrong", "as given", *(WAY_NAMES[way] for way in WAYS)))
    print("|---|---:|---:|" + "---:|" * len(WAYS))
    for make in TASKS:
        task = make()
        if options.only in task.name:
            _print(tabulate(task, measure(task, options.runs)))


if __name__ == "__main__":
    main()
