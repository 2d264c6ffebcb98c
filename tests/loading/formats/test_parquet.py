"""Parquet: types kept exact, embedded images left in the file."""

import json
import pickle
from decimal import Decimal

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from curation.loading.formats.parquet import read_parquet
from curation.loading.report_builder import Stop
from tests.loading.formats.test_npy import Canary

LIMIT = 2**30
NAMES = ("cat", "dog", "eel")


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


@pytest.mark.fault(38, "HOLDS")
def test_large_integers_next_to_a_missing_cell_are_exact(folder):
    table = read(folder, {"id": pa.array([9007199254740993, None], pa.int64())})
    assert table.text("id").to_pylist() == ["9007199254740993", None]


@pytest.mark.fault(17, "HOLDS")
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


@pytest.mark.fault(
    42,
    "BLOCK",
    says="labels.parquet: the file is cut off: its … bytes do not end as a Parquet file must. "
    "Copy or save it again.",
)
def test_cut_file_is_refused(folder):
    path = write(folder, {"label": pa.array(np.arange(1000))})
    whole = path.read_bytes()
    path.write_bytes(whole[:-100])
    assert refused(path).what == (
        f"the file is cut off: its {len(whole) - 100} bytes do not end as a Parquet file must."
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


def test_pictures_do_not_count_as_memory(folder):
    images = pa.array([{"bytes": np.random.default_rng(k).bytes(2000)} for k in range(20)])
    path = write(folder, {"image": images, "label": pa.array([0, 1] * 10)})
    table = read_parquet(path, "labels.parquet", memory_limit=5000)
    assert (len(table), table.image_columns) == (20, ("image",))
    assert refused(path, limit=20).code == "memory.limit"


@pytest.mark.parametrize("kind", ["large_string", "string_view", "binary", "large_binary"])
def test_labels_and_texts_are_read_from_every_type_of_text(whole, kind):
    values = [NAMES[k].encode() if "binary" in kind else NAMES[k] for k in whole.labels]
    (whole.root / "labels.csv").unlink()
    columns = {each: pa.array(values, getattr(pa, kind)()) for each in ("label", "text")}
    write(whole, columns)
    dataset = whole.load()
    assert dataset.labels.tolist() == whole.labels.tolist()
    assert (dataset.kind, dataset.content.text(1)) == ("text", "dog")


def test_bytes_that_are_not_text_are_not_labels(whole):
    (whole.root / "labels.csv").unlink()
    write(whole, {"label": pa.array([b"\xff\xfe", b"\x80"] * 15)})
    error = whole.blocked()
    assert "column 'label': the labels are bytes that are not UTF-8 text" in error.problem
    assert "Save the column as text" in error.remedy


def test_labels_stored_as_decimals_are_whole_numbers(whole):
    (whole.root / "labels.csv").unlink()
    cells = [Decimal(int(k)) for k in whole.labels]
    write(whole, {"label": pa.array(cells, pa.decimal128(5, 2))})
    assert whole.load().labels.tolist() == whole.labels.tolist()


@pytest.mark.parametrize(
    "kind",
    [
        pa.list_(pa.float32()),
        pa.large_list(pa.float64()),
        pa.list_(pa.float64(), 3),
        pa.list_view(pa.float64()),
        pa.list_(pa.decimal128(9, 8)),
        pa.list_(pa.float16()),
    ],
    ids=str,
)
def test_lists_of_probabilities_are_read_from_every_type_of_list(whole, kind):
    (whole.root / "probs.npy").unlink()
    rows = whole.probs.astype(float).round(8).tolist()
    if pa.types.is_decimal(kind.value_type):
        rows = [[Decimal(f"{each:.8f}") for each in row] for row in rows]
    if pa.types.is_float16(kind.value_type):
        rows = [[np.float16(each) for each in row] for row in rows]
    pq.write_table(pa.table({"probs": pa.array(rows, kind)}), whole.root / "probs.parquet")
    np.testing.assert_allclose(
        np.asarray(whole.load().pred_probs, dtype=float), whole.probs, atol=1e-3
    )


@pytest.mark.parametrize("kind", ["float16", "decimal128", "large_string"])
def test_columns_of_probabilities_are_read_from_every_type_of_number(whole, kind):
    (whole.root / "probs.npy").unlink()
    columns = {}
    for name, values in zip(NAMES, whole.probs.astype(float).T, strict=True):
        if kind == "float16":
            columns[name] = pa.array(values.astype(np.float16))
        elif kind == "decimal128":
            columns[name] = pa.array([Decimal(f"{v:.6f}") for v in values], pa.decimal128(8, 6))
        else:
            columns[name] = pa.array([str(v) for v in values], pa.large_string())
    pq.write_table(pa.table(columns), whole.root / "probs.parquet")
    np.testing.assert_allclose(np.asarray(whole.load().pred_probs), whole.probs, atol=1e-3)


@pytest.mark.parametrize("how", ["dictionary", "delta"])
def test_text_stored_once_counts_as_often_as_it_occurs(folder, how):
    # 2,000 times 10,000 characters: a file of a few kB, and 20 MB when it is read
    text = pa.DictionaryArray.from_arrays(np.zeros(2000, np.int32), pa.array(["x" * 10_000]))
    path = folder.root / "labels.parquet"
    options = {"use_dictionary": True}
    if how == "delta":
        options = {"use_dictionary": False, "column_encoding": {"text": "DELTA_BYTE_ARRAY"}}
        text = text.cast(pa.string())
    pq.write_table(pa.table({"text": text}), path, store_schema=False, **options)
    assert path.stat().st_size < 100_000
    diagnosis = refused(path, limit=10_000_000)
    assert diagnosis.code == "memory.limit" and "MB of memory" in diagnosis.what
    table = read_parquet(path, "labels.parquet", memory_limit=25_000_000)
    assert table.data.column("text").nbytes > 20_000_000


def test_numbers_stored_once_count_as_often_as_they_occur(folder):
    path = folder.root / "labels.parquet"
    pq.write_table(pa.table({"label": np.zeros(1_000_000, np.int64)}), path)
    assert path.stat().st_size < 10_000
    assert refused(path, limit=7_000_000).code == "memory.limit"
    assert len(read_parquet(path, "labels.parquet", memory_limit=9_000_000)) == 1_000_000


@pytest.mark.fault(53, "HOLDS")
def test_extension_type_that_carries_a_pickle_never_runs_it(whole, tmp_path):
    """As in CVE-2023-47248: old readers unpickled the type that the schema names."""
    canary = tmp_path / "canary"
    pickled = pickle.dumps(Canary(canary))
    field = pa.field(
        "label",
        pa.string(),
        metadata={
            "ARROW:extension:name": "arrow.py_extension_type",
            "ARROW:extension:metadata": pickled,
        },
    )
    names = [("cat", "dog", "eel")[k] for k in whole.labels]
    (whole.root / "labels.csv").unlink()
    table = pa.table([pa.array(names)], schema=pa.schema([field]))
    pq.write_table(table, whole.root / "labels.parquet")
    written = pq.read_schema(whole.root / "labels.parquet").field("label").metadata
    assert written[b"ARROW:extension:metadata"] == pickled
    assert whole.load().labels.tolist() == whole.labels.tolist()
    assert not canary.exists()
