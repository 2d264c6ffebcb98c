import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from curation.core import noise
from tests.oracle import slow_joint


@st.composite
def counts_and_labels(draw):
    m = draw(st.integers(2, 5))
    counts = draw(hnp.arrays(np.int64, (m, m), elements=st.integers(0, 20)))
    labels = draw(st.lists(st.integers(0, m - 1), min_size=1, max_size=40))
    return counts, np.array(labels)


@given(counts_and_labels())
def test_joint_agrees_with_algorithm_2(problem):
    counts, labels = problem
    assert noise.estimate_joint(counts, labels) == pytest.approx(slow_joint(counts, labels))


@given(counts_and_labels())
def test_what_is_always_true_of_the_estimates(problem):
    counts, labels = problem
    joint = noise.estimate_joint(counts, labels)
    assert joint.sum() == pytest.approx(1)
    assert joint.sum(axis=1) == pytest.approx(
        np.bincount(labels, minlength=len(counts)) / len(labels)
    )
    assert noise.estimate_noise_matrix(joint).sum(axis=0) == pytest.approx(1)
    assert noise.estimate_inverse_noise_matrix(joint).sum(axis=0) == pytest.approx(1)
    assert 0 <= noise.measure_sparsity(joint) <= 1
    weights = noise.estimate_class_weights(joint)
    assert np.isfinite(weights).all() and (weights >= 1 - 1e-12).all()


def test_given_class_that_was_never_counted_keeps_its_mass_on_the_diagonal():
    joint = noise.estimate_joint(np.array([[0, 0], [1, 3]]), np.array([0, 0, 1, 1]))
    assert joint.tolist() == [[0.5, 0.0], [0.125, 0.375]]


def test_class_without_examples_brings_no_nan():
    joint = noise.estimate_joint(np.array([[2, 1, 0], [0, 3, 0], [0, 0, 0]]), np.array([0, 1, 1]))
    assert joint[2].tolist() == [0, 0, 0] and joint[:, 2].tolist() == [0, 0, 0]
    assert noise.estimate_noise_matrix(joint)[:, 2].tolist() == [0, 0, 1]
    assert noise.estimate_inverse_noise_matrix(joint)[:, 2].tolist() == [0, 0, 1]
    assert noise.estimate_class_weights(joint)[2] == 1


def test_mixing_matrix_is_indexed_true_then_given():
    # of the examples given class 0, a third are truly class 1
    joint = np.array([[0.4, 0.2], [0.1, 0.3]])
    assert noise.estimate_inverse_noise_matrix(joint)[1, 0] == pytest.approx(1 / 3)
    assert noise.estimate_noise_matrix(joint)[1, 0] == pytest.approx(1 / 5)


def test_sparsity_counts_zeros_off_the_diagonal_only():
    assert noise.measure_sparsity(np.diag([0.5, 0.0, 0.5])) == 1
    assert noise.measure_sparsity(np.full((3, 3), 1 / 9)) == 0
