"""One run of the experiment: the same model trained on labels cleaned in several ways.

Nothing that a model learns, and nothing that decides which examples are pruned, has seen a
held-out example: flags come from cross-validation within the training part alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from curation.analysis.array_analysis import analyze
from curation.analysis.findings import METHODS, Findings, Method
from curation.core.matrix import BoolArray, FloatArray, IntArray
from curation.modelling.benefit_split import DecidedLabels, HeldOut
from curation.modelling.classifiers import (
    Classifier,
    fit_and_predict,
    make_estimator,
    take_rows,
)
from curation.modelling.cross_validation import Tick, cross_predict
from curation.modelling.folds import FOLDS, assign_folds, number_values

SHARES = (0.2, 0.4, 0.6, 0.8, 1.0)  # of the issues that are removed, as in the paper's Figure 5
Way = Method | Literal["given", "random", "decisions"]


@dataclass(frozen=True)
class Arm:
    """One way to clean, up to a share of the issues: what one model of a run is trained on."""

    way: Way
    share: float  # of the issues removed, or of the decisions applied; 0 for the labels as given


def list_arms(*, with_decisions: bool) -> tuple[Arm, ...]:
    """Return everything that is compared, the labels as given first."""
    ways: list[Way] = [*METHODS, "random"]
    ways += ["decisions"] if with_decisions else []
    return (Arm("given", 0.0), *(Arm(way, share) for way in ways for share in SHARES))


@dataclass(frozen=True, eq=False)
class Experiment:
    """What every run of the experiment shares."""

    features: Any
    labels: IntArray  # (n,) as given, merged classes as one
    num_classes: int
    units: IntArray  # (n,) examples with the same number are never on both sides
    held_out: HeldOut
    decided: DecidedLabels
    classifier: Classifier
    method: Method  # as many random examples are removed as this method flags
    arms: tuple[Arm, ...]


@dataclass(frozen=True, eq=False)
class Trial:
    """What one run found; arrays have one entry or row per arm."""

    rows: IntArray  # (t,) the examples held out
    correct: BoolArray  # (arms, t) which of them each model predicts as they are labelled
    changed: IntArray  # (arms,) how many training examples were removed or relabelled
    trained: int  # training examples before anything was removed
    trust: FloatArray  # (m,) estimated share of right labels in each class, in the training part


def run_trial(experiment: Experiment, seed: int, tick: Tick) -> Trial:
    """Return how many held-out examples each arm's model gets right."""
    rng = np.random.default_rng(seed)
    train, test = experiment.held_out.deal(experiment.units, rng)
    findings = _find_flags(experiment, train, rng, seed, tick)
    clean = _Cleaner(experiment, findings, train, rng)
    shape = (len(experiment.arms), len(test))
    correct, changed = np.zeros(shape, bool), np.zeros(shape[0], np.int64)
    for place, arm in enumerate(experiment.arms):
        tick(f"Training {experiment.classifier.name}: {place + 1} of {len(experiment.arms)}")
        rows, labels, weights, changed[place] = clean.prepare(arm)
        if place and not changed[place]:
            correct[place] = correct[0]  # the same as the labels as given
            continue
        whole = experiment.labels.copy()
        whole[rows] = labels
        estimator = make_estimator(experiment.classifier, seed)
        probs = fit_and_predict(estimator, experiment.features, whole, rows, test,
                                experiment.num_classes, weights=weights)  # fmt: skip
        correct[place] = probs.argmax(axis=1) == experiment.held_out.labels[test]
    trust = findings.inverse_noise_matrix.diagonal().copy()
    return Trial(test, correct, changed, len(train), trust)


def count_steps(arms: Sequence[Arm]) -> int:
    """Return how often a run ticks: once for each model that it trains."""
    return FOLDS + len(arms)


def _find_flags(
    experiment: Experiment, train: IntArray, rng: np.random.Generator, seed: int, tick: Tick
) -> Findings:
    """Return the findings of the training part, by models trained on other folds of it."""
    labels, wide = experiment.labels[train], experiment.num_classes
    own = number_values(experiment.units[train].tolist())
    folds = assign_folds(labels, own, wide, folds=FOLDS, rng=rng)
    probs = cross_predict(
        experiment.classifier, take_rows(experiment.features, train), labels, folds,
        np.ones(len(train), bool), wide, seed=seed, tick=tick,
    )  # fmt: skip
    return analyze(labels, probs)


class _Cleaner:
    """Makes the training sets of one run."""

    def __init__(
        self, experiment: Experiment, findings: Findings, train: IntArray, rng: np.random.Generator
    ) -> None:
        self.findings, self.train = findings, train
        self.given = experiment.labels[train]
        decided = experiment.decided
        self.decided = decided.becomes[decided.labels[train]]
        self.excluded = decided.excluded[train]
        self.shuffled = rng.permutation(len(train))
        self.as_many_as: Method = experiment.method

    def prepare(self, arm: Arm) -> tuple[IntArray, IntArray, FloatArray | None, int]:
        """Return the rows to train on, their labels and weights, and how many were changed."""
        if arm.way == "given":
            return self.train, self.given, None, 0
        if arm.way == "decisions":
            return self._decide(arm.share)
        if arm.way == "random":
            number = len(self.findings.issues(self.as_many_as))
            gone, weights = _first(self.shuffled[:number], arm.share), None
        else:
            gone = _first(self.findings.issues(arm.way), arm.share)
            weights = 1 + arm.share * (self.findings.class_weights - 1)
        kept = np.delete(np.arange(len(self.train)), gone)
        labels = self.given[kept]
        chosen = None if weights is None else weights[labels]
        return self.train[kept], labels, chosen, len(gone)

    def _decide(self, share: float) -> tuple[IntArray, IntArray, None, int]:
        changes = np.flatnonzero((self.decided != self.given) | self.excluded)
        by_margin = np.argsort(self.findings.normalized_margin[changes], kind="stable")
        applied = _first(changes[by_margin], share)
        labels = self.given.copy()
        labels[applied] = self.decided[applied]
        kept = np.ones(len(labels), bool)
        kept[applied] = ~self.excluded[applied]
        return self.train[kept], labels[kept], None, len(applied)


def _first(rows: IntArray, share: float) -> IntArray:
    """Return the first share of some rows, in whole rows.

    >>> _first(np.arange(10), 0.25)
    array([0, 1])
    """
    return rows[: round(share * len(rows))]
