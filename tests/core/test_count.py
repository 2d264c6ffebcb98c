import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from curation.core import count, matrix
from tests.oracle import slow_confident_joint, slow_counted, slow_thresholds
from tests.problems import problems


def count_all(labels, pred_probs, threshold="mean", collisions="argmax"):
    confidence = count.read_self_confidence(labels, pred_probs)
    thresholds = count.estimate_thresholds(
        labels, confidence, pred_probs.shape[1], threshold=threshold
    )
    return thresholds, count.count_examples(labels, pred_probs, thresholds, collisions=collisions)


def test_four_examples_are_counted_as_by_hand():
    labels = np.array([0, 0, 1, 1])
    pred_probs = np.array([[0.9, 0.1], [0.2, 0.8], [0.3, 0.7], [0.1, 0.9]])
    thresholds, counted = count_all(labels, pred_probs)
    # t_0 = (.9 + .2) / 2 and t_1 = (.7 + .9) / 2
    assert thresholds == pytest.approx([0.55, 0.8])
    # row 0 reaches t_0; rows 1 and 3 reach t_1; row 2 (.3, .7) reaches neither
    assert counted.counted_labels.tolist() == [0, 1, count.NOT_COUNTED, 1]
    assert counted.predicted_labels.tolist() == [0, 1, 1, 1]
    assert counted.other_labels.tolist() == [1, 1, 0, 0]


def test_collision_takes_the_likeliest_class_of_all_or_of_those_reached():
    # t_0 = .6 (row 0), t_1 = .25 (row 1), t_2 = .2 (row 2)
    labels = np.array([0, 1, 2])
    pred_probs = np.array([[0.6, 0.2, 0.2], [0.55, 0.25, 0.2], [0.5, 0.3, 0.2]])
    # row 1 reaches t_1 and t_2 but not t_0, although class 0 is its likeliest
    assert count_all(labels, pred_probs, collisions="argmax")[1].counted_labels[1] == 0
    assert count_all(labels, pred_probs, collisions="confident")[1].counted_labels[1] == 1


def test_examples_at_the_mean_of_equal_confidences_reach_it():
    # in floating point the mean of three 0.1s is above 0.1
    labels = np.array([0, 0, 0, 1])
    pred_probs = np.array([[0.1, 0.9]] * 3 + [[0.05, 0.95]])
    thresholds, counted = count_all(labels, pred_probs)
    assert thresholds[0] > 0.1
    # rows 0 to 2 reach t_0 and not t_1 = .95
    assert counted.counted_labels[:3].tolist() == [0, 0, 0]


@pytest.mark.fault(19, "HOLDS")
def test_class_without_examples_is_never_counted_into():
    labels = np.array([0, 1, 0])
    pred_probs = np.array([[0.1, 0.1, 0.8], [0.0, 0.1, 0.9], [0.0, 0.0, 1.0]])
    for collisions in ("argmax", "confident"):
        thresholds, counted = count_all(labels, pred_probs, collisions=collisions)
        assert thresholds[2] == np.inf
        # t_0 = .05 and t_1 = .1: row 0 reaches both and collides, its likeliest class is empty
        assert counted.counted_labels.tolist() == [0, 1, count.NOT_COUNTED]
        assert counted.predicted_labels.tolist() == [2, 2, 2]


def test_class_the_model_never_believes_in_does_not_attract_impossible_examples():
    # t_1 = 0: without a floor, every row would be "confident" in class 1
    labels = np.array([0, 0, 1])
    pred_probs = np.array([[0.9, 0.0, 0.1], [0.7, 0.0, 0.3], [0.2, 0.0, 0.8]])
    assert count_all(labels, pred_probs)[1].counted_labels.tolist() == [0, -1, -1]


def test_percentile_threshold_is_that_percentile_of_the_class():
    labels = np.array([0] * 5 + [1])
    confidence = np.array([0.1, 0.2, 0.3, 0.4, 0.5, 0.9])
    thresholds = count.estimate_thresholds(labels, confidence, 3, threshold=75)
    assert thresholds == pytest.approx([0.4, 0.9, np.inf])


@given(
    problems(), st.sampled_from(["mean", 0, 50, 90, 100]), st.sampled_from(["argmax", "confident"])
)
def test_counts_agree_with_the_papers_loop(problem, threshold, collisions):
    labels, pred_probs = problem
    thresholds, counted = count_all(labels, pred_probs, threshold, collisions)
    assert thresholds == pytest.approx(slow_thresholds(labels, pred_probs, threshold))
    guesses = slow_counted(labels, pred_probs, threshold, collisions)
    expected = [count.NOT_COUNTED if guess is None else guess for guess in guesses]
    assert counted.counted_labels.tolist() == expected
    m = pred_probs.shape[1]
    joint = count.count_pairs(labels, counted.counted_labels, m)
    assert (joint == slow_confident_joint(labels, guesses, m)).all()


@given(problems())
def test_size_of_the_blocks_changes_nothing(problem):
    labels, pred_probs = problem
    whole = count_all(labels, pred_probs)[1]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(matrix, "BLOCK_BYTES", 1)  # one row a block
        patch.setattr(matrix, "BLOCKS_PER_TASK", 2)
        patch.setattr(matrix, "_count_cores", lambda: 3)
        split = count_all(labels, pred_probs)[1]
    for name in vars(whole):
        assert (getattr(whole, name) == getattr(split, name)).all(), name


def test_a_row_below_its_likeliest_class_is_counted_into_another_that_it_reaches():
    # thresholds .9, .45, .3: row 2 misses its likeliest class, its given one, but reaches class 2;
    # row 3, whose given class is not the likeliest, too; row 4 reaches none
    labels = np.array([0, 1, 0, 1, 0, 2])
    pred_probs = np.array(
        [
            [1.0, 0.0, 0.0],
            [0.0, 0.9, 0.1],
            [0.6, 0.05, 0.35],
            [0.6, 0.0, 0.4],
            [0.75, 0.12, 0.13],
            [0.5, 0.2, 0.3],
        ]
    )
    thresholds = np.array([0.9, 0.45, 0.3])
    counted = count.count_examples(labels, pred_probs, thresholds, collisions="argmax")
    assert counted.counted_labels.tolist() == [0, 1, 2, 2, count.NOT_COUNTED, 2]


@pytest.mark.parametrize("dtype", ["float16", "float32", ">f4", "float64"])
@given(data=st.data())
def test_comparison_in_the_blocks_own_type_is_that_in_float64(dtype, data):
    number = st.floats(0, 1, width=16 if dtype == "float16" else 32)
    cutoff = np.array([data.draw(st.floats(1e-6, 1))])
    near = data.draw(st.sampled_from([cutoff[0], data.draw(number)]))
    p = np.array([near], dtype)
    rounded = count._round_up(cutoff, matrix.working_dtype(p.dtype))
    assert (p.astype(rounded.dtype) >= rounded) == (p.astype(np.float64) >= cutoff)


def test_sums_of_parts_add_up_to_the_sum_of_all_in_any_order():
    rng = np.random.default_rng(0)
    labels, confidence = rng.integers(0, 3, 5000), rng.random(5000) ** 3
    counts = np.bincount(labels)
    whole = count.sum_by_class(labels, confidence, counts)
    order = rng.permutation(5000)
    assert np.array_equal(count.sum_by_class(labels[order], confidence[order], counts), whole)
    parts = [
        count.sum_by_class(labels[rows], confidence[rows], counts)
        for rows in np.array_split(order, 7)
    ]
    assert np.array_equal(sum(parts), whole)
    exact = [math.fsum(confidence[labels == label]) for label in range(3)]
    assert np.abs(whole - exact).max() < 1e-9 * counts.max()
