import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from curation.core import rank


@given(st.lists(st.tuples(st.booleans(), st.integers(0, 3)), min_size=1))
def test_examples_come_lowest_score_first_and_equal_ones_by_index(pairs):
    mask, scores = (np.array(each) for each in zip(*pairs, strict=True))
    expected = sorted((k for k in range(len(mask)) if mask[k]), key=lambda k: (scores[k], k))
    assert rank.rank_examples(mask, scores.astype(float)).tolist() == expected


def test_margin_stays_between_minus_one_and_one_in_spite_of_rounding():
    margin = rank.score_normalized_margin(np.array([1 + 1e-7, 0.0]), np.array([0.0, 1 + 1e-7]))
    assert margin.tolist() == [1, -1]


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64"])
def test_log_margin_is_the_difference_of_exact_logarithms(dtype):
    values = np.array([0.1, 0.9, 1e-7, 1.0, 0.25], dtype)
    other = np.array([0.9, 0.1, 1.0, 1e-7, 0.25], dtype)
    margin = rank.score_log_margin(values.astype(float), other.astype(float))
    for found, own, best in zip(margin, values.tolist(), other.tolist(), strict=True):
        assert found == pytest.approx(math.log(own) - math.log(best), rel=1e-14, abs=1e-14)


def test_zero_counts_as_the_smallest_normal_number_and_ties_only_with_zeros():
    tiny = float(np.finfo(np.float32).smallest_subnormal)
    own, other = np.array([0.0, tiny, 1.0, 1.0, -1e-7]), np.array([1.0, 1.0, 0.0, tiny, 1.0])
    margin = rank.score_log_margin(own, other)
    assert np.isfinite(margin).all()
    assert margin[0] == margin[4] == -margin[2] == math.log(rank.LOG_FLOOR)
    assert margin[0] < margin[1] < 0 < margin[3] < margin[2]
