"""Rank: a score for each example, where low is suspect, and the order to review them in."""

from __future__ import annotations

import numpy as np

from curation.core.matrix import BoolArray, FloatArray, IntArray


def score_normalized_margin(
    self_confidence: FloatArray, other_confidence: FloatArray
) -> FloatArray:
    """Return the probability of the given label minus that of the likeliest other one.

    >>> score_normalized_margin(np.array([.9, .2]), np.array([.1, .7]))
    array([ 0.8, -0.5])
    """
    # Values may be outside [0, 1] by a rounding error; the margin is still kept in [-1, 1].
    return np.clip(self_confidence - other_confidence, -1, 1)


def rank_examples(mask: BoolArray, scores: FloatArray) -> IntArray:
    """Return the flagged examples, lowest score first; in a tie, the lower index first.

    >>> rank_examples(np.array([True, False, True, True]), np.array([.5, .1, .2, .2]))
    array([2, 3, 0])
    """
    flagged = np.flatnonzero(mask)
    return flagged[np.argsort(scores[flagged], kind="stable")]
