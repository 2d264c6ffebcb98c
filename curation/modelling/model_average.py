"""One matrix from several: temperature where it helps, then an average by out-of-sample fit.

The temperature and the weights that an example gets come from the examples of the other folds, so
that its own label has no part in its own probabilities.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from curation.core.matrix import FloatArray, IntArray

SMALLEST = 1e-12  # what a probability of 0 counts as in a logarithm
COLDEST, HOTTEST = 0.05, 20.0  # temperatures that are tried
MIN_GAIN = 1e-3  # of the log loss, below which probabilities stay as they are
WEIGHT_STEPS = 50  # after which the second digit of a weight no longer changes
FITTED_ROWS = 20_000  # a temperature is one number: more rows do not change its second digit


@dataclass(frozen=True)
class Scaled:
    """Probabilities after temperature scaling, and the mean temperature; 1 if it did not help."""

    pred_probs: FloatArray
    temperature: float


def log_loss(labels: IntArray, pred_probs: FloatArray) -> float:
    """Return the mean of -log p(given label).

    >>> round(log_loss(np.array([0, 1]), np.array([[.5, .5], [.5, .5]])), 3)
    0.693
    >>> log_loss(np.array([0]), np.array([[1.0, 0.0]]))
    0.0
    """
    chance = pred_probs[np.arange(len(labels)), labels].astype(np.float64)
    return max(0.0, float(-np.log(np.maximum(chance, SMALLEST)).mean()))  # never -0.0


def apply_temperature(pred_probs: FloatArray, temperature: float) -> FloatArray:
    """Return probabilities raised to 1 / temperature and divided by their sum.

    >>> apply_temperature(np.array([[.8, .2]]), 2.0).round(3)
    array([[0.667, 0.333]])
    """
    logits = np.log(np.maximum(pred_probs, SMALLEST)) / temperature
    raised = np.exp(logits - logits.max(axis=1, keepdims=True))
    raised[pred_probs == 0] = 0  # what is impossible stays so
    return np.asarray(raised / raised.sum(axis=1, keepdims=True))


def fit_temperature(labels: IntArray, pred_probs: FloatArray) -> float:
    """Return the temperature with the smallest log loss."""
    from scipy.optimize import minimize_scalar  # here, because it takes a third of a second

    if len(labels) > FITTED_ROWS:
        rows = np.linspace(0, len(labels) - 1, FITTED_ROWS).astype(np.int64)
        labels, pred_probs = labels[rows], pred_probs[rows]

    def loss(exponent: float) -> float:
        return log_loss(labels, apply_temperature(pred_probs, float(np.exp(exponent))))

    found = minimize_scalar(
        loss, bounds=(np.log(COLDEST), np.log(HOTTEST)), method="bounded", options={"xatol": 0.01}
    )
    return float(np.exp(found.x))


def scale_out_of_fold(labels: IntArray, pred_probs: FloatArray, folds: IntArray) -> Scaled:
    """Return the probabilities of each fold scaled by the temperature that fits the other folds.

    They stay as they are unless that makes the log loss smaller.
    """
    scaled = np.empty_like(pred_probs)
    temperatures = []
    for fold in np.unique(folds):
        held, others = folds == fold, folds != fold
        temperatures.append(fit_temperature(labels[others], pred_probs[others]))
        scaled[held] = apply_temperature(pred_probs[held], temperatures[-1])
    if log_loss(labels, pred_probs) - log_loss(labels, scaled) < MIN_GAIN:
        return Scaled(pred_probs, 1.0)
    return Scaled(scaled, float(np.mean(temperatures)))


def weigh_models(chances: FloatArray) -> FloatArray:
    """Return the weights that give the average of several models the smallest log loss.

    `chances[k]` are model k's probabilities of the given labels. The log loss of an average has one
    minimum; each step of expectation and maximization comes closer to it.

    >>> weigh_models(np.array([[.9, .9, .9], [.1, .1, .1]])).round(2)
    array([1., 0.])
    """
    weights = np.full(len(chances), 1 / len(chances))
    for _ in range(WEIGHT_STEPS):
        parts = weights[:, None] * np.maximum(chances, SMALLEST)
        weights = (parts / parts.sum(axis=0)).mean(axis=1)
    return np.asarray(weights)


def average_out_of_fold(
    labels: IntArray, matrices: Sequence[FloatArray], folds: IntArray
) -> tuple[FloatArray, FloatArray]:
    """Return the weighted average of several models' probabilities, and their mean weights.

    The weights for a fold are those that give the smallest log loss on the other folds.
    """
    rows = np.arange(len(labels))
    chances = np.stack([each[rows, labels] for each in matrices]).astype(np.float64)
    average = np.zeros_like(matrices[0])
    weights = []
    for fold in np.unique(folds):
        held, others = folds == fold, folds != fold
        weights.append(weigh_models(chances[:, others]))
        for weight, matrix in zip(weights[-1], matrices, strict=True):
            average[held] += weight * matrix[held]
    return average, np.mean(weights, axis=0)
