"""Models that repeat the labels they were trained on are found, and honest ones seldom suspected.

The sets differ in number of examples and classes, in how far the classes lie apart, in how many
labels are wrong, and the models in how sure they are: naive Bayes and discriminant analysis far
too sure, a nearest neighbour and a tree always sure, logistic regression honestly so.
"""

import warnings
from functools import cache
from itertools import product

import numpy as np
import pytest
from sklearn.datasets import (
    load_breast_cancer,
    load_digits,
    load_iris,
    load_wine,
    make_blobs,
    make_classification,
)
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.ensemble import ExtraTreesClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedKFold, cross_val_predict
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier
from threadpoolctl import threadpool_limits

from curation.loading.doctor import diagnose_agreement
from curation.loading.doctor.in_sample import diagnose_in_sample
from devtools.in_sample_runs import IN_SAMPLE, predict_honestly

REAL = (load_iris, load_wine, load_breast_cancer, load_digits)
NOISE = (0.0, 0.01, 0.03, 0.1)
HONEST = {
    "bayes": GaussianNB(),
    "discriminant": LinearDiscriminantAnalysis(),
    "regression": make_pipeline(StandardScaler(), LogisticRegression(max_iter=200)),
    "neighbour": KNeighborsClassifier(1),
    "neighbours": KNeighborsClassifier(5),
    "tree": DecisionTreeClassifier(random_state=0),
}
MEMORIES = {
    "neighbour": KNeighborsClassifier(1),
    "tree": DecisionTreeClassifier(random_state=0),
    "many trees": ExtraTreesClassifier(10, random_state=0),
}


def is_suspected(labels, probs):
    confidence = probs[np.arange(len(labels)), labels]
    names = [str(k) for k in range(probs.shape[1])]
    found = diagnose_agreement(
        labels, probs.argmax(axis=1), confidence, names, top_confidence=probs.max(axis=1)
    )
    return "probs.in_sample" in {each.code for each in found}


@cache
def make_sets():
    """Return features and given labels of 64 sets: 48 drawn, easy to hard, and 16 real ones."""
    sets = []
    for seed, (size, noise, apart) in enumerate(product((80, 200, 400), NOISE, (0.5, 1, 2, 4))):
        rng = np.random.default_rng(seed)
        classes = int(rng.choice([2, 3, 5]))
        if seed % 2:
            features, true = make_blobs(
                size, 5, centers=classes, cluster_std=4 / apart, random_state=seed
            )
        else:
            features, true = make_classification(
                size, 20, n_informative=8, n_classes=classes, class_sep=apart, flip_y=0,
                n_clusters_per_class=1, random_state=seed,
            )  # fmt: skip
        sets.append((features, flip(true, noise, rng)))
    for seed, (load, noise) in enumerate(product(REAL, NOISE)):
        rng = np.random.default_rng(1000 + seed)
        features, true = load(return_X_y=True)
        some = rng.permutation(len(true))[:400]
        sets.append((features[some], flip(true[some], noise, rng)))
    return sets


def flip(true, noise, rng):
    classes = int(true.max()) + 1
    wrong = (true + rng.integers(1, classes, len(true))) % classes
    return np.where(rng.random(len(true)) < noise, wrong, true)


def test_honest_models_are_only_suspected_on_sets_that_models_get_right():
    folds = StratifiedKFold(4, shuffle=True, random_state=0)
    hard, plain = [], []
    for features, labels in make_sets():
        runs = [
            cross_val_predict(model, features, labels, cv=folds, method="predict_proba")
            for model in HONEST.values()
        ]
        agreement = np.mean([np.mean(probs.argmax(axis=1) == labels) for probs in runs])
        (plain if agreement > 0.98 else hard).extend(is_suspected(labels, each) for each in runs)
    assert len(plain) + len(hard) == 384 and len(plain) <= 42  # not to be told from memory
    assert not any(hard)


@pytest.mark.parametrize("name", MEMORIES)
def test_models_that_memorized_the_labels_are_nearly_always_found(name):
    found = [
        is_suspected(labels, MEMORIES[name].fit(features, labels).predict_proba(features))
        for features, labels in make_sets()
    ]
    assert np.mean(found) >= 0.95


def test_labels_as_probabilities_are_always_found():
    assert all(
        is_suspected(labels, np.eye(int(labels.max()) + 1)[labels]) for _, labels in make_sets()
    )


def test_unregularised_fit_with_more_features_than_examples_is_found():
    rng = np.random.default_rng(0)
    features, labels = rng.normal(size=(300, 600)), rng.integers(0, 3, 300)
    fitted = LogisticRegression(C=1e4, max_iter=500).fit(features, labels)
    assert is_suspected(labels, fitted.predict_proba(features))


def sure_of(labels, num_wrong):
    """Return a sure model's probabilities, which contradict the first labels."""
    probs = np.full((len(labels), 3), 0.001)
    sure = labels.copy()
    sure[:num_wrong] = (sure[:num_wrong] + 1) % 3
    probs[np.arange(len(labels)), sure] = 0.998
    return probs


def test_model_that_is_sure_a_few_labels_are_wrong_did_not_memorize_them():
    labels = np.arange(1000) % 3
    assert is_suspected(labels, sure_of(labels, 0))
    assert is_suspected(labels, sure_of(labels, 1))  # one thing twice, under two labels
    assert not is_suspected(labels, sure_of(labels, 2))


def test_set_without_an_error_is_suspected_if_the_model_is_sure_or_promised_errors():
    labels = np.arange(99) % 3
    own = np.full(99, 0.985)  # about 1.5 errors are promised
    assert diagnose_in_sample(labels, labels, own, "probs.npy")
    assert diagnose_in_sample(labels, labels, np.full(99, 0.9995), "probs.npy")
    assert not diagnose_in_sample(labels[:49], labels[:49], np.full(49, 0.9), "probs.npy")


def test_agreement_with_all_of_many_labels_is_suspected_at_moderate_confidence():
    """The figures of a forest that predicted its training data: 1,797 of 1,797 at 0.89."""
    rng = np.random.default_rng(0)
    labels = rng.integers(0, 10, 1797)
    own = rng.uniform(0.78, 1, 1797)
    probs = np.repeat(((1 - own) / 9)[:, None], 10, axis=1)
    probs[np.arange(1797), labels] = own
    (found,) = diagnose_in_sample(labels, labels, own, "probs.npy")
    assert found.what == (
        "The model agrees with 100 % of the labels and gives them 88.7 % on average; by its own "
        "probabilities it should agree with 88.7 %, so it probably predicted its own training "
        "data, unless hardly any label is wrong."
    )
    own[:60] = np.linspace(0.02, 0.45, 60)  # 60 misses: as an honest forest has them
    missed = labels.copy()
    missed[:60] = (labels[:60] + 1) % 10
    assert not diagnose_in_sample(labels, missed, own, "probs.npy")


def half_learned(errors):
    """Return labels and probabilities of a model that promises 20 errors in its surer half."""
    labels = np.arange(400) % 4
    top = np.r_[np.full(200, 0.9), np.linspace(0.5, 0.8, 200)]
    predicted = labels.copy()
    predicted[200:230] += 1  # it errs where it is unsure
    predicted[:errors] += 1
    probs = np.repeat(((1 - top) / 3)[:, None], 4, axis=1)
    probs[np.arange(400), predicted % 4] = top
    probs[np.arange(200, 230), labels[200:230]] = 0.15
    return labels, probs / probs.sum(axis=1, keepdims=True)


def test_model_that_errs_only_where_it_is_unsure_is_suspected():
    assert is_suspected(*half_learned(0))


def test_model_that_errs_where_it_is_sure_is_not_suspected():
    """Five of the 20 errors promised in the surer half are as many as honest models make."""
    assert not is_suspected(*half_learned(5))


@pytest.mark.parametrize("name", IN_SAMPLE)
def test_training_data_with_planted_errors_is_found_for_every_model(name):
    found = []
    for seed, load in enumerate((load_wine, load_wine, load_breast_cancer, load_digits)):
        features, true = load(return_X_y=True)
        labels = flip(true, 0.05, np.random.default_rng(seed))[:300]
        features = StandardScaler().fit_transform(features[:300])
        with threadpool_limits(1), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            fitted = IN_SAMPLE[name](seed).fit(features, labels)
        found.append(is_suspected(labels, fitted.predict_proba(features)))
    assert all(found)


def test_model_that_is_much_surer_of_another_class_is_not_suspected():
    labels, probs = half_learned(0)
    assert is_suspected(labels, probs)
    probs[-1] = np.roll([0.86, 0.13, 0.005, 0.005], labels[-1] - 1)  # 0.13 for the given label
    assert not is_suspected(labels, probs)


def test_a_part_of_the_benchmark_keeps_its_limits():
    """The first runs of benchmarks/in_sample.py, without the slowest models."""
    with threadpool_limits(1):
        honest = [is_suspected(run.labels, run.probs) for run in predict_honestly(24)]
    assert sum(honest) == 0
