from __future__ import annotations

import io

import numpy as np
import pytest

from curation.errors import InputError
from curation.loading.formats.npy import _value


@pytest.mark.fault(41, "HOLDS")
@pytest.mark.parametrize("dtype", ["int8", "uint8", "int64", ">i4", "float32", "<U3", "S3", "bool"])
def test_only_the_bytes_of_decided_elements_differ(bench, dtype):
    words = np.array(["cat", "dog", "eel"] * 3)
    codes = np.arange(9) % (2 if dtype == "bool" else 3)
    labels = words.astype(dtype) if dtype[-2] in "US" else codes.astype(dtype)
    np.save(bench.root / "labels.npy", labels)
    bench.probs(codes, 2 if dtype == "bool" else 3)
    assert bench.cleaned() == (bench.root / "labels.npy").read_bytes()
    bench.relabel({0: 1, 5: 0})
    labels[0], labels[5] = labels[1], labels[0]
    expected = io.BytesIO()
    np.save(expected, labels)
    assert bench.cleaned() == expected.getvalue()


def test_a_column_stays_a_column_and_rows_are_dropped(bench):
    np.save(bench.root / "labels.npy", np.array([[0], [1], [2]], dtype=np.int8))
    bench.probs([0, 1, 2]).relabel({0: 2}).decide(1, "exclude")
    after = np.load(io.BytesIO(bench.cleaned()))
    assert after.dtype == np.int8 and after.tolist() == [[2], [2]]
    assert np.load(io.BytesIO(bench.cleaned(excluded="flag"))).tolist() == [[2], [1], [2]]


def test_one_hot_stays_one_hot(bench):
    np.save(bench.root / "labels.npy", np.eye(3, dtype=np.int8, order="F"))
    bench.overrides = {"labels_are": "onehot"}
    bench.probs([0, 1, 2]).relabel({0: 2})
    assert np.load(io.BytesIO(bench.cleaned())).tolist() == [[0, 0, 1], [0, 1, 0], [0, 0, 1]]


def test_labels_counted_from_one_are_written_so(bench):
    np.save(bench.root / "labels.npy", np.array([1, 2, 3, 1]))
    bench.overrides = {"shift_labels": -1}
    bench.probs([0, 1, 2, 0]).relabel({0: 2})
    assert np.load(io.BytesIO(bench.cleaned())).tolist() == [3, 2, 3, 1]


def test_a_name_too_long_for_the_array_widens_it(bench):
    np.save(bench.root / "labels.npy", np.array(["cat", "dog", "cat"]))
    bench.classes(["cat", "dog", "elephant"]).probs([0, 1, 0]).relabel({2: "elephant"})
    assert np.load(io.BytesIO(bench.cleaned())).tolist() == ["cat", "dog", "elephant"]


def test_a_number_too_large_for_the_type_is_refused():
    with pytest.raises(InputError, match="'300' cannot be written to an array of int8"):
        _value("300", np.dtype("int8"), "labels.npy")


def test_an_archive_becomes_a_table_with_every_row(bench):
    probs = np.full((4, 2), 0.5)
    np.savez(bench.root / "d.npz", labels=[0, 1, -1, 0], pred_probs=probs, ids=list("abcd"))
    bench.decide(0, "exclude").relabel({1: 0})
    assert bench.cleaned() == b"id,label\nb,0\nc,-1\nd,0\n"
    flagged = b"id,label,excluded\na,0,true\nb,0,false\nc,-1,false\nd,0,false\n"
    assert bench.cleaned(excluded="flag") == flagged
    assert bench.plan().dataset.source_rows.tolist() == [0, 1, 3]


def test_folders_become_a_table_of_files(bench):
    from PIL import Image

    for name in ("cat/1.png", "cat/2.png", "dog/1.png"):
        (bench.root / name).parent.mkdir(exist_ok=True)
        Image.new("RGB", (2, 2)).save(bench.root / name)
    bench.probs([0, 0, 1], 2).relabel({1: "dog"})
    assert bench.cleaned() == b"id,label\ncat/1.png,cat\ncat/2.png,dog\ndog/1.png,dog\n"
    bench.write("cat/0.png", (bench.root / "cat/1.png").read_bytes())
    with pytest.raises(InputError, match="class folders have changed"):
        bench.cleaned()
