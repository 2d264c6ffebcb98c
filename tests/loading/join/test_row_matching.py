"""Rows of two files are joined by ids or by the files they name, whatever their order."""

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from curation.loading.join.row_matching import match_rows
from curation.loading.row_keys import Keys
from curation.report import Severity

NAMES = ["cat", "dog", "eel"]
ORDER = np.random.default_rng(3).permutation(30)


def labels(folder, column: str, keys: list[str]) -> None:
    rows = (f"{key},{NAMES[k]}\n" for key, k in zip(keys, folder.labels, strict=True))
    folder.write("labels.csv", f"{column},label\n" + "".join(rows))


def probs(folder, column: str, keys: list[str], order=ORDER) -> None:
    """Write the probabilities in another order than the labels."""
    rows = (f"{keys[k]},{','.join(map(str, folder.probs[k].tolist()))}\n" for k in order)
    folder.write("probs.csv", f"{column},cat,dog,eel\n" + "".join(rows))


def joined(dataset) -> str:
    return next(each.what for each in dataset.report.diagnoses if each.code == "probs.joined")


FILES = [f"{k}.png" for k in range(30)]


@pytest.mark.parametrize("column", ["image", "file_name", "filename", "path"])
@pytest.mark.parametrize("other", ["image", "path"])
def test_file_names_in_both_files_join_them(folder, column, other):
    labels(folder, column, FILES)
    probs(folder, other, FILES)
    dataset = folder.load()
    np.testing.assert_allclose(np.asarray(dataset.pred_probs), folder.probs, rtol=1e-6)
    assert joined(dataset) == "30 rows were joined to the labels by file name."
    assert dataset.ids[:2].tolist() == ["0", "1"]


def test_ids_come_before_file_names(folder):
    table = "id,image,label\n" + "".join(f"e{k},same.png,{NAMES[k % 3]}\n" for k in range(30))
    folder.write("labels.csv", table)
    rows = (f"e{k},same.png,{','.join(map(str, folder.probs[k].tolist()))}\n" for k in ORDER)
    folder.write("probs.csv", "id,image,cat,dog,eel\n" + "".join(rows))
    dataset = folder.load()
    np.testing.assert_allclose(np.asarray(dataset.pred_probs), folder.probs, rtol=1e-6)
    assert joined(dataset) == "30 rows were joined to the labels by id."


def test_file_without_probabilities_is_refused_or_left_out(folder):
    labels(folder, "image", FILES)
    probs(folder, "image", FILES, ORDER[ORDER != 7])
    error = folder.blocked()
    assert "1 of 30 labelled file names have no probabilities" in error.problem
    assert error.report.diagnoses[0].first_rows == ("7.png",)
    assert len(folder.load(drop_rows=True)) == 29


def test_probabilities_of_other_files_are_not_used_and_reported(folder):
    labels(folder, "image", FILES)
    folder.probs = np.vstack([folder.probs, folder.probs[:1]])
    probs(folder, "image", [*FILES, "other.png"], range(31))
    report = folder.load().report
    warning = next(each for each in report.diagnoses if each.code == "probs.extra_ids")
    assert "1 of 31 rows have a file name that no label has" in warning.what


def test_file_named_twice_is_refused_unless_both_lists_are_equal(folder):
    twice = [*FILES[:-1], "0.png"]
    labels(folder, "image", twice)
    probs(folder, "image", twice)
    error = folder.blocked()
    assert "labels.csv: 1 file names occur more than once or are empty: '0.png'" in error.problem
    assert error.report.diagnoses[0].why
    probs(folder, "image", twice, range(30))
    np.testing.assert_allclose(np.asarray(folder.load().pred_probs), folder.probs, rtol=1e-6)


@pytest.mark.parametrize(
    ("mine", "theirs", "how"),
    [
        ("images/{}.png", "{}.png", "file name, ignoring folders"),
        ("a/{}.png", "./a\\{}.png", "file name, reading \\ as /"),
        ("a/{}.png", "b/{}.JPG", "file name, ignoring folders and endings such as .jpg"),
    ],
)
def test_files_match_in_every_spelling_of_their_path(folder, mine, theirs, how):
    labels(folder, "image", [mine.format(k) for k in range(30)])
    probs(folder, "file_name", [theirs.format(k) for k in range(30)])
    dataset = folder.load()
    np.testing.assert_allclose(np.asarray(dataset.pred_probs), folder.probs, rtol=1e-6)
    assert joined(dataset) == f"30 rows were joined to the labels by {how}."


def test_name_that_two_folders_hold_is_not_joined_by_it_alone(folder):
    labels(folder, "image", ["a/0.png", "b/0.png", *FILES[2:]])
    probs(folder, "image", FILES)
    assert "2 of 30 labelled file names have no probabilities" in folder.blocked().problem


def test_ids_join_file_names_only_if_all_are_found(folder):
    stems = [f"x{k}" for k in range(30)]
    labels(folder, "id", stems)
    probs(folder, "image", [f"{stem}.jpg" for stem in stems])
    dataset = folder.load()
    np.testing.assert_allclose(np.asarray(dataset.pred_probs), folder.probs, rtol=1e-6)
    probs(folder, "image", [f"{stem}.jpg" for stem in [*stems[:-1], "y"]], range(30))
    assert "probs.joined" not in {each.code for each in folder.load().report.diagnoses}


def test_class_folders_are_joined_by_the_files_in_them(folder):
    names = [f"{NAMES[k]}/{row}.png" for row, k in enumerate(folder.labels)]
    for name in names:
        folder.write(name, b"")
    for keys in (names, [name.split("/")[1] for name in names]):
        probs(folder, "filename", keys)
        dataset = folder.load()
        for row, name in enumerate(dataset.ids):
            np.testing.assert_allclose(
                dataset.pred_probs[row], folder.probs[names.index(name)], rtol=1e-6
            )


def test_column_passed_as_ids_joins_both_files(folder):
    keys = [str(2**53 + k) for k in range(30)]  # more than a float can tell apart
    labels(folder, "sample", keys)
    probs(folder, "sample", keys)
    dataset = folder.load(id_column="sample")
    np.testing.assert_allclose(np.asarray(dataset.pred_probs), folder.probs, rtol=1e-6)


def test_ids_that_became_floats_join_whole_numbers(folder):
    labels(folder, "id", [str(k) for k in range(30)])
    columns = {name: folder.probs[ORDER, k] for k, name in enumerate(NAMES)}
    table = pa.table({"id": pa.array(ORDER.astype(float)), **columns})
    pq.write_table(table, folder.root / "probs.parquet")
    dataset = folder.load()
    np.testing.assert_allclose(np.asarray(dataset.pred_probs), folder.probs, rtol=1e-6)
    assert joined(dataset) == "30 rows were joined to the labels by id, reading 1.0 as 1."
    note = next(each for each in dataset.report.diagnoses if each.code == "probs.joined")
    assert note.severity is Severity.AUTO
    assert dataset.ids[:2].tolist() == ["0", "1"]
    table = table.set_column(0, "id", pa.array(ORDER + 0.5))
    pq.write_table(table, folder.root / "probs.parquet")
    assert "30 of 30 labelled ids have no probabilities" in folder.blocked().problem


def test_ids_1_and_1_point_0_in_one_file_stay_two():
    mine, theirs = (pa.chunked_array([each]) for each in (["1", "1.0"], ["1", "2"]))
    assert match_rows(Keys(mine), Keys(theirs)).rows.to_pylist() == [0, None]


def test_true_labels_are_joined_by_file_name(whole):
    labels(whole, "image", FILES)
    rows = "".join(f"{FILES[k]},{NAMES[whole.labels[k]]}\n" for k in ORDER)
    whole.write("true_labels.csv", "image,true_label\n" + rows)
    assert whole.load().true_labels.tolist() == whole.labels.tolist()
