"""A matrix on disk reads like the numpy array it stands for."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from curation.errors import FileChangedError
from curation.loading.formats.npy import open_npy
from curation.loading.probs.prob_matrix import ProbMatrix


def softmax(logits):
    powers = np.exp(logits - logits.max(axis=1, keepdims=True))
    return powers / powers.sum(axis=1, keepdims=True)


@st.composite
def matrices(draw):
    """A matrix in random shards, order and conversion, with the plain array it must equal."""
    rng = np.random.default_rng(draw(st.integers(0, 10_000)))
    wide = draw(st.integers(1, 4))
    parts = [
        rng.random((draw(st.integers(1, 5)), wide)) + 0.1 for _ in range(draw(st.integers(1, 3)))
    ]
    whole = np.concatenate(parts)
    rows = columns = None
    if draw(st.booleans()):
        rows = rng.integers(0, len(whole), draw(st.integers(1, 8)))
    if draw(st.booleans()):
        columns = rng.permutation(wide)
    convert = draw(st.sampled_from([None, "softmax", "percent", "rescale"]))
    plain = whole if rows is None else whole[rows]
    plain = plain if columns is None else plain[:, columns]
    changed = {
        None: lambda a: a,
        "softmax": softmax,
        "percent": lambda a: a / 100,
        "rescale": lambda a: a / a.sum(axis=1, keepdims=True),
    }[convert](plain)
    return ProbMatrix(parts, rows=rows, columns=columns, convert=convert), changed


@given(matrices(), st.data())
@settings(max_examples=150)
def test_every_way_of_reading_gives_what_numpy_gives(pair, data):
    matrix, plain = pair
    high, wide = plain.shape
    assert matrix.shape == plain.shape and len(matrix) == high
    np.testing.assert_allclose(np.asarray(matrix), plain)
    start, stop = data.draw(st.integers(0, high)), data.draw(st.integers(0, high))
    np.testing.assert_allclose(matrix[start:stop], plain[start:stop])
    np.testing.assert_allclose(matrix[::-1], plain[::-1])
    row = data.draw(st.integers(-high, high - 1))
    np.testing.assert_allclose(matrix[row], plain[row])
    rows = np.array(data.draw(st.lists(st.integers(-high, high - 1), min_size=1, max_size=6)))
    columns = rows % wide
    np.testing.assert_allclose(matrix[rows], plain[rows])
    np.testing.assert_allclose(matrix[rows, columns], plain[rows, columns])
    np.testing.assert_allclose(matrix[rows[:, None], [0]], plain[rows[:, None], [0]])
    np.testing.assert_allclose(matrix[row, 0], plain[row, 0])
    np.testing.assert_allclose(matrix[start:stop, 0], plain[start:stop, 0])
    np.testing.assert_allclose(matrix[rows, :1], plain[rows, :1])
    mask = np.arange(high) % 2 == 0
    np.testing.assert_allclose(matrix[mask], plain[mask])


def test_marked_rows_are_divided_by_their_sums_however_they_are_read():
    parts = [np.array([[0.5, 0.5], [0.6, 0.6]]), np.array([[1.0, 0.0], [0.2, 0.2]])]
    marked = (np.array([1, 3]), np.array([1.2, 0.4]))
    matrix = ProbMatrix(parts, scaled=marked)
    plain = np.array([[0.5, 0.5], [0.5, 0.5], [1.0, 0.0], [0.5, 0.5]])
    np.testing.assert_allclose(np.asarray(matrix), plain)
    np.testing.assert_allclose(matrix[np.array([3, 0]), np.array([1, 1])], [0.5, 0.5])
    np.testing.assert_allclose(matrix[3], plain[3])


def test_types_are_kept_or_widened_with_reason():
    half = np.ones((2, 2), np.float16)
    assert ProbMatrix([half]).dtype == np.float16
    assert ProbMatrix([half], convert="softmax").dtype == np.float32
    assert ProbMatrix([np.ones((2, 2), np.int8)]).dtype == np.float64
    assert ProbMatrix([np.ones((2, 2), ">f4")]).dtype == np.dtype("=f4")
    assert ProbMatrix([half, np.ones((2, 2), np.float32)])[0:4].dtype == np.float32


@pytest.mark.parametrize(
    "key", [5, -6, np.array([9]), (np.array([0]), np.array([7])), (0, 1, 2), 0.5]
)
def test_places_that_are_not_there_are_index_errors(key):
    with pytest.raises(IndexError):
        ProbMatrix([np.ones((5, 2))])[key]


def test_reordered_shards_on_disk_read_like_the_array_they_stand_for(tmp_path):
    values = np.random.default_rng(0).random((100, 7))
    np.save(tmp_path / "a.npy", values[:40])
    np.save(tmp_path / "b.npy", values[40:])
    parts = [open_npy(tmp_path / name, name) for name in ("a.npy", "b.npy")]
    order = np.random.default_rng(1).permutation(100)[:50]
    matrix = ProbMatrix(parts, rows=order, columns=np.array([6, 5, 4, 3, 2, 1, 0]))
    np.testing.assert_array_equal(np.asarray(matrix), values[order][:, ::-1])
    np.testing.assert_array_equal(matrix[[0, 9], [1, 2]], values[order][:, ::-1][[0, 9], [1, 2]])
    matrix.check_unchanged()
    np.save(tmp_path / "b.npy", values[40:])
    with pytest.raises(FileChangedError, match="b.npy was changed after it was loaded"):
        matrix.check_unchanged()
