"""Rank: a score for each example, where low is suspect, and the order to review them in."""

from __future__ import annotations

import numpy as np

from curation.core.matrix import BoolArray, FloatArray, IntArray

# What a probability of 0 counts as in a logarithm: the smallest normal double. No stored
# probability above 0 is smaller (except float64 subnormals), so a zero only ties with zeros.
LOG_FLOOR = float(np.finfo(np.float64).tiny)


def score_normalized_margin(
    self_confidence: FloatArray, other_confidence: FloatArray
) -> FloatArray:
    """Return the probability of the given label minus that of the likeliest other one.

    >>> score_normalized_margin(np.array([.9, .2]), np.array([.1, .7]))
    array([ 0.8, -0.5])
    """
    # Values may be outside [0, 1] by a rounding error; the margin is still kept in [-1, 1].
    return np.clip(self_confidence - other_confidence, -1, 1)


def score_log_margin(self_confidence: FloatArray, other_confidence: FloatArray) -> FloatArray:
    """Return the log of the given label's probability minus that of the likeliest other one's.

    It has the sign of the normalized margin, but does not level out near -1 and 1: 0.001 against
    0.9 is more suspect than 0.05 against 0.95. A probability below LOG_FLOOR counts as that much.

    >>> score_log_margin(np.array([.8, .25]), np.array([.2, .5])).round(3)
    array([ 1.386, -0.693])
    """
    given, other = (np.log(np.maximum(p, LOG_FLOOR)) for p in (self_confidence, other_confidence))
    return given - other


def rank_examples(mask: BoolArray, scores: FloatArray) -> IntArray:
    """Return the flagged examples, lowest score first; in a tie, the lower index first.

    >>> rank_examples(np.array([True, False, True, True]), np.array([.5, .1, .2, .2]))
    array([2, 3, 0])
    """
    flagged = np.flatnonzero(mask)
    return flagged[np.argsort(scores[flagged], kind="stable")]
