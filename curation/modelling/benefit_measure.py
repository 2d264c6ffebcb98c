"""Measures what cleaning is worth: the paper's Sections 5.1 to 5.3, on the user's own data."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from curation.analysis.findings import METHODS, Method
from curation.core.matrix import IntArray
from curation.dataset import Dataset
from curation.errors import InputError
from curation.fingerprint import FileHashes, array_chunks, hash_bytes, text_chunks
from curation.loading.content.feature_file import find_feature_file
from curation.modelling.benefit_cache import ABOUT, TrialCache
from curation.modelling.benefit_result import Benefit
from curation.modelling.benefit_split import (
    AGAINST_NAMES,
    Against,
    DecidedLabels,
    HeldOut,
    find_held_out,
    list_against,
)
from curation.modelling.benefit_trial import (
    Experiment,
    Trial,
    count_steps,
    list_arms,
    run_trial,
)
from curation.modelling.classifiers import (
    Classifier,
    choose_classifiers,
    find_estimator,
    find_weight_option,
    make_estimator,
)
from curation.modelling.example_features import (
    Features,
    find_features,
    find_units,
)
from curation.modelling.remaining_time import TimedProgress
from curation.progress import Progress, ignore_progress, part

RUNS = 10
MOST_RUNS = 100
READING = 0.1  # the part of the progress that making features fills
VERSION = 1  # of the experiment; a change makes finished runs useless
OTHER_MODELS = (
    "All of this is about this model and the flags that it finds by itself. A better model may "
    "suffer less from wrong labels, and find other ones."
)


def measure_benefit(
    dataset: Dataset,
    *,
    decided: DecidedLabels | None = None,
    against: Against | None = None,
    method: Method = "confident_joint",
    runs: int = RUNS,
    seed: int = 0,
    model: str | None = None,
    estimator: Any = None,
    features: str | os.PathLike[str] | np.ndarray | None = None,
    group_column: str | None = None,
    progress: Progress = ignore_progress,
) -> Benefit:
    """Measure what cleaning is worth: train the same model on labels cleaned in several ways.

    Each run holds out some examples, finds label issues in the others by cross-validation, and
    trains the model on these others as given, without the issues of each of the five methods (with
    the paper's class weights), without as many random examples, and with the decisions in
    `decided`; 20, 40, 60, 80 and 100 % of the issues, the most suspect first. The accuracy is that
    on the held-out examples, compared with the true labels, the test split, the confirmed labels or
    the given ones: `against`, by default the most telling that the dataset has. `method` is the one
    that the sentence is about. `model` names a built-in model, `estimator` is your own, as for
    `make_probs`. Finished runs are kept, so that the same call is answered at once, and one that
    was stopped continues.

        benefit = curation.measure_benefit(dataset)
        print(benefit.sentence())
    """
    _check_choices(method, runs)
    decided = decided or DecidedLabels.none(dataset)
    against = choose_against(dataset, decided, against)
    timed = TimedProgress(progress)
    timed.report("Reading the examples", 0.0)
    share = part(timed.report, "Reading the examples", 0.0, READING)
    given = Path(features) if isinstance(features, str | os.PathLike) else features
    found = find_features(dataset, given, share)
    classifier = _choose_model(found, model, estimator)
    held_out = find_held_out(dataset, decided, against, found.usable)
    units, notes = find_units(dataset, found, group_column)
    experiment = _plan(dataset, found, units, held_out, decided, classifier, method)
    cache = None
    if estimator is None:  # somebody else's code may change without our noticing
        key = _make_key(dataset, decided, against, method, model, given, group_column)
        cache = TrialCache(key)
    trials = _run_all(experiment, range(seed, seed + runs), cache, timed)
    notes = [*found.notes, *notes, *_note_limits(experiment, held_out)]
    about = {
        "is_fixed": held_out.is_fixed,
        "held_labels": held_out.labels,
        "units": units,
        "words": np.array(json.dumps([classifier.name, found.source, notes])),
    }
    if cache is not None:
        cache.save(ABOUT, about)
    return _gather(dataset, decided, against, method, trials, about)


def recall_benefit(
    dataset: Dataset,
    *,
    decided: DecidedLabels,
    against: Against,
    method: Method,
    runs: int,
    model: str | None,
    seed: int = 0,
) -> Benefit | None:
    """Return what `measure_benefit` found for the same data, decisions and settings, if it did."""
    cache = TrialCache(_make_key(dataset, decided, against, method, model, None, None))
    about = cache.read(ABOUT)
    trials = [cache.read_trial(each) for each in range(seed, seed + runs)]
    finished = [trial for trial in trials if trial is not None]
    if not about or len(finished) < runs:
        return None
    return _gather(dataset, decided, against, method, finished, about)


def choose_against(
    dataset: Dataset, decided: DecidedLabels, against: Against | None = None
) -> Against:
    """Return what predictions are compared with: as wished, or the most telling there is."""
    found = list_against(dataset, decided)
    if against is None and found:
        return found[0]
    if against is None or against not in found:
        wished = AGAINST_NAMES[against] if against in AGAINST_NAMES else repr(against)
        raise InputError(
            f"This dataset has too few examples to compare with {wished}.",
            f"Choose from: {', '.join(found) or 'nothing; add examples'}.",
        )
    return against


def _check_choices(method: str, runs: int) -> None:
    if method not in METHODS:
        raise InputError(f"There is no method {method!r}.", f"Choose from {', '.join(METHODS)}.")
    if not 2 <= runs <= MOST_RUNS:
        raise InputError(f"{runs} runs cannot be used.", f"Pass 2 to {MOST_RUNS}.")


def _choose_model(found: Features, model: str | None, estimator: Any) -> Classifier:
    if estimator is None:
        return choose_classifiers(found.kind, [model] if model else None)[0]
    classifier = find_estimator(estimator)
    make_estimator(classifier, 0)  # a wrong estimator is refused before the work begins
    return classifier


def _plan(
    dataset: Dataset,
    found: Features,
    units: IntArray,
    held_out: HeldOut,
    decided: DecidedLabels,
    classifier: Classifier,
    method: Method,
) -> Experiment:
    return Experiment(
        features=found.matrix,
        labels=decided.becomes[dataset.labels],
        num_classes=len(dataset.class_names),
        units=units,
        held_out=held_out,
        decided=decided,
        classifier=classifier,
        method=method,
        arms=list_arms(with_decisions=decided.changes(dataset)),
    )


def _run_all(
    experiment: Experiment, seeds: Sequence[int], cache: TrialCache | None, timed: TimedProgress
) -> list[Trial]:
    known = {seed: cache.read_trial(seed) if cache else None for seed in seeds}
    left = [seed for seed in seeds if known[seed] is None]
    steps, done = count_steps(experiment.arms) * max(len(left), 1), 0
    timed.begin(READING)
    for place, seed in enumerate(left, start=len(seeds) - len(left) + 1):

        def tick(stage: str, place: int = place) -> None:
            nonlocal done
            said = f"Run {place} of {len(seeds)}"
            timed.report(said, READING + (1 - READING) * done / steps)
            done += 1

        trial = known[seed] = run_trial(experiment, seed, tick)
        if cache is not None:
            cache.save_trial(seed, trial)
    return [trial for trial in known.values() if trial is not None]


def _note_limits(experiment: Experiment, held_out: HeldOut) -> Iterator[str]:
    """Yield what a person should know about this experiment."""
    if find_weight_option(make_estimator(experiment.classifier, 0)) is None:
        yield (
            f"{experiment.classifier.name} takes no weights, so that classes are not weighted "
            "after pruning."
        )
    if held_out.is_fixed:
        inside = held_out.trainable & np.isin(experiment.units, experiment.units[held_out.rows])
        if inside.any():
            yield (
                f"{int(inside.sum()):,} training examples are copies of test examples, or of their "
                "groups, and are not trained on."
            )
    yield OTHER_MODELS


def _make_key(
    dataset: Dataset,
    decided: DecidedLabels,
    against: Against,
    method: Method,
    model: str | None,
    features: Path | np.ndarray | None,
    group_column: str | None,
) -> str:
    """Return a name for the data, the decisions and every setting but the seed."""
    import sklearn

    said = [str(VERSION), sklearn.__version__, against, method, model or "", group_column or ""]
    truth = dataset.true_labels if dataset.true_labels is not None else np.zeros(0, np.int64)
    arrays = (decided.labels, decided.excluded, decided.confirmed, decided.becomes, truth)
    columns = [str(each) for name in dataset.extras for each in dataset.extras[name].tolist()]
    return hash_bytes(
        [
            *text_chunks([*said, dataset.fingerprint, *dataset.extras, *columns]),
            *(np.ascontiguousarray(each).tobytes() for each in arrays),
            *_hash_features(dataset, features),
        ]
    )


def _hash_features(dataset: Dataset, features: Path | np.ndarray | None) -> Iterator[bytes]:
    if isinstance(features, np.ndarray):
        yield from array_chunks(features)
        return
    file = features or find_feature_file(dataset)
    if file is not None:
        files = FileHashes(dataset.root)
        yield files.hash_file(file).encode()
        files.save()


def _gather(
    dataset: Dataset,
    decided: DecidedLabels,
    against: Against,
    method: Method,
    trials: Sequence[Trial],
    about: dict[str, Any],
) -> Benefit:
    model, source, notes = json.loads(str(about["words"]))
    is_fixed = bool(about["is_fixed"])
    return Benefit(
        arms=list_arms(with_decisions=decided.changes(dataset)),
        trials=tuple(trials),
        against=against,
        is_fixed=is_fixed,
        held_share=HeldOut.find_share(against, is_fixed),
        held_labels=about["held_labels"],
        units=about["units"],
        method=method,
        model=model,
        features=source,
        notes=tuple(notes),
        class_names=dataset.class_names,
    )
