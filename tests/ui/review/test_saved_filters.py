"""Filters saved under a name."""

from __future__ import annotations

import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from curation.errors import InputError
from curation.paths import user_folder
from curation.ui.review.saved_filters import FILE, list_saved, save


def test_a_saved_filter_is_there_again_for_its_dataset_alone(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    link = {"given": "1", "tag": "blurry", "data": "/elsewhere", "at": "e1"}
    assert save("pets", "dark **dogs**", link)
    assert save("pets", "cats", {"given": "0"})
    assert list_saved("pets") == {
        "cats": {"given": "0"},
        "dark **dogs**": {"given": "1", "tag": "blurry"},  # not the dataset, nor the place
    }
    assert list_saved("cars") == {}
    assert save("pets", "cats", None)
    assert list(list_saved("pets")) == ["dark **dogs**"]


def test_a_file_that_holds_something_else_is_as_good_as_none(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    file = user_folder() / FILE
    file.parent.mkdir(parents=True, exist_ok=True)
    for text in ("[]", "{", '{"pets": 3}', '{"pets": {"a": 1}}'):
        file.write_text(text)
        assert list_saved("pets") == {}
    assert save("pets", "b", {"order": "file"})
    assert list_saved("pets") == {"b": {"order": "file"}}


def test_filters_that_many_save_at_once_are_all_kept(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    names = [f"filter {number}" for number in range(40)]
    script = (
        "import sys; from curation.ui.review.saved_filters import save\n"
        "for name in sys.argv[1:]: assert save('pets', name, {'given': '1'})"
    )
    others = [
        subprocess.Popen([sys.executable, "-c", script, *names[start:20:2]]) for start in (0, 1)
    ]
    with ThreadPoolExecutor(8) as pool:
        saved = list(pool.map(lambda name: save("pets", name, {"given": "1"}), names[20:]))
    assert all(saved) and [each.wait(60) for each in others] == [0, 0]
    assert set(list_saved("pets")) == set(names)


def test_a_name_that_somebody_gave_to_other_filters_is_refused(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    assert save("pets", "mine", {"given": "0"}) and save("pets", "mine", {"given": "0"})
    with pytest.raises(InputError, match="There are other filters called 'mine'"):
        save("pets", "mine", {"given": "1"})
    assert list_saved("pets") == {"mine": {"given": "0"}}


def test_a_file_that_cannot_be_read_now_is_not_replaced(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    assert save("pets", "cats", {"given": "0"})
    kept = (user_folder() / FILE).read_bytes()

    def fail(*_, **__):
        raise PermissionError("busy")

    with monkeypatch.context() as patch:
        patch.setattr(Path, "read_text", fail)
        assert not save("pets", "dogs", {"given": "1"})
    assert (user_folder() / FILE).read_bytes() == kept
