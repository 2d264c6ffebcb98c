"""Several models' files of probabilities as one, weighted by how well each fits the labels."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

import numpy as np

from curation.dataset import Dataset
from curation.errors import InputError
from curation.loading import load
from curation.modelling.folds import FOLDS
from curation.modelling.probability_maker import MadeProbs, check_place, combine, measure
from curation.modelling.probs_writing import save_probs
from curation.progress import Progress, ignore_progress


def average_probs(
    path: str | os.PathLike[str],
    probs: Sequence[str],
    *,
    out: str | os.PathLike[str] | None = None,
    replace: bool = False,
    seed: int = 0,
    progress: Progress = ignore_progress,
    **overrides: Any,
) -> MadeProbs:
    """Average several files of out-of-sample probabilities, save the result, and rate it.

    Each file is read and checked as by `load`, so that rows and classes are joined by name. The
    weights are those that give the average the smallest log loss on the given labels; as in
    `make_probs`, an example's weights are found without its own label. `overrides` are those of
    `load`.

        curation.average_probs("photos", ["resnet_probs.npy", "clip_probs.npy"])
    """
    if len(set(probs)) < 2:
        raise InputError("One file is no average.", "Name at least two files of probabilities.")
    read = []
    for place, name in enumerate(probs):
        progress(f"Reading {name}", place / len(probs))
        read.append(load(path, probs=name, **overrides))
    first = read[0]
    for name, each in zip(probs, read, strict=True):
        _check_same(first, each, name)
    place_out = check_place(first, out, replace, averaged=probs)
    progress("Averaging and saving", 0.95)
    held = np.random.default_rng(seed).permutation(np.arange(len(first)) % FOLDS)
    matrices: list[Any] = [np.asarray(each.pred_probs[0 : len(each)]) for each in read]
    matrices = [each.astype(np.float32) for each in matrices]
    average, scores = combine(first.labels, matrices, held, list(probs))
    record = {"folds": FOLDS, "seed": seed, "models": [asdict(each) for each in scores]}
    saved = save_probs(first, average, out=place_out, made=record)
    strength = measure(first.labels, average)
    said = f"{len(probs)} files of probabilities"
    return MadeProbs(saved, average, held, tuple(scores), strength, said, ())


def _check_same(first: Dataset, other: Dataset, name: str) -> None:
    alike = first.class_ids == other.class_ids and np.array_equal(first.ids, other.ids)
    if not alike:
        raise InputError(
            f"{name} is about other examples or classes than the first file.",
            "Save all files for the same examples and classes.",
        )
