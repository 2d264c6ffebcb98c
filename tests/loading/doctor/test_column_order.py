"""Columns that belong to other classes are noticed, with the order that restores them."""

from __future__ import annotations

import numpy as np
import pytest

from curation.loading.doctor.column_order import find_class_order
from curation.report import Severity
from tests.loading.doctor.examining import examine, make


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
