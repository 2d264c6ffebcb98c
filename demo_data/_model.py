"""Probabilities from a model that never saw the example it judges."""

from typing import Any, Protocol

import numpy as np
from sklearn.model_selection import StratifiedKFold

FOLDS = 4
DECIMALS = 5


class Classifier(Protocol):
    """The part of a scikit-learn model that is used here."""

    def fit(self, features: Any, labels: Any) -> Any: ...
    def predict_proba(self, features: Any) -> np.ndarray: ...


def folds(labels: np.ndarray, seed: int) -> list[tuple[np.ndarray, np.ndarray]]:
    """Return (train, held out) rows, four times; each row is held out once."""
    splitter = StratifiedKFold(n_splits=FOLDS, shuffle=True, random_state=seed)
    return list(splitter.split(np.zeros(len(labels)), labels))


def predict_out_of_sample(
    model: Classifier, features: Any, labels: np.ndarray, *, seed: int
) -> np.ndarray:
    """Return one row of probabilities per example, from a model trained without that example.

    Labels are class numbers 0 to m - 1 and each must occur in every fold, so that columns are in
    the order of the numbers.
    """
    pred_probs = np.zeros((len(labels), int(labels.max()) + 1))
    for train, held_out in folds(labels, seed):
        model.fit(features[train], labels[train])
        pred_probs[held_out] = model.predict_proba(features[held_out])
    return round_rows(pred_probs)


def round_rows(pred_probs: np.ndarray) -> np.ndarray:
    """Return the rows rounded to five decimals and still adding up to 1.

    What rounding loses or gains is added to the largest entry of the row.

    >>> round_rows(np.array([[1 / 3, 1 / 3, 1 / 3]]))
    array([[0.33334, 0.33333, 0.33333]])
    """
    rounded = pred_probs.round(DECIMALS)
    largest = rounded.argmax(axis=1)
    rounded[np.arange(len(rounded)), largest] += 1 - rounded.sum(axis=1)
    return rounded.round(DECIMALS)
