"""From labelled examples to out-of-sample probabilities, saved where the loader finds them."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from curation.analysis.model_strength import ModelStrength, measure_strength
from curation.class_names import distinct_names
from curation.core.matrix import FloatArray, IntArray
from curation.dataset import LabelledData
from curation.errors import InputError
from curation.fingerprint import FileHashes, content_chunks, hash_bytes, text_chunks
from curation.modelling import folds as fold_rules
from curation.modelling.classifiers import (
    Classifier,
    choose_classifiers,
    find_estimator,
    make_estimator,
)
from curation.modelling.cross_validation import cross_predict
from curation.modelling.example_features import Features, find_features, find_units
from curation.modelling.fold_cache import FoldCache
from curation.modelling.model_average import average_out_of_fold, log_loss, scale_out_of_fold
from curation.modelling.probs_writing import find_place, save_probs
from curation.modelling.remaining_time import TimedProgress
from curation.progress import Progress, ignore_progress, part
from curation.wording import percent

READING = 0.15  # the part of the progress that making features fills
MEMORY_LIMIT = 4 * 2**30  # bytes for the matrices of all models
VERSION = 1  # of the features and models; a change makes finished folds useless


@dataclass(frozen=True)
class ModelScore:
    """What one model is worth, out of sample, against the given labels."""

    name: str  # of a built-in model, an estimator or a file
    agreement: float  # share of examples whose given label it finds likeliest
    log_loss: float  # mean of -log p(given label), after scaling
    temperature: float  # that its probabilities were scaled by; 1 if that did not help
    weight: float  # in the average
    same_as_average: float  # share of examples with the same likeliest class as the average


@dataclass(frozen=True, eq=False)
class MadeProbs:
    """Out-of-sample probabilities, where they were saved, and what they are worth."""

    path: Path  # the file that was written
    pred_probs: FloatArray  # (n, m) in the order of the examples and classes
    folds: IntArray  # (n,) the fold in which each example was held out
    models: tuple[ModelScore, ...]  # what each model is worth
    strength: ModelStrength  # what the average is worth
    features: str  # what the models learned from, in words
    notes: tuple[str, ...]  # what a person should know

    def describe(self) -> list[str]:
        """Return what was made and what it is worth, a sentence or two per line."""
        count = int(self.folds.max()) + 1
        lines = [f"Out-of-sample probabilities by {count} folds, learned from {self.features}."]
        lines += [
            f"{each.name}: agrees with {percent(each.agreement)} of the labels, log loss "
            f"{each.log_loss:.2f}, weight {percent(each.weight)}, same likeliest class as the "
            f"average for {percent(each.same_as_average)}."
            for each in self.models
        ]
        return [*lines, self.strength.describe(), *self.strength.warnings(), *self.notes]


def make_probs(
    dataset: LabelledData,
    *,
    folds: int = fold_rules.FOLDS,
    seed: int = 0,
    models: Sequence[str] | None = None,
    estimator: Any = None,
    features: str | os.PathLike[str] | np.ndarray | None = None,
    group_column: str | None = None,
    allow_rare: bool = False,
    out: str | os.PathLike[str] | None = None,
    replace: bool = False,
    progress: Progress = ignore_progress,
) -> MadeProbs:
    """Make out-of-sample probabilities by cross-validation, save them, and say what they are worth.

    Each example is predicted by models that were trained without it, without its copies and without
    the rest of its group. Texts are learned from as words and parts of words, pictures from
    `embeddings.npy` or simple features, tables from their other columns; `features` is an array or
    an .npy with one row per example instead. `models` names some of the built-in models;
    `estimator` is any scikit-learn estimator with `predict_proba`, or its import path. Several
    models are averaged by how well they fit the labels out of sample. The result depends on the
    data, the settings and `seed` alone. A run that is stopped or killed continues with the next
    call. `replace` allows replacing probabilities that were made before.

        made = curation.make_probs(curation.load_labelled("photos"))
        print("\\n".join(made.describe()))
        dataset = curation.load("photos")
    """
    timed = TimedProgress(progress)
    fold_rules.check_fold_count(folds)
    place = check_place(dataset, out, replace)
    share = part(timed.report, "Reading the examples", 0.0, READING)
    found = find_features(dataset, _as_path(features), share)
    chosen = _choose_models(found, models, estimator, seed)
    _check_memory(dataset, len(chosen))
    held, notes = _plan_folds(dataset, found, group_column, folds, seed, allow_rare)
    caches = [_open_cache(dataset, found, held, each, seed) for each in chosen]
    matrices = _predict_all(dataset, found, chosen, held, seed, caches, timed)
    timed.report("Averaging and saving", 0.99)
    average, scores = combine(dataset.labels, matrices, held, [each.name for each in chosen])
    record = {
        "folds": int(held.max()) + 1,
        "seed": seed,
        "features": found.source,
        "models": [asdict(each) for each in scores],
    }
    saved = save_probs(dataset, average, out=place, made=record)
    for cache in caches:
        cache.clear()
    strength = measure(dataset.labels, average)
    return MadeProbs(saved, average, held, tuple(scores), strength, found.source, tuple(notes))


def _choose_models(
    found: Features, models: Sequence[str] | None, estimator: Any, seed: int
) -> list[Classifier]:
    """Return the models to train: the one passed, those named, or those that suit the features."""
    chosen = [find_estimator(estimator)] if estimator is not None else []
    chosen = chosen or choose_classifiers(found.kind, models)
    for each in chosen:
        make_estimator(each, seed)  # a wrong estimator is refused before the work begins
    return chosen


def _as_path(features: Any) -> Any:
    return Path(features) if isinstance(features, str | os.PathLike) else features


def check_place(
    data: LabelledData, out: Any, replace: bool, *, averaged: Sequence[str] = ()
) -> Path:
    """Return the file to write; stop if it, or other probabilities, exist already."""
    place = Path(out) if out is not None else find_place(data)
    others = data.settings.get("probs")
    names = [others] if isinstance(others, str) else list(others or [])
    names = [name for name in names if name not in averaged]
    if out is None and any(Path(name).name != place.name for name in names):
        raise InputError(
            f"This dataset already has probabilities: {', '.join(names)}.",
            "Pass out (--out FILE.npz) to save others under another name.",
        )
    if place.exists() and not replace:
        raise InputError(
            f"{place} already exists.",
            "Pass replace (--replace) to make the probabilities again.",
        )
    return place


def _check_memory(data: LabelledData, num_models: int) -> None:
    needed = 4 * len(data) * len(data.class_names) * (num_models + 4)
    if needed > MEMORY_LIMIT:
        raise InputError(
            f"{len(data):,} examples in {len(data.class_names):,} classes need about "
            f"{needed / 2**30:.1f} GB of memory.",
            "Use fewer models, or predict with your own model and pass the result to save_probs.",
        )


def _plan_folds(
    data: LabelledData,
    found: Features,
    group_column: str | None,
    folds: int,
    seed: int,
    allow_rare: bool,
) -> tuple[IntArray, list[str]]:
    """Return the fold of each example, and all notes so far."""
    names = distinct_names(data.class_names, data.class_ids)
    units, notes = find_units(data, found, group_column)
    rare = fold_rules.check_units(data.labels, units, names, allow_rare=allow_rare)
    if len(rare):
        notes.append(
            f"{fold_rules.name_classes(rare, names)}: all examples were held out at once, so no "
            "model that predicted them knows the class."
        )
    rng = np.random.default_rng(seed)
    held = fold_rules.assign_folds(data.labels, units, len(names), folds=folds, rng=rng)
    return held, [*found.notes, *notes]


def _open_cache(
    data: LabelledData, found: Features, held: IntArray, classifier: Classifier, seed: int
) -> FoldCache:
    """Return the finished folds of this very run: the same data, features, folds and model."""
    import sklearn

    files = FileHashes(data.root)
    said = [str(VERSION), sklearn.__version__, found.kind, found.source, classifier.name, str(seed)]
    key = hash_bytes(
        [
            *text_chunks([*said, *data.ids.tolist()]),
            np.ascontiguousarray(data.labels).data,
            np.ascontiguousarray(held).data,
            *content_chunks(data.content, files),
            *_hash_features(found.matrix),
        ]
    )
    files.save()
    return FoldCache(key)


def _hash_features(matrix: Any) -> list[Any]:
    if isinstance(matrix, np.ndarray):
        return [np.ascontiguousarray(matrix).data]
    if hasattr(matrix, "indptr"):
        return []  # counts follow from the texts, which are hashed as content
    return [matrix.to_csv().encode()]


def _predict_all(
    data: LabelledData,
    found: Features,
    chosen: Sequence[Classifier],
    held: IntArray,
    seed: int,
    caches: Sequence[FoldCache],
    timed: TimedProgress,
) -> list[FloatArray]:
    timed.begin(READING)
    steps = len(chosen) * (int(held.max()) + 1)
    done = 0

    def tick(stage: str) -> None:
        nonlocal done
        timed.report(stage, READING + (0.98 - READING) * done / steps)
        done += 1

    return [
        cross_predict(each, found.matrix, data.labels, held, found.usable, len(data.class_names),
                      seed=seed, cache=cache, tick=tick)
        for each, cache in zip(chosen, caches, strict=True)
    ]  # fmt: skip


def combine(
    labels: IntArray, matrices: Sequence[FloatArray], held: IntArray, names: Sequence[str]
) -> tuple[FloatArray, list[ModelScore]]:
    """Return the average of several models' probabilities, and what each model is worth."""
    scaled = [scale_out_of_fold(labels, each, held) for each in matrices]
    average, weights = average_out_of_fold(labels, [each.pred_probs for each in scaled], held)
    if len(matrices) > 1:  # an average of calibrated models is not sure enough
        average = scale_out_of_fold(labels, average, held).pred_probs
    likeliest = average.argmax(axis=1)
    scores = []
    for name, each, weight in zip(names, scaled, weights.tolist(), strict=True):
        predicted = each.pred_probs.argmax(axis=1)
        scores.append(
            ModelScore(
                name=name,
                agreement=float((predicted == labels).mean()),
                log_loss=log_loss(labels, each.pred_probs),
                temperature=each.temperature,
                weight=weight,
                same_as_average=float((predicted == likeliest).mean()),
            )
        )
    return average, scores


def measure(labels: IntArray, pred_probs: FloatArray) -> ModelStrength:
    """Return how well probabilities fit the given labels."""
    predicted = pred_probs.argmax(axis=1)
    rows = np.arange(len(labels))
    own, top = (pred_probs[rows, classes].astype(np.float64) for classes in (labels, predicted))
    return measure_strength(labels, predicted, own, top, pred_probs.shape[1])
