"""Parquet: types kept exact, embedded images left in the file."""

import json

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from curation.loading.notes import Stop
from curation.loading.parquet import read_parquet

LIMIT = 2**30


def write(folder, columns, metadata=None):
    table = pa.table(columns)
    if metadata:
        table = table.replace_schema_metadata(metadata)
    pq.write_table(table, folder.root / "labels.parquet")
    return folder.root / "labels.parquet"


def read(folder, columns, **more):
    return read_parquet(write(folder, columns, **more), "labels.parquet", memory_limit=LIMIT)


def refused(path, limit=LIMIT):
    with pytest.raises(Stop) as caught:
        read_parquet(path, "labels.parquet", memory_limit=limit)
    return caught.value.diagnosis


def test_large_integers_beside_a_missing_cell_are_exact(folder):
    table = read(folder, {"id": pa.array([9007199254740993, None], pa.int64())})
    assert table.text("id").to_pylist() == ["9007199254740993", None]


def test_dictionary_boolean_and_float_columns_are_text_when_asked(folder):
    table = read(
        folder,
        {
            "word": pa.array(["a", "b", None]).dictionary_encode(),
            "yes": pa.array([True, False, None]),
            "number": pa.array([1.0, float("nan"), None]),
        },
    )
    assert table.text("word").to_pylist() == ["a", "b", None]
    assert table.text("yes").to_pylist() == ["True", "False", None]
    assert table.text("number").to_pylist() == ["1.0", None, None]
    assert [table.kind(c) for c in table.columns] == ["text", "boolean", "float"]


def test_embedded_images_are_named_and_not_read(folder):
    images = pa.array([{"bytes": b"x" * 1000, "path": None}] * 3)
    table = read(folder, {"image": images, "label": pa.array([0, 1, 0])})
    assert table.image_columns == ("image",)
    assert table.data.column_names == ["label"]


def test_class_names_of_hugging_face_are_found(folder):
    features = {"label": {"names": ["cat", "dog"], "_type": "ClassLabel"}}
    info = json.dumps({"info": {"features": features}}).encode()
    table = read(folder, {"label": pa.array([0, 1])}, metadata={b"huggingface": info})
    assert table.class_names == {"label": ("cat", "dog")}


def test_cut_file_is_refused(folder):
    path = write(folder, {"label": pa.array(np.arange(1000))})
    whole = path.read_bytes()
    path.write_bytes(whole[:-100])
    assert refused(path).what == (
        f"file is cut: its {len(whole) - 100} bytes do not end as a Parquet file must."
    )


def test_file_of_another_kind_is_refused(folder):
    path = folder.write("labels.parquet", b"id,label\n1,a\n")
    assert "not a Parquet file" in refused(path).what


def test_table_that_would_not_fit_is_refused_from_its_footer(folder):
    path = write(folder, {"label": pa.array(np.random.default_rng(0).random(100_000))})
    diagnosis = refused(path, limit=1000)
    assert "the limit is 1000 bytes" in diagnosis.what
    assert diagnosis.code == "memory.limit"


def test_table_without_rows_is_refused(folder):
    assert "no rows" in refused(write(folder, {"label": pa.array([], pa.string())})).what
