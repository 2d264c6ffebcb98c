"""One run: what each model is trained on, and that nothing held out has any part in it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from curation.analysis.array_analysis import analyze
from curation.analysis.findings import METHODS
from curation.modelling.benefit_split import DecidedLabels, HeldOut
from curation.modelling.benefit_trial import Arm, Experiment, _Cleaner, list_arms, run_trial
from curation.modelling.classifiers import Classifier

NUM = 240


class Witness:
    """A nearest-mean model that notes the rows (by their first feature) and weights it gets."""

    fits: list[tuple[list[int], np.ndarray | None]] = []

    def fit(self, X, y, sample_weight=None):
        Witness.fits.append((X[:, 0].astype(int).tolist(), sample_weight))
        self.classes_ = np.unique(y)
        self.means = np.array([X[y == each, 1:].mean(axis=0) for each in self.classes_])
        return self

    def predict_proba(self, X):
        distance = ((X[:, None, 1:] - self.means) ** 2).sum(axis=2)
        near = np.exp(-distance)
        return near / near.sum(axis=1, keepdims=True)


def quiet(stage):
    pass


@pytest.fixture
def experiment():
    """Two classes that are far apart, one label in five wrong, half of the wrong ones corrected."""
    Witness.fits.clear()
    rng = np.random.default_rng(0)
    true = np.arange(NUM) % 2
    labels = np.where(rng.random(NUM) < 0.2, 1 - true, true)
    features = np.column_stack([np.arange(NUM), 3.0 * true + rng.normal(size=NUM)])
    corrected = np.where(np.arange(NUM) < NUM // 2, true, labels)
    excluded = np.zeros(NUM, bool)
    excluded[NUM - 1] = True
    decided = DecidedLabels(corrected, excluded, corrected != labels, np.arange(2))
    held_out = HeldOut("true", np.arange(NUM), true, np.ones(NUM, bool), False)
    return Experiment(
        features, labels, 2, np.arange(NUM), held_out, decided, Classifier("witness", Witness),
        "confident_joint", list_arms(with_decisions=True),
    )  # fmt: skip


def test_all_ways_are_compared_at_every_fifth_of_the_issues():
    arms = list_arms(with_decisions=True)
    assert arms[0] == Arm("given", 0.0) and len(arms) == 1 + 7 * 5
    assert {arm.way for arm in arms[1:]} == {*METHODS, "random", "decisions"}
    assert "decisions" not in {arm.way for arm in list_arms(with_decisions=False)}


def test_no_model_is_trained_on_a_held_out_example(experiment):
    trial = run_trial(experiment, 3, quiet)
    assert len(trial.rows) == NUM // 4 and trial.trained == NUM - NUM // 4
    assert len(Witness.fits) > 30
    assert all(not set(rows) & set(trial.rows) for rows, _ in Witness.fits)


def test_a_held_out_label_has_no_part_in_what_is_trained(experiment):
    before = run_trial(experiment, 3, quiet)
    trained = [rows for rows, _ in Witness.fits]
    Witness.fits.clear()
    labels, decided = experiment.labels.copy(), experiment.decided.labels.copy()
    for row in before.rows.tolist():
        labels[row], decided[row] = 1 - labels[row], 1 - decided[row]
    changed = replace(
        experiment, labels=labels, decided=replace(experiment.decided, labels=decided)
    )
    after = run_trial(changed, 3, quiet)
    assert [rows for rows, _ in Witness.fits] == trained
    assert (after.correct == before.correct).all() and (after.trust == before.trust).all()


def test_the_same_seed_gives_the_same_and_another_other_examples(experiment):
    one, same, other = (run_trial(experiment, seed, quiet) for seed in (1, 1, 2))
    assert (one.correct == same.correct).all() and (one.rows == same.rows).all()
    assert set(one.rows) != set(other.rows)


def test_every_model_that_is_trained_is_counted_as_a_step(experiment):
    from curation.modelling.benefit_trial import count_steps

    ticks = []
    run_trial(experiment, 0, ticks.append)
    assert len(ticks) == count_steps(experiment.arms)


@pytest.fixture
def cleaner(experiment):
    train = np.arange(60, NUM)
    rng = np.random.default_rng(5)
    sure = rng.uniform(0.6, 0.99, len(train))
    own = np.where(experiment.held_out.labels[train] == 0, sure, 1 - sure)
    findings = analyze(experiment.labels[train], np.column_stack([own, 1 - own]))
    return _Cleaner(experiment, findings, train, rng), findings, train


@pytest.mark.parametrize("method", METHODS)
def test_the_most_suspect_issues_go_first_and_classes_are_weighted_as_in_the_paper(cleaner, method):
    clean, findings, train = cleaner
    issues = findings.issues(method)
    joint = findings.joint
    paper = joint.sum(axis=0) / joint.diagonal()
    for share in (0.2, 1.0):
        rows, labels, weights, changed = clean.prepare(Arm(method, share))
        gone = issues[: round(share * len(issues))]
        assert set(train) - set(rows) == set(train[gone]) and changed == len(gone)
        assert weights == pytest.approx(1 + share * (paper[labels] - 1))
    assert weights == pytest.approx(paper[labels])


def test_as_many_random_examples_are_removed_without_weights(cleaner):
    clean, findings, train = cleaner
    flagged = len(findings.issues("confident_joint"))
    rows, labels, weights, changed = clean.prepare(Arm("random", 1.0))
    assert changed == flagged == len(train) - len(rows) and weights is None
    some = set(train) - set(clean.prepare(Arm("random", 0.4))[0])
    assert some < set(train) - set(rows)  # the same ones and more
    assert some != set(train[findings.issues()[: len(some)]])


def test_decisions_relabel_and_exclude_the_most_suspect_first(cleaner, experiment):
    clean, findings, train = cleaner
    decided = experiment.decided
    changes = [row for row in train if decided.labels[row] != experiment.labels[row]] + [NUM - 1]
    rows, labels, weights, changed = clean.prepare(Arm("decisions", 1.0))
    assert changed == len(changes) and weights is None
    assert rows.tolist() == train[:-1].tolist()  # one was excluded
    assert labels.tolist() == decided.labels[rows].tolist()
    rows, labels, _, changed = clean.prepare(Arm("decisions", 0.4))
    margin = dict(zip(train.tolist(), findings.normalized_margin.tolist(), strict=True))
    first = sorted(changes, key=lambda row: margin[int(row)])[: round(0.4 * len(changes))]
    moved = [
        row for row, label in zip(rows, labels, strict=True) if label != experiment.labels[row]
    ]
    assert set(moved) == set(first) - {NUM - 1} and changed == len(first)


def test_a_way_that_changes_nothing_is_as_good_as_the_labels_as_given(experiment):
    right = replace(experiment, labels=experiment.held_out.labels)
    far = right.features.copy()
    far[:, 1] = 30.0 * experiment.held_out.labels
    trial = run_trial(replace(right, features=far, arms=list_arms(with_decisions=False)), 0, quiet)
    assert not trial.changed.any() and (trial.correct == trial.correct[0]).all()
    assert len(Witness.fits) == 5  # four folds, and the labels as given


def test_merged_classes_are_one_in_training(experiment):
    becomes = np.array([0, 0])
    merged = replace(
        experiment, labels=becomes[experiment.labels],
        decided=replace(experiment.decided, becomes=becomes),
        held_out=replace(experiment.held_out, labels=becomes[experiment.held_out.labels]),
    )  # fmt: skip
    trial = run_trial(merged, 0, quiet)
    assert trial.correct.all()
