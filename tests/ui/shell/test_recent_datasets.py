"""The list of datasets opened lately."""

import pytest

from curation.paths import user_folder
from curation.ui.shell import recent_datasets as recent


@pytest.fixture(autouse=True)
def home(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "home"))
    return tmp_path


def test_nothing_was_opened_at_first():
    assert recent.list_recent() == []


def test_the_newest_comes_first_and_each_once(home):
    for name in ("a", "b", "a"):
        (home / name).mkdir(exist_ok=True)
        recent.add_recent(home / name)
    assert recent.list_recent() == [str(home / "a"), str(home / "b")]


def test_what_is_gone_is_not_listed(home):
    (home / "a").mkdir()
    recent.add_recent(home / "a")
    (home / "a").rmdir()
    assert recent.list_recent() == []


def test_the_list_stays_short(home):
    for number in range(recent.MAX_RECENT + 3):
        (home / str(number)).mkdir()
        recent.add_recent(home / str(number))
    assert len(recent.list_recent()) == recent.MAX_RECENT


@pytest.mark.parametrize("text", ["", "{", "3", '{"a": 1}', '[1, null, "\\u0000"]'])
def test_a_broken_list_is_treated_as_empty(home, text):
    user_folder().mkdir(parents=True)
    (user_folder() / recent.FILE).write_text(text)
    assert recent.list_recent() == []
    recent.add_recent(home)
    assert recent.list_recent() == [str(home)]


def test_a_list_that_cannot_be_written_stops_nothing(home):
    (home / "home").write_text("a file where the folder should be")
    recent.add_recent(home)
    assert recent.list_recent() == []
