"""Whatever bytes a file holds, there is a Dataset or a CurationError, and nothing else.

A warning is something else: pytest makes each one an error, in every thread.
"""

import io
import json
import resource
import zipfile

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import curation
from curation.loading.formats.registry import FORMATS, find_format
from devtools.damaged_files import PROBS, WHOLE, as_npy, as_npz, load_or_refuse, neighbours

FEW = settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])


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


@pytest.fixture(scope="module", autouse=True)
def memory_is_bounded():
    """Whatever the files claim, all of these tests together take little memory."""
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    yield
    grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before  # in kilobytes
    assert grown < 500_000


def test_every_format_that_is_read_is_damaged_here():
    tried = {find_format(name) for name in WHOLE if name.startswith(("labels", "all"))}
    missing = [f"labels{f.suffixes[0]}" for f in FORMATS if f.suffixes and f not in tried]
    assert not missing, f"add {missing} to WHOLE in devtools/damaged_files.py"


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
