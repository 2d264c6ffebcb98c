"""How well a model's probabilities fit the given labels: whether its claims can be trusted.

Everything is counted from one number and one class per example, which the analysis has read
anyway: the probability of the given label, and the likeliest class with its probability.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from curation.core.matrix import BoolArray, FloatArray, IntArray
from curation.wording import percent

NUM_BINS = 10  # of equal width, for the calibration error
LOG_LOSS_FLOOR = float(np.finfo(np.float64).eps)  # as scikit-learn: one 0 must not make it infinite

# Below this agreement the estimated number of errors should not be read as a number. In simulated
# datasets (`python benchmarks/truth.py --simulate`) it was off by more than a factor of two in
# 69 % of those below, nearly always too high, and in 26 % of those above: it counts the model's own
# mistakes as wrong labels, and a weak model makes more of them than there are wrong labels.
MIN_AGREEMENT = 0.85
# From this calibration error on (in excess of chance), probabilities should not be read as chances.
MAX_CALIBRATION_ERROR = 0.1

# docs/quality.md has the table; benchmarks/truth.py prints it.
WORTH = (
    "The number is the paper's estimate, from this model; it is not a measurement. On three public "
    "datasets whose true labels are known it was off by −38 %, +22 % and +51 %. An audit measures "
    "how many labels are wrong."
)


@dataclass(frozen=True, eq=False)
class Reliability:
    """How sure the model was of its likeliest class, and how often the label was that class.

    The arrays have one entry per group: a class, as predicted, or a bin of confidence. All are 0
    for a group without examples.
    """

    examples: IntArray  # how many have this likeliest class, or fall into this bin
    mean_confidence: FloatArray  # mean probability of their likeliest class
    agreement: FloatArray  # share of the examples whose given label is the likeliest class


@dataclass(frozen=True, eq=False)
class ModelStrength:
    """How well the probabilities fit the given labels of n examples and m classes.

    With c the probability of an example's likeliest class, the calibration error is the sum over
    ten bins of equal width of |sum of c - number of examples with that label| / n. By class, it
    is the same among the examples for which that class is the likeliest.
    """

    agreement: float  # share of examples whose given label the model finds likeliest
    log_loss: float  # mean of -log p(given label), in nats; p counts as at least 2.2e-16
    shares_log_loss: float  # the same for a guess that knows only the share of each given label
    mean_confidence: float  # mean probability of the likeliest class
    calibration_error: float  # how far its confidence is from how often it agrees; see above
    chance_calibration_error: float  # what a calibrated model would have on so few examples
    by_bin: Reliability  # (10,) bins of the likeliest class's probability
    by_class: Reliability  # (m,) by the likeliest class
    class_calibration_error: FloatArray  # (m,) 0 for a class that is never the likeliest

    @property
    def is_weak(self) -> bool:
        """Whether the estimated number of errors should not be read as a number."""
        return self.agreement < MIN_AGREEMENT

    @property
    def is_miscalibrated(self) -> bool:
        """Whether the probabilities should not be read as chances."""
        excess = self.calibration_error - self.chance_calibration_error
        return excess > MAX_CALIBRATION_ERROR

    @property
    def is_worse_than_guessing(self) -> bool:
        """Whether guessing the share of each class would fit the labels better."""
        return self.log_loss >= self.shares_log_loss > 0

    def describe(self) -> str:
        """Return the strength in three sentences."""
        return (
            f"The model finds the given label likeliest for {percent(self.agreement)} of the "
            f"examples. Its log loss is {self.log_loss:.2f}; guessing by the share of each class "
            f"gives {self.shares_log_loss:.2f}. On average it is {percent(self.mean_confidence)} "
            f"sure of its likeliest class (calibration error {self.calibration_error:.2f})."
        )

    def summarize(self) -> str:
        """Return the strength in a line, to show next to an estimate."""
        agrees = percent(self.agreement)
        parts = [f"The model finds the given label likeliest for {agrees}."]
        if self.is_weak:
            parts = [f"{_find_few(self)}. Do not read the estimate as a number."]
        if self.is_miscalibrated:
            parts.append(f"{_name_fault(self)}.")
        guess = f"Log loss {self.log_loss:.2f}, by guessing {self.shares_log_loss:.2f}."
        return " ".join([*parts, guess])

    def warnings(self) -> list[str]:
        """Return what a curator should know before believing the estimate or the flags."""
        return [*_warn_of_weakness(self), *_warn_of_guessing(self), *_warn_of_calibration(self)]


def measure_strength(
    labels: IntArray,
    predicted_labels: IntArray,
    self_confidence: FloatArray,
    top_confidence: FloatArray,
    num_classes: int,
) -> ModelStrength:
    """Return how well a model fits the given labels.

    `self_confidence` is the probability of the given label, `top_confidence` that of the likeliest
    class, which `predicted_labels` names.

    >>> labels, sure = np.array([0, 0, 1, 1]), np.array([.9, .9, .6, .6])
    >>> strength = measure_strength(labels, np.array([0, 0, 1, 0]), np.array([.9, .9, .6, .4]),
    ...                             sure, 2)
    >>> strength.agreement, round(strength.calibration_error, 2), round(strength.log_loss, 2)
    (0.75, 0.1, 0.41)
    """
    num_rows, agrees = len(labels), labels == predicted_labels
    shares = np.bincount(labels, minlength=num_classes) / num_rows
    inner_edges = np.linspace(0, 1, NUM_BINS + 1)[1:-1]
    bins = np.searchsorted(inner_edges, top_confidence)  # a value on an edge is in the lower bin
    cells = predicted_labels * NUM_BINS + bins

    def add_up(values: FloatArray) -> FloatArray:  # by predicted class and bin
        sums = np.bincount(cells, values, minlength=num_classes * NUM_BINS)
        return sums.reshape(num_classes, NUM_BINS).astype(np.float64)

    examples = add_up(np.ones(num_rows)).astype(np.int64)
    confidence, agreeing = add_up(top_confidence), add_up(agrees.astype(np.float64))
    variance = add_up(top_confidence * (1 - top_confidence))
    gaps = np.abs(confidence - agreeing)
    by_class = examples.sum(axis=1)
    return ModelStrength(
        agreement=float(agrees.mean()),
        # never −0.00, which the mean of the negated logarithms of 1 is
        log_loss=max(0.0, float(-np.log(np.maximum(self_confidence, LOG_LOSS_FLOOR)).mean())),
        shares_log_loss=float(-(shares[shares > 0] * np.log(shares[shares > 0])).sum()),
        mean_confidence=float(top_confidence.mean()),
        calibration_error=float(np.abs((confidence - agreeing).sum(axis=0)).sum() / num_rows),
        chance_calibration_error=_expect_by_chance(variance.sum(axis=0), num_rows),
        by_bin=_summarize(examples, confidence, agreeing, axis=0),
        by_class=_summarize(examples, confidence, agreeing, axis=1),
        class_calibration_error=gaps.sum(axis=1) / np.maximum(by_class, 1),
    )


def _summarize(
    examples: IntArray, confidence: FloatArray, agreeing: FloatArray, *, axis: int
) -> Reliability:
    number = examples.sum(axis=axis)
    mean = [each.sum(axis=axis) / np.maximum(number, 1) for each in (confidence, agreeing)]
    return Reliability(number, *mean)


def _expect_by_chance(variances: FloatArray, num_rows: int) -> float:
    """Return the calibration error to expect of a calibrated model: its bins vary by chance.

    The mean distance of a normal variable from its mean is sqrt(2 / pi) deviations.
    """
    return float(np.sqrt(2 / np.pi * np.maximum(variances, 0)).sum() / num_rows)


def find_miscalibrated(strength: ModelStrength, *, min_examples: int = 20) -> IntArray:
    """Return the classes by calibration error, largest first, leaving out rarely predicted ones."""
    often: BoolArray = strength.by_class.examples >= min_examples
    order = np.argsort(-strength.class_calibration_error, kind="stable")
    return order[often[order]]


def _warn_of_weakness(strength: ModelStrength) -> list[str]:
    if not strength.is_weak:
        return []
    return [
        f"{_find_few(strength)}. Do not read the estimate as a number: below "
        f"{percent(MIN_AGREEMENT)} it was off by more than a factor of two in most trials, mostly "
        "too high."
    ]


def _find_few(strength: ModelStrength) -> str:
    return (
        f"The model finds the given label likeliest for only {percent(strength.agreement)}; many "
        "flags will be its own mistakes"
    )


def _warn_of_guessing(strength: ModelStrength) -> list[str]:
    if not strength.is_worse_than_guessing:
        return []
    return [
        "The probabilities fit the labels worse than guessing by the share of each class (log loss "
        f"{strength.log_loss:.2f} against {strength.shares_log_loss:.2f}): the sizes of the "
        "classes say more about the labels than the model does."
    ]


def _warn_of_calibration(strength: ModelStrength) -> list[str]:
    if not strength.is_miscalibrated:
        return []
    sure, agrees = percent(strength.mean_confidence), percent(strength.agreement)
    return [
        f"{_name_fault(strength)}: on average it is {sure} sure of its likeliest class, and the "
        f"label is that class for {agrees}. Use its probabilities as an order, not as chances."
    ]


def _name_fault(strength: ModelStrength) -> str:
    gap = strength.mean_confidence - strength.agreement
    if abs(gap) < MAX_CALIBRATION_ERROR / 2:
        return "The model is too sure of some examples and not sure enough of others"
    return f"The model is {'too sure' if gap > 0 else 'not sure enough'} of itself"
