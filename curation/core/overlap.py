"""Overlap: the pairs of classes most often confused (the paper's Table 4)."""

from __future__ import annotations

import numpy as np

from curation.core.matrix import IntArray


def rank_overlaps(confident_joint: IntArray) -> tuple[IntArray, IntArray]:
    """Return the given and the true class of every counted pair, largest count first.

    Entries off the diagonal of the confident joint; of equal ones, the lower given class and
    then the lower true class first.

    >>> rank_overlaps(np.array([[9, 1, 0], [3, 8, 0], [0, 1, 7]]))
    (array([1, 0, 2]), array([0, 1, 1]))
    """
    given, true = np.nonzero(confident_joint)
    given, true = given[given != true], true[given != true]
    order = np.argsort(-confident_joint[given, true], kind="stable")
    return given[order], true[order]
