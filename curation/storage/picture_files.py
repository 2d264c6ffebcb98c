"""Pictures that were fetched from storage, kept on this machine within a limit of size.

A picture is kept under a hash of its address and version, so a picture that is replaced in the
storage is another file here. The least recently shown goes first.
"""

from __future__ import annotations

import hashlib
import io
import os
import threading
from contextlib import suppress
from pathlib import Path
from typing import BinaryIO

from curation.storage.cache_space import cache_limit, measure_mirrors, pictures_folder
from curation.whole_files import write_whole

TRIM_TO = 0.9  # of the room for pictures, so that not every picture makes others go
CHECK_EVERY = 0.05  # of the limit: how much is written before the folder is measured again


class PictureFiles:
    """The pictures of all datasets. Safe to share between threads and processes."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._unmeasured: float | None = None  # bytes written since the folder was measured

    def open(self, address: str, version: str, size: int) -> BinaryIO | None:
        """Return a picture, open for reading; None if it is not kept, or not all of it."""
        path = _place(address, version)
        try:
            file = path.open("rb")
        except OSError:
            return None
        if os.fstat(file.fileno()).st_size != size:  # the machine failed while it was written
            file.close()
            return None
        with suppress(OSError):  # now the most recently used
            os.utime(path)
        return file

    def add(self, address: str, version: str, data: bytes) -> BinaryIO:
        """Keep a picture if possible, and return it open for reading."""
        path = _place(address, version)
        try:
            with write_whole(path) as file:
                file.write(data)
        except OSError:  # a full disk: the picture is shown all the same
            return io.BytesIO(data)
        self._note(len(data))
        return io.BytesIO(data)

    def _note(self, size: int) -> None:
        with self._lock:
            known = self._unmeasured
            self._unmeasured = None if known is None else known + size
            if known is not None and known + size < CHECK_EVERY * cache_limit():
                return
            self._unmeasured = 0.0
        trim(max(0, cache_limit() - measure_mirrors()))


def trim(room: int) -> None:
    """Delete the least recently used pictures if all of them take more than `room` bytes."""
    found = []
    for folder, _, names in os.walk(pictures_folder()):
        for name in names:
            with suppress(OSError):
                path = os.path.join(folder, name)
                about = os.stat(path)
                found.append((about.st_mtime_ns, about.st_size, path))
    total = sum(size for _, size, _ in found)
    if total <= room:
        return
    for _, size, path in sorted(found):
        with suppress(OSError):
            os.unlink(path)
        total -= size
        if total <= TRIM_TO * room:
            return


def _place(address: str, version: str) -> Path:
    key = hashlib.sha256(f"{address}\n{version}".encode()).hexdigest()
    return pictures_folder() / key[:2] / key
