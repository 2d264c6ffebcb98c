"""The models: what is built in for each kind of features, and a person's own estimator.

scikit-learn is imported inside the functions: it takes a second, and the dashboard starts without.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Any

import numpy as np

from curation.core.matrix import FloatArray, IntArray
from curation.errors import InputError

MOST_COMPONENTS = 256  # of dense features; more make a linear model slower and rarely better
NEIGHBOURS = 15


@dataclass(frozen=True)
class Classifier:
    """A way to make a new, untrained scikit-learn estimator; `name` is for people and keys."""

    name: str
    make: Callable[[], Any]


def _text_linear() -> Any:
    from sklearn.linear_model import SGDClassifier
    from sklearn.pipeline import make_pipeline

    model = SGDClassifier(loss="log_loss", alpha=1e-4, max_iter=12, tol=1e-3, n_jobs=-1)
    return make_pipeline(_tf_idf(), model)


def _text_bayes() -> Any:
    from sklearn.naive_bayes import ComplementNB
    from sklearn.pipeline import make_pipeline

    return make_pipeline(_tf_idf(), ComplementNB(alpha=0.3))


def _tf_idf() -> Any:
    from sklearn.feature_extraction.text import TfidfTransformer

    return TfidfTransformer(sublinear_tf=True)


def _dense_linear() -> Any:
    from sklearn.linear_model import LogisticRegression
    from sklearn.pipeline import make_pipeline

    from curation.modelling.dense_models import Reduction

    return make_pipeline(Reduction(MOST_COMPONENTS), LogisticRegression(C=3.0, max_iter=200))


def _dense_neighbours() -> Any:
    from sklearn.pipeline import make_pipeline

    from curation.modelling.dense_models import Neighbours, Reduction

    return make_pipeline(Reduction(MOST_COMPONENTS // 4), Neighbours(NEIGHBOURS))


def _boosting() -> Any:
    from sklearn.ensemble import HistGradientBoostingClassifier

    return HistGradientBoostingClassifier(
        max_iter=100, learning_rate=0.1, early_stopping=False, categorical_features="from_dtype"
    )


# The models of each kind of features, by name. All of a kind are used unless some are named.
BUILT_IN: Mapping[str, Mapping[str, Callable[[], Any]]] = {
    "text": {"linear": _text_linear, "bayes": _text_bayes},
    "dense": {"linear": _dense_linear, "neighbours": _dense_neighbours},
    "table": {"boosting": _boosting},
}


def choose_classifiers(kind: str, names: Sequence[str] | None) -> list[Classifier]:
    """Return the built-in models of a kind of features: all of them, or those named."""
    known = BUILT_IN[kind]
    unknown = [name for name in names or () if name not in known]
    if unknown:
        raise InputError(
            f"There is no model {unknown[0]!r} for this data.", f"Choose from {', '.join(known)}."
        )
    chosen = dict.fromkeys(names or known)
    return [Classifier(name, known[name]) for name in chosen]


def find_estimator(estimator: Any) -> Classifier:
    """Return a person's own estimator: an object of scikit-learn's kind, or its import path.

    A path names a class, a function that returns an estimator, or an estimator:
    `sklearn.svm:SVC`. Importing runs code, so a path comes from the command line or from Python
    only, never from a link or from the data's folder.
    """
    if isinstance(estimator, str):
        return Classifier(estimator, lambda: _import_estimator(estimator))
    from sklearn.base import clone

    name = type(estimator).__name__
    return Classifier(f"{name}: {estimator!r}", lambda: clone(estimator, safe=False))


def _import_estimator(path: str) -> Any:
    module, _, name = path.rpartition(":" if ":" in path else ".")
    try:
        found = getattr(import_module(module), name)
        return found() if callable(found) else found
    except (ImportError, AttributeError, ValueError, TypeError) as error:
        raise InputError(
            f"The estimator {path!r} cannot be made: {error}.",
            "Pass its import path, such as sklearn.svm:SVC, of a class or a function that needs "
            "no arguments.",
        ) from error


def make_estimator(classifier: Classifier, seed: int) -> Any:
    """Return a new estimator, seeded; stop if it gives no probabilities."""
    made = classifier.make()
    if not hasattr(made, "fit") or not hasattr(made, "predict_proba"):
        raise InputError(
            f"The estimator {classifier.name} has no predict_proba.",
            "Use one that gives probabilities, or wrap it in "
            "sklearn.calibration.CalibratedClassifierCV.",
        )
    params = made.get_params(deep=True) if hasattr(made, "get_params") else {}
    chance = [key for key in params if key.rpartition("__")[2] == "random_state"]
    if chance:
        made.set_params(**dict.fromkeys(chance, seed))
    return made


def fit_and_predict(
    estimator: Any,
    features: Any,
    labels: IntArray,
    train: IntArray,
    test: IntArray,
    wide: int,
    *,
    weights: FloatArray | None = None,
) -> FloatArray:
    """Return the probabilities of the test rows by a model trained on the training rows.

    A class that is not among the training rows gets probability 0. `weights` has one entry per
    training row; an estimator that takes no weights is trained without.
    """
    from threadpoolctl import threadpool_limits

    probs = np.zeros((len(test), wide))
    known = np.unique(labels[train])
    if len(known) == 1:
        probs[:, known[0]] = 1
        return probs
    try:
        # One thread for each product of small matrices: several cost more than they gain.
        with warnings.catch_warnings(), threadpool_limits(1, user_api="blas"):
            warnings.simplefilter("ignore")  # such as "did not converge": the log loss tells
            weighted = None if weights is None else find_weight_option(estimator)
            options = {weighted: weights} if weighted else {}
            estimator.fit(take_rows(features, train), labels[train], **options)
            predicted = np.asarray(estimator.predict_proba(take_rows(features, test)))
            classes = np.asarray(estimator.classes_, dtype=np.int64)
    except (ValueError, TypeError, AttributeError) as error:
        raise InputError(
            f"{type(estimator).__name__} cannot learn from this data: {error}.",
            "Pass another estimator, or use the built-in models.",
        ) from error
    probs[:, classes] = predicted
    return _check_probabilities(probs, estimator)


def find_weight_option(estimator: Any) -> str | None:
    """Return how `fit` of an estimator, or of a pipeline's last step, calls the rows' weights.

    >>> from sklearn.naive_bayes import GaussianNB
    >>> from sklearn.pipeline import make_pipeline
    >>> find_weight_option(GaussianNB()), find_weight_option(make_pipeline(GaussianNB()))
    ('sample_weight', 'gaussiannb__sample_weight')
    """
    from sklearn.utils.validation import has_fit_parameter

    steps = getattr(estimator, "steps", None)
    name, last = steps[-1] if steps else ("", estimator)
    if not has_fit_parameter(last, "sample_weight"):
        return None
    return f"{name}__sample_weight" if name else "sample_weight"


def _check_probabilities(probs: FloatArray, estimator: Any) -> FloatArray:
    sums = probs.sum(axis=1)
    if not np.isfinite(probs).all() or (probs < 0).any() or (np.abs(sums - 1) > 0.01).any():
        raise InputError(
            f"{type(estimator).__name__} gave numbers that are not probabilities.",
            "predict_proba must give rows of numbers between 0 and 1 that add up to 1.",
        )
    return np.asarray(probs / sums[:, None])


def take_rows(features: Any, rows: IntArray) -> Any:
    """Return some rows of a matrix or of a table."""
    return features.iloc[rows] if hasattr(features, "iloc") else features[rows]
