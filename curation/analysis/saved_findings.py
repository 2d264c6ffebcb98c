"""Findings saved beside their dataset, so that a large one is analysed once.

They are found again by a hash of labels, classes, probabilities and settings. The hash of an
unchanged file is known from the last time (see `fingerprint`), so nothing large is read to look for
them. Only what a pass over the probabilities gives is saved, in the smallest types that hold it
exactly: about 15 bytes per example. The rest follows from it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from curation.analysis.array_analysis import analyze
from curation.analysis.cluster.findings_folder import read_folder
from curation.analysis.compact_arrays import (
    STORED_MASKS,
    pack_masks,
    shrink_counts,
    shrink_floats,
    unpack_masks,
)
from curation.analysis.findings import Findings, make_findings
from curation.class_names import distinct_names
from curation.core.count import Collisions, Threshold
from curation.dataset import Dataset
from curation.fingerprint import CACHE_FOLDER
from curation.progress import Progress, ignore_progress
from curation.saved_results import SavedResults, make_key

VERSION = 1  # change it whenever the analysis finds something else in the same data
KIND = "findings"
PARTS = ("labels", "classes", "probabilities")  # of the fingerprint: what findings depend on
SAVED_FROM = 32 * 2**20  # bytes of probabilities; less is analysed faster than a person notices


def worth_saving(dataset: Dataset) -> bool:
    """Return whether an analysis of this dataset takes so long that its findings should be kept."""
    rows, columns = dataset.pred_probs.shape
    return rows * columns * dataset.pred_probs.dtype.itemsize >= SAVED_FROM


def name_findings(hashes: Sequence[str], threshold: Threshold, collisions: Collisions) -> str:
    """Return the name of the findings of a dataset with these hashes of its `PARTS`."""
    return make_key(VERSION, *hashes, threshold, collisions)


def reopen_findings(
    dataset: Dataset, threshold: Threshold = "mean", collisions: Collisions = "argmax"
) -> Findings | None:
    """Return the findings saved for exactly this dataset and these settings, if any."""
    hashes = dataset.known_hashes(*PARTS)
    if hashes is None:
        return None
    key = name_findings(hashes, threshold, collisions)
    results = SavedResults(dataset.root, KIND)
    folder = dataset.root / CACHE_FOLDER / KIND / key
    saved = results.read(key) or read_folder(folder, len(dataset))
    if saved is None:
        return None
    try:
        return _unpack(dataset, threshold, saved)
    except (KeyError, TypeError, ValueError) as error:
        results.distrust(key, str(error))
        return None


def save_findings(
    dataset: Dataset, findings: Findings, collisions: Collisions = "argmax"
) -> Path | None:
    """Save findings for the next time and return the file; None if it can be written nowhere.

    The probabilities are read for their hash, unless it is known. If their file was changed since
    it was loaded, this raises `FileChangedError`.
    """
    hashes = tuple(dataset.fingerprint_parts[part] for part in PARTS)
    key = name_findings(hashes, findings.threshold, collisions)
    return SavedResults(dataset.root, KIND).save(key, _pack(findings))


def analyze_dataset(
    dataset: Dataset,
    threshold: Threshold = "mean",
    collisions: Collisions = "argmax",
    *,
    progress: Progress = ignore_progress,
) -> Findings:
    """Return the findings of a dataset, with a different name for each class."""
    return analyze(
        dataset.labels,
        dataset.pred_probs,
        distinct_names(dataset.class_names, dataset.class_ids),
        threshold=threshold,
        collisions=collisions,
        progress=progress,
    )


def _pack(findings: Findings) -> dict[str, NDArray[Any]]:
    small = np.min_scalar_type(len(findings.joint) - 1)
    return {
        "thresholds": findings.thresholds,
        "confident_joint": shrink_counts(findings.confident_joint),
        "self_confidence": shrink_floats(findings.self_confidence),
        "other_confidence": shrink_floats(findings.other_confidence),
        "predicted_labels": findings.predicted_labels.astype(small),
        "suggested_labels": findings.suggested_labels.astype(small),
        "flags": pack_masks(findings.masks),
    }


def _unpack(dataset: Dataset, threshold: Threshold, saved: Mapping[str, NDArray[Any]]) -> Findings:
    num_rows, num_classes = dataset.pred_probs.shape
    _check_shapes(saved, num_rows, num_classes)
    return make_findings(
        tuple(distinct_names(dataset.class_names, dataset.class_ids)),
        dataset.labels,
        threshold,
        saved["thresholds"].astype(np.float64),
        saved["confident_joint"].astype(np.int64),
        saved["self_confidence"].astype(np.float64),
        saved["other_confidence"].astype(np.float64),
        saved["predicted_labels"].astype(np.int64),
        saved["suggested_labels"].astype(np.int64),
        unpack_masks(saved["flags"]),
    )


def _check_shapes(saved: Mapping[str, NDArray[Any]], num_rows: int, num_classes: int) -> None:
    """Refuse arrays that do not fit the dataset: a file that was exchanged, not just damaged."""
    shapes = {"thresholds": (num_classes,), "confident_joint": (num_classes, num_classes)}
    for name in (
        "thresholds", "confident_joint", "self_confidence", "other_confidence", "flags",
        "predicted_labels", "suggested_labels",
    ):  # fmt: skip
        if saved[name].shape != shapes.get(name, (num_rows,)):
            raise ValueError(f"{name} has shape {saved[name].shape}")
    for name in ("predicted_labels", "suggested_labels", "flags"):
        high = 1 << len(STORED_MASKS) if name == "flags" else num_classes
        if saved[name].dtype.kind != "u" or int(saved[name].max(initial=0)) >= high:
            raise ValueError(f"{name} holds a value that it cannot have")
