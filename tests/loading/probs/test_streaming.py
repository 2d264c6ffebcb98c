"""A mapped file can be read past its mapping, and reads the same."""

import numpy as np
import pytest

from curation.loading.probs.disk_matrix import ProbMatrix
from curation.loading.probs.streaming import FileRows, read_past_mapping
from curation.loading.report_builder import Stop


@pytest.fixture
def values():
    return np.random.default_rng(0).random((100, 7))


def mapped(tmp_path, values, name="a.npy"):
    np.save(tmp_path / name, values)
    return np.load(tmp_path / name, mmap_mode="r")


def test_rows_are_those_of_the_mapping(tmp_path, values):
    rows = read_past_mapping(mapped(tmp_path, values))
    assert isinstance(rows, FileRows)
    np.testing.assert_array_equal(rows[10:20], values[10:20])
    np.testing.assert_array_equal(rows[90:200], values[90:])
    np.testing.assert_array_equal(rows[20:10], values[20:10])
    for order in ([3, 1], [0, 99], [5, 6, 8], [], [4, 4]):
        picked = np.array(order, dtype=np.int64)
        np.testing.assert_array_equal(rows[picked], values[picked])
    np.testing.assert_array_equal(rows[np.array([1, 2]), np.array([0, 3])], values[[1, 2], [0, 3]])


def test_reordered_shards_are_read_past_their_mappings_too(tmp_path, values):
    parts = [mapped(tmp_path, values[:40], "a.npy"), mapped(tmp_path, values[40:], "b.npy")]
    order = np.random.default_rng(1).permutation(100)[:50]
    matrix = ProbMatrix(parts, rows=order, columns=np.array([6, 5, 4, 3, 2, 1, 0]))
    past = read_past_mapping(matrix)
    assert all(isinstance(part, FileRows) for part in past.parts)
    np.testing.assert_array_equal(past[10:30], matrix[10:30])
    np.testing.assert_array_equal(np.asarray(past), values[order][:, ::-1])


def test_views_and_other_orders_are_left_alone(tmp_path, values):
    view = mapped(tmp_path, values)[5:]
    assert read_past_mapping(view) is view
    fortran = mapped(tmp_path, np.asfortranarray(values), "f.npy")
    assert read_past_mapping(fortran) is fortran
    assert read_past_mapping(values) is values


def test_file_that_shrinks_while_it_is_read_is_refused(tmp_path, values):
    rows = read_past_mapping(mapped(tmp_path, values))
    with (tmp_path / "a.npy").open("r+b") as file:
        file.truncate(1000)
    with pytest.raises(Stop, match="became shorter while it was read"):
        rows[0:100]
