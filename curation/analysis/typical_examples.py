"""Typical examples of a class: labelled as it, predicted as it, and with the most confidence."""

from __future__ import annotations

import numpy as np

from curation.analysis.findings import Findings
from curation.core.matrix import IntArray

TYPICAL_PER_CLASS = 5


def find_typical(findings: Findings, label: int, limit: int) -> IntArray:
    """Return the rows of typical examples of one class, the most confident first."""
    agreed = (findings.labels == label) & (findings.predicted_labels == label)
    return _rank(findings, np.flatnonzero(agreed))[:limit]


def find_typical_of_all(findings: Findings, limit: int = TYPICAL_PER_CLASS) -> list[IntArray]:
    """Return the typical examples of every class, in one pass over all examples."""
    rows = _rank(findings, np.flatnonzero(findings.labels == findings.predicted_labels))
    labels = findings.labels[rows]
    starts = np.searchsorted(labels, np.arange(len(findings.class_names) + 1))
    return [
        rows[start : min(start + limit, stop)]
        for start, stop in zip(starts[:-1], starts[1:], strict=True)
    ]


def _rank(findings: Findings, rows: IntArray) -> IntArray:
    """Return rows sorted by class, and in each class by confidence, highest first."""
    order = np.lexsort((-findings.self_confidence[rows], findings.labels[rows]))
    return rows[order]
