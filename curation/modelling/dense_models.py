"""Steps for rows of numbers, such as embeddings: fewer dimensions of one scale, and neighbours.

Imported only when a model is made, because scikit-learn takes a second.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin, TransformerMixin
from sklearn.decomposition import PCA
from sklearn.neighbors import KNeighborsClassifier
from sklearn.preprocessing import StandardScaler


class Reduction(TransformerMixin, BaseEstimator):  # type: ignore[misc]
    """The main directions of the features, together of variance 1.

    With one scale for all data, one strength of regularization fits all: without it, directions of
    large variance make a linear model slow to converge and sure of noise.
    """

    def __init__(self, most: int = 256, random_state: int | None = None) -> None:
        self.most = most
        self.random_state = random_state

    def fit(self, X: Any, y: Any = None) -> Reduction:
        self.scaler_ = StandardScaler().fit(X)
        self.pca_ = PCA(min(self.most, *X.shape), random_state=self.random_state)
        self.pca_.fit(self.scaler_.transform(X))
        self.scale_ = float(np.sqrt(max(self.pca_.explained_variance_.sum(), 1e-12)))
        return self

    def transform(self, X: Any) -> Any:
        return self.pca_.transform(self.scaler_.transform(X)) / self.scale_


class Neighbours(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """The labels of the nearest examples, as if `prior` more had the usual share of each class.

    Without these, a class that no neighbour has would be impossible.
    """

    def __init__(self, most: int = 15, prior: float = 2.0) -> None:
        self.most = most
        self.prior = prior

    def fit(self, X: Any, y: Any) -> Neighbours:
        self.number_ = min(self.most, len(X))
        self.inner_ = KNeighborsClassifier(self.number_, weights="distance", n_jobs=-1).fit(X, y)
        self.classes_ = self.inner_.classes_
        self.shares_ = np.array([np.mean(y == each) for each in self.classes_])
        return self

    def predict_proba(self, X: Any) -> Any:
        near = self.inner_.predict_proba(X)
        return (self.number_ * near + self.prior * self.shares_) / (self.number_ + self.prior)
