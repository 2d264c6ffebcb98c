"""What merging two classes would do, before anyone does it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from curation.analysis.array_analysis import analyze
from curation.analysis.findings import Findings, Method
from curation.analysis.merged_probabilities import MergedProbabilities
from curation.core.count import Collisions, Threshold
from curation.core.matrix import IntArray, Probabilities


@dataclass(frozen=True)
class MergePreview:
    """Estimated errors, flagged issues and the model's agreement, before and after a merge."""

    errors: tuple[float, float]
    issues: tuple[int, int]
    agreement: tuple[float, float]  # share of examples whose likeliest class is the given one


def merge_labels(labels: IntArray, *, kept: int, taken_in: int) -> IntArray:
    """Return the labels after one class took in another; later classes move up by one.

    >>> merge_labels(np.array([0, 1, 2, 3]), kept=0, taken_in=2).tolist()
    [0, 1, 0, 2]
    """
    merged = np.where(labels == taken_in, kept, labels)
    return merged - (merged > taken_in)


def preview_merge(
    findings: Findings,
    pred_probs: Probabilities,
    *,
    kept: int,
    taken_in: int,
    method: Method = "confident_joint",
    threshold: Threshold = "mean",
    collisions: Collisions = "argmax",
) -> MergePreview:
    """Return what the analysis says before and after `kept` takes in `taken_in`."""
    num_classes = pred_probs.shape[1]
    columns = merge_labels(np.arange(num_classes), kept=kept, taken_in=taken_in).tolist()
    after = analyze(
        merge_labels(findings.labels, kept=kept, taken_in=taken_in),
        MergedProbabilities(pred_probs, columns=columns, num_columns=num_classes - 1),
        threshold=threshold,
        collisions=collisions,
    )
    return MergePreview(
        errors=(findings.estimated_errors, after.estimated_errors),
        issues=(_count_issues(findings, method), _count_issues(after, method)),
        agreement=(_measure_agreement(findings), _measure_agreement(after)),
    )


def _count_issues(findings: Findings, method: Method) -> int:
    return int(np.count_nonzero(findings.mask(method)))


def _measure_agreement(findings: Findings) -> float:
    return float((~findings.mask("confusion")).mean())
