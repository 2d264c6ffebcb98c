"""What confident learning found in a dataset: counts, estimates, and which examples are flagged."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from curation.analysis.analysis_settings import check_choice
from curation.analysis.model_strength import ModelStrength, measure_strength
from curation.core import count, noise, rank
from curation.core.count import Threshold
from curation.core.matrix import BoolArray, FloatArray, IntArray
from curation.core.overlap import rank_overlaps
from curation.errors import InputError

if TYPE_CHECKING:
    import pandas as pd

Method = Literal["confusion", "confident_joint", "prune_by_class", "prune_by_noise_rate", "both"]
Order = Literal["normalized_margin", "self_confidence", "log_margin"]
METHODS: tuple[Method, ...] = get_args(Method)
ORDERS: tuple[Order, ...] = get_args(Order)
SCORES = ("self_confidence", "normalized_margin", "log_margin")  # of an example, in tables


@dataclass(frozen=True, eq=False)
class Findings:
    """What confident learning says about a dataset of n examples and m classes.

    Matrices are indexed `[given, true]` unless stated otherwise. For scores of examples, low is
    suspect. All arrays are read-only.
    """

    class_names: tuple[str, ...] | tuple[int, ...]  # (m,) as passed, or the class indices
    labels: IntArray  # (n,) the given labels, as class indices
    threshold: Threshold  # how the thresholds were chosen: the mean, or which percentile
    thresholds: FloatArray  # (m,) t_j, how sure "confident" is; +inf for a class without examples
    confident_joint: IntArray  # (m, m) [given, true] how many examples were confidently counted
    confusion: IntArray  # (m, m) [given, predicted] counts without thresholds, the baseline
    joint: FloatArray  # (m, m) [given, true] estimated shares of all examples; sums to 1
    noise_matrix: FloatArray  # (m, m) [given, true] estimated p(given | true); columns sum to 1
    inverse_noise_matrix: FloatArray  # (m, m) [true, given] p(true | given); columns sum to 1
    given_prior: FloatArray  # (m,) share of each given label: the row sums of joint
    latent_prior: FloatArray  # (m,) estimated share of each true label: the column sums of joint
    class_weights: FloatArray  # (m,) weights to train without the errors: latent_prior / diagonal
    sparsity: float  # share of zeros off the diagonal of joint
    estimated_errors: float  # the paper's estimate of wrong labels: n * (1 - trace(joint))
    self_confidence: FloatArray  # (n,) probability of the given label
    other_confidence: FloatArray  # (n,) probability of the likeliest other class
    normalized_margin: FloatArray  # (n,) the first minus the second; -1 to 1
    predicted_labels: IntArray  # (n,) the likeliest class
    suggested_labels: IntArray  # (n,) the likeliest true label; never the given one
    masks: Mapping[Method, BoolArray]  # for each method, (n,) which examples it flags

    @cached_property
    def log_margin(self) -> FloatArray:
        """Return the margin of the logs of both confidences; 0 counts as 2.2e-308. (n,)"""
        margin = rank.score_log_margin(self.self_confidence, self.other_confidence)
        margin.flags.writeable = False
        return margin

    @cached_property
    def strength(self) -> ModelStrength:
        """Return how well the model fits the labels: what the estimate is worth."""
        return measure_strength(
            self.labels,
            self.predicted_labels,
            self.self_confidence,
            np.maximum(self.self_confidence, self.other_confidence),
            len(self.joint),
        )

    def mask(self, method: Method = "confident_joint") -> BoolArray:
        """Return which examples a method flags, as a mask of n booleans."""
        check_choice("method", method, METHODS)
        return self.masks[method]

    def issues(
        self, method: Method = "confident_joint", order: Order = "normalized_margin"
    ) -> IntArray:
        """Return the rows that a method flags, the most suspect first."""
        check_choice("order", order, ORDERS)
        return rank.rank_examples(self.mask(method), getattr(self, order))

    def to_frame(
        self,
        method: Method = "confident_joint",
        order: Order = "normalized_margin",
        *,
        ids: Sequence[Any] | NDArray[Any] | None = None,
    ) -> pd.DataFrame:
        """Return the table of issues: one row per flagged example, the most suspect first.

        The index `row` is the example's place in the labels. The columns are those of issues.csv:
        `id` if ids are passed; `given_label`, `suggested_label` (the likeliest true label) and
        `predicted_label` (the likeliest class) by the names of the classes; `self_confidence`,
        `normalized_margin`, `log_margin` and `label_quality`, which equals self-confidence: for all
        four, low is suspect; `is_label_issue`, True in every row; and for each of the five methods,
        whether it flags the example.

            findings.to_frame(ids=dataset.ids).head(20)
        """
        import pandas as pd  # imported here, so that the mathematics works without pandas

        rows = self.issues(method, order)
        if ids is not None and len(ids) != len(self.labels):
            raise InputError(
                f"There are {len(ids):,} ids for {len(self.labels):,} examples.",
                "Pass the id of every example, such as dataset.ids.",
            )
        named = {} if ids is None else {"id": [str(ids[row]) for row in rows.tolist()]}
        labels = {
            "given_label": self.labels,
            "suggested_label": self.suggested_labels,
            "predicted_label": self.predicted_labels,
        }
        return pd.DataFrame(
            named
            | {name: [self.class_names[k] for k in each[rows]] for name, each in labels.items()}
            | {name: getattr(self, name)[rows] for name in SCORES}
            | {
                "label_quality": self.self_confidence[rows],
                "is_label_issue": self.mask(method)[rows],
            }
            | {each: self.masks[each][rows] for each in METHODS},
            index=pd.Index(rows, name="row"),
        )

    def __repr__(self) -> str:
        flagged = int(self.mask().sum())
        return (
            f"<Findings on {len(self.labels):,} examples of {len(self.joint)} classes: about "
            f"{self.estimated_errors:,.0f} labels look wrong, {flagged:,} are flagged>"
        )

    def overlaps(self, limit: int | None = None) -> pd.DataFrame:
        """Return the pairs of classes that were counted, largest first, as in the paper's Table 4.

        One row per direction: how many examples given one class are confidently the other, how
        often the plain prediction says so, and their share of all examples by the joint.
        """
        import pandas as pd  # imported here, so that the mathematics works without pandas

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


def name_masks(
    given: IntArray,
    predicted_labels: IntArray,
    moved: BoolArray,
    by_class: BoolArray,
    by_noise_rate: BoolArray,
) -> dict[Method, BoolArray]:
    """Return what each method flags; `moved` are those counted into another class."""
    return {
        "confusion": predicted_labels != given,
        "confident_joint": moved,
        "prune_by_class": by_class,
        "prune_by_noise_rate": by_noise_rate,
        "both": by_class & by_noise_rate,
    }


def make_findings(
    names: tuple[str, ...] | tuple[int, ...],
    given: IntArray,
    threshold: Threshold,
    thresholds: FloatArray,
    confident_joint: IntArray,
    self_confidence: FloatArray,
    other_confidence: FloatArray,
    predicted_labels: IntArray,
    suggested_labels: IntArray,
    masks: dict[Method, BoolArray],
) -> Findings:
    """Return the findings: what was counted, and every estimate and score that follows from it."""
    joint = noise.estimate_joint(confident_joint, given)
    findings = Findings(
        class_names=names,
        labels=given,
        threshold=threshold,
        thresholds=thresholds,
        confident_joint=confident_joint,
        confusion=count.count_pairs(given, predicted_labels, len(joint)),
        joint=joint,
        noise_matrix=noise.estimate_noise_matrix(joint),
        inverse_noise_matrix=noise.estimate_inverse_noise_matrix(joint),
        given_prior=joint.sum(axis=1),
        latent_prior=joint.sum(axis=0),
        class_weights=noise.estimate_class_weights(joint),
        sparsity=noise.measure_sparsity(joint),
        estimated_errors=float(len(given) * (1 - joint.trace())),
        self_confidence=self_confidence,
        other_confidence=other_confidence,
        normalized_margin=rank.score_normalized_margin(self_confidence, other_confidence),
        predicted_labels=predicted_labels,
        suggested_labels=suggested_labels,
        masks=masks,
    )
    _make_read_only(findings)
    return findings


def _make_read_only(findings: Findings) -> None:
    # all users of the dashboard share one Findings
    for value in (*vars(findings).values(), *findings.masks.values()):
        if isinstance(value, np.ndarray):
            value.flags.writeable = False
