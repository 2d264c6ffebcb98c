"""The public analysis: the laws that always hold, cleanlab as an oracle, and the choices."""

import math
import re
import tracemalloc

import cleanlab.count
import cleanlab.rank
import numpy as np
import pandas as pd
import pytest
from hypothesis import given

import curation
from curation.analysis.findings import METHODS, ORDERS
from curation.core.rank import LOG_FLOOR
from curation.errors import InputError
from tests.oracle import slow_counted, slow_joint, slow_masks
from tests.problems import noisy_problem, problems


@given(problems())
def test_everything_agrees_with_the_paper_written_as_loops(problem):
    labels, pred_probs = problem
    findings = curation.analyze(labels, pred_probs)
    guesses = slow_counted(labels, pred_probs)
    assert findings.joint == pytest.approx(slow_joint(findings.confident_joint, labels))
    assert findings.estimated_errors == pytest.approx(
        len(labels) * (1 - sum(findings.joint[i, i] for i in range(len(findings.joint))))
    )
    for method, expected in slow_masks(labels, pred_probs, guesses).items():
        assert set(np.flatnonzero(findings.mask(method))) == expected, method
    for k, (label, row) in enumerate(zip(labels, pred_probs, strict=True)):
        others = [j for j in range(len(row)) if j != label]
        best = max(others, key=lambda j: (row[j], -j))
        counted_away = guesses[k] not in (None, label)
        assert findings.suggested_labels[k] == (guesses[k] if counted_away else best)
        assert findings.self_confidence[k] == row[label]
        assert findings.normalized_margin[k] == pytest.approx(row[label] - row[best])
        own, other = (math.log(max(p, LOG_FLOOR)) for p in (row[label], row[best]))
        assert findings.log_margin[k] == pytest.approx(own - other)


@given(problems(every_class=True))
def test_counts_equal_cleanlabs(problem):
    labels, pred_probs = problem
    ours = curation.analyze(labels, pred_probs).confident_joint.copy()
    theirs, flagged = cleanlab.count.compute_confident_joint(
        labels, pred_probs, calibrate=False, return_indices_of_off_diagonals=True
    )
    # cleanlab writes 1 on the diagonal of a class that has no count there; the paper does not
    np.fill_diagonal(ours, np.maximum(ours.diagonal(), 1))
    assert (ours == theirs).all()
    mask = curation.analyze(labels, pred_probs).mask("confident_joint")
    assert np.flatnonzero(mask).tolist() == list(flagged)


@pytest.mark.parametrize("seed", range(5))
def test_estimates_and_scores_equal_cleanlabs(seed):
    labels, pred_probs, _ = noisy_problem(np.random.default_rng(seed))
    findings = curation.analyze(labels, pred_probs)
    joint = cleanlab.count.estimate_joint(
        labels, pred_probs, confident_joint=findings.confident_joint
    )
    prior, noise_matrix, inverse, _ = (
        cleanlab.count.estimate_py_and_noise_matrices_from_probabilities(labels, pred_probs)
    )
    assert findings.joint == pytest.approx(joint, abs=2 / len(labels))  # cleanlab rounds the counts
    assert findings.noise_matrix == pytest.approx(noise_matrix, abs=0.01)
    assert findings.inverse_noise_matrix == pytest.approx(inverse, abs=0.01)
    assert findings.latent_prior == pytest.approx(prior, abs=0.01)
    margins = cleanlab.rank.get_normalized_margin_for_each_label(labels, pred_probs)
    assert (findings.normalized_margin + 1) / 2 == pytest.approx(margins)
    confidences = cleanlab.rank.get_self_confidence_for_each_label(labels, pred_probs)
    assert findings.self_confidence == pytest.approx(confidences)


@given(problems())
def test_what_is_always_true(problem):
    labels, pred_probs = problem
    findings = curation.analyze(labels, pred_probs)
    n, m = pred_probs.shape
    assert findings.confident_joint.dtype.kind == "i" and findings.confident_joint.sum() <= n
    assert findings.confusion.sum() == n
    assert (findings.confusion.sum(axis=1) == np.bincount(labels, minlength=m)).all()
    assert findings.joint.sum() == pytest.approx(1)
    assert findings.joint.sum(axis=1) == pytest.approx(findings.given_prior)
    assert findings.given_prior == pytest.approx(np.bincount(labels, minlength=m) / n)
    assert findings.joint.sum(axis=0) == pytest.approx(findings.latent_prior)
    assert findings.noise_matrix.sum(axis=0) == pytest.approx(1)
    assert findings.inverse_noise_matrix.sum(axis=0) == pytest.approx(1)
    assert (np.abs(findings.normalized_margin) <= 1).all()
    assert ((findings.self_confidence >= 0) & (findings.self_confidence <= 1)).all()
    assert (findings.suggested_labels != labels).all()
    assert (findings.masks["both"] <= findings.masks["prune_by_class"]).all()
    arrays = [v for v in vars(findings).values() if isinstance(v, np.ndarray)]
    assert not any(np.isnan(each).any() for each in arrays if each.dtype.kind == "f")


def test_shuffling_examples_changes_no_matrix_and_moves_the_flags_along():
    rng = np.random.default_rng(3)
    labels, pred_probs, _ = noisy_problem(rng)
    order = rng.permutation(len(labels))
    before, after = (
        curation.analyze(labels, pred_probs),
        curation.analyze(labels[order], pred_probs[order]),
    )
    for name in (
        "thresholds",
        "confident_joint",
        "confusion",
        "joint",
        "noise_matrix",
        "class_weights",
    ):
        assert getattr(after, name) == pytest.approx(getattr(before, name)), name
    for method in METHODS:
        assert (after.mask(method) == before.mask(method)[order]).all(), method


def test_renaming_classes_permutes_rows_and_columns_alike():
    rng = np.random.default_rng(4)  # no ties: those break by index, which renaming changes
    labels, pred_probs, _ = noisy_problem(rng)
    new_name = rng.permutation(6)
    before = curation.analyze(labels, pred_probs)
    renamed = np.empty_like(pred_probs)
    renamed[:, new_name] = pred_probs
    after = curation.analyze(new_name[labels], renamed)
    for name in ("confident_joint", "confusion", "joint", "noise_matrix", "inverse_noise_matrix"):
        moved = getattr(after, name)[np.ix_(new_name, new_name)]
        assert moved == pytest.approx(getattr(before, name)), name
    assert (after.suggested_labels == new_name[before.suggested_labels]).all()
    assert (after.mask("confident_joint") == before.mask("confident_joint")).all()


def test_right_labels_and_a_sure_model_flag_nothing():
    labels = np.arange(60) % 4
    findings = curation.analyze(labels, np.eye(4)[labels])
    assert not any(findings.mask(method).any() for method in METHODS)
    assert findings.estimated_errors == 0 and findings.sparsity == 1


@pytest.mark.fault(9, "HOLDS")
@pytest.mark.parametrize("dtype", ["float16", "float32", ">f8"])
def test_type_of_the_probabilities_changes_nothing_but_their_rounding(dtype):
    labels, pred_probs, _ = noisy_problem(np.random.default_rng(5), m=4)
    stored = pred_probs.astype(dtype)
    narrow, wide = curation.analyze(labels, stored), curation.analyze(labels, stored.astype(float))
    assert (narrow.confident_joint == wide.confident_joint).all()
    assert narrow.thresholds == pytest.approx(wide.thresholds, abs=1e-15)
    for method in METHODS:
        assert (narrow.mask(method) == wide.mask(method)).all()


def test_layout_of_the_matrix_changes_nothing():
    labels, pred_probs, _ = noisy_problem(np.random.default_rng(6))
    expected = curation.analyze(labels, pred_probs)
    wide = np.zeros((len(labels), 12))
    wide[:, ::2] = pred_probs
    for layout in (np.asfortranarray(pred_probs), wide[:, ::2]):
        found = curation.analyze(labels, layout)
        assert (found.confident_joint == expected.confident_joint).all()
        assert (found.issues() == expected.issues()).all()


@pytest.mark.fault(28, "HOLDS")
def test_memory_mapped_file_gives_the_same_and_is_never_copied_whole(tmp_path):
    labels, pred_probs, _ = noisy_problem(np.random.default_rng(7), n=40_000, m=250)
    np.save(tmp_path / "probs.npy", pred_probs.astype(np.float32))
    mapped = np.load(tmp_path / "probs.npy", mmap_mode="r")  # 40 MB
    expected = curation.analyze(labels, np.array(mapped))
    tracemalloc.start()
    found = curation.analyze(labels, mapped)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < mapped.nbytes / 2
    assert (found.issues("both") == expected.issues("both")).all()


def test_known_noise_is_found_again():
    rng = np.random.default_rng(8)
    noise_matrix = np.array([[0.8, 0.0, 0.1], [0.2, 0.9, 0.0], [0.0, 0.1, 0.9]])  # [given, true]
    true = rng.integers(0, 3, 30_000)
    given_labels = np.array(
        [rng.choice(3, p=noise_matrix[:, j]) for j in range(3) for _ in range(1)]
    )
    draws = rng.random(len(true))
    given_labels = (draws[:, None] > np.cumsum(noise_matrix, axis=0).T[true]).sum(axis=1)
    logits = rng.normal(size=(len(true), 3)) + 4 * np.eye(3)[true]
    clean = np.exp(logits) / np.exp(logits).sum(axis=1, keepdims=True)
    findings = curation.analyze(given_labels, clean @ noise_matrix.T)  # a model of noisy labels
    assert findings.noise_matrix == pytest.approx(noise_matrix, abs=0.05)
    wrong = given_labels != true
    assert abs(findings.estimated_errors - wrong.sum()) < 0.15 * wrong.sum()
    flagged = findings.mask("confident_joint")
    assert (flagged & wrong).sum() > 0.85 * wrong.sum()
    assert (flagged & wrong).sum() > 0.85 * flagged.sum()


def test_issues_are_ordered_by_every_score():
    labels, pred_probs, _ = noisy_problem(np.random.default_rng(9))
    findings = curation.analyze(labels, pred_probs)
    for method in METHODS:
        for order in ORDERS:
            rows = findings.issues(method, order)
            assert set(rows) == set(np.flatnonzero(findings.mask(method)))
            assert (np.diff(getattr(findings, order)[rows]) >= 0).all()


def test_overlaps_read_as_the_papers_table_4():
    labels = np.array([0] * 4 + [1] * 3 + [2] * 2)
    pred_probs = np.array(
        [[0.9, 0.1, 0], [0.1, 0.9, 0], [0.1, 0.9, 0], [0.9, 0.1, 0]]
        + [[0.1, 0.9, 0], [0.8, 0.2, 0], [0, 0.9, 0.1]]
        + [[0, 0, 1], [0, 0, 1]]
    )
    findings = curation.analyze(labels, pred_probs, ["projectile", "missile", "tub"])
    table = findings.overlaps()
    assert list(table.columns) == ["given", "true", "confident_joint", "confusion", "joint"]
    # t_0 = .5 and t_1 = 2/3: rows 1 and 2 go to missile, row 5 to projectile
    assert table.values.tolist() == [
        ["projectile", "missile", 2, 2, pytest.approx(2 / 9)],
        ["missile", "projectile", 1, 1, pytest.approx(1 / 9)],
    ]
    assert len(findings.overlaps(limit=1)) == 1
    assert curation.analyze(labels, pred_probs).overlaps()["given"].tolist() == [0, 1]


def test_joint_of_the_confusion_baseline_is_calibrated_too():
    labels, pred_probs, _ = noisy_problem(np.random.default_rng(10))
    findings = curation.analyze(labels, pred_probs)
    joint = curation.estimate_joint(findings.confusion, labels)
    assert joint == pytest.approx(findings.confusion / len(labels))  # its rows are whole already


def test_findings_cannot_be_changed_by_those_who_share_them():
    findings = curation.analyze([0, 1], [[0.9, 0.1], [0.2, 0.8]])
    with pytest.raises(ValueError, match="read-only"):
        findings.joint[0, 0] = 1
    with pytest.raises(ValueError, match="read-only"):
        findings.mask("both")[0] = True


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"threshold": 101}, "The threshold is 101. Pass \"mean\" or a percentile from 0 to 100."),
        ({"threshold": "median"}, "The threshold is 'median'."),
        ({"collisions": "first"}, "There is no collisions 'first'. Choose one of: argmax,"),
        ({"class_names": ["a"]}, "There are 1 class names for 2 columns of probabilities."),
    ],
)  # fmt: skip
def test_choices_that_do_not_exist_are_refused(arguments, words):
    with pytest.raises(InputError) as caught:
        curation.analyze([0, 1], [[0.9, 0.1], [0.2, 0.8]], **arguments)
    assert words in str(caught.value)


def test_unknown_method_and_order_are_refused_with_the_known_ones():
    findings = curation.analyze([0, 1], [[0.9, 0.1], [0.2, 0.8]])
    with pytest.raises(InputError, match="There is no method 'all'. Choose one of: confusion"):
        findings.mask("all")
    with pytest.raises(InputError, match="Choose one of: normalized_margin, self_confidence, log_"):
        findings.issues(order="entropy")


@pytest.mark.parametrize(
    ("counts", "labels", "words"),
    [
        ([[1, 2, 3]], [0], "shape (1, 3)"),
        ([[1, -2], [0, 1]], [0], "negative"),
        ([[1, 0], [0, 1]], [], "no labels"),
        ([[1, 0], [0, 1]], None, "no labels"),
        ([[1, None], [1, 1]], [0], "type object"),
        ([[1, 2], [3]], [0], "different lengths"),
        ([[1, 0], [0, 1]], [2], "is not a class from 0 to 1"),
    ],
)
def test_numbers_that_cannot_be_counts_are_refused(counts, labels, words):
    with pytest.raises(InputError) as caught:
        curation.estimate_joint(counts, labels)
    assert words in str(caught.value)


def test_counts_near_the_largest_number_do_not_overflow():
    joint = curation.estimate_joint(np.full((2, 2), 2**62), [0, 1])
    assert joint == pytest.approx(np.full((2, 2), 0.25))


@pytest.mark.parametrize("names", ["ab", {"a": 0, "b": 1}, 5])
def test_class_names_that_are_not_a_list_are_refused(names):
    with pytest.raises(InputError, match="Pass a list of names"):
        curation.analyze([0, 1], [[0.9, 0.1], [0.2, 0.8]], names)


def test_table_of_issues_has_the_columns_and_the_values_of_the_exported_one(small):
    small.export(method="confusion")
    exported = pd.read_csv(small.out / "issues.csv")
    dataset = small.dataset
    findings = curation.analyze(dataset.labels, dataset.pred_probs, dataset.class_names)
    table = findings.to_frame("confusion", ids=dataset.ids)
    assert table.index.tolist() == findings.issues("confusion").tolist() and len(table) == 2
    shared = [name for name in exported.columns if name in table.columns]
    assert shared == list(table.columns)
    assert table["id"].tolist() == [dataset.ids[row] for row in table.index]
    pd.testing.assert_frame_equal(table.reset_index(drop=True), exported[shared], check_dtype=False)


def test_table_of_issues_without_ids_goes_by_row_and_refuses_too_few():
    findings = curation.analyze([0, 0, 1, 1], [[0.9, 0.1], [0.2, 0.8], [0.3, 0.7], [0.1, 0.9]])
    table = findings.to_frame()
    assert table.index.tolist() == [1] and "id" not in table
    assert table.loc[1, ["given_label", "suggested_label"]].tolist() == [0, 1]
    with pytest.raises(InputError, match="There are 2 ids for 4 examples."):
        findings.to_frame(ids=["a", "b"])


def test_findings_and_datasets_are_shown_in_one_line(small):
    findings = curation.analyze(small.dataset.labels, small.dataset.pred_probs)
    assert re.fullmatch(
        r"<Findings on 10 examples of 3 classes: about \d labels look wrong, \d are flagged>",
        repr(findings),
    )
    assert repr(small.dataset) == "<Dataset 'data': 10 texts, 3 classes>"
    labelled = curation.load_labelled(small.root)
    assert repr(labelled) == "<LabelledData 'data': 10 texts, 3 classes>"
