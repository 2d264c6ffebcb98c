"""Labels and probabilities in, findings out: the only way from data to the mathematics."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from numbers import Real
from typing import TYPE_CHECKING, Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from curation.core import count, noise, prune, rank
from curation.core.checks import as_array, as_probabilities, check_labels, check_shapes
from curation.core.count import Collisions, Threshold
from curation.core.matrix import BoolArray, FloatArray, IntArray, Probabilities
from curation.core.overlap import rank_overlaps
from curation.errors import InputError
from curation.progress import Progress, part, say_nothing

if TYPE_CHECKING:
    import pandas as pd

Method = Literal["confusion", "confident_joint", "prune_by_class", "prune_by_noise_rate", "both"]
Order = Literal["normalized_margin", "self_confidence"]
METHODS: tuple[Method, ...] = get_args(Method)
ORDERS: tuple[Order, ...] = get_args(Order)


@dataclass(frozen=True, eq=False)
class Findings:
    """What confident learning says about a dataset of n examples and m classes.

    Matrices are indexed in the order their subscripts are read, `[given, true]` unless it says
    otherwise. For scores of examples, low is suspect. All arrays are read-only.
    """

    class_names: tuple[str, ...] | tuple[int, ...]  # the indices if no names were given
    labels: IntArray  # (n,) as given
    threshold: Threshold  # what the thresholds are: the mean, or which percentile
    thresholds: FloatArray  # (m,) t_j; +inf for a class without examples
    confident_joint: IntArray  # (m, m) [given, true] whole counts
    confusion: IntArray  # (m, m) [given, predicted] the baseline C_confusion
    joint: FloatArray  # (m, m) [given, true] sums to 1
    noise_matrix: FloatArray  # (m, m) [given, true] p(given | true), columns sum to 1
    inverse_noise_matrix: FloatArray  # (m, m) [true, given] p(true | given), columns sum to 1
    given_prior: FloatArray  # (m,) row sums of joint
    latent_prior: FloatArray  # (m,) column sums of joint
    class_weights: FloatArray  # (m,) latent_prior[i] / joint[i, i]
    sparsity: float  # share of zeros off the diagonal of joint
    estimated_errors: float  # n * (1 - trace(joint))
    error_interval: tuple[float, float]  # its 95 % interval, for these thresholds and this model
    self_confidence: FloatArray  # (n,) probability of the given label
    normalized_margin: FloatArray  # (n,) that minus the likeliest other's; -1 to 1
    predicted_labels: IntArray  # (n,) the likeliest class
    suggested_labels: IntArray  # (n,) never the given one
    masks: Mapping[Method, BoolArray]  # (n,) flagged, by each method

    def mask(self, method: Method = "confident_joint") -> BoolArray:
        """Return which examples a method flags, as a mask of n booleans."""
        _check_choice("method", method, METHODS)
        return self.masks[method]

    def issues(
        self, method: Method = "confident_joint", order: Order = "normalized_margin"
    ) -> IntArray:
        """Return the rows that a method flags, the most suspect first."""
        _check_choice("order", order, ORDERS)
        return rank.rank_examples(self.mask(method), getattr(self, order))

    def overlaps(self, limit: int | None = None) -> pd.DataFrame:
        """Return the pairs of classes that were counted, largest first, as in the paper's Table 4.

        One row per direction: how many examples given one class are confidently the other, how
        often the plain prediction says so, and their share of all examples by the joint.
        """
        import pandas as pd  # here, so that the mathematics can be used without it

        given, true = (each[:limit] for each in rank_overlaps(self.confident_joint))
        return pd.DataFrame(
            {
                "given": [self.class_names[label] for label in given],
                "true": [self.class_names[label] for label in true],
                "confident_joint": self.confident_joint[given, true],
                "confusion": self.confusion[given, true],
                "joint": self.joint[given, true],
            }
        )


def analyze(
    labels: Sequence[Any] | NDArray[Any],
    pred_probs: Probabilities | Sequence[Sequence[float]] | pd.DataFrame,
    class_names: Sequence[str] | None = None,
    *,
    threshold: Threshold = "mean",
    collisions: Collisions = "argmax",
    progress: Progress = say_nothing,
) -> Findings:
    """Return what confident learning finds: noise estimates, scores, flags by five methods.

    `labels` are class indices in the order of the columns. `pred_probs` are out of sample, one
    row per example, and may be a memory-mapped file, which is read in blocks and never copied.
    `threshold` is the "mean" self-confidence of a class or a percentile of it, such as 90.
    `collisions` decides what happens to an example that is confident in several classes: it takes
    the likeliest of all classes ("argmax", Algorithm 1) or of those it is confident in
    ("confident", Equation 1). `progress(stage, share)` is called during the work, and may raise to
    stop it.

    >>> findings = analyze([0, 0, 1, 1], [[.9, .1], [.2, .8], [.3, .7], [.1, .9]], ["cat", "dog"])
    >>> findings.confident_joint
    array([[1, 1],
           [0, 1]])
    >>> findings.issues()
    array([1])
    """
    _check_choice("collisions", collisions, get_args(Collisions))
    _check_threshold(threshold)
    matrix = as_probabilities(pred_probs)
    check_shapes(labels, matrix)
    num_rows, num_classes = matrix.shape
    given = check_labels(labels, num_classes)
    names = _check_names(class_names, num_classes)

    self_confidence = count.read_self_confidence(
        given, matrix, progress=part(progress, "Reading how sure the model is", 0.0, 0.2)
    )
    thresholds = count.estimate_thresholds(given, self_confidence, num_classes, threshold=threshold)
    counted = count.count_examples(
        given,
        matrix,
        self_confidence,
        thresholds,
        collisions=collisions,
        progress=part(progress, "Counting the confident joint", 0.2, 0.8),
    )
    confident_joint = count.count_pairs(given, counted.counted_labels, num_classes)
    joint = noise.estimate_joint(confident_joint, given)

    moved = (counted.counted_labels != count.NOT_COUNTED) & (counted.counted_labels != given)
    error_counts = prune.count_errors(confident_joint, given)
    by_class = prune.prune_by_class(error_counts, given, self_confidence)
    by_noise_rate = prune.prune_by_noise_rate(
        error_counts,
        given,
        matrix,
        self_confidence,
        progress=part(progress, "Choosing what each method flags", 0.8, 1.0),
    )
    findings = Findings(
        class_names=names,
        labels=given,
        threshold=threshold,
        thresholds=thresholds,
        confident_joint=confident_joint,
        confusion=count.count_pairs(given, counted.predicted_labels, num_classes),
        joint=joint,
        noise_matrix=noise.estimate_noise_matrix(joint),
        inverse_noise_matrix=noise.estimate_inverse_noise_matrix(joint),
        given_prior=joint.sum(axis=1),
        latent_prior=joint.sum(axis=0),
        class_weights=noise.estimate_class_weights(joint),
        sparsity=noise.measure_sparsity(joint),
        estimated_errors=float(num_rows * (1 - joint.trace())),
        error_interval=noise.estimate_error_interval(confident_joint, given),
        self_confidence=self_confidence,
        normalized_margin=rank.score_normalized_margin(self_confidence, counted.other_confidence),
        predicted_labels=counted.predicted_labels,
        suggested_labels=np.where(moved, counted.counted_labels, counted.other_labels),
        masks={
            "confusion": counted.predicted_labels != given,
            "confident_joint": moved,
            "prune_by_class": by_class,
            "prune_by_noise_rate": by_noise_rate,
            "both": by_class & by_noise_rate,
        },
    )
    _make_read_only(findings)
    return findings


def estimate_joint(
    counts: NDArray[Any] | Sequence[Sequence[int]], labels: Sequence[Any] | NDArray[Any]
) -> FloatArray:
    """Return the joint of given and true labels for any count matrix (Algorithm 2).

    For the baseline of the paper, pass `findings.confusion`. See `core.noise.estimate_joint`.

    >>> estimate_joint([[2, 0], [1, 1]], [0, 1])
    array([[0.5 , 0.  ],
           [0.25, 0.25]])
    """
    matrix = as_array(counts, "counts")
    if matrix.ndim != 2 or matrix.shape[0] != matrix.shape[1] or matrix.dtype.kind not in "fiub":
        raise InputError(
            f"The counts have shape {matrix.shape} and type {matrix.dtype}, not a number for each "
            "pair of classes.",
            "Pass a square matrix of numbers, [given, true].",
        )
    if not np.isfinite(matrix).all() or (matrix < 0).any():
        raise InputError("The counts hold a negative or missing number.", "Counts start at 0.")
    if not hasattr(labels, "__len__") or getattr(labels, "ndim", 1) == 0 or not len(labels):
        raise InputError("There are no labels.", "Pass the given label of each example.")
    return noise.estimate_joint(matrix, check_labels(labels, len(matrix)))


def _check_choice(name: str, value: Any, choices: Sequence[str]) -> None:
    if value not in choices:
        raise InputError(f"There is no {name} {value!r}.", f"Choose one of: {', '.join(choices)}.")


def _check_threshold(threshold: Any) -> None:
    is_number = isinstance(threshold, Real) and not isinstance(threshold, bool)
    if threshold != "mean" and not (is_number and 0 <= threshold <= 100):
        raise InputError(
            f"The threshold is {threshold!r}.", 'Pass "mean" or a percentile from 0 to 100.'
        )


def _check_names(
    class_names: Sequence[str] | None, num_classes: int
) -> tuple[str, ...] | tuple[int, ...]:
    if class_names is None:
        return tuple(range(num_classes))
    if isinstance(class_names, (str, Mapping)) or not hasattr(class_names, "__len__"):
        kind = type(class_names).__name__
        raise InputError(f"The class names are a {kind}.", "Pass a list of names.")
    if len(class_names) != num_classes:
        raise InputError(
            f"There are {len(class_names)} class names for {num_classes} columns of probabilities.",
            "Name each column once, in their order.",
        )
    return tuple(class_names)


def _make_read_only(findings: Findings) -> None:
    # pages share one Findings among all who look at it
    for value in (*vars(findings).values(), *findings.masks.values()):
        if isinstance(value, np.ndarray):
            value.flags.writeable = False
