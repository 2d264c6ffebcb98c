"""The doctor says what is wrong with arrays in numbers and words, and is silent about good ones."""

from __future__ import annotations

import re
import tracemalloc
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.datasets import load_breast_cancer, load_digits, load_iris, load_wine, make_blobs
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import cross_val_predict
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.tree import DecisionTreeClassifier
from threadpoolctl import threadpool_limits

from curation.analysis.findings import analyze
from curation.core.checks import survey_probabilities
from curation.core.count import read_self_confidence
from curation.core.matrix import FloatArray, IntArray
from curation.loading.doctor import diagnose, diagnose_ids, list_passed, read_predictions
from curation.loading.doctor.agreement import diagnose_agreement
from curation.loading.doctor.column_order import find_class_order
from curation.loading.doctor.names import diagnose_class_names, diagnose_class_sizes, fold_name
from curation.loading.doctor.shapes import diagnose_shapes
from curation.loading.doctor.values import diagnose_values
from curation.report import Diagnosis, Severity

NAMES = ["cat", "dog", "fox", "owl", "pig", "yak"]


def make(
    num_rows: int = 300, num_classes: int = 3, accuracy: float = 0.85, seed: int = 0
) -> tuple[IntArray, FloatArray]:
    """Return labels and probabilities of a model that agrees with them about so often."""
    rng = np.random.default_rng(seed)
    labels = rng.integers(0, num_classes, num_rows)
    right = rng.random(num_rows) < accuracy
    predicted = np.where(
        right, labels, (labels + rng.integers(1, num_classes, num_rows)) % num_classes
    )
    probs = rng.dirichlet(np.ones(num_classes), num_rows)
    probs[np.arange(num_rows), predicted] += rng.uniform(1.0, 3.0, num_rows)
    return labels, probs / probs.sum(axis=1, keepdims=True)


def examine(
    labels: IntArray, probs: Any, names: list[str] | None = None, **options: Any
) -> dict[str, Diagnosis]:
    """Return what the doctor finds, by code."""
    names = names or (NAMES if probs.shape[1] <= 6 else [f"c{k}" for k in range(probs.shape[1])])
    found = diagnose(
        labels,
        read_predictions(probs),
        read_self_confidence(labels, probs),
        survey_probabilities(probs),
        names[: probs.shape[1]],
        pred_probs=probs,
        **options,
    )
    assert all(each.what and each.where and each.why and each.fix for each in found)
    return {each.code: each for each in found}


# --- good data


@pytest.mark.parametrize("num_classes", [2, 3, 6])
def test_good_data_gives_no_diagnosis(num_classes: int) -> None:
    labels, probs = make(num_classes=num_classes)
    assert examine(labels, probs, ids=[f"id{row}" for row in range(300)]) == {}
    assert "columns of probabilities are in the order of the classes" in list_passed([])


def test_a_blocked_dataset_claims_no_passed_checks() -> None:
    labels, probs = make()
    probs[3, 1] = np.nan
    assert list_passed(examine(labels, probs).values()) == ()


# --- values


def values(probs: Any, ids: Any = None) -> list[Diagnosis]:
    return diagnose_values(survey_probabilities(probs), probs, ids, where="probs.npy")


@pytest.mark.parametrize(
    ("value", "code", "what", "why"),
    [
        (np.nan, "probs.nan", "NaN", "hides some of the label errors"),
        (np.inf, "probs.infinite", "an infinity", "exp(float16(12)) is inf"),
    ],
)
def test_rows_that_hold_no_number_are_named(value: float, code: str, what: str, why: str) -> None:
    probs = make()[1]
    probs[[7, 9], 0] = value
    (found,) = values(probs, [f"id{row}" for row in range(300)])
    assert (found.severity, found.code, found.count) == (Severity.BLOCK, code, 2)
    assert found.what == f"2 of 300 rows hold {what}."
    assert found.first_rows == ("id7", "id9") and found.where == "probs.npy" and why in found.why
    assert found.override == {"drop_rows": True}


def test_rows_of_zeros_are_named() -> None:
    probs = make()[1]
    probs[4] = 0
    (found,) = values(probs)
    assert (found.code, found.what) == ("probs.zero", "1 of 300 rows holds only zeros.")
    assert found.first_rows == ("row 4",)


def test_logits_are_recognised_and_softmax_is_offered() -> None:
    logits = np.random.default_rng(0).normal(0, 4, (300, 3))
    (found,) = values(logits)
    assert (found.severity, found.code) == (Severity.BLOCK, "probs.logits")
    assert "looks like logits; apply softmax" in found.what and "Values run from -1" in found.what
    assert found.override == {"convert": "softmax"}
    (positive,) = values(np.abs(logits))
    assert positive.code == "probs.logits"


def test_log_probabilities_are_recognised() -> None:
    (found,) = values(np.log(make()[1]))
    assert "log-probabilities" in found.what and found.override == {"convert": "softmax"}


@pytest.mark.parametrize("digits", [0, 1, 6])
def test_percentages_are_recognised(digits: int) -> None:
    (found,) = values((100 * make()[1]).round(digits))
    assert (found.severity, found.code) == (Severity.BLOCK, "probs.percent")
    assert "rows add up to 100" in found.what and found.override == {"convert": "percent"}


def test_counts_of_votes_are_recognised() -> None:
    votes = np.random.default_rng(0).multinomial(50, [0.2, 0.3, 0.5], 300)
    (found,) = values(votes)
    assert "rows add up to 50" in found.what and found.override == {"convert": "rescale"}


def test_a_few_values_outside_are_not_logits() -> None:
    probs = make()[1]
    probs[5] = [1.4, -0.4, 0.0]
    (found,) = values(probs)
    assert (found.code, found.first_rows, found.override) == ("probs.range", ("row 5",), {})
    assert "1 of 300 rows holds values outside 0 to 1" in found.what


def test_sums_off_in_few_rows_warn_and_in_many_block() -> None:
    probs = make()[1]
    probs[[1, 2, 3]] *= 0.9
    (few,) = values(probs)
    assert (few.severity, few.code) == (Severity.WARN, "probs.sums")
    assert "3 of 300 rows do not add up to 1 within 0.001; the first adds up to 0.9" in few.what
    scores = np.random.default_rng(0).uniform(0, 1, (300, 3))
    (many,) = values(scores)
    assert many.severity is Severity.BLOCK
    assert "Are they independent sigmoid scores, as in multi-label data?" in many.what
    assert many.override == {"convert": "rescale"}


def test_rounded_rows_are_not_mistaken_for_independent_scores() -> None:
    rounded = make()[1].round(2)
    rounded[:, 0] += 0.005
    (found,) = values(rounded)
    assert found.severity is Severity.BLOCK
    assert found.what.endswith("Rounded, perhaps once saved as float16?")


@pytest.mark.fault(
    9,
    "AUTO",
    says="probs.npy: The probabilities are stored as float16 and computed with as float32. "
    "Nothing needs to be done.",
)
def test_half_precision_is_reported_without_a_warning() -> None:
    probs = make()[1].astype(np.float16)
    (found,) = values(probs)
    assert (found.severity, found.code) == (Severity.AUTO, "probs.float16")


def test_values_slightly_above_one_are_fixed_and_reported() -> None:
    probs = make()[1]
    probs[7] = [1.00001, 0.00001, 0]  # as in a published file: the row adds up to 1.00002
    (found,) = values(probs)
    assert (found.severity, found.code) == (Severity.AUTO, "probs.just_above_one")
    assert found.first_rows == ("row 7",) and found.count == 1
    assert "1 of 300 rows holds a value a little above 1, at most 1.00001. It counts" in found.what


@pytest.mark.parametrize("value", [1.0011, 1.00150001])
def test_no_message_says_that_one_is_outside_zero_to_one(value: float) -> None:
    probs = make()[1].clip(1e-5, 1)
    probs[7] = [value, 0, 0]
    (found,) = values(probs)
    shown = re.search(r"Values run from (\S+) to (\S+):", found.what)
    assert shown and float(shown[2]) > 1


# --- shapes


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


# --- rows


@pytest.mark.parametrize("shift", [1, -1, 2, 5])
@pytest.mark.parametrize("seed", range(5))
def test_rolled_rows_are_found_and_the_shift_is_named(shift: int, seed: int) -> None:
    labels, probs = make(seed=seed)
    found = examine(labels, np.roll(probs, shift, axis=0))
    (warning,) = found.values()
    assert (warning.severity, warning.code) == (Severity.WARN, "rows.shifted")
    assert "agrees with the labels in only 3" in warning.what and "chance is 3" in warning.what
    rows = "1 row" if abs(shift) == 1 else f"{abs(shift)} rows"
    assert f"moved {'up' if shift > 0 else 'down'} by {rows}, it agrees in 8" in warning.what
    assert "a missing or an extra row" in warning.fix


def test_a_far_roll_and_a_shuffle_are_found_without_a_shift() -> None:
    labels, probs = make()
    shuffled = np.random.default_rng(1).permutation(probs)
    for moved in (np.roll(probs, 50, axis=0), shuffled):
        (warning,) = examine(labels, moved).values()
        assert warning.code == "rows.misaligned" and "in the same order" in warning.fix


@pytest.mark.fault(
    10,
    "WARN",
    says="The model agrees with the labels in only 32.7 % of 300 examples; chance is 33.5 "
    "%. The labels are sorted by class and the others are not: save both in the same "
    "order.",
)
def test_sorted_labels_against_unsorted_probabilities_are_found() -> None:
    labels, probs = make()
    (warning,) = examine(np.sort(labels), probs).values()
    assert warning.code == "rows.misaligned"
    assert "The labels are sorted by class and the others are not" in warning.fix


def test_a_shift_of_sorted_rows_shows_at_the_borders_of_the_classes() -> None:
    """Agreement stays high: of 40 classes in order, only each first example goes wrong."""
    labels, probs = make(num_rows=2000, num_classes=40, accuracy=0.95)
    order = np.argsort(labels, kind="stable")
    labels, probs = labels[order], probs[order]
    assert examine(labels, probs) == {}
    (warning,) = examine(labels, np.roll(probs, 1, axis=0)).values()
    assert warning.code == "rows.shifted" and "moved up by 1 row" in warning.what


def test_more_than_half_flagged_is_suspect_whatever_the_agreement() -> None:
    labels, probs = make()
    (warning,) = examine(labels, probs, flagged=151).values()
    assert "151 of 300 labels are flagged" in warning.what
    assert examine(labels, probs, flagged=np.arange(300) < 150) == {}


def test_imbalanced_data_of_a_fair_model_is_not_suspect() -> None:
    """Nineteen in twenty are of one class: chance is 90 %, and 95 % agreement is fair."""
    rng = np.random.default_rng(0)
    labels = (rng.random(4000) < 0.05).astype(np.int64)
    predicted = np.where(rng.random(4000) < 0.97, labels, 1 - labels)
    confidence = np.where(predicted == labels, 0.8, 0.2)  # of two classes, they add up to 1
    assert diagnose_agreement(labels, predicted, confidence, NAMES[:2]) == []
    (rolled,) = diagnose_agreement(labels, np.roll(predicted, 9), confidence, NAMES[:2])
    assert rolled.code == "rows.misaligned"


# --- columns


@pytest.mark.fault(
    11,
    "WARN",
    says="3 of 3 columns seem to belong to other classes: the model agrees with 8.7 % of "
    "the labels now, and with 83.3 % if the column of 'cat' holds 'dog', the column of "
    "'dog' holds 'fox', the column of 'fox' holds 'cat'. If this is right, give the "
    "classes in the order of the columns.",
)
def test_permuted_columns_are_named_with_the_order_that_restores_them() -> None:
    labels, probs = make()
    (warning,) = examine(labels, probs[:, [1, 2, 0]]).values()
    assert (warning.severity, warning.code) == (Severity.WARN, "columns.permuted")
    assert "3 of 3 columns seem to belong to other classes" in warning.what
    assert "the column of 'cat' holds 'dog'" in warning.what and "with 8" in warning.what
    assert warning.override == {"class_order": ["dog", "fox", "cat"]}


def test_classes_with_the_same_name_are_ordered_by_their_ids() -> None:
    labels, probs = make()
    names, ids = ["maillot", "maillot", "tub"], ["n1", "n2", "n3"]
    found = examine(labels, probs[:, [1, 0, 2]], names, class_ids=ids)
    assert found["columns.permuted"].override == {"class_order": ["n2", "n1", "n3"]}
    assert "the column of 'maillot (n1)' holds 'maillot (n2)'" in found["columns.permuted"].what


@pytest.mark.fault(11, "HOLDS")
def test_the_order_is_right_in_99_percent_of_1000_random_trials() -> None:
    """2 to 20 classes, a model right in 70 % or more, rare classes among them; and when nothing
    is permuted, nothing is said."""
    rng = np.random.default_rng(0)
    right = silent = 0
    for _ in range(1000):
        num_classes = int(rng.integers(2, 21))
        shares = rng.dirichlet(np.full(num_classes, 5.0)) * 0.5 + 0.5 / num_classes
        labels = rng.choice(num_classes, int(rng.integers(200, 2000)), p=shares)
        others = (labels + rng.integers(1, num_classes, len(labels))) % num_classes
        predicted = np.where(rng.random(len(labels)) < rng.uniform(0.7, 1), labels, others)
        order = rng.permutation(num_classes)  # column k holds class order[k]
        columns = np.argsort(order)
        right += np.array_equal(find_class_order(labels, columns[predicted], num_classes), order)
        unmoved = find_class_order(labels, predicted, num_classes)
        silent += np.array_equal(unmoved, np.arange(num_classes))
    assert right >= 990  # found: 1000
    assert silent >= 990  # found: 1000


def test_unrelated_rows_are_not_mistaken_for_permuted_columns() -> None:
    """With few examples of many classes some order always agrees better; not by enough."""
    rng = np.random.default_rng(0)
    for num_classes in (3, 10, 20, 50):
        labels, predicted = rng.integers(0, num_classes, (2, 300))
        order = find_class_order(labels, predicted, num_classes)
        assert np.array_equal(order, np.arange(num_classes))


def test_two_classes_that_a_model_confuses_half_the_time_stay_put() -> None:
    labels = np.repeat([0, 1, 2], 100)
    predicted = labels.copy()
    predicted[:55], predicted[100:155] = 1, 0
    assert find_class_order(labels, predicted, 3).tolist() == [0, 1, 2]


def test_classes_without_examples_stay_put() -> None:
    labels = np.repeat([0, 1], 50)
    assert find_class_order(labels, 1 - labels, 6).tolist() == [1, 0, 2, 3, 4, 5]


# --- honesty


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


# --- classes and ids


@pytest.mark.fault(
    19,
    "WARN",
    says="labels: 1 of 4 classes has no examples: 'fox'. Add examples of it, or leave the "
    "class out.",
)
@pytest.mark.fault(
    20,
    "WARN",
    says="labels: 1 of 4 classes has fewer than 5 examples: dog (4). Add examples, and be "
    "careful with what is flagged in these classes.",
)
def test_classes_without_examples_and_with_few_are_named() -> None:
    empty, rare = diagnose_class_sizes(np.array([0] * 9 + [1] * 4 + [3] * 5), NAMES[:4])
    assert (empty.severity, empty.code, empty.first_rows) == ("WARN", "classes.empty", ("fox",))
    assert empty.what == "1 of 4 classes has no examples: 'fox'."
    assert "threshold of such a class is undefined" in empty.why
    assert (rare.severity, rare.code) == (Severity.WARN, "classes.rare")
    assert rare.what == "1 of 4 classes has fewer than 5 examples: dog (4)."


def test_many_empty_classes_are_counted_and_the_first_named() -> None:
    (empty,) = diagnose_class_sizes(np.repeat([0, 1], 9), [f"c{k}" for k in range(1000)])
    assert empty.count == 998 and "'c6' and 993 more" in empty.what


def test_labels_of_one_class_block_and_one_row_does_not() -> None:
    (one,) = diagnose_class_sizes(np.zeros(5, np.int64), NAMES[:3])
    assert (one.severity, one.what) == ("BLOCK", "All 5 examples have the label 'cat'.")
    found = examine(np.array([1]), np.array([[0.2, 0.8]]))
    assert {code: each.severity for code, each in found.items()} == {
        "rows.one": Severity.WARN,
        "classes.empty": Severity.WARN,
    }


@pytest.mark.fault(
    39,
    "WARN",
    says="2 classes have nearly the same name: … If they mean the same, use one spelling in the "
    "label file.",
)
@pytest.mark.parametrize(
    "pair",
    [
        ("cat", "cat "),
        ("cat", "Cat"),
        ("caf\u00e9", "cafe\u0301"),
        ("hot dog", "hot_dog"),
        ("hot-dog", "hotdog"),
        ("STRASSE", "straße"),
        ("cat", "cat\u200b"),
    ],
)
def test_class_names_that_differ_only_in_spelling_are_named(pair: tuple[str, str]) -> None:
    (found,) = diagnose_class_names([*pair, "owl"])
    assert (found.severity, found.code, found.count) == ("WARN", "classes.near_duplicate", 2)
    assert "2 classes have nearly the same name" in found.what
    assert found.first_rows[0] != found.first_rows[1]
    assert "use one spelling" in found.fix


@pytest.mark.parametrize(
    "names", [["1", "-1", "10", "1 0", "1.0"], ["C", "C++", "C#"], ["😀", "😃", "?"], ["", " x"]]
)
def test_class_names_that_mean_different_things_are_left_alone(names: list[str]) -> None:
    assert diagnose_class_names(names) == []


@given(st.text())
def test_folding_a_name_twice_changes_nothing_more_in_case_or_spaces(name: str) -> None:
    assert fold_name(name) == fold_name(f" {name}\t")


def test_classes_with_the_same_name_need_different_ids() -> None:
    (warning,) = diagnose_class_names(["maillot", "maillot", "tub"], ["n1", "n2", "n3"])
    assert (warning.severity, warning.code) == (Severity.WARN, "classes.same_name")
    assert "maillot (n1, n2)" in warning.what and "overlap" in warning.fix
    (block,) = diagnose_class_names(["maillot", "maillot", "tub"])
    assert (block.severity, block.code) == (Severity.BLOCK, "classes.duplicate")
    assert "1 class is listed more than once: 'maillot'" in block.what


def test_ids_that_repeat_block_and_ids_that_nearly_repeat_warn() -> None:
    (block,) = diagnose_ids(["a", "b", "a", "c", "b"])
    assert (block.severity, block.count) == (Severity.BLOCK, 2)
    assert block.what == "2 ids occur more than once: 'a', 'b'."
    (warning,) = diagnose_ids(
        ["img1", "IMG1", "img2 ", "img2", "caf\u00e9", "cafe\u0301", "x-1", "x1"]
    )
    assert (warning.severity, warning.count) == (Severity.WARN, 3)
    assert warning.first_rows[:2] == ("'img1' = 'IMG1'", "'img2 ' = 'img2'")
    assert diagnose_ids([1, 2, 3]) == []


# --- all together


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
