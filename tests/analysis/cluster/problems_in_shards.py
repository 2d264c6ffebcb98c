"""Noisy problems in shards, and the comparison of a cluster's findings with one machine's."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np

import curation
from curation.analysis.findings import METHODS, Findings

COMPARED = (
    "labels", "thresholds", "confident_joint", "confusion", "joint", "noise_matrix",
    "inverse_noise_matrix", "self_confidence", "other_confidence", "predicted_labels",
    "suggested_labels", "estimated_errors",
)  # fmt: skip


def make_problem(
    seed: int, n: int, m: int, *, dtype: Any = np.float32, coarse: bool = False
) -> Any:
    """Return labels and probabilities; with `coarse`, of few values, so that many are equal."""
    rng = np.random.default_rng(seed)
    true = rng.integers(0, m, n)
    logits = rng.normal(size=(n, m)) * 1.5
    logits[np.arange(n), true] += 2
    probs = np.exp(logits)
    probs /= probs.sum(axis=1, keepdims=True)
    if coarse:
        probs = np.round(probs * 4) + 0.25
        probs /= probs.sum(axis=1, keepdims=True)
    labels = np.where(rng.random(n) < 0.3, rng.integers(0, m, n), true)
    return labels, probs.astype(dtype)


def save_shards(folder: Path, labels: Any, probs: Any, count: int) -> Path:
    """Write a folder as `load` takes it: labels, classes, and numbered shards."""
    folder.mkdir(parents=True, exist_ok=True)
    np.save(folder / "labels.npy", labels)
    names = [f"class {each}" for each in range(probs.shape[1])]
    (folder / "classes.json").write_text(json.dumps(names))
    for number, part in enumerate(np.array_split(probs, count)):
        np.save(folder / f"probs-{number:05}.npy", part)
    return folder


def assert_same(written: curation.WrittenFindings, expected: Findings) -> None:
    """Compare everything, to the count and to the flag."""
    found = written.load()
    for method in METHODS:
        assert np.array_equal(found.masks[method], expected.masks[method]), method
        assert written.flagged[method] == expected.masks[method].sum()
    for name in COMPARED:
        assert np.array_equal(getattr(found, name), getattr(expected, name)), name
    assert np.array_equal(written.joint, expected.joint)
    assert written.estimated_errors == expected.estimated_errors
