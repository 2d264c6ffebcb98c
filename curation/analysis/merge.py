"""What merging two classes would do, before anyone does it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from curation.analysis.findings import Findings, analyze
from curation.core.count import Collisions, Threshold
from curation.core.matrix import IntArray, Probabilities


class MergedProbabilities:
    """A matrix of probabilities in which one class took in another; read when asked, not copied.

    The class taken in has no column any more; those after it move up by one.
    """

    def __init__(self, pred_probs: Probabilities, *, kept: int, taken_in: int) -> None:
        self._probs, self._kept, self._taken_in = pred_probs, kept, taken_in
        self.shape = (pred_probs.shape[0], pred_probs.shape[1] - 1)
        self.dtype = pred_probs.dtype

    def __getitem__(self, key: Any) -> Any:
        if isinstance(key, tuple):
            return self._read_cells(*key)
        rows = np.array(self._probs[key])
        rows[..., self._kept] += rows[..., self._taken_in]
        return np.delete(rows, self._taken_in, axis=-1)

    def _read_cells(self, rows: Any, columns: Any) -> Any:
        columns = np.asarray(columns)
        originals = columns + (columns >= self._taken_in)
        cells = np.array(self._probs[rows, originals])
        merged = np.broadcast_to(originals == self._kept, cells.shape)
        if merged.any():
            also = self._probs[rows, np.full_like(originals, self._taken_in)]
            cells = np.where(merged, cells + also, cells)
        return cells


@dataclass(frozen=True)
class MergePreview:
    """Estimated errors, flagged issues and the model's agreement, before and after a merge."""

    errors: tuple[float, float]
    issues: tuple[int, int]
    agreement: tuple[float, float]  # share of examples whose likeliest class is the given one


def merge_labels(labels: IntArray, *, kept: int, taken_in: int) -> IntArray:
    """Return the labels after one class took in another, classes after it moved up by one.

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
    method: Any = "confident_joint",
    threshold: Threshold = "mean",
    collisions: Collisions = "argmax",
) -> MergePreview:
    """Return what the analysis says before and after `kept` takes in `taken_in`."""
    after = analyze(
        merge_labels(findings.labels, kept=kept, taken_in=taken_in),
        MergedProbabilities(pred_probs, kept=kept, taken_in=taken_in),
        threshold=threshold,
        collisions=collisions,
    )
    both = (findings, after)
    return MergePreview(
        errors=(findings.estimated_errors, after.estimated_errors),
        issues=tuple(int(each.mask(method).sum()) for each in both),  # type: ignore[arg-type]
        agreement=tuple(float((~each.mask("confusion")).mean()) for each in both),  # type: ignore[arg-type]
    )
