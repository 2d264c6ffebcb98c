"""Whether a model predicted the examples it was trained on, and only repeats their labels.

Such a model is known by what it hardly ever does: contradict a label. A model that had not seen an
example is sure of another class wherever the label is wrong, and errs where the example is hard.
Four signs are looked for, the first three among models that agree with nearly all labels:

1. Its probabilities are the labels: nearly all are exactly 1. (a tree, extra trees, one neighbour)
2. It is sure of the labels: 0.99 on average. (histogram boosting, an overfitted network)
3. It agrees more often than its own probabilities promise. (a forest, boosting)
4. It agrees with far more than its probabilities promise, and errs only where it is unsure: in the
   surer half of the examples it makes hardly any of the errors that they promise, and nowhere is it
   much surer of another class. (boosting that has learned most of the wrong labels)

An honest model errs in the surer half as well, and is sure of another class, wherever a label is
wrong.

`python benchmarks/in_sample.py` measures how often models are suspected, rightly and wrongly. Two
things look the same as memory: data that has no wrong label and that every model gets right, and an
honest model that is too modest about such data. So the message leaves it open whether hardly any
label is wrong.
"""

from __future__ import annotations

import numpy as np

from curation.core.matrix import BoolArray, FloatArray, IntArray
from curation.report import Diagnosis, Severity
from curation.wording import percent

FEWEST_ROWS = 50  # with fewer examples, a good model may be right about all

# Signs 1 to 3: a model that memorized its labels.
MEMORY_AGREEMENT = 0.99  # a few examples may be the same thing under two labels
MEMORY_SHARE = 0.98  # share of the labels that have a probability of exactly 1
NEARLY_ALL = 0.995  # agreement
CONTRADICTED_BELOW = 0.1  # self-confidence below which the model is sure of another class
MAX_CONTRADICTED_SHARE = 0.001  # of rows: the same thing under two labels, which no model repeats
SURE = 0.99  # mean self-confidence
ENOUGH_TO_ERR = 300  # with 1 % wrong labels, 95 % of sets of this size have one (0.99 ** 300)
# By how many standard errors the model must agree more often than it promises. Honest forests do
# too, by far more, but they do not agree with so many labels.
MIN_ABOVE_PROMISE = 1.0  # if it agrees with all labels; it is enough that it promised an error
MIN_ABOVE_PROMISE_NEARLY_ALL = 2.0  # if it agrees with nearly all, or all but one

# Sign 4: a model that learned most labels, but not nearly all.
MOST_LABELS = 0.8  # agreement
MIN_MEAN_PROMISE = 0.7  # of agreement; more modest models promise nothing that could be exceeded
MIN_ABOVE_PROMISE_MOST = 5.0
MIN_PROMISED_ERRORS = 3  # in the surer half; with fewer, an honest model may well make none
MAX_ERROR_SHARE = 0.2  # of the errors that are promised in the surer half
SURER_BY = 0.7  # of another class than of the given one
MAX_SURER_SHARE = 0.0005  # of rows: none of fewer than 2,000
# A modest model, such as one trained on smoothed labels, is sure of another class by its own
# measure: as sure as of the likeliest class of an example in the upper quarter.
SURE_BY_OWN_MEASURE = 75  # percentile
MAX_DOUBTED_SHARE = 0.005
ROUNDING = 1e-6  # in floating point, 1 - 0.8 is below 0.2


def diagnose_in_sample(
    labels: IntArray,
    predicted_labels: IntArray,
    self_confidence: FloatArray,
    where: str,
    top_confidence: FloatArray | None = None,
) -> list[Diagnosis]:
    """Return a warning if the model repeats its labels as only one trained on them does.

    `top_confidence` is the probability of each example's likeliest class. Without it, the most that
    it can be is used.
    """
    agrees = labels == predicted_labels
    own = np.clip(self_confidence, 0, 1)
    top = _bound_likeliest(agrees, own) if top_confidence is None else np.clip(top_confidence, 0, 1)
    sign = _find_sign(agrees, own, top)
    if sign is None:
        return []
    return [
        Diagnosis(
            severity=Severity.WARN,
            code="probs.in_sample",
            what=f"The model agrees with {percent(float(agrees.mean()))} of the labels and gives "
            f"them {percent(float(self_confidence.mean()))} on average{sign}, so it probably "
            "predicted its own training data, unless hardly any label is wrong.",
            where=where,
            why="A model repeats the labels it was trained on, including the wrong ones, so few "
            "will be found.",
            fix="Predict each part with a model trained on the others (cross-validation), as "
            "scikit-learn's cross_val_predict does. If that was done, hardly any label may be "
            "wrong: honest models do this on such data.",
            count=len(labels),
        )
    ]


def _find_sign(agrees: BoolArray, self_confidence: FloatArray, top: FloatArray) -> str | None:
    """Return what gives the model away, in words after the figures; None if nothing does."""
    agreement, num_rows = float(agrees.mean()), len(agrees)
    if agreement >= MEMORY_AGREEMENT and np.mean(self_confidence == 1) >= MEMORY_SHARE:
        return ""
    if num_rows < FEWEST_ROWS or agreement < MOST_LABELS:
        return None
    if _is_sure_of_nearly_all(agrees, self_confidence):
        return ""
    deviation = float(np.sqrt((top * (1 - top)).sum()))
    above = (np.count_nonzero(agrees) - top.sum()) / deviation if deviation else 0.0
    if _agrees_with_too_many(agrees, self_confidence, above) or (
        above >= MIN_ABOVE_PROMISE_MOST and _errs_only_if_unsure(agrees, self_confidence, top)
    ):
        return f"; by its own probabilities it should agree with {percent(float(top.mean()))}"
    return None


def _is_sure_of_nearly_all(agrees: BoolArray, self_confidence: FloatArray) -> bool:
    nearly_all = agrees.mean() >= NEARLY_ALL and len(agrees) >= ENOUGH_TO_ERR
    return bool(
        (np.count_nonzero(~agrees) <= 1 or nearly_all)
        and self_confidence.mean() >= SURE
        and not _contradicts(self_confidence)
    )


def _agrees_with_too_many(agrees: BoolArray, self_confidence: FloatArray, above: float) -> bool:
    """Return whether a model agrees with nearly all labels, and more often than it promises."""
    misses = np.count_nonzero(~agrees)
    if _contradicts(self_confidence) or not (misses <= 1 or agrees.mean() >= NEARLY_ALL):
        return False
    return above >= (MIN_ABOVE_PROMISE if misses == 0 else MIN_ABOVE_PROMISE_NEARLY_ALL)


def _contradicts(self_confidence: FloatArray) -> bool:
    return bool(np.mean(self_confidence < CONTRADICTED_BELOW) > MAX_CONTRADICTED_SHARE)


def _errs_only_if_unsure(agrees: BoolArray, self_confidence: FloatArray, top: FloatArray) -> bool:
    """Return whether a model that promises errors makes hardly any where it is surer than usual."""
    low = max(CONTRADICTED_BELOW, 1 - float(np.percentile(top, SURE_BY_OWN_MEASURE)))
    surer = top >= np.median(top)
    errors, promised = np.count_nonzero(~agrees[surer]), float((1 - top[surer]).sum())
    return bool(
        top.mean() >= MIN_MEAN_PROMISE
        and np.mean(top - self_confidence > SURER_BY) <= MAX_SURER_SHARE
        and np.mean(self_confidence <= low + ROUNDING) <= MAX_DOUBTED_SHARE
        and promised >= MIN_PROMISED_ERRORS
        and errors <= MAX_ERROR_SHARE * promised
    )


def _bound_likeliest(agrees: BoolArray, self_confidence: FloatArray) -> FloatArray:
    """Return the most that each likeliest class can have: the self-confidence where it agrees.

    Where it does not agree, the likeliest class has at most 1 minus the self-confidence, and at
    least as much as the given one.
    """
    return np.where(agrees, self_confidence, np.maximum(self_confidence, 1 - self_confidence))
