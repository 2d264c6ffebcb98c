"""Credentials that are replaced while a dataset is open are read again when the old are refused."""

from __future__ import annotations

import uuid

import pytest

from curation.errors import ContentError, FileChangedError
from curation.progress import ignore_progress
from curation.storage import object_store
from curation.storage.mirror import Mirror, open_mirror
from curation.storage.remote_address import parse_address
from tests.object_storage import SECRET


@pytest.fixture
def opened(storage, monkeypatch) -> Mirror:
    """An open folder with two pictures; what is opened belongs to this test alone."""
    object_store.connect.cache_clear()
    monkeypatch.setattr(object_store, "REOPEN_SECONDS", 0.0)
    bucket = f"b{uuid.uuid4().hex[:12]}"
    storage.make_bucket(bucket)
    for name in ("labels.csv", "1.png", "2.png"):
        storage.put(bucket, f"set/{name}", name.encode())
    address = parse_address(f"s3://{bucket}/set")
    yield open_mirror(address, lambda names: ["labels.csv"], ignore_progress)
    object_store.connect.cache_clear()


def test_credentials_that_change_in_the_environment_are_read_again(storage, opened, monkeypatch):
    storage.accepts = "second-key"
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "second-key")
    with opened.open_picture("1.png") as file:
        assert file.read() == b"1.png"
    storage.asked.clear()
    with opened.open_picture("2.png") as file:
        assert file.read() == b"2.png"
    assert len(storage.asked) == 2  # the bytes, and their version: nothing is refused any more


def test_credentials_that_change_in_a_file_are_read_again(storage, monkeypatch, tmp_path, opened):
    file = tmp_path / "credentials"
    monkeypatch.setenv("AWS_SHARED_CREDENTIALS_FILE", str(file))
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"):
        monkeypatch.delenv(name)
    for number, key in enumerate(("file-key-1", "file-key-2"), start=1):
        file.write_text(f"[default]\naws_access_key_id={key}\naws_secret_access_key={SECRET}\n")
        storage.accepts = key
        with opened.open_picture(f"{number}.png") as picture:
            assert picture.read() == f"{number}.png".encode()


def test_a_table_that_is_checked_for_changes_is_asked_for_with_new_credentials(
    storage, opened, monkeypatch
):
    storage.accepts = "second-key"
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "second-key")
    storage.put(opened.address.bucket, "set/labels.csv", b"changed")
    opened._check_now()
    with pytest.raises(FileChangedError, match=r"labels\.csv"):
        opened.check_unchanged()


def test_what_stays_refused_is_asked_for_twice_and_then_said(storage, opened):
    storage.accepts = "a-key-that-nobody-has"
    storage.asked.clear()
    with pytest.raises(ContentError, match="does not let you read"):
        opened.open_picture("1.png")
    assert len(storage.asked) == 2


def test_credentials_are_not_read_again_for_each_of_many_refused_pictures(
    storage, opened, monkeypatch
):
    monkeypatch.setattr(object_store, "REOPEN_SECONDS", 600.0)
    storage.accepts = "a-key-that-nobody-has"
    storage.asked.clear()
    for name in ("1.png", "2.png"):
        with pytest.raises(ContentError, match="does not let you read"):
            opened.open_picture(name)
    assert len(storage.asked) == 2  # one for each
