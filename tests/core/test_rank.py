import numpy as np
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
