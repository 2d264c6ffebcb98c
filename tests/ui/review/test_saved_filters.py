"""Filters saved under a name."""

from __future__ import annotations

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
