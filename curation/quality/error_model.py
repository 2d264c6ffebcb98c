"""How likely labels in each bin are wrong, as learned from the verdicts so far.

This guess is used only to place bets and to reduce the variance. A bad guess widens the intervals,
it never makes them false.
"""

from __future__ import annotations

import numpy as np

from curation.core.matrix import BoolArray, FloatArray, IntArray

# A logistic curve of the log odds, with an offset for flagged examples. Before any verdict it is
# centred on odds 1 : 6 where the model is undecided, and grows as fast as the model's own odds.
# Columns: level, slope per unit of log odds, offset of flagged examples.
PRIOR_MEAN = np.array([-1.8, 0.9, 0.4])
PRIOR_DEVIATION = np.array([1.5, 0.4, 1.0])
LOG_ODDS_SCALE = np.log(2.0)
MAX_LOG_ODDS = 8.0  # beyond it even a sure model is not trusted more
# A bin's own verdicts count against the curve as if the curve had seen this many.
CURVE_VERDICTS = 8.0
LOWEST_RATE = 2e-4  # keeps the rates off 0 and 1, where a bet would stake everything
MAX_STEPS = 12


class ErrorModel:
    """Error rates by bin, refitted on demand."""

    def __init__(self, levels: IntArray, flagged: BoolArray) -> None:
        log_odds = np.clip((levels - 0.5) * LOG_ODDS_SCALE, -MAX_LOG_ODDS, MAX_LOG_ODDS)
        self.features = np.column_stack([np.ones(len(levels)), log_odds, flagged])
        self.coefficients = PRIOR_MEAN.copy()

    def fit(self, errors: FloatArray, judged: FloatArray) -> FloatArray:
        """Return the rate of each bin, given how many were judged in it and were wrong."""
        features, precision = self.features, np.diag(PRIOR_DEVIATION**-2.0)
        for _ in range(MAX_STEPS):
            rates = _logistic(features @ self.coefficients)
            gradient = features.T @ (errors - judged * rates)
            gradient -= precision @ (self.coefficients - PRIOR_MEAN)
            curvature = (features.T * (judged * rates * (1 - rates))) @ features + precision
            step = np.linalg.solve(curvature, gradient)
            self.coefficients = self.coefficients + np.clip(step, -1, 1)
            if np.abs(step).max() < 1e-3:
                break
        curve = _logistic(features @ self.coefficients)
        rates = (CURVE_VERDICTS * curve + errors) / (CURVE_VERDICTS + judged)
        return np.clip(rates, LOWEST_RATE, 1 - LOWEST_RATE)


def _logistic(values: FloatArray) -> FloatArray:
    result: FloatArray = 1 / (1 + np.exp(-values))
    return result
