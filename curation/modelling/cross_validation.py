"""Out-of-sample probabilities: each fold is predicted by a model trained on the others."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from curation.core.matrix import BoolArray, FloatArray, IntArray
from curation.modelling.classifiers import Classifier, fit_and_predict, make_estimator
from curation.modelling.fold_cache import FoldCache

Tick = Callable[[str], None]  # called with what begins now; may raise to stop


def cross_predict(
    classifier: Classifier,
    features: Any,
    labels: IntArray,
    folds: IntArray,
    usable: BoolArray,
    num_classes: int,
    *,
    seed: int = 0,
    cache: FoldCache | None = None,
    tick: Tick = lambda stage: None,
) -> NDArray[Any]:
    """Return the probabilities of all examples, (n, num_classes).

    Examples without usable features are not learned from, and get the shares of the classes among
    the other folds. A finished fold in the cache is not computed again.
    """
    probs = np.empty((len(labels), num_classes), np.float32)
    numbers = np.unique(folds)
    for place, fold in enumerate(numbers.tolist()):
        tick(f"Training {classifier.name}: fold {place + 1} of {len(numbers)}")
        held = np.flatnonzero(folds == fold)
        name = f"{place}-of-{len(numbers)}"
        found = cache.read(name, (len(held), num_classes)) if cache else None
        if found is None:
            found = _predict_fold(classifier, features, labels, folds == fold, usable, num_classes,
                                  seed)  # fmt: skip
            if cache:
                cache.save(name, found)
        probs[held] = found
    return probs


def _predict_fold(
    classifier: Classifier,
    features: Any,
    labels: IntArray,
    held: BoolArray,
    usable: BoolArray,
    num_classes: int,
    seed: int,
) -> FloatArray:
    train, test = np.flatnonzero(~held & usable), np.flatnonzero(held)
    shares = np.bincount(labels[~held], minlength=num_classes) / max(int((~held).sum()), 1)
    probs = np.tile(shares, (len(test), 1))
    can = usable[test]
    if len(train) and can.any():
        estimator = make_estimator(classifier, seed)
        probs[can] = fit_and_predict(estimator, features, labels, train, test[can], num_classes)
    return np.asarray(probs, dtype=np.float32)
