"""Addresses of object storage, such as s3://bucket/folder, and which ones are refused.

An address is shown on pages, kept in links and written to logs. So it cannot hold credentials:
those come from the environment, as the library of each storage defines it.
"""

from __future__ import annotations

import os
import re
from dataclasses import dataclass

from curation.errors import StorageError
from curation.paths import DRIVE

SCHEMES = {"s3": "Amazon S3", "gs": "Google Cloud Storage", "az": "Azure Blob Storage"}
KINDS = "s3://bucket/folder, gs://bucket/folder or az://container/folder"
MAX_NAME_BYTES = 255  # of one part of a path, on any file system

_ANY_SCHEME = re.compile(r"\s*[A-Za-z][A-Za-z0-9+.:_-]*://")
_SHORTENED = re.compile(rf"({'|'.join(SCHEMES)}):/(?!/)")  # what pathlib makes of an address
_BUCKET = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,254}")


@dataclass(frozen=True)
class Address:
    """A bucket, and a folder or object in it; `key` is empty for the whole bucket."""

    scheme: str
    bucket: str
    key: str = ""

    def __str__(self) -> str:
        """Return it as a person writes it.

        >>> str(Address("s3", "photos", "cats/1.jpg")), str(Address("gs", "photos"))
        ('s3://photos/cats/1.jpg', 'gs://photos')
        """
        return f"{self.scheme}://{self.path}"

    @property
    def path(self) -> str:
        """Return the bucket and the key."""
        return f"{self.bucket}/{self.key}" if self.key else self.bucket

    @property
    def name(self) -> str:
        """Return what it is called: the last part of the key, or the bucket."""
        return self.path.rpartition("/")[2]

    @property
    def folder(self) -> Address:
        """Return the folder that holds it; a bucket holds itself."""
        return Address(self.scheme, self.bucket, self.key.rpartition("/")[0])

    def join(self, name: str) -> Address:
        return Address(self.scheme, self.bucket, f"{self.key}/{name}" if self.key else name)

    def find_name(self, text: str) -> str | None:
        """Return the name of an address from this folder; None if it is not inside.

        >>> Address("s3", "photos", "cats").find_name("s3://photos/cats/a/1.jpg")
        'a/1.jpg'
        >>> Address("s3", "photos", "cats").find_name("s3://photos/cats_evil/1.jpg")
        """
        name = text.removeprefix(f"{self}/")
        return name if name != text and is_safe_name(name) else None

    def holds(self, other: Address) -> bool:
        """Return whether another address is this one or inside it."""
        same = (self.scheme, self.bucket) == (other.scheme, other.bucket)
        return same and (not self.key or f"{other.key}/".startswith(f"{self.key}/"))


def is_address(text: object) -> bool:
    """Return whether a text is written as an address of any kind, and not as a path.

    >>> [is_address(each) for each in ("s3://b/x", "simplecache::s3://b", "C:/data", "a/b.csv")]
    [True, True, False, False]
    """
    return isinstance(text, str) and _ANY_SCHEME.match(text) is not None


def find_address(place: str | os.PathLike[str]) -> Address | None:
    """Return the address that a dataset's place is; None for a path. An unusable one is refused."""
    text = os.fspath(place)
    if not isinstance(text, str):
        return None
    if _SHORTENED.match(text) and not os.path.exists(text):
        text = text.replace(":/", "://", 1)
    return parse_address(text) if is_address(text) else None


def parse_address(text: str) -> Address:
    """Return the address that a text means; raise a `StorageError` if it cannot be read."""
    scheme, _, rest = text.strip().partition("://")
    if scheme not in SCHEMES:
        raise StorageError(
            f"{_shorten(scheme)}:// addresses are not read.",
            f"Give a folder of this machine, or {KINDS}.",
        )
    bucket, _, key = rest.rstrip("/").partition("/")
    # A colon comes after a key; the @ of its secret may be behind a slash, which secrets can hold.
    if "@" in bucket or ":" in bucket or "?" in rest:
        raise StorageError(
            f"The {scheme}:// address holds more than a bucket and a folder.",
            "Leave out user names, keys and everything after a question mark: credentials come "
            "from the environment.",
        )
    if not _BUCKET.fullmatch(bucket) or (key and not is_safe_name(key)):
        raise StorageError(
            f"{_shorten(text)} is not an address in object storage.", f"Write {KINDS}."
        )
    return Address(scheme, bucket, key)


def is_safe_name(name: str) -> bool:
    r"""Return whether an object's name is also a name of a file in a folder, on any system.

    >>> [is_safe_name(each) for each in ("a/1.jpg", "../a", "a//b", "a\\b", "/a", "a/", "C:a")]
    [True, False, False, False, False, False, False]
    """
    parts = name.split("/")
    return (
        name.isprintable()
        and "\\" not in name
        and not DRIVE.match(name)
        and all(part.strip() not in ("", ".", "..") for part in parts)
        and all(len(part.encode("utf-8", "replace")) <= MAX_NAME_BYTES for part in parts)
    )


def _shorten(text: str) -> str:
    """Return a text that may be anything, in a few characters that can be shown."""
    plain = "".join(each for each in text if each.isprintable())
    return plain if len(plain) <= 80 else f"{plain[:80]}…"
