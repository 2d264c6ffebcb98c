"""The files of a mirror on this machine, and the words for a disk that does not take them.

    address.txt       the address that this is a copy of
    fetched.json      the size and version of each file that was fetched whole
    parts/            downloads that were cut off, and go on where they stopped
    files/NAME/       the copy: tables and probabilities as files, everything else as empty files

The copy is made read-only, so that whatever belongs to the dataset is kept elsewhere, as for any
folder that cannot be written.
"""

from __future__ import annotations

import errno
import hashlib
import json
import os
import stat
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path

from curation.errors import StorageError
from curation.file_lock import FileLock
from curation.paths import ORIGIN
from curation.storage.cache_space import (
    FETCHED,
    IN_USE,
    SYNCING,
    full_disk,
    mirrors_folder,
    read_fetched,
)
from curation.storage.object_store import StoredObject
from curation.storage.remote_address import Address

LOCK_TRIES = 3  # the copy may be deleted, to make room, before it is locked
READ_ONLY = stat.S_IRUSR | stat.S_IXUSR


class MirrorFiles:
    """The copy of a folder, or of a single object, in the cache."""

    def __init__(self, address: Address) -> None:
        self.address = address
        self.folder = mirrors_folder() / hashlib.sha256(str(address).encode()).hexdigest()[:16]
        self.files = self.folder / "files" / address.name  # what is a copy of the address
        self._parts = self.folder / "parts"

    @contextmanager
    def changing(self) -> Iterator[None]:
        """Change the copy inside, while no other program does; a full disk is reported in words."""
        lock = FileLock(self.folder / SYNCING)
        try:
            for _ in range(LOCK_TRIES):
                self.files.mkdir(parents=True, exist_ok=True)
                if lock.acquire(shared=False):
                    break
            yield
        except OSError as error:
            raise in_words(error, str(self.address)) from None
        finally:
            lock.release()

    def prepare(self) -> None:
        """Make an empty copy, which knows its address."""
        with self.changing():
            self.hold().release()
            self.place(())

    def hold(self) -> FileLock:
        """Return a lock that keeps the copy from being deleted, and note that it is used now."""
        lock = FileLock(self.folder / IN_USE)
        lock.acquire(shared=True)
        os.utime(self.folder / IN_USE)
        _write_whole(self.folder / ORIGIN, str(self.address))
        return lock

    def place(self, names: Collection[str]) -> None:
        """Make the copy list exactly these names; those that are not there yet are empty."""
        present, wanted = set(_list_files(self.files)), set(names)
        with self._unsealed():
            for name in present - wanted:
                (self.files / name).unlink(missing_ok=True)
            _drop_empty_folders(self.files)
            for folder in sorted({os.path.dirname(name) for name in wanted - present}):
                (self.files / folder).mkdir(parents=True, exist_ok=True)
            for name in wanted - present:
                (self.files / name).touch()

    def forget_others(self, objects: Mapping[str, StoredObject]) -> None:
        """Keep no account of files that are gone, and no cut download of a version that is gone."""
        kept = read_fetched(self.folder)
        left = {name: each for name, each in kept.items() if name in objects}
        if left != kept:
            _write_whole(self.folder / FETCHED, json.dumps(left))
        drafts = set(os.listdir(self._parts)) if self._parts.exists() else set()
        if drafts:
            drafts -= {_name_draft(name, found) for name, found in objects.items()}
        for each in drafts:
            (self._parts / each).unlink(missing_ok=True)

    def has(self, name: str, found: StoredObject) -> bool:
        """Return whether this version of an object was fetched whole."""
        try:
            size = (self.files / name).stat().st_size
        except OSError:
            return False
        kept = read_fetched(self.folder).get(name)
        return kept == (found.size, found.version) and size == found.size

    def find_draft(self, name: str, found: StoredObject) -> Path:
        """Return the file for a download; a cut one of the same version is found again."""
        self._parts.mkdir(exist_ok=True)
        return self._parts / _name_draft(name, found)

    def put(self, name: str, found: StoredObject, draft: Path) -> None:
        """Move a finished download into the copy."""
        parent = (self.files / name).parent
        os.chmod(parent, stat.S_IRWXU)
        try:
            os.replace(draft, self.files / name)
        finally:
            os.chmod(parent, READ_ONLY)
        kept = read_fetched(self.folder) | {name: (found.size, found.version)}
        _write_whole(self.folder / FETCHED, json.dumps(kept))

    @contextmanager
    def _unsealed(self) -> Iterator[None]:
        self._set_mode(stat.S_IRWXU)
        try:
            yield
        finally:
            self._set_mode(READ_ONLY)

    def _set_mode(self, mode: int) -> None:
        for folder, _, _ in os.walk(self.files):
            os.chmod(folder, mode)


def in_words(error: OSError, called: str, needed: int = 0) -> StorageError:
    """Return the error for a cache that cannot be written."""
    if error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG):
        return full_disk(called, needed)
    return StorageError(
        f"The cache {mirrors_folder().parent} cannot be written: {error.strerror}.",
        "Allow writing to that folder, or set XDG_CACHE_HOME to another one.",
    )


def _name_draft(name: str, found: StoredObject) -> str:
    return hashlib.sha256(f"{name}\n{found.version}".encode()).hexdigest()[:32]


def _list_files(root: Path) -> Iterator[str]:
    for folder, _, names in os.walk(root):
        prefix = os.path.relpath(folder, root).replace(os.sep, "/")
        yield from names if prefix == "." else (f"{prefix}/{name}" for name in names)


def _drop_empty_folders(root: Path) -> None:
    for folder, _, _ in os.walk(root, topdown=False):
        if folder != str(root):
            with suppress(OSError):  # it holds something
                os.rmdir(folder)


def _write_whole(path: Path, text: str) -> None:
    draft = path.with_name(f"{path.name}.{os.getpid()}")
    draft.write_text(text, encoding="utf-8")
    os.replace(draft, path)
