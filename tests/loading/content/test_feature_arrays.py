"""Features that are an array next to the labels are shown like the columns of a table."""

import numpy as np
import pytest

import curation

N = 30


@pytest.fixture
def arrays(tmp_path):
    rng = np.random.default_rng(0)
    labels = np.arange(N) % 3
    probs = np.full((N, 3), 0.1)
    probs[np.arange(N), labels] = 0.8
    np.save(tmp_path / "y.npy", labels)
    np.save(tmp_path / "probs.npy", probs)
    values = rng.normal(size=(N, 5)).astype(np.float32)
    values[3, 2] = np.nan
    np.save(tmp_path / "X.npy", values)
    return tmp_path, values


def test_each_number_is_a_cell_with_the_digits_that_it_has(arrays):
    folder, values = arrays
    dataset = curation.load(folder)
    assert list(dataset.extras) == [f"feature_{k}" for k in range(5)]
    assert dataset.cells(7)["feature_4"] == str(values[7, 4])
    assert dataset.cells(3)["feature_2"] is None
    column = dataset.extras["feature_1"]
    assert [float(each) for each in column] == pytest.approx(values[:, 1].tolist())


def test_names_of_the_features_are_read_from_the_file_next_to_them(arrays):
    folder, _ = arrays
    (folder / "feature_names.txt").write_text("age\nweight\nheight\npulse\nsugar\n")
    assert list(curation.load(folder).extras) == ["age", "weight", "height", "pulse", "sugar"]
    (folder / "feature_names.txt").write_text("age\nweight\n")  # not one for each
    assert list(curation.load(folder).extras)[0] == "feature_0"


def test_array_with_another_number_of_rows_is_not_shown(arrays):
    folder, values = arrays
    np.save(folder / "X.npy", values[:-1])
    assert not curation.load(folder).extras


def test_features_in_an_archive_are_found_with_their_names(arrays):
    folder, values = arrays
    labels, probs = np.load(folder / "y.npy"), np.load(folder / "probs.npy")
    np.savez(folder / "all.npz", y=labels, pred_probs=probs, X=values, feature_names=list("abcde"))
    dataset = curation.load(folder / "all.npz")
    assert dataset.cells(0)["a"] == str(values[0, 0])


def test_pictures_stay_pictures(arrays):
    folder, _ = arrays
    np.save(folder / "X.npy", np.random.default_rng(0).integers(0, 256, (N, 784)))
    dataset = curation.load(folder)
    assert dataset.kind == "image" and not dataset.extras
