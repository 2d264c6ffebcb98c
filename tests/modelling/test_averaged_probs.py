"""Several files of probabilities become one, better than each."""

from __future__ import annotations

import numpy as np
import pytest

import curation
from curation.errors import InputError


@pytest.fixture
def files(texts):
    data = curation.load_labelled(texts)
    rng = np.random.default_rng(0)
    for name, blur in (("a_probs.npy", 1.0), ("b_probs.npy", 1.2), ("c_probs.npy", 50.0)):
        logits = 1.5 * np.eye(3)[data.labels] + blur * rng.normal(size=(90, 3))
        probs = np.exp(logits - logits.max(axis=1, keepdims=True))
        np.save(texts / name, probs / probs.sum(axis=1, keepdims=True))
    return ["a_probs.npy", "b_probs.npy", "c_probs.npy"]


def test_the_average_is_saved_found_and_no_worse_than_the_best(texts, files):
    made = curation.average_probs(texts, files)
    assert made.strength.log_loss <= min(each.log_loss for each in made.models) + 0.01
    worst = made.models[2]
    assert worst.weight == min(each.weight for each in made.models)
    dataset = curation.load(texts)
    assert dataset.settings["probs"] == "probs.npz"
    said = next(each for each in dataset.report.diagnoses if each.code == "probs.made")
    assert "'a_probs.npy', which agrees with" in said.what
    first = made.models[0]
    assert (
        f"agrees with {100 * first.agreement:.1f} % of the labels (log loss {first.log_loss:.2f}), "
        f"finds the same class likeliest as the average for {100 * first.same_as_average:.1f} % of "
        f"the examples, and has {100 * first.weight:.0f} % of the weight; 'b_probs.npy'"
    ) in said.what
    assert (said.count, said.what.count("the same class likeliest")) == (3, 3)


def test_one_file_is_no_average(texts, files):
    with pytest.raises(InputError, match="One file is no average"):
        curation.average_probs(texts, ["a_probs.npy", "a_probs.npy"])


def test_a_file_with_other_rows_is_refused(texts, files):
    np.save(texts / "b_probs.npy", np.full((80, 3), 1 / 3))
    with pytest.raises(curation.CurationError, match="80 rows of probabilities for 90 labels"):
        curation.average_probs(texts, files)
    assert not (texts / "probs.npz").exists()
