"""Saved results are whole or noticed, and bounded."""

from __future__ import annotations

import logging
import os

import numpy as np
import pytest

from curation import saved_results
from curation.saved_results import SavedResults, make_key

KEY = make_key("a result")
ARRAYS = {"numbers": np.arange(50.0), "square": np.eye(3, dtype=np.uint16)}


@pytest.fixture
def root(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    folder = tmp_path / "data"
    folder.mkdir()
    return folder


def equals(found):
    return found is not None and all(np.array_equal(found[name], ARRAYS[name]) for name in ARRAYS)


def test_what_is_saved_is_read_again_and_cannot_be_written_to(root):
    path = SavedResults(root, "findings").save(KEY, ARRAYS)
    assert path == root / ".curation" / "findings" / f"{KEY}.npz"
    found = SavedResults(root, "findings").read(KEY)
    assert equals(found) and not found["numbers"].flags.writeable
    assert SavedResults(root, "findings").read(make_key("another")) is None


def test_folder_that_cannot_be_written_is_served_from_the_cache(root, tmp_path):
    root.chmod(0o555)
    path = SavedResults(root, "findings").save(KEY, ARRAYS)
    assert tmp_path / "cache" in path.parents
    assert equals(SavedResults(root, "findings").read(KEY))
    assert list(root.iterdir()) == []
    root.chmod(0o755)


def test_nothing_is_written_through_a_link(root, tmp_path):
    (tmp_path / "elsewhere").mkdir()
    (root / ".curation").symlink_to(tmp_path / "elsewhere")
    assert tmp_path / "cache" in SavedResults(root, "findings").save(KEY, ARRAYS).parents
    assert list((tmp_path / "elsewhere").iterdir()) == []


def test_every_damaged_byte_is_noticed_or_changes_nothing(root):
    path = SavedResults(root, "findings").save(KEY, ARRAYS)
    whole = path.read_bytes()
    for place in range(0, len(whole), 3):
        damaged = bytearray(whole)
        damaged[place] ^= 0x41
        path.write_bytes(damaged)
        found = SavedResults(root, "findings").read(KEY)
        assert found is None or equals(found)


def test_file_that_is_cut_is_noticed_removed_and_said_in_the_log(root, caplog):
    path = SavedResults(root, "findings").save(KEY, ARRAYS)
    whole = path.read_bytes()
    for size in range(0, len(whole), 97):
        path.write_bytes(whole[:size])
        with caplog.at_level(logging.WARNING):
            assert SavedResults(root, "findings").read(KEY) is None
        assert not path.exists()
        assert f"{KEY}.npz cannot be used" in caplog.text and "made again" in caplog.text
        caplog.clear()


def test_compressed_file_is_refused_before_it_is_unpacked(root):
    path = SavedResults(root, "findings").save(KEY, ARRAYS)
    np.savez_compressed(path, zeros=np.zeros(10**6))
    assert SavedResults(root, "findings").read(KEY) is None


def test_only_the_most_recently_used_are_kept(root, monkeypatch):
    monkeypatch.setattr(saved_results, "KEPT_BESIDE", 2)
    keys = [make_key(each) for each in range(3)]
    for age, key in enumerate(keys[:2]):
        path = SavedResults(root, "findings").save(key, ARRAYS)
        os.utime(path, (age, age))
    assert SavedResults(root, "findings").read(keys[0]) is not None  # used again: no longer oldest
    SavedResults(root, "findings").save(keys[2], ARRAYS)
    left = [SavedResults(root, "findings").read(key) is not None for key in keys]
    assert left == [True, False, True]


def test_what_a_killed_process_left_is_removed_when_it_is_old(root):
    path = SavedResults(root, "findings").save(KEY, ARRAYS)
    old, new = path.with_name("old.tmp"), path.with_name("new.tmp")
    for each in (old, new):
        each.write_bytes(b"half")
    os.utime(old, (0, 0))
    SavedResults(root, "findings").save(KEY, ARRAYS)
    assert not old.exists() and new.exists()


def test_full_disk_saves_nothing_and_leaves_nothing(root, monkeypatch, caplog):
    def fail(*_args, **_options):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(saved_results.np, "savez", fail)
    assert SavedResults(root, "findings").save(KEY, ARRAYS) is None
    assert "No space left on device" in caplog.text
    assert [each for each in root.rglob("*") if each.is_file()] == []
