"""Fixes are kept by dataset, and nothing that is broken stops the dashboard."""

import pytest

from curation.paths import user_folder
from curation.ui.shell import fix_memory
from curation.ui.shell.fix_memory import FILE, NO_FIXES, keep_fixes, recall_fixes


@pytest.fixture(autouse=True)
def home(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "home"))


def test_fixes_belong_to_one_dataset(tmp_path):
    keep_fixes(tmp_path / "a", '{"drop_rows":true}')
    assert recall_fixes(tmp_path / "a") == '{"drop_rows":true}'
    assert recall_fixes(tmp_path / "a" / ".." / "a") == '{"drop_rows":true}'
    assert recall_fixes(tmp_path / "b") == NO_FIXES


def test_fixes_that_were_undone_are_forgotten(tmp_path):
    keep_fixes(tmp_path, '{"drop_rows":true}')
    keep_fixes(tmp_path, NO_FIXES)
    assert recall_fixes(tmp_path) == NO_FIXES and "drop" not in (user_folder() / FILE).read_text()


def test_a_dataset_without_fixes_writes_nothing(tmp_path):
    keep_fixes(tmp_path, NO_FIXES)
    assert not (user_folder() / FILE).exists()


def test_the_oldest_are_forgotten(tmp_path, monkeypatch):
    monkeypatch.setattr(fix_memory, "MAX_KEPT", 2)
    for name in ("a", "b", "c"):
        keep_fixes(tmp_path / name, '{"drop_rows":true}')
    assert [recall_fixes(tmp_path / name) != NO_FIXES for name in "abc"] == [False, True, True]


@pytest.mark.parametrize("text", ["", "[]", '{"PATH": 3}', '{"PATH": "["}', '{"PATH": "[]"}'])
def test_a_broken_file_is_treated_as_empty(tmp_path, text):
    user_folder().mkdir(parents=True)
    (user_folder() / FILE).write_text(text.replace("PATH", str(tmp_path)))
    assert recall_fixes(tmp_path) == NO_FIXES
