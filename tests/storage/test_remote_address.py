"""Only three kinds of address are read, and none of them holds credentials."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from curation.errors import StorageError
from curation.storage import object_store
from curation.storage.remote_address import Address, find_address, parse_address


@pytest.mark.fault(64, "BLOCK", says="addresses are not read. Give a folder of this machine")
@pytest.mark.parametrize(
    "text",
    [
        "file:///etc/passwd",
        "http://169.254.169.254/latest/meta-data",
        "https://example.org/data.csv",
        "simplecache::s3://bucket/set",
        "zip://a.csv::s3://bucket/a.zip",
        "s3a://bucket/set",
        "S3://bucket/set",
        "ftp://host/set",
        "memory://set",
        "ssh://host/set",
    ],
)
def test_other_schemes_and_chains_are_refused(text):
    with pytest.raises(StorageError, match="addresses are not read"):
        find_address(text)


@pytest.mark.parametrize(
    "text",
    [
        "s3://key:secret@bucket/set",
        "s3://key:sec/secret@bucket/set",  # nearly half of Amazon's secrets hold a slash
        "s3://bucket/set?versionId=3",
        "az://box@account/set",
    ],
)
def test_an_address_with_credentials_is_refused_without_repeating_it(text):
    with pytest.raises(StorageError, match="holds more than a bucket and a folder") as caught:
        parse_address(text)
    assert "secret" not in str(caught.value)


@pytest.mark.parametrize(
    "text",
    ["s3://", "s3:///set", "s3://bucket/../other", "s3://bucket/a//b", "s3://bu cket", "gs://b/\0"],
)
def test_what_is_no_address_is_refused(text):
    with pytest.raises(StorageError, match="is not an address in object storage"):
        parse_address(text)


def test_an_address_is_read_with_or_without_a_slash_and_from_a_path():
    expected = Address("s3", "bucket", "a/set")
    assert find_address("s3://bucket/a/set/") == expected
    assert find_address(Path("s3://bucket/a/set")) == expected  # pathlib drops a slash
    assert find_address("demo_data") is find_address(Path("C:/data")) is None


def test_what_is_inside_is_told_from_what_only_begins_alike():
    folder = Address("s3", "bucket", "set")
    assert folder.holds(Address("s3", "bucket", "set/a")) and folder.holds(folder)
    assert not folder.holds(Address("s3", "bucket", "set_evil"))
    assert not folder.holds(Address("gs", "bucket", "set"))
    assert not folder.holds(Address("s3", "other", "set"))
    assert Address("s3", "bucket").holds(folder)


@pytest.mark.fault(
    64,
    "BLOCK",
    says="gs:// addresses need a library that is not installed: gcsfs. Run: pip install",
)
def test_an_extra_that_is_not_installed_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "gcsfs", None)
    with pytest.raises(StorageError, match="not installed: gcsfs"):
        object_store.ObjectStore("gs")
