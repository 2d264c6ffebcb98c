"""Every row is predicted by a model that never saw it."""

from __future__ import annotations

import numpy as np
import pytest

from curation.errors import InputError
from curation.modelling.classifiers import Classifier, choose_classifiers, find_estimator
from curation.modelling.cross_validation import cross_predict
from curation.modelling.fold_cache import FoldCache


class Witness:
    """Remembers which rows it was trained on, by their first feature, and tells on predict."""

    seen_when_predicting: list[tuple[set[float], set[float]]] = []

    def fit(self, X, y):
        self.rows, self.classes_ = set(X[:, 0].tolist()), np.unique(y)
        return self

    def predict_proba(self, X):
        Witness.seen_when_predicting.append((self.rows, set(X[:, 0].tolist())))
        return np.full((len(X), len(self.classes_)), 1 / len(self.classes_))


def rows_of(n=40, classes=4, seed=0):
    rng = np.random.default_rng(seed)
    features = np.column_stack([np.arange(n), rng.normal(size=(n, 3))])
    return features, rng.integers(0, classes, n), np.arange(n) % 4, np.ones(n, bool)


def predict(classifier, features, labels, held, usable, **options):
    return cross_predict(classifier, features, labels, held, usable, 4, **options)


def test_no_model_predicts_a_row_that_it_was_trained_on():
    Witness.seen_when_predicting.clear()
    predict(Classifier("witness", Witness), *rows_of())
    assert len(Witness.seen_when_predicting) == 4
    predicted = [test for _, test in Witness.seen_when_predicting]
    assert set.union(*predicted) == set(range(40))
    assert all(not train & test for train, test in Witness.seen_when_predicting)


def test_a_canary_label_has_no_part_in_its_own_prediction():
    from sklearn.neighbors import KNeighborsClassifier

    features, labels, held, usable = rows_of()
    nearest = Classifier("1-NN", lambda: KNeighborsClassifier(1))  # repeats whatever it saw
    before = predict(nearest, features, labels, held, usable)
    changed = labels.copy()
    changed[7] = (changed[7] + 1) % 4
    after = predict(nearest, features, changed, held, usable)
    assert (before[7] == after[7]).all()
    assert (before != after).any()  # others do learn from it


def test_memorizing_random_labels_is_worth_no_more_than_chance():
    from sklearn.tree import DecisionTreeClassifier

    features, labels, held, usable = rows_of(n=400, classes=4)
    probs = predict(Classifier("tree", DecisionTreeClassifier), features, labels, held, usable)
    assert (probs.argmax(axis=1) == labels).mean() < 0.4


def test_rows_without_features_get_the_shares_of_the_other_folds():
    features, labels, held, usable = rows_of()
    usable[3] = False
    Witness.seen_when_predicting.clear()
    probs = predict(Classifier("witness", Witness), features, labels, held, usable)
    others = np.bincount(labels[held != held[3]], minlength=4) / (held != held[3]).sum()
    assert np.allclose(probs[3], others)
    assert all(3.0 not in train | test for train, test in Witness.seen_when_predicting)


def test_a_class_that_the_model_never_saw_gets_no_chance():
    features, labels, held, usable = rows_of()
    labels[:] = np.arange(40) % 2
    labels[5] = 3
    probs = predict(Classifier("witness", Witness), features, labels, held, usable)
    assert probs[5, 3] == 0 and np.allclose(probs.sum(axis=1), 1)


def test_finished_folds_are_not_computed_again(tmp_path):
    features, labels, held, usable = rows_of()
    cache = FoldCache("key")

    def stop(stage):
        if "fold 3" in stage:
            raise KeyboardInterrupt

    witness = Classifier("witness", Witness)
    with pytest.raises(KeyboardInterrupt):
        predict(witness, features, labels, held, usable, cache=cache, tick=stop)
    Witness.seen_when_predicting.clear()
    resumed = predict(witness, features, labels, held, usable, cache=cache)
    assert len(Witness.seen_when_predicting) == 2  # folds 3 and 4
    assert (resumed == predict(witness, features, labels, held, usable)).all()
    cache.clear()
    assert not cache.folder.exists()


def test_a_half_written_fold_is_computed_again():
    features, labels, held, usable = rows_of()
    cache = FoldCache("key")
    witness = Classifier("witness", Witness)
    whole = predict(witness, features, labels, held, usable, cache=cache)
    for path in cache.folder.iterdir():
        path.write_bytes(path.read_bytes()[:90])
    assert (predict(witness, features, labels, held, usable, cache=cache) == whole).all()


def test_an_estimator_is_found_by_its_import_path():
    features, labels, held, usable = rows_of()
    for path in ("sklearn.naive_bayes:GaussianNB", "sklearn.naive_bayes.GaussianNB"):
        probs = predict(find_estimator(path), features, labels, held, usable)
        assert np.allclose(probs.sum(axis=1), 1, atol=1e-6)


@pytest.mark.parametrize(
    ("path", "said"),
    [
        ("sklearn.svm:LinearSVC", "has no predict_proba"),
        ("nowhere.at.all:Model", "cannot be made"),
        ("sklearn.svm:NoSuchModel", "cannot be made"),
        ("sklearn.pipeline:Pipeline", "cannot be made"),  # needs arguments
    ],
)
def test_an_estimator_that_cannot_be_used_is_refused(path, said):
    with pytest.raises(InputError, match=said):
        predict(find_estimator(path), *rows_of())


def test_numbers_that_are_no_probabilities_are_refused():
    class Wrong(Witness):
        def predict_proba(self, X):
            return 3 * super().predict_proba(X)

    with pytest.raises(InputError, match="not probabilities"):
        predict(Classifier("wrong", Wrong), *rows_of())


def test_an_unknown_model_is_named_with_those_that_exist():
    with pytest.raises(InputError) as caught:
        choose_classifiers("text", ["lineer"])
    assert "lineer" in caught.value.problem and "linear, bayes" in caught.value.remedy
