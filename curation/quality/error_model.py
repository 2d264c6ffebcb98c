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
# Labels of a bin that come later differ from those that were judged first, however many those are.
MOST_TRUSTED = 40.0
LOWEST_RATE = 2e-4  # keeps the rates off 0 and 1, where a bet would stake everything
# The same number for every stage: a stage must not depend on what is judged after it.
NEWTON_STEPS = 8
STEP_SHARES = 0.5 ** np.arange(6)


class ErrorModel:
    """Error rates by bin, for any number of stages of an audit at once."""

    def __init__(self, levels: IntArray, flagged: BoolArray) -> None:
        log_odds = np.clip((levels - 0.5) * LOG_ODDS_SCALE, -MAX_LOG_ODDS, MAX_LOG_ODDS)
        self.features = np.column_stack([np.ones(len(levels)), log_odds, flagged])

    def fit(self, errors: FloatArray, judged: FloatArray) -> FloatArray:
        """Return the rate of each bin, given how many were judged in it and were wrong.

        Both are (..., b), and each stage is fitted by itself.
        """
        curve = _logistic(self.fit_curve(errors, judged)[0] @ self.features.T)
        rates = (CURVE_VERDICTS * curve + errors) / (CURVE_VERDICTS + judged)
        return np.clip(rates, LOWEST_RATE, 1 - LOWEST_RATE)

    def fit_curve(self, errors: FloatArray, judged: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return the coefficients of the curve, (..., 3), and how sharply each fit is curved."""
        features, precision = self.features, PRIOR_DEVIATION**-2.0
        coefficients = np.broadcast_to(PRIOR_MEAN, (*errors.shape[:-1], len(PRIOR_MEAN)))
        for _ in range(NEWTON_STEPS):
            curve = _logistic(coefficients @ features.T)
            gradient = (errors - judged * curve) @ features
            gradient -= precision * (coefficients - PRIOR_MEAN)
            variance = judged * curve * (1 - curve)
            curvature = (variance[..., None, :] * features.T) @ features + np.diag(precision)
            step = np.linalg.solve(curvature, gradient[..., None])[..., 0]
            coefficients = self._take_step(coefficients, step, errors, judged)
        return coefficients, curvature

    def _take_step(
        self, start: FloatArray, step: FloatArray, errors: FloatArray, judged: FloatArray
    ) -> FloatArray:
        """Return the best of the whole step and parts of it: a whole one may go too far.

        Without this, few verdicts made the fit swing between two wrong curves.
        """
        shares = STEP_SHARES.reshape(-1, *[1] * step.ndim)
        tried = start + shares * step
        log_odds = tried @ self.features.T
        fits = (errors * log_odds - judged * np.logaddexp(0, log_odds)).sum(axis=-1)
        fits -= (((tried - PRIOR_MEAN) / PRIOR_DEVIATION) ** 2).sum(axis=-1) / 2
        best = np.argmax(fits, axis=0)[None, ..., None]
        taken: FloatArray = np.take_along_axis(tried, best, axis=0)[0]
        return taken

    def draw_rates(
        self, errors: FloatArray, judged: FloatArray, rng: np.random.Generator, size: int
    ) -> FloatArray:
        """Return rates of each bin that the verdicts allow, (size, b): what is not known yet.

        The curve is drawn around the fitted one, and each bin around the curve.
        """
        coefficients, curvature = self.fit_curve(errors, judged)
        drawn = rng.multivariate_normal(coefficients, np.linalg.inv(curvature), size)
        curves = np.clip(_logistic(drawn @ self.features.T), LOWEST_RATE, 1 - LOWEST_RATE)
        trusted = np.minimum(1, MOST_TRUSTED / np.maximum(judged, 1))
        wrong = CURVE_VERDICTS * curves + trusted * errors
        rates: FloatArray = rng.beta(wrong, CURVE_VERDICTS + trusted * judged - wrong)
        return rates


def _logistic(values: FloatArray) -> FloatArray:
    result: FloatArray = 1 / (1 + np.exp(-values))
    return result
