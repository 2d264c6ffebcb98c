"""An array on disk reads like the numpy array it stands for, and never after its file changed."""

import os
import subprocess
import sys
import textwrap

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from curation.core.matrix import read_blocks
from curation.errors import FileChangedError
from curation.loading.formats import disk_array
from curation.loading.formats.npy import open_npy


@pytest.fixture
def values():
    return np.random.default_rng(0).random((100, 7))


@pytest.fixture
def saved(tmp_path, values):
    np.save(tmp_path / "a.npy", values)
    return tmp_path / "a.npy"


@pytest.fixture(scope="module", params=["C", "F"])
def stored(request, tmp_path_factory):
    """A file of several blocks, row by row and column by column, and what is in it."""
    whole = np.asarray(np.random.default_rng(1).random((5000, 60)), order=request.param)
    path = tmp_path_factory.mktemp("stored") / "a.npy"
    np.save(path, whole)
    return open_npy(path, "a.npy"), whole


keys = st.lists(st.integers(-5000, 4999), max_size=50).map(lambda rows: np.array(rows, np.int64))


@given(rows=keys, start=st.integers(0, 5000), stop=st.integers(0, 5000), seed=st.integers(0, 99))
def test_rows_and_cells_are_those_of_the_array(stored, rows, start, stop, seed):
    array, whole = stored
    np.testing.assert_array_equal(array[rows], whole[rows])
    np.testing.assert_array_equal(array[start:stop], whole[start:stop])
    columns = np.random.default_rng(seed).integers(-60, 60, len(rows))
    np.testing.assert_array_equal(array[rows, columns], whole[rows, columns])
    np.testing.assert_array_equal(array[rows, columns[:3, None]], whole[rows, columns[:3, None]])


def test_other_keys_are_those_of_the_array(stored):
    array, whole = stored
    assert (array.shape, array.dtype, array.ndim, array.size) == ((5000, 60), float, 2, 300_000)
    np.testing.assert_array_equal(np.asarray(array), whole)
    np.testing.assert_array_equal(array[17], whole[17])
    np.testing.assert_array_equal(array[10:20, 3], whole[10:20, 3])
    np.testing.assert_array_equal(array[100:10:-7], whole[100:10:-7])
    assert array[3, 4] == whole[3, 4]
    read = np.concatenate([block.copy() for _, _, block in read_blocks(array, 0, 5000)])
    np.testing.assert_array_equal(read, whole)
    with pytest.raises(IndexError):
        array[5000]


@pytest.mark.parametrize("dtype", ["<f4", ">f8", "f2", "u1", "?", "U3"])
def test_every_type_is_read_as_stored(tmp_path, dtype):
    plain = np.arange(12).reshape(4, 3).astype(dtype)
    np.save(tmp_path / "a.npy", plain)
    np.testing.assert_array_equal(
        open_npy(tmp_path / "a.npy", "a.npy")[np.array([2, 0])], plain[[2, 0]]
    )


def test_systems_without_positioned_reads_read_the_same(saved, values, monkeypatch):
    monkeypatch.delattr(disk_array.os, "preadv")
    array = open_npy(saved, "a.npy")
    np.testing.assert_array_equal(array[np.array([99, 3])], values[[99, 3]])


def test_rewritten_file_is_never_read_as_if_it_were_the_old_one(saved, values):
    array = open_npy(saved, "a.npy")
    np.save(saved, values + 1)  # the same shape, in place
    for read in (lambda: array[3:5], lambda: array[3, 4], lambda: array[np.array([1, 90])]):
        with pytest.raises(FileChangedError, match="a.npy was changed after it was loaded"):
            read()


def test_replaced_file_is_noticed_and_the_old_one_can_still_be_read(saved, values):
    array = open_npy(saved, "a.npy")
    array.check_unchanged()
    np.save(saved.with_name("b.npy"), values + 1)
    os.replace(saved.with_name("b.npy"), saved)
    np.testing.assert_array_equal(array[:], values)
    with pytest.raises(FileChangedError, match="was replaced by another file"):
        array.check_unchanged()
    saved.unlink()
    with pytest.raises(FileChangedError, match="was moved or deleted"):
        array.check_unchanged()


@pytest.mark.fault(77, "HOLDS")
def test_file_that_is_cut_short_does_not_end_the_process(saved):
    # With a mapping this process would be killed by SIGBUS.
    script = """
        import sys, os, curation, pathlib
        from curation.loading.formats.npy import open_npy
        path = pathlib.Path(sys.argv[1])
        array = open_npy(path, "a.npy")
        os.truncate(path, 200)
        try:
            array[50:100]
        except curation.CurationError as error:
            print(error.problem)
    """
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(script), saved], capture_output=True, text=True
    )
    assert (done.returncode, done.stdout) == (0, "a.npy became shorter after it was loaded.\n")
