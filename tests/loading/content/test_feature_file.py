"""Features that are named or lie next to the data: noted if they fit, refused if they do not."""

from __future__ import annotations

import numpy as np
import pytest

import curation
from tests.loading.conftest import find_diagnosis


def rows(count=30, wide=4):
    return np.random.default_rng(3).normal(size=(count, wide))


def test_embeddings_next_to_the_data_are_among_the_settings(whole):
    whole.save("embeddings.npy", rows())
    dataset = whole.load()
    assert dataset.settings["features"] == "embeddings.npy"
    assert curation.find_neighbours(dataset).source == "embeddings.npy"


def test_a_file_inside_is_named_relative_to_the_dataset(whole):
    whole.write("curation.toml", 'features = "vectors/clip.npy"\n')
    (whole.root / "vectors").mkdir()
    whole.save("vectors/clip.npy", rows())
    dataset = whole.load()
    assert curation.find_neighbours(dataset).source == "clip.npy"
    assert not dataset.report.diagnoses


def test_a_named_array_is_taken_for_nothing_else(whole):
    (whole.root / "labels.csv").unlink()
    whole.save("labels.npy", whole.labels)
    whole.save("probabilities_of_words.npy", rows(wide=3))
    dataset = whole.load(features="probabilities_of_words.npy")
    assert dataset.settings["probs"] == "probs.npy"


def test_a_file_outside_is_read_if_it_is_named_and_that_is_reported(whole, tmp_path_factory):
    outside = tmp_path_factory.mktemp("elsewhere") / "clip.npy"
    np.save(outside, rows())
    dataset = whole.load(features=str(outside))
    assert str(outside) in find_diagnosis(dataset, "features.elsewhere").what
    assert curation.find_neighbours(dataset).source == "clip.npy"


@pytest.mark.parametrize(
    ("array", "what"),
    [
        (rows(29), "29 rows for 30 examples."),
        (rows()[:, 0], "an array of shape (30,) and type float64."),
        (rows()[:, :0], "an array of shape (30, 0) and type float64."),
        (rows().astype(str), "an array of shape (30, 4) and type <U"),
    ],
)
def test_features_that_do_not_fit_block_if_named_and_warn_if_found(whole, array, what):
    whole.save("embeddings.npy", array)
    dataset = whole.load()
    assert find_diagnosis(dataset, "features.unusable").what.startswith(what)
    assert "features" not in dataset.settings
    error = whole.blocked(features="embeddings.npy")
    assert what in error.problem and "one row of numbers per example" in error.remedy


def test_a_named_file_that_is_not_there_blocks(whole):
    error = whole.blocked(features="no.npy")
    assert "there is no such file" in error.problem and "features" in error.remedy


def test_features_of_several_splits_have_the_rows_of_all(whole):
    whole.write("train.csv", whole.table())
    whole.write("test.csv", whole.table())
    (whole.root / "labels.csv").unlink()
    whole.save("clip.npy", rows(60))
    whole.write("curation.toml", 'features = "clip.npy"\nsplits = "all"\nname = "both"\n')
    dataset = whole.load()
    assert (len(dataset), dataset.name) == (60, "both")
    assert curation.find_neighbours(dataset).source == "clip.npy"
    assert "60 rows for 30 examples" in whole.blocked(splits="train").problem
