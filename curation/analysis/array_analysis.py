"""From labels and probabilities to findings: the only entry to the mathematics."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from curation.analysis.analysis_settings import check_names, check_settings
from curation.analysis.findings import Findings, Method, make_findings, name_masks
from curation.analysis.table_matching import match_tables
from curation.core import count, noise, prune
from curation.core.checks import as_array, as_probabilities, check_labels, check_shapes
from curation.core.count import Collisions, Counted, Threshold
from curation.core.matrix import BoolArray, FloatArray, IntArray, Probabilities, ShareDone
from curation.errors import InputError
from curation.progress import Progress, ignore_progress, part

if TYPE_CHECKING:
    import pandas as pd


def analyze(
    labels: Sequence[Any] | NDArray[Any],
    pred_probs: Probabilities | Sequence[Sequence[float]] | pd.DataFrame,
    class_names: Sequence[str] | None = None,
    *,
    threshold: Threshold = "mean",
    collisions: Collisions = "argmax",
    progress: Progress = ignore_progress,
) -> Findings:
    """Return what confident learning finds in arrays on this machine; see `curation.analyze`.

    >>> analyze([0, 0, 1, 1], [[.9, .1], [.2, .8], [.3, .7], [.1, .9]]).issues()
    array([1])
    """
    check_settings(threshold, collisions)
    labels, pred_probs, class_names = match_tables(labels, pred_probs, class_names)
    matrix = as_probabilities(pred_probs)
    check_shapes(labels, matrix)
    num_classes = matrix.shape[1]
    given = check_labels(labels, num_classes)
    names = check_names(class_names, num_classes)

    self_confidence = count.read_self_confidence(
        given, matrix, progress=part(progress, "Reading how sure the model is", 0.0, 0.2)
    )
    thresholds = count.estimate_thresholds(given, self_confidence, num_classes, threshold=threshold)
    counted = count.count_examples(
        given,
        matrix,
        thresholds,
        collisions=collisions,
        progress=part(progress, "Counting the confident joint", 0.2, 0.8),
    )
    confident_joint = count.count_pairs(given, counted.counted_labels, num_classes)
    masks = _flag_by_each_method(
        given,
        matrix,
        self_confidence,
        counted,
        confident_joint,
        part(progress, "Choosing what each method flags", 0.8, 1.0),
    )
    return make_findings(
        names,
        given,
        threshold,
        thresholds,
        confident_joint,
        self_confidence,
        counted.other_confidence,
        counted.predicted_labels,
        counted.suggest(given),
        masks,
    )


def _flag_by_each_method(
    given: IntArray,
    matrix: Probabilities,
    self_confidence: FloatArray,
    counted: Counted,
    confident_joint: IntArray,
    progress: ShareDone,
) -> dict[Method, BoolArray]:
    error_counts = prune.count_errors(confident_joint, given)
    members = prune.Members.of(given, len(error_counts))
    by_class = prune.prune_by_class(error_counts, members, self_confidence)
    by_noise_rate = prune.prune_by_noise_rate(
        error_counts,
        given,
        members,
        matrix,
        self_confidence,
        counted.other_confidence,
        progress=progress,
    )
    return name_masks(
        given, counted.predicted_labels, counted.find_moved(given), by_class, by_noise_rate
    )


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
        raise InputError(
            "The counts contain a negative or missing number.", "Pass counts of at least 0."
        )
    if not hasattr(labels, "__len__") or getattr(labels, "ndim", 1) == 0 or not len(labels):
        raise InputError("There are no labels.", "Pass the given label of each example.")
    return noise.estimate_joint(matrix, check_labels(labels, len(matrix)))
