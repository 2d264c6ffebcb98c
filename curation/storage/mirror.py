"""A folder of a bucket as a folder of this machine, which everything else reads as usual.

Tables and probabilities are fetched when the folder is opened. Pictures are listed as empty files;
their bytes are fetched one by one, when somebody looks at them.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Collection, Iterable, Mapping
from typing import BinaryIO
from weakref import finalize

from curation.errors import ContentError, FileChangedError, NoAnswerError, StorageError
from curation.progress import Progress, ignore_progress
from curation.storage.cache_space import cache_limit, make_room, read_fetched
from curation.storage.downloads import download
from curation.storage.mirror_files import MirrorFiles
from curation.storage.object_store import ObjectStore, StoredObject, connect, folders_below
from curation.storage.picture_files import PictureFiles
from curation.storage.remote_address import Address, is_safe_name
from curation.storage.storage_health import StorageHealth
from curation.wording import format_bytes

PICTURE_SECONDS = 8.0  # for one picture, and for the question whether a file is still the same
MAX_PICTURE_BYTES = 2**28
MAX_OBJECTS = 3_000_000
CHECK_SECONDS = 30.0  # between two looks whether fetched files have changed
LISTING_SHARE = 0.1  # of the progress
Choose = Callable[[Collection[str]], Iterable[str]]

_pictures = PictureFiles()


class Mirror:
    """A folder in storage and its copy; the copy is kept at least as long as this object lives."""

    def __init__(
        self, address: Address, objects: Mapping[str, StoredObject], copy: MirrorFiles
    ) -> None:
        self.address = address
        self.objects = objects  # by name from the address
        self.copy = copy
        self._store = connect(address.scheme)
        self._health = StorageHealth(str(address))
        self._changed: str | None = None
        self._checked = time.monotonic()
        self._checking = threading.Lock()
        finalize(self, copy.hold().release)

    # ---- pictures

    def open_picture(self, name: str) -> BinaryIO:
        """Return the bytes of an object; a `ContentError` says why there are none."""
        found = self.objects.get(name)
        if found is None:
            fix = "Put it there, or correct its name in the table."
            raise ContentError("missing", fix, "missing", name)
        address = str(self.address.join(name))
        kept = _pictures.open(address, found.version, found.size)
        if kept is not None:
            return kept
        if found.size > MAX_PICTURE_BYTES:
            size = format_bytes(found.size)
            raise ContentError(f"too large ({size})", "Save a smaller copy.", "too large", name)
        return _pictures.add(address, found.version, self._read_picture(name, found))

    def _read_picture(self, name: str, found: StoredObject) -> bytes:
        address = self.address.join(name)
        try:
            with self._health.asking():
                data = self._store.read(address, 0, found.size, seconds=PICTURE_SECONDS)
                now = self._store.find(address, seconds=PICTURE_SECONDS)
        except NoAnswerError:
            raise ContentError(
                "waiting for storage",
                "It does not answer, and is asked again every few seconds. You can decide without "
                "the picture.",
                "waiting",
                name,
            ) from None
        except StorageError as error:
            reason = error.problem.rstrip(".")
            raise ContentError(reason, error.remedy, "unreadable", name) from None
        if now != found or len(data) != found.size:  # asked last: what came before is this version
            raise ContentError(
                "deleted from storage" if now is None else "changed after the dataset was loaded",
                "Load the dataset again to see it.",
                "unreadable",
                name,
            )
        return data

    # ---- tables and probabilities

    def fetch(self, names: Iterable[str], progress: Progress = ignore_progress) -> None:
        """Fetch objects into the copy, unless they are there."""
        wanted = {name: self.objects[name] for name in names if name in self.objects}
        new = {name: each for name, each in wanted.items() if not self.copy.has(name, each)}
        if not new:
            return
        total = sum(each.size for each in new.values())
        make_room(self.copy.folder, total, str(self.address))
        done = 0
        for name, found in sorted(new.items()):

            def report(size: int, done: int = done, name: str = name) -> None:
                words = f"{format_bytes(done + size)} of {format_bytes(total)}"
                progress(f"Fetching {name} ({words})", (done + size) / max(1, total))

            draft = self.copy.find_draft(name, found)
            download(self._store, self.address.join(name), found, draft, report)
            self.copy.put(name, found, draft)
            done += found.size

    def ensure(self, name: str) -> None:
        """Fetch one more file, such as a table that somebody named."""
        found = self.objects.get(name)
        if found is not None and not self.copy.has(name, found):
            with self.copy.changing():
                self.fetch([name])

    def check_unchanged(self) -> None:
        """Raise `FileChangedError` if a fetched file has changed in the storage.

        The storage is asked now and then, and by another thread: nobody waits for its answer.
        """
        if self._changed is not None:
            raise FileChangedError(self._changed, "was changed or deleted in storage")
        if time.monotonic() - self._checked > CHECK_SECONDS and self._checking.acquire(False):
            threading.Thread(target=self._check, daemon=True, name="curation-storage").start()

    def _check(self) -> None:
        try:
            self._check_now()
        finally:
            self._checked = time.monotonic()
            self._checking.release()

    def _check_now(self) -> None:
        try:
            for name in read_fetched(self.copy.folder).keys() & self.objects.keys():
                with self._health.asking():
                    now = self._store.find(self.address.join(name), seconds=PICTURE_SECONDS)
                if now != self.objects[name]:
                    self._changed = name
                    return
        except StorageError:
            return  # a storage that does not answer says nothing about its files


def open_mirror(address: Address, choose: Choose, progress: Progress) -> Mirror:
    """Return a folder in storage, its copy brought up to date, with the chosen files fetched."""
    objects = list_objects(connect(address.scheme), address, progress)
    return _open(address, objects, MirrorFiles(address), choose, progress)


def open_object(address: Address, progress: Progress) -> Mirror:
    """Return a single object in storage as a mirror that holds nothing else."""
    store = connect(address.scheme)
    found = store.find(address)
    if found is None:
        raise _no_object(store, address)
    return _open(
        address.folder, {address.name: found}, MirrorFiles(address), lambda names: names, progress
    )


def _no_object(store: ObjectStore, address: Address) -> StorageError:
    """Return the error for an address that is not that of an object."""
    try:
        is_folder = any(store.list_folder(address))
    except StorageError:
        is_folder = False
    if is_folder or "*" in address.name:
        return StorageError(
            f"{address} {'is a folder' if is_folder else 'names several objects'}, and a part of "
            "a dataset is named by the address of one object.",
            f"Open the folder that holds it, {address.folder}, or name each of its files.",
        )
    return StorageError(
        f"There is no object {address}.", "Check the address; names are case-sensitive."
    )


def _open(
    address: Address,
    objects: Mapping[str, StoredObject],
    copy: MirrorFiles,
    choose: Choose,
    progress: Progress,
) -> Mirror:
    cache_limit()  # one that cannot be read is said now, and not at the first picture
    with copy.changing():
        mirror = Mirror(address, objects, copy)
        copy.place(objects)
        copy.forget_others(objects)
        mirror.fetch(
            choose(objects.keys()),
            lambda stage, share: progress(stage, LISTING_SHARE + (1 - LISTING_SHARE) * share),
        )
        return mirror


def list_objects(
    store: ObjectStore, address: Address, progress: Progress
) -> dict[str, StoredObject]:
    """Return all objects below a folder by their names; stop if there are none or too many.

    Names that cannot be those of files are left out.
    """
    progress(f"Listing {address}", 0.0)
    found: dict[str, StoredObject] = {}
    for each in folders_below(store, address):
        found |= {name: about for name, about in each.items() if is_safe_name(name)}
        progress(f"Listing {address} ({len(found):,} objects)", 0.0)
        if len(found) > MAX_OBJECTS:
            raise StorageError(
                f"There are more than {MAX_OBJECTS:,} objects in {address}.",
                "Name a folder further down, which holds only the dataset.",
            )
    if not found:
        raise StorageError(
            f"{address} is empty: there are no objects in it.",
            "Put labels and probabilities there, or check the address.",
        )
    folders = {name.rpartition("/")[0] for name in found}
    above = {part for each in folders for part in _list_above(each)}
    return {name: about for name, about in found.items() if name not in above}


def _list_above(folder: str) -> list[str]:
    """Return a folder and all folders that it is in.

    >>> _list_above("a/b")
    ['a', 'a/b']
    """
    parts = folder.split("/")
    return ["/".join(parts[: count + 1]) for count in range(len(parts))]
