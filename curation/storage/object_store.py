"""Lists and reads objects, by fsspec: the only module that knows it.

Every call is bounded in time. What a library raises becomes a `StorageError` with its own words:
the library's may hold a signed address or a key, and are neither shown nor logged.
"""

from __future__ import annotations

import importlib
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from typing import Any

from curation.errors import CurationError, NoAnswerError, StorageError
from curation.storage.remote_address import SCHEMES, Address

EXTRAS = {"s3": ("s3fs", "s3"), "gs": ("gcsfs", "gcs"), "az": ("adlfs", "azure")}
CONNECT_SECONDS = 5.0
READ_SECONDS = 15.0  # without a byte
ANSWER_SECONDS = 20.0  # for one small question
REOPEN_SECONDS = 10.0  # between two looks for other credentials
LIST_SECONDS = 900.0  # for all objects of one folder: a million are a thousand answers
# What S3 answers to credentials that have expired; to a HEAD, which has no words, only the number.
EXPIRED_CODES = ("ExpiredToken", "InvalidToken", "TokenRefreshRequired", "400")
# What an object's version is called by each library; the first that is there counts.
VERSION_KEYS = ("ETag", "md5Hash", "generation", "etag", "content_md5", "LastModified", "mtime")


@dataclass(frozen=True, slots=True)
class StoredObject:
    """An object as the storage lists it; `version` changes whenever its bytes are replaced."""

    size: int
    version: str


class ObjectStore:
    """The objects of one kind of storage, read with the credentials of the environment."""

    def __init__(self, scheme: str) -> None:
        self.scheme = scheme
        self._opening = threading.Lock()
        self._opened = time.monotonic()
        with _in_words(Address(scheme, "")):
            self._files = _open_file_system(scheme)

    def list_folder(self, folder: Address) -> tuple[dict[str, StoredObject], list[str]]:
        """Return the objects directly in a folder, and the names of the folders in it."""
        # never from a listing that the library remembers
        found = self._ask(
            folder,
            lambda files: files.ls(folder.path, detail=True, refresh=True, timeout=LIST_SECONDS),
        )
        objects, folders = {}, []
        for each in found:
            name = str(each["name"]).rstrip("/").removeprefix(f"{folder.path}/")
            if each["type"] == "directory":
                folders.append(name)
            elif name and name != folder.path:  # some tools save an empty object for a folder
                objects[name] = _describe(each)
        return objects, folders

    def find(self, address: Address, *, seconds: float = ANSWER_SECONDS) -> StoredObject | None:
        """Return the object at an address; None if there is none."""
        try:
            found = self._ask(
                address, lambda files: files.info(address.path, refresh=True, timeout=seconds)
            )
        except _MissingError:
            return None
        return _describe(found) if found["type"] == "file" else None

    def has_bucket(self, address: Address) -> bool:
        """Return whether the bucket exists and can be listed."""
        try:
            self.list_folder(Address(address.scheme, address.bucket))
        except _MissingError:
            return False
        return True

    def read(
        self, address: Address, start: int, end: int, *, seconds: float = ANSWER_SECONDS
    ) -> bytes:
        """Return the bytes of an object from `start` to before `end`."""
        if start >= end:
            return b""
        data = self._ask(
            address,
            lambda files: files.cat_file(address.path, start=start, end=end, timeout=seconds),
        )
        return bytes(data)

    def _ask(self, address: Address, question: Callable[[Any], Any]) -> Any:
        """Return a file system's answer; if it is refused, ask once more with new credentials.

        Credentials may be replaced while a dataset is open, in a file or in the environment.
        """
        refused = self._files
        try:
            with _in_words(address):
                return question(refused)
        except _RefusedError:
            if not self._reopen(refused):
                raise
        with _in_words(address):
            return question(self._files)

    def _reopen(self, refused: Any) -> bool:
        """Read the credentials again; return whether there is something new to ask with.

        Not for each of many pictures that may not be read: some seconds pass in between.
        """
        with self._opening:
            if self._files is not refused:  # another thread has just done it
                return True
            if time.monotonic() - self._opened < REOPEN_SECONDS:
                return False
            with _in_words(Address(self.scheme, "")):
                self._files = _open_file_system(self.scheme)
            self._opened = time.monotonic()
            return True


@cache
def connect(scheme: str) -> ObjectStore:
    """Return the store of a scheme; one for the whole process, so that connections are shared."""
    return ObjectStore(scheme)


class _MissingError(StorageError):
    """There is nothing at an address."""


class _RefusedError(StorageError):
    """The storage does not let these credentials read."""


def _open_file_system(scheme: str) -> Any:
    module, extra = EXTRAS[scheme]
    try:
        importlib.import_module(module)
        import fsspec
    except ImportError:
        raise StorageError(
            f"{scheme}:// addresses need a library that is not installed: {module}.",
            f'Run: pip install "confident-curation[{extra}]"',
        ) from None
    fresh = {"use_listings_cache": False, "skip_instance_cache": True}
    if scheme != "s3":
        return fsspec.filesystem(scheme, **fresh)
    from curation.storage.straight_session import StraightSession

    settings = {
        "connect_timeout": CONNECT_SECONDS,
        "read_timeout": READ_SECONDS,
        "retries": {"mode": "standard", "total_max_attempts": 1},
        "http_session_cls": StraightSession,
    }
    return fsspec.filesystem("s3", config_kwargs=settings, **fresh)


def _describe(found: dict[str, Any]) -> StoredObject:
    version = next((found[key] for key in VERSION_KEYS if found.get(key)), "")
    return StoredObject(int(found.get("size") or 0), str(version).strip('"'))


@contextmanager
def _in_words(address: Address) -> Iterator[None]:
    """Raise what a library raises as an error of ours, without its own words."""
    try:
        yield
    except CurationError:
        raise
    except FileNotFoundError:
        raise _MissingError(
            f"There is nothing at {address}.",
            "Check the address; names of buckets and folders are case-sensitive.",
        ) from None
    except Exception as error:
        if _is_refusal(error):
            connect.cache_clear()  # whoever opens a dataset next reads the credentials again
            raise _RefusedError(
                f"{SCHEMES[address.scheme]} does not let you read {address}.",
                "Check the credentials in the environment, and that they allow listing and "
                "reading this bucket. See docs/storage.md.",
            ) from None
        raise NoAnswerError(
            f"{SCHEMES[address.scheme]} does not answer for {address} ({type(error).__name__}).",
            "Check the network and the endpoint, then try again.",
        ) from None


def _is_refusal(error: BaseException) -> bool:
    """Return whether a storage answered that it does not let us in, or nobody said who we are."""
    names = " ".join(kind.__name__ for kind in type(error).__mro__)
    told = isinstance(error, PermissionError) or "Credential" in names or "Authentication" in names
    code = getattr(error, "status_code", None) or getattr(error, "code", None)
    answer = getattr(error, "response", None)
    expired = isinstance(answer, dict) and answer.get("Error", {}).get("Code") in EXPIRED_CODES
    cause = error.__cause__
    return told or expired or code in (401, 403) or (cause is not None and _is_refusal(cause))


def folders_below(store: ObjectStore, folder: Address) -> Iterator[dict[str, StoredObject]]:
    """Yield the objects of a folder and of all folders below, one folder at a time, by name.

    Hidden objects and folders, whose names begin with a dot, are left out, as on this machine.
    """
    waiting = [""]
    while waiting:
        prefix = waiting.pop()
        here = folder.join(prefix.rstrip("/")) if prefix else folder
        objects, folders = store.list_folder(here)
        waiting += [f"{prefix}{name}/" for name in sorted(folders, reverse=True) if name[:1] != "."]
        yield {f"{prefix}{name}": found for name, found in objects.items() if name[:1] != "."}
