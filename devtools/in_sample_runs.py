"""Predictions of models on data they had not seen, and on their own training data.

Both kinds cover scikit-learn's built-in datasets and simulated ones, 2 to 20 classes, 150 to 1,797
examples, and label noise of 0 to 40 %.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.calibration import CalibratedClassifierCV
from sklearn.datasets import (
    load_breast_cancer,
    load_digits,
    load_iris,
    load_wine,
    make_blobs,
    make_circles,
    make_classification,
    make_gaussian_quantiles,
    make_moons,
)
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.ensemble import (
    ExtraTreesClassifier,
    GradientBoostingClassifier,
    HistGradientBoostingClassifier,
    RandomForestClassifier,
)
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedKFold, cross_val_predict
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.neural_network import MLPClassifier
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier

Model = Callable[[int], Any]  # a seed to an estimator

HONEST: dict[str, Model] = {
    "random forest": lambda seed: RandomForestClassifier(60, random_state=seed),
    "forest, out of bag": lambda seed: RandomForestClassifier(
        100, oob_score=True, random_state=seed
    ),
    "extra trees": lambda seed: ExtraTreesClassifier(60, random_state=seed),
    "gradient boosting": lambda seed: GradientBoostingClassifier(
        n_estimators=25, random_state=seed
    ),
    "histogram boosting": lambda seed: HistGradientBoostingClassifier(
        max_iter=30, random_state=seed
    ),
    "logistic regression": lambda seed: LogisticRegression(max_iter=300),
    "strongly regularised": lambda seed: LogisticRegression(C=0.01, max_iter=300),
    "naive Bayes": lambda seed: GaussianNB(),
    "discriminant analysis": lambda seed: LinearDiscriminantAnalysis(),
    "nearest neighbour": lambda seed: KNeighborsClassifier(1),
    "nearest neighbours": lambda seed: KNeighborsClassifier(10),
    "tree": lambda seed: DecisionTreeClassifier(random_state=seed),
    "network": lambda seed: MLPClassifier((64,), max_iter=80, random_state=seed),
    "calibrated network": lambda seed: CalibratedClassifierCV(
        MLPClassifier((32,), max_iter=60, random_state=seed), cv=2
    ),
}
IN_SAMPLE: dict[str, Model] = {
    "random forest": lambda seed: RandomForestClassifier(60, random_state=seed),
    "extra trees": lambda seed: ExtraTreesClassifier(60, random_state=seed),
    "gradient boosting": lambda seed: GradientBoostingClassifier(
        n_estimators=100, random_state=seed
    ),
    "histogram boosting": lambda seed: HistGradientBoostingClassifier(random_state=seed),
    "nearest neighbour": lambda seed: KNeighborsClassifier(1),
    "tree": lambda seed: DecisionTreeClassifier(random_state=seed),
    "overfitted network": lambda seed: MLPClassifier(
        (128, 128), solver="lbfgs", alpha=0, max_iter=1000, random_state=seed
    ),
}


@dataclass(frozen=True)
class Run:
    """One model's predictions about one dataset."""

    model: str
    dataset: str
    noise: float
    labels: NDArray[np.int64]
    probs: NDArray[np.float64]

    @property
    def agreement(self) -> float:
        """Return the share of labels that the model finds likeliest."""
        return float(np.mean(self.probs.argmax(axis=1) == self.labels))


@dataclass(frozen=True)
class LabelledSet:
    """Features and given labels, some of which are wrong."""

    name: str
    noise: float
    features: NDArray[np.float64]
    labels: NDArray[np.int64]


def make_sets(rates: tuple[float, ...] = (0.0, 0.01, 0.05, 0.1, 0.2, 0.4)) -> list[LabelledSet]:
    """Return every dataset with every rate of wrong labels."""
    sources: dict[str, Callable[[], Any]] = {
        "iris": lambda: load_iris(return_X_y=True),
        "wine": lambda: load_wine(return_X_y=True),
        "breast cancer": lambda: load_breast_cancer(return_X_y=True),
        "digits": lambda: load_digits(return_X_y=True),
        "moons": lambda: make_moons(600, noise=0.25, random_state=0),
        "easy blobs": lambda: make_blobs(500, 5, centers=4, cluster_std=1, random_state=3),
        "blobs": lambda: make_blobs(800, 5, centers=6, cluster_std=5, random_state=1),
        "2 classes": lambda: _classify(1000, 2, 1.0),
        "5 classes": lambda: _classify(1200, 5, 1.5),
        "20 classes": lambda: _classify(1500, 20, 2.0),
        "hard 3 classes": lambda: _classify(400, 3, 0.5),
    }
    return _add_noise(sources, rates, seed=17)


def make_fresh_sets(
    rates: tuple[float, ...] = (0.0, 0.01, 0.03, 0.05, 0.1, 0.25),
) -> list[LabelledSet]:
    """Return other datasets, to measure a check whose limits were chosen on `make_sets`."""
    sources: dict[str, Callable[[], Any]] = {
        "circles": lambda: make_circles(500, noise=0.15, factor=0.5, random_state=104),
        "quantiles": lambda: make_gaussian_quantiles(
            n_samples=700, n_features=6, n_classes=4, random_state=108
        ),
        "1200 digits": lambda: _take(load_digits, 1200, 11),
        "500 digits": lambda: _take(load_digits, 500, 12),
        "400 of breast cancer": lambda: _take(load_breast_cancer, 400, 13),
        "150 of wine": lambda: _take(load_wine, 150, 14),
        "10 blobs": lambda: make_blobs(1000, 8, centers=10, cluster_std=3, random_state=135),
        "3 blobs": lambda: make_blobs(300, 3, centers=3, cluster_std=2.5, random_state=136),
        "2 easy classes": lambda: _classify(800, 2, 2.5, seed=134),
        "2 hard classes": lambda: _classify(600, 2, 0.7, seed=133),
        "3 classes": lambda: _classify(900, 3, 1.2, seed=131),
        "8 classes": lambda: _classify(1600, 8, 2.5, seed=132),
    }
    return _add_noise(sources, rates, seed=50)


def _take(load: Callable[..., Any], size: int, seed: int) -> Any:
    features, true = load(return_X_y=True)
    some = np.random.default_rng(seed).permutation(len(true))[:size]
    return features[some], true[some]


def _add_noise(
    sources: dict[str, Callable[[], Any]], rates: tuple[float, ...], seed: int
) -> list[LabelledSet]:
    sets = []
    for place, ((name, read), rate) in enumerate(product(sources.items(), rates)):
        features, true = read()
        rng = np.random.default_rng([seed, place])
        sets.append(LabelledSet(name, rate, StandardScaler().fit_transform(features),
                                flip(true, rate, rng)))  # fmt: skip
    return sets


def _classify(size: int, classes: int, apart: float, seed: int | None = None) -> Any:
    return make_classification(
        size, 20, n_informative=10, n_classes=classes, class_sep=apart, flip_y=0,
        n_clusters_per_class=1, random_state=seed or classes,
    )  # fmt: skip


def flip(true: NDArray[Any], rate: float, rng: np.random.Generator) -> NDArray[np.int64]:
    """Return labels of which a share was replaced by another class."""
    classes = int(true.max()) + 1
    wrong = (true + rng.integers(1, classes, len(true))) % classes
    return np.where(rng.random(len(true)) < rate, wrong, true).astype(np.int64)


def predict_honestly(count: int, sets: list[LabelledSet] | None = None) -> Iterator[Run]:
    """Yield predictions about examples that the model had not seen."""
    for seed, (each, name) in enumerate(_pair(sets or make_sets(), HONEST, count)):
        model = HONEST[name](seed)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # networks that are stopped early say so
            if getattr(model, "oob_score", False):
                probs = model.fit(each.features, each.labels).oob_decision_function_
            else:
                folds = StratifiedKFold(4, shuffle=True, random_state=seed)
                probs = cross_val_predict(
                    model, each.features, each.labels, cv=folds, method="predict_proba"
                )
        yield Run(name, each.name, each.noise, each.labels, probs)


def predict_training_data(count: int, sets: list[LabelledSet] | None = None) -> Iterator[Run]:
    """Yield predictions of models about the examples they were trained on."""
    for seed, (each, name) in enumerate(_pair(sets or make_sets(), IN_SAMPLE, count)):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            model = IN_SAMPLE[name](seed).fit(each.features, each.labels)
        yield Run(name, each.name, each.noise, each.labels, model.predict_proba(each.features))


def _pair(
    sets: list[LabelledSet], models: dict[str, Model], count: int
) -> Iterator[tuple[LabelledSet, str]]:
    """Yield datasets with a model each, in a fixed order that mixes both; at most all pairs."""
    pairs = list(product(sets, models))
    order = np.random.default_rng(5).permutation(len(pairs))
    return (pairs[place] for place in order[:count])
