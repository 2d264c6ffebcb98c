"""A lock that processes of one machine share; it ends with the process that holds it.

Windows has no such lock. There, a file that is open cannot be deleted, which is what matters.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

if sys.platform != "win32":
    import fcntl


class FileLock:
    """A lock on a file, held by one at a time or shared by several."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._descriptor: int | None = None

    def acquire(self, *, shared: bool, wait: bool = True) -> bool:
        """Take the lock; return False if others hold it and we do not wait, or it has no folder."""
        while True:
            try:
                descriptor = os.open(self.path, os.O_RDWR | os.O_CREAT, 0o600)
            except FileNotFoundError:
                return False
            try:
                _lock(descriptor, shared=shared, wait=wait)
            except OSError:
                os.close(descriptor)
                return False
            if self._is_there(descriptor):
                self._descriptor = descriptor
                return True
            os.close(descriptor)  # who held it before has deleted the file

    def _is_there(self, descriptor: int) -> bool:
        try:
            return os.path.samestat(os.fstat(descriptor), os.stat(self.path))
        except OSError:
            return False

    def release(self) -> None:
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None


def _lock(descriptor: int, *, shared: bool, wait: bool) -> None:
    if sys.platform != "win32":
        kind = fcntl.LOCK_SH if shared else fcntl.LOCK_EX
        fcntl.flock(descriptor, kind | (0 if wait else fcntl.LOCK_NB))
