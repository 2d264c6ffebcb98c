"""A folder that is written completely or not at all.

Everything is written to a hidden folder next to the target, and each file is forced to disk. Then
the file system swaps the two folders in one step. If the process is killed at any moment, the old
or the new folder is there, and at worst a hidden folder that the next export removes.

If a system cannot swap two folders, the old one is moved aside first. If the process is killed
between the two moves, the next export puts it back.
"""

from __future__ import annotations

import ctypes
import errno
import hashlib
import os
import shutil
import sys
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO, cast

from curation.errors import InputError
from curation.exports.destination import cannot_write, check_destination, is_export

if sys.platform != "win32":
    import fcntl

_AT_FDCWD, _RENAME_EXCHANGE, _RENAME_SWAP = -100, 2, 2
_FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)


class NewFolder:
    """The hidden folder that is being written; each file is hashed while it is written."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.files: dict[str, dict[str, Any]] = {}

    @contextmanager
    def open(self, name: str) -> Iterator[BinaryIO]:
        """Open a new file for writing; after the block it is on disk and its hash is known."""
        path = self.path / name
        with path.open("xb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        with path.open("rb") as file:
            digest = hashlib.file_digest(cast("Any", file), "sha256").hexdigest()
        self.files[name] = {"bytes": path.stat().st_size, "sha256": digest}

    def write(self, name: str, chunks: Iterator[bytes]) -> None:
        with self.open(name) as file:
            file.writelines(chunks)


@contextmanager
def replacing(out: Path, inputs: list[Path], root: Path) -> Iterator[NewFolder]:
    """Yield a folder to write to; it replaces `out` if all goes well, otherwise it is removed.

    Before anything is computed, `out` is refused if it is or holds an input, holds files that no
    export wrote, or cannot be written.
    """
    out = Path(os.path.realpath(out))
    check_destination(out, inputs, root)
    try:
        out.parent.mkdir(parents=True, exist_ok=True)
        _clean_up(out)
        path = out.with_name(f".{out.name}.new-{uuid.uuid4().hex[:12]}")
        path.mkdir()
    except OSError as error:
        raise cannot_write(out, error) from error
    lock = _lock(path)
    try:
        yield NewFolder(path)
        _sync_folder(path)
        _replace(path, out)
    except OSError as error:
        raise _not_exported(out, error) from error
    finally:
        shutil.rmtree(path, ignore_errors=True)  # the unfinished folder, or the replaced one
        if lock is not None:
            os.close(lock)


def _not_exported(out: Path, error: OSError) -> InputError:
    stays = "The earlier export is unchanged." if out.exists() else "Nothing was written."
    if error.errno in _FULL:
        free = shutil.disk_usage(out.parent).free // 2**20
        return InputError(
            f"NOT exported: the disk is full, or a quota is reached ({free} MB are free). {stays}",
            "Free some space, or choose another folder, then export again.",
        )
    words = error.strerror or str(error)
    return InputError(f"NOT exported: {words}. {stays}", "Fix the problem, then export again.")


def _replace(new: Path, out: Path) -> None:
    """Replace the old folder by the new one, in one step if the system can."""
    while True:
        if not out.exists() or not any(out.iterdir()):
            try:
                if sys.platform == "win32" and out.exists():
                    out.rmdir()
                os.rename(new, out)  # also replaces an empty folder, in one step
                break
            except OSError as error:
                if error.errno not in (errno.ENOTEMPTY, errno.EEXIST):
                    raise  # otherwise another export was faster, and is replaced
        if not is_export(out):
            check_destination(out, [], out.parent)
        if swap_folders(new, out):
            break
        old = out.with_name(f".{out.name}.old-{uuid.uuid4().hex[:12]}")
        os.rename(out, old)
        os.rename(new, out)
        _sync_folder(out.parent)
        shutil.rmtree(old, ignore_errors=True)
        return
    _sync_folder(out.parent)


def swap_folders(one: Path, two: Path) -> bool:
    """Swap two folders in one step; return whether the system could."""
    libc: Any = ctypes.CDLL(None, use_errno=True) if sys.platform != "win32" else None
    first, second = os.fsencode(one), os.fsencode(two)
    if hasattr(libc, "renameat2"):
        result = libc.renameat2(_AT_FDCWD, first, _AT_FDCWD, second, _RENAME_EXCHANGE)
    elif hasattr(libc, "renamex_np"):  # macOS
        result = libc.renamex_np(first, second, _RENAME_SWAP)
    else:
        return False
    if result == 0:
        return True
    code = ctypes.get_errno()
    if code in (errno.ENOSYS, errno.EINVAL, errno.ENOTSUP, errno.EPERM):
        return False  # not on this file system
    raise OSError(code, os.strerror(code), str(two))


def _sync_folder(path: Path) -> None:
    if sys.platform == "win32":
        return
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _lock(path: Path) -> int | None:
    """Lock a folder, so that another export does not remove it as unfinished."""
    if sys.platform == "win32":
        return None
    descriptor = os.open(path, os.O_RDONLY)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:  # without locks, nothing is ever cleaned up here
        pass
    return descriptor


def _clean_up(out: Path) -> None:
    """Restore a folder that a killed export had moved aside, and remove unfinished ones."""
    for old in sorted(out.parent.glob(f".{_escape_pattern(out.name)}.old-*")):
        if not out.exists() and is_export(old):
            os.rename(old, out)
        elif out.exists():
            shutil.rmtree(old, ignore_errors=True)
    if sys.platform == "win32":
        return
    for new in out.parent.glob(f".{_escape_pattern(out.name)}.new-*"):
        _remove_unfinished(new)


def _remove_unfinished(path: Path) -> None:
    try:
        descriptor = os.open(path, os.O_RDONLY)
    except OSError:
        return
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        shutil.rmtree(path, ignore_errors=True)
    except OSError:
        pass  # another export is writing it now
    finally:
        os.close(descriptor)


def _escape_pattern(name: str) -> str:
    """Return a name that matches only itself in a glob pattern."""
    return "".join(f"[{c}]" if c in "*?[" else c for c in name)
