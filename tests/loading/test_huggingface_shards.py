"""Tables in shards, as Hugging Face stores them, are read as one table or not at all."""

import io
import json

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from PIL import Image

import curation
from tests.loading.conftest import find_diagnosis

NAMES = ["cat", "dog", "eel"]


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
