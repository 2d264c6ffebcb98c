"""Typical examples of a class, by hand and one class against all of them."""

from __future__ import annotations

import numpy as np
import pytest

import curation
from curation.analysis.typical_examples import find_typical, find_typical_of_all
from tests.problems import noisy_problem


@pytest.fixture
def findings():
    # Rows 1 and 4 are given cat, but the model is sure of dog.
    labels = np.array([0, 0, 0, 1, 0, 1])
    dogs = np.array([0.1, 0.9, 0.2, 0.8, 0.98, 0.9])
    return curation.analyze(labels, np.column_stack([1 - dogs, dogs]), ["cat", "dog"])


def test_typical_examples_are_given_the_class_and_surest_of_it(findings):
    cats, dogs = find_typical_of_all(findings, 2)
    assert cats.tolist() == [0, 2]
    assert dogs.tolist() == [5, 3]


def test_one_class_has_the_same_typical_examples_as_among_all():
    labels, probs, _ = noisy_problem(np.random.default_rng(4), n=300, m=5)
    findings = curation.analyze(labels, probs)
    for label, rows in enumerate(find_typical_of_all(findings, 7)):
        assert rows.tolist() == find_typical(findings, label, 7).tolist()
