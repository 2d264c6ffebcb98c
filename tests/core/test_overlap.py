import numpy as np

from curation.core.overlap import rank_overlaps


def test_pairs_come_largest_first_without_the_diagonal_or_empty_ones():
    joint = np.array([[50, 3, 0], [7, 60, 3], [0, 0, 9]])
    given, true = rank_overlaps(joint)
    assert list(zip(given, true, strict=True)) == [(1, 0), (0, 1), (1, 2)]
