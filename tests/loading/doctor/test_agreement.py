"""Rows of labels and probabilities that do not belong together are noticed."""

from __future__ import annotations

import numpy as np
import pytest

from curation.loading.doctor.agreement import diagnose_agreement
from curation.report import Severity
from tests.loading.doctor.examining import NAMES, examine, make


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
