"""Made labels and probabilities, and what the doctor finds in them by code."""

from __future__ import annotations

from typing import Any

import numpy as np

from curation.core.checks import survey_probabilities
from curation.core.count import read_self_confidence
from curation.core.matrix import FloatArray, IntArray
from curation.loading.doctor import diagnose, read_predictions
from curation.report import Diagnosis

NAMES = ["cat", "dog", "fox", "owl", "pig", "yak"]


def make(
    num_rows: int = 300, num_classes: int = 3, accuracy: float = 0.85, seed: int = 0
) -> tuple[IntArray, FloatArray]:
    """Return labels and probabilities of a model that agrees with them about so often."""
    rng = np.random.default_rng(seed)
    labels = rng.integers(0, num_classes, num_rows)
    right = rng.random(num_rows) < accuracy
    predicted = np.where(
        right, labels, (labels + rng.integers(1, num_classes, num_rows)) % num_classes
    )
    probs = rng.dirichlet(np.ones(num_classes), num_rows)
    probs[np.arange(num_rows), predicted] += rng.uniform(1.0, 3.0, num_rows)
    return labels, probs / probs.sum(axis=1, keepdims=True)


def examine(
    labels: IntArray, probs: Any, names: list[str] | None = None, **options: Any
) -> dict[str, Diagnosis]:
    """Return what the doctor finds, by code."""
    names = names or (NAMES if probs.shape[1] <= 6 else [f"c{k}" for k in range(probs.shape[1])])
    found = diagnose(
        labels,
        read_predictions(probs),
        read_self_confidence(labels, probs),
        survey_probabilities(probs),
        names[: probs.shape[1]],
        pred_probs=probs,
        **options,
    )
    assert all(each.what and each.where and each.why and each.fix for each in found)
    return {each.code: each for each in found}
