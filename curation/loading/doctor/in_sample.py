"""Whether a model predicted the examples it was trained on, and only repeats their labels.

Such a model is betrayed by what it hardly ever does: contradict a label. A model that had not seen
an example is sure of another class wherever the label is wrong, and errs where the example is hard.
Four signs are looked for, the first three among models that agree with nearly all labels:

1. Its probabilities are the labels: nearly all are exactly 1. (a tree, extra trees, one neighbour)
2. It is sure of the labels: 0.99 on average. (histogram boosting, an overfitted network)
3. It agrees more often than its own probabilities promise. (a forest, boosting)
4. It agrees far more often than they promise, and is never sure of another class, although it is
   sure of itself on the whole. (boosting that has learned most of the wrong labels)

For the second and third it may be sure of another class for at most one example in a thousand, for
the last for one in two thousand.

`python benchmarks/in_sample.py` measures how often models are suspected, rightly and wrongly.
A dataset without errors that every model gets right cannot be told from memory. Neither can a model
that learned its labels halfway from an honest one that is too modest about data without errors.
"""

from __future__ import annotations

import numpy as np

from curation.core.matrix import BoolArray, FloatArray, IntArray
from curation.report import Diagnosis, Severity
from curation.wording import percent

CONTRADICTED_BELOW = 0.1  # self-confidence below which the model is sure of another class
MAX_CONTRADICTED_SHARE = 0.001  # of rows: the same thing under two labels, which no model repeats

MEMORY_AGREEMENT = 0.99  # a few examples may be the same thing under two labels
MEMORY_SHARE = 0.98  # of the labels have a probability of exactly 1

FEWEST_ROWS = 50  # of fewer examples, a good model may be right about all
NEARLY_ALL = 0.995  # agreement of a model that memorized its labels
SURE = 0.99  # mean self-confidence
ENOUGH_TO_ERR = 300  # with 1 % wrong labels, 95 % of sets of this size have one (0.99 ** 300)

# By how many standard errors the model must agree more often than it promises. If it agrees with
# all labels, it is enough that it promised an error. Honest forests agree more often than they
# promise too, by far more than five errors, but not with so many labels.
MIN_ABOVE_PROMISE = 1.0  # if it agrees with all labels
MIN_ABOVE_PROMISE_NEARLY_ALL = 2.0  # if it agrees with nearly all, or all but one
MIN_ABOVE_PROMISE_MOST, MOST = 5.0, 0.985

# Of a model that learned most labels but not nearly all. Honest models are as modest, but those
# that are sure of themselves on the whole are sometimes sure of another class.
MIN_ABOVE_PROMISE_MANY, MANY = 6.0, 0.8
MIN_MEAN_PROMISE = 0.7  # of agreement; more modest models promise nothing that could be exceeded
MAX_CONTRADICTED_SHARE_MANY = 0.0005
# A modest model, such as one trained on smoothed labels, is sure of another class by its own
# measure: as sure as of the likeliest class of an example in the upper quarter.
SURE_BY_OWN_MEASURE = 75  # percentile
ROUNDING = 1e-6  # in floating point, 1 - 0.8 is below 0.2


def diagnose_in_sample(
    labels: IntArray, predicted_labels: IntArray, self_confidence: FloatArray, where: str
) -> list[Diagnosis]:
    """Return a warning if the model repeats its labels as only one trained on them does."""
    agrees = labels == predicted_labels
    sign = _find_sign(agrees, np.clip(self_confidence, 0, 1))
    if sign is None:
        return []
    return [
        Diagnosis(
            severity=Severity.WARN,
            code="probs.in_sample",
            what=f"The model agrees with {percent(float(agrees.mean()))} of the labels and gives "
            f"them {percent(float(self_confidence.mean()))} on average{sign}, so it probably "
            "predicted its own training data.",
            where=where,
            why="A model repeats the labels it was trained on, including the wrong ones, so few "
            "will be found.",
            fix="Predict each part with a model trained on the others (cross-validation), such as "
            "scikit-learn's cross_val_predict(model, X, y, method='predict_proba').",
            count=len(labels),
        )
    ]


def _find_sign(agrees: BoolArray, self_confidence: FloatArray) -> str | None:
    """Return what gives the model away, to follow the figures; None if nothing does."""
    agreement, num_rows = float(agrees.mean()), len(agrees)
    if agreement >= MEMORY_AGREEMENT and np.mean(self_confidence == 1) >= MEMORY_SHARE:
        return ""
    if num_rows < FEWEST_ROWS or agreement < MANY:
        return None
    contradicted = np.count_nonzero(self_confidence < CONTRADICTED_BELOW) / num_rows
    top = _bound_likeliest(agrees, self_confidence)
    promised, deviation = float(top.sum()), float(np.sqrt((top * (1 - top)).sum()))
    low = max(CONTRADICTED_BELOW, 1 - float(np.percentile(top, SURE_BY_OWN_MEASURE)))
    doubted = np.count_nonzero(self_confidence <= low + ROUNDING) / num_rows
    above = np.count_nonzero(agrees) - promised
    words = f"; by its own probabilities it should agree with {percent(promised / num_rows)}"
    if doubted <= MAX_CONTRADICTED_SHARE_MANY and promised >= MIN_MEAN_PROMISE * num_rows:
        if above >= MIN_ABOVE_PROMISE_MANY * deviation > 0:
            return words
    if agreement < MOST or contradicted > MAX_CONTRADICTED_SHARE:
        return None
    all_but_one = np.count_nonzero(~agrees) <= 1
    nearly_all = agreement >= NEARLY_ALL and num_rows >= ENOUGH_TO_ERR
    if self_confidence.mean() >= SURE and (all_but_one or nearly_all):
        return ""
    return words if above >= _find_needed(agrees) * deviation > 0 else None


def _find_needed(agrees: BoolArray) -> float:
    """Return by how many standard errors the agreement must exceed the promise."""
    misses = np.count_nonzero(~agrees)
    if misses == 0:
        return MIN_ABOVE_PROMISE
    if misses == 1 or agrees.mean() >= NEARLY_ALL:
        return MIN_ABOVE_PROMISE_NEARLY_ALL
    return MIN_ABOVE_PROMISE_MOST


def _bound_likeliest(agrees: BoolArray, self_confidence: FloatArray) -> FloatArray:
    """Return the most that each likeliest class can have: the self-confidence where it agrees.

    If its probabilities are right, a model agrees with each label with this probability. Where it
    does not agree, the likeliest class has at most 1 minus the self-confidence, which is taken.
    """
    return np.where(agrees, self_confidence, 1 - self_confidence)
