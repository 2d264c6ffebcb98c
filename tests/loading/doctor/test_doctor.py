"""The doctor says what is wrong with arrays in numbers and words, and is silent about good ones."""

from __future__ import annotations

import tracemalloc
from typing import Any

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer, load_digits, load_iris, load_wine, make_blobs
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import cross_val_predict
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.tree import DecisionTreeClassifier
from threadpoolctl import threadpool_limits

from curation.analysis.array_analysis import analyze
from curation.core.checks import survey_probabilities
from curation.core.matrix import FloatArray
from curation.loading.doctor import diagnose, list_passed
from curation.loading.doctor.shapes import diagnose_shapes
from curation.report import Severity
from tests.loading.doctor.examining import NAMES, examine, make


@pytest.mark.parametrize("num_classes", [2, 3, 6])
def test_good_data_gives_no_diagnosis(num_classes: int) -> None:
    labels, probs = make(num_classes=num_classes)
    assert examine(labels, probs, ids=[f"id{row}" for row in range(300)]) == {}
    assert "columns of probabilities are in the order of the classes" in list_passed([])


def test_a_blocked_dataset_claims_no_passed_checks() -> None:
    labels, probs = make()
    probs[3, 1] = np.nan
    assert list_passed(examine(labels, probs).values()) == ()


@pytest.mark.parametrize(
    ("num_labels", "shape", "names", "severity", "code", "words"),
    [
        (300, (3, 300), 3, "BLOCK", "probs.transposed", "transposed: (3, 300); expected (300, 3)"),
        (300, (299, 3), 3, "BLOCK", "probs.rows", "300 labels, but 299 rows"),
        (300, (300, 4), 3, "BLOCK", "probs.columns", "(300, 4), but there are 3 classes"),
        (300, (300,), 2, "BLOCK", "probs.binary", "one probability per example"),
        (0, (0, 3), 3, "BLOCK", "rows.none", "There are no rows"),
        (1, (1, 3), 3, "WARN", "rows.one", "only one row"),
        (9, (9, 1), 1, "BLOCK", "classes.one", "only one class ('cat')"),
    ],
)
def test_shapes_that_do_not_fit_are_named_with_both_numbers(
    num_labels: int, shape: tuple[int, ...], names: int, severity: str, code: str, words: str
) -> None:
    (found,) = diagnose_shapes(num_labels, shape, NAMES[:names])
    assert (found.severity, found.code) == (severity, code)
    assert words in found.what
    assert code != "probs.binary" or found.override == {"positive_class": "dog"}


def test_shapes_that_fit_pass() -> None:
    assert diagnose_shapes(3, (3, 3), NAMES[:3]) == []


def out_of_sample(model: Any, features: Any, labels: Any) -> FloatArray:
    with threadpool_limits(1):  # small problems, on which threads only wait for each other
        return np.asarray(cross_val_predict(model, features, labels, cv=4, method="predict_proba"))


def blobs(seed: int) -> tuple[Any, Any]:
    return make_blobs(300, centers=3, cluster_std=2.0, random_state=seed)


@pytest.mark.fault(
    23,
    "WARN",
    says="The model agrees with 100 % of the labels and gives them 100 % on average, so it "
    "probably predicted its own training data, unless hardly any label is wrong. Predict each "
    "part with a model trained on the others (cross-validation)",
)
def test_probabilities_of_training_data_are_found() -> None:
    features, labels = blobs(0)
    fitted = [
        model.fit(features, labels).predict_proba(features)
        for model in (KNeighborsClassifier(1), DecisionTreeClassifier(random_state=0))
    ]
    for probs in [np.eye(3)[labels], *fitted]:
        (warning,) = examine(labels, probs).values()
        assert (warning.severity, warning.code) == (Severity.WARN, "probs.in_sample")
        assert "probably predicted its own training data" in warning.what
        assert "100 % of the labels" in warning.what and "cross_val_predict" in warning.fix


@pytest.mark.fault(23, "HOLDS")
def test_out_of_sample_probabilities_are_not_suspected() -> None:
    """Of 40 runs on real datasets and blobs, one in twenty at most is called in-sample (blobs so
    far apart that every label is plain), and none misaligned or permuted."""
    runs = []
    for load in (load_iris, load_wine, load_breast_cancer, load_digits):
        features, labels = load(return_X_y=True)
        shuffled = np.random.default_rng(0).permutation(len(labels))
        features, labels = features[shuffled][:600], labels[shuffled][:600]
        for model in (
            GaussianNB(),
            KNeighborsClassifier(1),
            KNeighborsClassifier(5),
            DecisionTreeClassifier(random_state=0),
        ):
            runs.append((labels, out_of_sample(model, features, labels)))
    for seed in range(24):
        features, labels = blobs(seed)
        runs.append((labels, out_of_sample(LogisticRegression(), features, labels)))
    found = [set(examine(labels, probs)) for labels, probs in runs]
    assert sum("probs.in_sample" in codes for codes in found) <= 0.05 * len(runs)
    assert not any(
        codes & {"columns.permuted", "rows.shifted", "rows.misaligned"} for codes in found
    )


@pytest.mark.fault(
    24,
    "WARN",
    says="All 300 rows of probabilities are the same: every class is equally likely. Check "
    "the training and the features, and predict again.",
)
def test_constant_and_uniform_predictions_are_found_and_nothing_else_is_suspected() -> None:
    labels = make()[0]
    (uniform,) = examine(labels, np.full((300, 3), 1 / 3)).values()
    assert uniform.code == "probs.constant" and "every class is equally likely" in uniform.what
    assert "does not use the input" in uniform.why
    (constant,) = examine(labels, np.tile([0.2, 0.5, 0.3], (300, 1))).values()
    assert constant.what == "All 300 rows of probabilities are the same."


def test_the_worst_comes_first() -> None:
    labels, probs = make()
    labels[:3] = 2
    found = examine(labels, 100 * probs, ["cat", "Cat", "dog"], ids=["x"] * 300)
    severities = [each.severity for each in found.values()]
    assert severities == sorted(severities) and severities[0] is Severity.BLOCK
    assert list(found) == ["probs.percent", "ids.duplicate", "classes.near_duplicate"]


@pytest.mark.fault(
    10,
    "WARN",
    says="With the probabilities moved up by 1 row, it agrees in 93.3 %. Look for a missing "
    "or an extra row at the beginning of one of the files.",
)
def test_permuted_columns_and_shifted_rows_flag_most_and_are_explained() -> None:
    """As cleanlab's silent cases: permuted columns flag 289 of 300, a shift by one 170."""
    labels, probs = make(accuracy=0.95)
    for broken, code in [
        (probs[:, [1, 2, 0]], "columns.permuted"),
        (np.roll(probs, 1, axis=0), "rows.shifted"),
    ]:
        findings = analyze(labels, broken, NAMES[:3])
        assert set(examine(labels, broken, flagged=findings.mask("confusion"))) == {code}


def test_many_rows_take_little_memory_and_no_second_look_at_the_matrix() -> None:
    rng = np.random.default_rng(0)
    num_rows, num_classes = 200_000, 1000
    labels = rng.integers(0, num_classes, num_rows)
    predicted = np.where(
        rng.random(num_rows) < 0.75, labels, rng.integers(0, num_classes, num_rows)
    )
    survey = survey_probabilities(make()[1])

    class Unread:
        shape = (num_rows, num_classes)
        dtype = np.dtype(np.float32)

        def __getitem__(self, key: Any) -> Any:
            raise AssertionError("the matrix is read again")

    names = [f"class {each}x" for each in range(num_classes)]
    confidence = rng.random(num_rows)
    tracemalloc.start()
    found = diagnose(
        labels, predicted, confidence, survey, names, ids=np.arange(num_rows), pred_probs=Unread()
    )
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert found == []
    assert peak < 150e6
