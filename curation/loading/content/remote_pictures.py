"""Pictures in object storage, each fetched when somebody looks at it.

Nothing is fetched to check or to hash them: the storage lists the size and the version of each.
"""

from __future__ import annotations

import hashlib
from collections.abc import Hashable, Iterator, Sequence
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from curation.errors import ContentError
from curation.fingerprint import FileHashes
from curation.loading.content.sources import UNREADABLE_DIGEST, ImageFiles
from curation.paths import SEPARATORS, check_name
from curation.storage.grants import find_mirror
from curation.storage.mirror import Mirror
from curation.storage.object_store import StoredObject


class RemotePictures(ImageFiles):
    """Pictures in a folder of object storage; `root` is its copy on this machine.

    A picture that is replaced in the storage later is not shown, as with files.
    """

    mirror: Mirror
    folders: tuple[str, ...]  # from the mirror's folder down to the root

    def __init__(
        self,
        root: Path,
        names: Sequence[str] | NDArray[Any],
        mirror: Mirror,
        loaded_ns: int | None = None,
    ) -> None:
        super().__init__(root, names, loaded_ns)
        object.__setattr__(self, "mirror", mirror)
        below = root.resolve().relative_to(mirror.copy.files.resolve())
        object.__setattr__(self, "folders", below.parts)

    def read(self, row: int) -> bytes:
        with self._naming(row), self._open(row) as file:
            return file.read()

    def digest(self, row: int) -> str:
        """Return a hash of the version that the storage lists, not of the picture's bytes."""
        try:
            found = self._find(row)
        except ContentError:
            return UNREADABLE_DIGEST
        return hashlib.sha256(f"stored {found.size} {found.version}".encode()).hexdigest()

    def size(self, row: int) -> int | None:
        """Return a picture's size as the storage lists it; its copy here is empty."""
        try:
            return self._find(row).size
        except ContentError:
            return None

    def outline(self, row: int) -> Hashable | None:
        try:
            return self._find(row)
        except ContentError:
            return None

    def check(self, row: int, *, deep: bool = False) -> None:
        if deep:
            super().check(row, deep=True)
            return
        with self._naming(row):
            if self._find(row).size == 0:
                fix = "Fetch the file again from where it came from."
                raise ContentError("empty (zero bytes)", fix, "empty")

    def hash_chunks(self, files: FileHashes) -> Iterator[bytes]:
        yield "\n".join(self.digest(row) for row in range(len(self))).encode()

    def take(self, rows: NDArray[np.int64]) -> RemotePictures:
        return RemotePictures(self.root, self.names[rows], self.mirror, self.loaded_ns)

    def _open(self, row: int) -> BinaryIO:
        return self.mirror.open_picture(self._name(row))

    def _find(self, row: int) -> StoredObject:
        name = self._name(row)
        found = self.mirror.objects.get(name)
        if found is None:
            raise ContentError(
                "missing", "Put the file there, or correct its name in the table.", "missing"
            )
        return found

    def _name(self, row: int) -> str:
        """Return the name of an object from the mirror's address; refuse one that leads outside."""
        name = self.names[row]
        check_name(name)
        parts = list[str]()
        for part in [*self.folders, *SEPARATORS.split(name)]:
            if part == "..":
                parts.pop()
            elif part not in ("", "."):
                parts.append(part)
        return "/".join(parts)


def open_pictures(root: Path, names: Sequence[str] | NDArray[Any]) -> ImageFiles:
    """Return the pictures of these names under a folder, wherever their bytes are."""
    mirror = find_mirror(root)
    return ImageFiles(root, names) if mirror is None else RemotePictures(root, names, mirror)
