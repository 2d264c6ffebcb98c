"""A link alone opens no storage: a person has to name it, or the access file of a team."""

from __future__ import annotations

import json
import logging

import pytest
import streamlit as st

from curation.errors import InputError, StorageError
from curation.storage.remote_address import parse_address
from curation.ui.server.access_file import Access, Folders, Oidc
from curation.ui.shell import allowed_folders, dataset_chooser, storage_consent, visitor
from curation.ui.shell.opening import Source
from curation.ui.shell.recent_datasets import add_recent, list_recent

ADDRESS = "s3://photos/team/set"


@pytest.fixture(autouse=True)
def nobody(tmp_path, monkeypatch):
    """Nobody has named anything yet, and no storage can be reached."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setattr("sys.argv", ["streamlit"])
    st.cache_resource.clear()


def may(name: str) -> bool:
    try:
        return str(Source(name).place) == name
    except StorageError:
        return False


@pytest.mark.fault(64, "BLOCK", says="was not opened: a link cannot choose which storage is read.")
def test_a_link_alone_opens_no_storage():
    with pytest.raises(StorageError, match="a link cannot choose which storage is read"):
        _ = Source(ADDRESS).place


def test_what_a_person_typed_is_open_and_what_is_inside():
    storage_consent.note_typed(f"{ADDRESS}/")
    assert may(ADDRESS) and may(f"{ADDRESS}/labels.csv")
    assert not may(f"{ADDRESS}_evil") and not may("s3://photos/team") and not may("gs://photos")


def test_what_the_command_names_is_open(monkeypatch):
    monkeypatch.setattr("sys.argv", ["streamlit", "--data", "s3://photos/team"])
    assert may(ADDRESS) and not may("s3://photos/others")


def test_what_was_opened_before_is_open_again_and_listed():
    add_recent(ADDRESS)
    assert list_recent() == [ADDRESS]
    assert may(ADDRESS) and dataset_chooser._may_open(ADDRESS)


@pytest.mark.parametrize(
    "text", ["http://169.254.169.254/", "file:///etc", "simplecache::s3://a/b"]
)
def test_typing_another_kind_of_address_opens_nothing(text):
    storage_consent.note_typed(text)
    assert not may(text) and not dataset_chooser._may_open(text)


@pytest.fixture
def team(monkeypatch):
    folders = Folders(storage=(parse_address("s3://photos/team"),))
    access = Access("https://x.example", Oidc("i", "s", "u", "c"), folders=folders)
    monkeypatch.setattr(allowed_folders, "find_access", lambda: access)
    monkeypatch.setattr(visitor, "current_actor", lambda: None)


@pytest.mark.fault(
    64, "BLOCK", says="is outside the storage that may be opened here. Open a dataset"
)
def test_a_team_opens_what_its_access_file_lists_whatever_anybody_types(team, monkeypatch, caplog):
    monkeypatch.setattr(
        allowed_folders, "current_actor", lambda: type("Actor", (), {"name": "eve"})
    )
    storage_consent.note_typed("s3://private/set")
    add_recent("s3://private/set")
    assert may(ADDRESS)
    with caplog.at_level(logging.WARNING), pytest.raises(StorageError, match="s3://photos/team"):
        _ = Source("s3://private/set").place
    assert "refused 'eve' to open 's3://private/set'" in caplog.text


@pytest.mark.parametrize("key", ["labels", "probs", "classes", "true_labels", "image_root"])
def test_the_fixes_of_a_link_name_no_storage(tmp_path, key):
    fixes = json.dumps({key: "s3://other/x.npy"})
    with pytest.raises(InputError, match=f"name a file outside the dataset's folder: {key}"):
        _ = Source(str(tmp_path), fixes).options
    storage_consent.note_typed(ADDRESS)
    with pytest.raises(InputError, match=f"name a file outside the dataset's folder: {key}"):
        _ = Source(ADDRESS, fixes).options
