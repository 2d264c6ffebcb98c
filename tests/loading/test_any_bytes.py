"""Whatever bytes a file holds, there is a Dataset or a CurationError, and nothing else.

A warning is something else: pytest makes each one an error, in every thread.
"""

import io
import json
import zipfile

import numpy as np
import openpyxl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import curation
from curation.dataset import Dataset
from curation.errors import CurationError

FEW = settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
LABELS = [0, 1, 2, 0, 1, 2]
PROBS = np.eye(3)[LABELS] * 0.7 + 0.1


def as_npy(array):
    np.save(buffer := io.BytesIO(), array)
    return buffer.getvalue()


def as_npz(**arrays):
    np.savez(buffer := io.BytesIO(), **arrays)
    return buffer.getvalue()


def as_parquet(columns):
    pq.write_table(pa.table(columns), buffer := io.BytesIO())
    return buffer.getvalue()


def as_xlsx(*rows):
    book = openpyxl.Workbook()
    for row in rows:
        book.active.append(row)
    book.save(buffer := io.BytesIO())
    return buffer.getvalue()


WHOLE = {
    "labels.csv": b"id,label\n" + b"".join(b"%d,%d\n" % pair for pair in enumerate(LABELS)),
    "labels.tsv": b"id\tlabel\n" + b"".join(b"%d\t%d\n" % pair for pair in enumerate(LABELS)),
    "labels.jsonl": b"".join(json.dumps({"label": k}).encode() + b"\n" for k in LABELS),
    "labels.parquet": as_parquet({"label": LABELS}),
    "labels.xlsx": as_xlsx(("id", "label"), *enumerate(LABELS)),
    "labels.npy": as_npy(np.array(LABELS)),
    "all.npz": as_npz(labels=np.array(LABELS), pred_probs=PROBS),
    "probs.npy": as_npy(PROBS),
    "probs.npz": as_npz(pred_probs=PROBS),
    "probs.csv": b"0,1,2\n" + b"".join(b"%f,%f,%f\n" % tuple(row) for row in PROBS),
    "probs.parquet": as_parquet({"probs": PROBS.tolist()}),
    "probs.xlsx": as_xlsx((0, 1, 2), *PROBS.tolist()),
    "probs-00000.npy": as_npy(PROBS),
    "oof_preds.parquet": as_parquet({name: PROBS[:, k] for k, name in enumerate("012")}),
    "preds.jsonl": b"".join(
        json.dumps({"probs": dict(zip("012", row, strict=True))}).encode() + b"\n"
        for row in PROBS.tolist()
    ),
    "train-00000-of-00001.parquet": as_parquet({"label": LABELS}),
    "test.csv": b"image,label,class\n" + b"".join(b"%d.png,%d,%d\n" % (k, k, k) for k in LABELS),
    "classes.txt": b"0\n1\n2\n",
    "classes.json": b'["0", "1", "2"]',
    "classes.csv": b"id,name\n0,a\n1,b\n2,c\n",
    "true_labels.csv": b"id,label\n0,1\n1,2\n",
    "curation.toml": b'labels = "labels.csv"\nprobs = "probs.npy"\n',
}


@st.composite
def damaged(draw, whole):
    """Bytes of any kind: pure noise, or a good file that was cut, changed or added to."""
    if draw(st.integers(0, 3)) == 0:
        return draw(st.binary(max_size=200))
    raw = bytearray(whole)
    for _ in range(draw(st.integers(1, 3))):
        place = draw(st.integers(0, len(raw)))
        kind = draw(st.sampled_from(["cut", "put", "flip", "drop"]))
        if kind == "cut":
            del raw[place:]
        elif kind == "put":
            odd = st.sampled_from(
                [b'"', b"\r", b"\n", b"\0", b"\xff", b",", b"nan", b"-1", b"\xef\xbb\xbf"]
            )
            raw[place:place] = draw(st.one_of(odd, st.binary(max_size=8)))
        elif kind == "flip" and place < len(raw):
            raw[place] = draw(st.integers(0, 255))
        else:
            del raw[place : place + draw(st.integers(1, 20))]
    return bytes(raw)


def neighbours(name):
    if name == "all.npz":
        return {}
    wanted = {"labels.csv", "probs.npy"} - {name}
    if name.startswith(("labels", "train", "test")):
        wanted -= {"labels.csv"}
    if name.startswith(("probs", "oof", "preds")):
        wanted -= {"probs.npy"}
    return {each: WHOLE[each] for each in wanted}


def load_or_refuse(root, files, **overrides):
    root.mkdir(exist_ok=True)
    for old in root.iterdir():
        if old.is_file():
            old.unlink()
    for name, raw in files.items():
        (root / name).write_bytes(raw)
    try:
        dataset = curation.load(root, **overrides)
    except CurationError as error:
        assert error.problem and error.remedy
        str(error).encode()
        return
    assert isinstance(dataset, Dataset)
    assert len(dataset.ids) == len(dataset.labels) == dataset.pred_probs.shape[0]
    assert set(dataset.labels) <= set(range(len(dataset.class_names)))
    assert dataset.fingerprint
    np.asarray(dataset.pred_probs)
    curation.analyze(dataset.labels, dataset.pred_probs, dataset.class_names)


@pytest.mark.parametrize("name", WHOLE)
def test_good_files_load(tmp_path, name):
    files = {name: WHOLE[name], **neighbours(name)}
    for each, raw in files.items():
        (tmp_path / each).write_bytes(raw)
    assert len(curation.load(tmp_path)) == 6


@pytest.mark.parametrize("name", WHOLE)
@given(data=st.data())
@FEW
def test_any_bytes_give_a_dataset_or_a_curation_error(tmp_path, name, data):
    raw = data.draw(damaged(WHOLE[name]))
    load_or_refuse(tmp_path / "data", {name: raw, **neighbours(name)})


@given(st.text(), st.text(), st.text())
@FEW
def test_any_text_in_the_cells_gives_a_dataset_or_a_curation_error(tmp_path, one, two, three):
    rows = [{"id": one, "label": two}, {"id": two, "label": three}, {"id": "x", "label": "0"}]
    try:
        lines = "".join(json.dumps(row) + "\n" for row in rows).encode()
    except UnicodeEncodeError:
        return
    probs = as_npy(np.full((3, 3), 1 / 3))
    load_or_refuse(tmp_path / "data", {"labels.jsonl": lines, "probs.npy": probs})


@given(st.binary(max_size=300), st.sampled_from([zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED]))
@FEW
def test_any_bytes_inside_an_archive_give_a_dataset_or_a_curation_error(tmp_path, raw, method):
    with zipfile.ZipFile(buffer := io.BytesIO(), "w", method) as archive:
        archive.writestr("pred_probs.npy", raw)
        archive.writestr("labels.npy", WHOLE["labels.npy"])
    load_or_refuse(tmp_path / "data", {"all.npz": buffer.getvalue()})


# Signalling NaNs, infinities, the largest, the smallest and a negative zero of each type.
ODD_BITS = {
    "f2": [0x7C01, 0x7C00, 0xFC00, 0x7BFF, 0xFBFF, 0x0001, 0x8000],
    "f4": [0x7F800001, 0x7F800000, 0xFF800000, 0x7F7FFFFF, 0xFF7FFFFF, 1, 0x80000000],
    "f8": [0x7FF << 52 | 1, 0x7FF << 52, 0xFFF << 52, (0x7FF << 52) - 1, 0xFFEF << 48, 1, 1 << 63],
}
OVERRIDES = [{}, {"drop_rows": True}, {"convert": "softmax"}, {"convert": "percent"},
             {"convert": "rescale"}, {"convert": "softmax", "drop_rows": True}]  # fmt: skip


@st.composite
def odd_numbers(draw, shape):
    """An array of floats in which some numbers, or all, are the worst of their kind."""
    kind = draw(st.sampled_from(sorted(ODD_BITS)))
    bits = PROBS[: shape[0], : shape[1]] * draw(st.sampled_from([1, 100]))
    bits = bits.astype(kind).view(f"u{kind[1]}")
    for place in draw(st.lists(st.integers(0, bits.size - 1), min_size=1, max_size=6)):
        bits.flat[place] = draw(st.sampled_from(ODD_BITS[kind]))
    array = bits.view(kind)
    return array.byteswap().view(array.dtype.newbyteorder()) if draw(st.booleans()) else array


@pytest.mark.parametrize("name", ["probs.npy", "probs.npz", "binary.npy", "labels.npy"])
@given(data=st.data())
@FEW
def test_any_numbers_give_a_dataset_or_a_curation_error_and_no_warning(tmp_path, name, data):
    files = {"labels.csv": WHOLE["labels.csv"], "probs.npy": WHOLE["probs.npy"]}
    overrides = dict(data.draw(st.sampled_from(OVERRIDES)))
    numbers = data.draw(odd_numbers((6, 3)))
    if name == "probs.npz":
        files = {"labels.csv": files["labels.csv"], name: as_npz(pred_probs=numbers)}
    elif name == "labels.npy":
        files = {name: as_npy(numbers[:, :1]), "probs.npy": files["probs.npy"]}
    elif name == "binary.npy":
        files = {"labels.csv": b"label\n" + b"0\n1\n" * 3, "probs.npy": as_npy(numbers[:, 0])}
        overrides["positive_class"] = "1"
    else:
        files["probs.npy"] = as_npy(numbers)
    load_or_refuse(tmp_path / "data", files, **overrides)
