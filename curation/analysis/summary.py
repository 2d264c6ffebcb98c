"""A dataset's health in a few numbers: by class, method and margin. Pure functions of findings."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from curation.analysis.findings import METHODS, Findings, Method
from curation.core.matrix import BoolArray, FloatArray, IntArray

if TYPE_CHECKING:
    import pandas as pd

MARGIN_BINS = 40  # of 0.05 each, from -1 to 1
MAX_PRIORS_SHOWN = 30  # classes; the bars of more could not be read
# With fewer examples, a class's share of errors is mostly chance: one label of five is 20 %.
# Such a class is called the noisiest only if there is no larger one.
MIN_EXAMPLES_TO_RANK = 20


@dataclass(frozen=True)
class Agreement:
    """How much the five methods agree.

    `by_votes[k]` examples are flagged by exactly k of them. Of those that a method flags,
    `unanimous` are flagged by all five, `alone` by it only, `shared` by others but not by all.
    """

    by_votes: IntArray
    flagged: Mapping[Method, int]
    unanimous: int
    shared: Mapping[Method, int]
    alone: Mapping[Method, int]

    @property
    def by_any(self) -> int:
        """How many examples any method flags."""
        return int(self.by_votes[1:].sum())


@dataclass(frozen=True)
class Overlap:
    """Two classes, how many examples were confidently counted from one into the other, and ties.

    `ties` is how many pairs have the same count, this one included.
    """

    a: int
    b: int
    count: int
    ties: int = 1


def describe_classes(findings: Findings, mask: BoolArray) -> pd.DataFrame:
    """Return one row per class: its size, noise both ways, issues, threshold and calibration.

    `noise_rate` is p(given is not i | true is i), `inverse_noise_rate` p(true is not i | given
    i). `issues_out` are flagged examples given the class, `issues_in` those it is suggested for.
    A class without examples has no threshold: NaN. `mean_confidence`, `agreement` and
    `calibration_error` are those of the examples for which the class is the likeliest; NaN if it
    never is.
    """
    import pandas as pd  # imported here, so that the other functions work without pandas

    num_classes = len(findings.thresholds)
    flagged = np.flatnonzero(mask)
    strength = findings.strength
    by_class, likeliest = strength.by_class, strength.by_class.examples > 0
    return pd.DataFrame(
        {
            "name": [str(name) for name in findings.class_names],
            "examples": np.bincount(findings.labels, minlength=num_classes),
            "noise_rate": _off_diagonal(findings.noise_matrix),
            "inverse_noise_rate": _off_diagonal(findings.inverse_noise_matrix),
            "issues_out": np.bincount(findings.labels[flagged], minlength=num_classes),
            "issues_in": np.bincount(findings.suggested_labels[flagged], minlength=num_classes),
            "threshold": np.where(np.isfinite(findings.thresholds), findings.thresholds, np.nan),
            "mean_confidence": np.where(likeliest, by_class.mean_confidence, np.nan),
            "agreement": np.where(likeliest, by_class.agreement, np.nan),
            "calibration_error": np.where(likeliest, strength.class_calibration_error, np.nan),
        }
    )


def _off_diagonal(matrix: FloatArray) -> FloatArray:
    # columns sum to 1 only up to rounding, which must not give a share of -1e-16
    return np.clip(1 - matrix.diagonal(), 0, 1)


def find_noisiest_class(findings: Findings) -> int | None:
    """Return the class with the largest share of labels that look wrong; None if none does.

    Classes with fewer examples than `find_ranking_limit` says are skipped.
    """
    wrong = _off_diagonal(findings.inverse_noise_matrix)
    examples = np.bincount(findings.labels, minlength=len(wrong))
    large = examples >= find_ranking_limit(examples)
    noisiest = int(np.where(large, wrong, -1).argmax())
    return noisiest if wrong[noisiest] > 0 else None


def find_ranking_limit(examples: IntArray) -> int:
    """Return how many examples a class must have to be called the noisiest; 0 if all have them.

    Classes with few examples are skipped unless there are no others. An empty class has no noise.

    >>> [find_ranking_limit(np.array(each)) for each in ([90, 5], [90, 20, 0], [4, 3], [4, 4])]
    [20, 0, 4, 0]
    """
    limit = min(MIN_EXAMPLES_TO_RANK, int(examples.max()))
    return limit if ((examples > 0) & (examples < limit)).any() else 0


def find_strongest_overlap(confident_joint: IntArray) -> Overlap | None:
    """Return the pair of classes with the most examples counted between them, either way.

    `a` is the class that loses more examples; None if nothing was counted off the diagonal.

    >>> find_strongest_overlap(np.array([[9, 1, 0], [3, 8, 0], [0, 1, 7]]))
    Overlap(a=1, b=0, count=4, ties=1)
    """
    either_way = np.triu(confident_joint + confident_joint.T, k=1)
    a, b = divmod(int(either_way.argmax()), len(either_way))
    count = int(either_way[a, b])
    if confident_joint[b, a] > confident_joint[a, b]:
        a, b = b, a
    ties = int(np.count_nonzero(either_way == count))
    return Overlap(a, b, count, ties) if count else None


def measure_agreement(masks: Mapping[Method, BoolArray]) -> Agreement:
    """Return how many examples each method flags, and how many of them others flag too.

    >>> yes, no = np.array([True, True]), np.array([True, False])
    >>> found = measure_agreement({method: no for method in METHODS} | {"confusion": yes})
    >>> found.by_votes, found.unanimous, found.alone["confusion"]
    (array([0, 1, 0, 0, 0, 1]), 1, 1)
    """
    votes = np.zeros(len(masks["confusion"]), np.int8)
    for mask in masks.values():
        votes += mask
    by_votes = np.bincount(votes, minlength=len(METHODS) + 1)
    flagged = {method: int(np.count_nonzero(masks[method])) for method in METHODS}
    alone = {method: int(np.count_nonzero(votes[masks[method]] == 1)) for method in METHODS}
    unanimous = int(by_votes[len(METHODS)])
    shared = {method: flagged[method] - alone[method] - unanimous for method in METHODS}
    return Agreement(by_votes, flagged, unanimous, shared, alone)


def count_margins(margins: FloatArray, mask: BoolArray) -> tuple[FloatArray, IntArray, IntArray]:
    """Return the edges of the margin's bins, and how many examples and flagged ones are in each.

    >>> margins, mask = np.array([-1, -.99, 1]), np.array([True, False, False])
    >>> edges, every, flagged = count_margins(margins, mask)
    >>> every[0], flagged[0], every[-1], flagged[-1]
    (np.int64(2), np.int64(1), np.int64(1), np.int64(0))
    """
    edges = np.linspace(-1, 1, MARGIN_BINS + 1)
    every, flagged = (np.histogram(each, edges)[0] for each in (margins, margins[mask]))
    return edges, every, flagged


def choose_priors(given: FloatArray, latent: FloatArray) -> IntArray:
    """Return the classes whose shares are shown: all, or those that differ most, largest first.

    >>> choose_priors(np.array([.5, .5]), np.array([.4, .6]))
    array([0, 1])
    """
    if len(given) <= MAX_PRIORS_SHOWN:
        return np.arange(len(given))
    return np.argsort(-np.abs(given - latent), kind="stable")[:MAX_PRIORS_SHOWN]
