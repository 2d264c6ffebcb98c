"""Splits, shards and columns that could both be the labels are never chosen between in silence."""

import io
import json

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from PIL import Image

import curation
from curation.report import Severity
from tests.loading.conftest import find_diagnosis

NAMES = ["cat", "dog", "eel"]


def table(rows: int) -> str:
    return "id,label\n" + "".join(f"e{row},{NAMES[row % 3]}\n" for row in range(rows))


# --- splits


def test_two_splits_that_both_fit_are_ambiguous(folder):
    folder.write("train.csv", table(30))
    folder.write("test.csv", table(30))
    folder.save("probs.npy", folder.probs)
    error = folder.blocked()
    assert "several files could be the labels: 'test.csv', 'train.csv'" in error.problem
    assert folder.load(labels="train.csv").settings["labels"] == "train.csv"


def test_every_file_that_could_be_the_labels_is_offered(folder):
    folder.write("train.csv", table(30))
    folder.write("test.csv", table(30))
    folder.save("probs.npy", folder.probs)
    (found,) = folder.blocked().report.diagnoses
    assert found.choices == (
        {"labels": "test.csv"}, {"labels": "train.csv"}, {"splits": "all"},
    )  # fmt: skip


@pytest.mark.parametrize("name", ["test_probs.npy", "pred_probs_test.npy", "probs-test.npy"])
def test_split_that_the_probabilities_name_is_used(folder, name):
    folder.write("train.csv", table(30))
    folder.write("test.csv", table(30))
    folder.save(name, folder.probs)
    dataset = folder.load()
    assert dataset.settings["labels"] == "test.csv"
    note = find_diagnosis(dataset, "folder.split_chosen")
    assert note.severity is Severity.AUTO and "instead of 'train.csv'" in note.what
    assert 'labels="train.csv"' in note.fix


def test_split_with_as_many_rows_as_the_probabilities_is_used(folder):
    folder.write("train.csv", table(90))
    folder.write("test.csv", table(30))
    folder.save("probs.npy", folder.probs)
    dataset = folder.load()
    assert dataset.settings["labels"] == "test.csv"
    assert (
        "as many rows as the probabilities, 30"
        in find_diagnosis(dataset, "folder.split_chosen").what
    )


def test_split_without_labels_is_not_a_candidate(folder):
    """As Kaggle gives it: the test split is to be predicted."""
    folder.write("train.csv", table(30))
    folder.write("test.csv", "id,text\na,b\n")
    folder.save("probs.npy", folder.probs)
    dataset = folder.load()
    assert dataset.settings["labels"] == "train.csv"
    assert not {"folder.split_chosen", "folder.labels_chosen"} & folder.codes()


def test_probabilities_of_the_requested_split_are_used(folder):
    for split, rows in (("train", 30), ("test", 9)):
        folder.write(f"{split}.csv", table(rows))
        folder.save(f"{split}_probs.npy", folder.probs[:rows])
    assert "several files could be the probabilities" in folder.blocked().problem
    assert folder.load(labels="test.csv").settings["probs"] == "test_probs.npy"


def test_clearer_name_is_used_and_the_other_is_reported(whole):
    whole.write("train.csv", whole.table())
    dataset = whole.load()
    assert dataset.settings["labels"] == "labels.csv"
    note = find_diagnosis(dataset, "folder.labels_chosen")
    assert note.severity is Severity.AUTO and "'train.csv' could hold labels too" in note.what


def test_features_next_to_the_labels_are_neither_labels_nor_probabilities(folder):
    """As scikit-learn users keep them."""
    folder.save("X_train.npy", np.zeros((30, 5)))
    folder.save("y_train.npy", folder.labels)
    folder.save("data.npy", np.zeros((30, 5)))
    assert "no probabilities found" in folder.blocked().problem
    folder.save("oof.npy", folder.probs)
    settings = folder.load().settings
    assert (settings["labels"], settings["probs"]) == ("y_train.npy", "oof.npy")


# --- two columns of labels


def test_two_columns_of_labels_that_differ_are_ambiguous(whole):
    rows = [NAMES[k] for k in whole.labels]
    right = [*rows[:28], "cat", "cat"]  # the last two are dog and eel
    lines = (f"{a},{b}\n" for a, b in zip(rows, right, strict=True))
    whole.write("labels.csv", "given_label,label\n" + "".join(lines))
    error = whole.blocked()
    assert "several columns could be the labels: 'label', 'given_label'" in error.problem
    assert "differ in 2 of 30 rows" in error.problem
    diagnosis = error.report.diagnoses[0]
    assert (diagnosis.first_rows, diagnosis.override) == (
        ("row 28", "row 29"),
        {"label_column": "label"},
    )
    assert diagnosis.why
    assert whole.load(label_column="given_label").source.label_column == "given_label"


@pytest.mark.parametrize("other", ["{name}", "{number}"])
def test_two_columns_that_agree_are_read_as_one_and_reported(whole, other):
    cells = [other.format(name=NAMES[k], number=k) for k in whole.labels]
    lines = (f"{NAMES[k]},{cell}\n" for k, cell in zip(whole.labels, cells, strict=True))
    whole.write("labels.csv", "label,target\n" + "".join(lines))
    dataset = whole.load()
    assert dataset.source.label_column == "label"
    assert (
        "'label', 'target' agree; 'label' is read"
        in find_diagnosis(dataset, "table.label_columns").what
    )


def test_measurement_is_not_a_second_column_of_labels(whole):
    lines = (f"{NAMES[k]},{row / 4}\n" for row, k in enumerate(whole.labels))
    whole.write("labels.csv", "class,y\n" + "".join(lines))
    dataset = whole.load()
    assert dataset.source.label_column == "class"
    assert list(dataset.extras) == ["y"]


# --- Hugging Face's layout


def picture(shade: int) -> bytes:
    buffer = io.BytesIO()
    Image.new("L", (4, 4), shade).save(buffer, "PNG")
    return buffer.getvalue()


def hub(folder, split: str, rows: int, shards: int = 1, where: str = "data") -> None:
    """Write a split as `datasets` does: images inside, class names in the schema."""
    features = {"image": {"_type": "Image"}, "label": {"_type": "ClassLabel", "names": NAMES}}
    metadata = {"huggingface": json.dumps({"info": {"features": features}})}
    cells = [{"bytes": picture(row), "path": None} for row in range(rows)]
    kind = pa.struct([("bytes", pa.binary()), ("path", pa.string())])
    labels = pa.array(np.arange(rows) % 3, pa.int64())
    schema = pa.schema([("image", kind), ("label", pa.int64())], metadata=metadata)
    whole = pa.table([pa.array(cells, kind), labels], schema=schema)
    (folder.root / where).mkdir(exist_ok=True)
    for number, part in enumerate(np.array_split(np.arange(rows), shards)):
        name = f"{where}/{split}-{number:05}-of-{shards:05}.parquet"
        pq.write_table(whole.slice(part[0], len(part)), folder.root / name)


def test_hugging_face_layout_is_found_with_its_names_and_pictures(folder):
    hub(folder, "train", 30)
    folder.write("README.md", "---\nlicense: mit\n---\n")
    folder.save("probs.npy", folder.probs)
    dataset = folder.load()
    assert dataset.settings["labels"] == "data/train-00000-of-00001.parquet"
    assert dataset.class_names == ("cat", "dog", "eel")
    assert dataset.kind == "image"
    assert dataset.content.image(7).image.getpixel((0, 0)) == (7, 7, 7)


@pytest.mark.parametrize("where", ["data", "."])
def test_shards_of_one_split_are_one_table(folder, where):
    hub(folder, "train", 30, shards=3, where=where)
    folder.save("probs.npy", folder.probs)
    dataset = folder.load()
    assert dataset.labels.tolist() == folder.labels.tolist()
    assert dataset.content.image(29).image.getpixel((0, 0)) == (29, 29, 29)
    assert "3 shards are read as one table" in find_diagnosis(dataset, "labels.shards").what
    assert dataset.settings["labels"].endswith("train-*.parquet")
    again = curation.load(folder.root, labels=dataset.settings["labels"])
    assert again.fingerprint == dataset.fingerprint


def test_splits_in_shards_are_distinguished_by_their_rows_or_ambiguous(folder):
    hub(folder, "train", 60, shards=2)
    hub(folder, "test", 30)
    folder.save("probs.npy", folder.probs)
    assert folder.load().settings["labels"] == "data/test-00000-of-00001.parquet"
    hub(folder, "train", 30, shards=2)
    problem = folder.blocked().problem
    assert "'data/test-00000-of-00001.parquet', 'data/train-*.parquet'" in problem
    assert len(folder.load(labels="data/train-*.parquet")) == 30


def test_missing_shard_is_refused(folder):
    hub(folder, "train", 30, shards=3)
    folder.save("probs.npy", folder.probs)
    (folder.root / "data/train-00001-of-00003.parquet").unlink()
    error = folder.blocked()
    assert "data/train-*.parquet: only 2 of 3 shards exist: 0, 2" in error.problem
    assert "Fetch all 3 files" in error.remedy


def test_shard_with_other_columns_is_refused(folder):
    hub(folder, "train", 30, shards=2)
    folder.save("probs.npy", folder.probs)
    last = folder.root / "data/train-00001-of-00002.parquet"
    pq.write_table(pa.table({"label": ["cat"] * 15}), last)
    assert "its columns are 'label (string)'" in folder.blocked().problem


def test_shards_outside_the_root_are_refused(folder):
    hub(folder, "train", 30)
    folder.save("probs.npy", folder.probs)
    inner = folder.root / "data"
    problem = str(curation.check(inner, labels="../data/train-*.parquet").diagnoses[0].what)
    assert "there are no such files" in problem


def test_cleaned_labels_of_shards_are_one_file_with_only_decided_cells_changed(folder, tmp_path):
    hub(folder, "train", 30, shards=2)
    folder.save("probs.npy", folder.probs)
    dataset = folder.load()
    with curation.open_store(dataset, tmp_path / "store.db") as store:
        store.decide("20", "relabel", label="cat", curator="me")  # in the second shard; it was 2
        out = tmp_path / "out"
        curation.export(dataset, store, out)
        before = pa.concat_tables(pq.read_table(path) for path in dataset.source.paths)
        after = pq.read_table(out / "cleaned_labels.parquet")
        expected = before.column("label").to_pylist()
        expected[20] = 0
        assert after.column("label").to_pylist() == expected
        assert after.column("image").equals(before.column("image"))
        assert after.schema.metadata == before.schema.metadata
        shard = dataset.source.paths[1]
        pq.write_table(pq.read_table(shard).slice(1), shard)
        with pytest.raises(curation.CurationError, match="and 1 more has been changed"):
            curation.export(dataset, store, tmp_path / "again")
