"""A folder that appears whole or not at all.

Everything is written into a hidden folder beside the one asked for, file by file, each forced to
disk. Then the two trade places in one step of the file system. A kill at any moment leaves the
folder that was there or the new one, and at worst a hidden folder that the next export removes.

Where a system cannot exchange two folders, the old one is moved aside first. A kill between the
two moves leaves it under its hidden name, and the next export puts it back.
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
from curation.exports.destination import cannot_write, check_place, is_export

if sys.platform != "win32":
    import fcntl

_AT_FDCWD, _RENAME_EXCHANGE, _RENAME_SWAP = -100, 2, 2
_FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)


class NewFolder:
    """The hidden folder that is being written; its files' hashes are taken on the way."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.files: dict[str, dict[str, Any]] = {}

    @contextmanager
    def open(self, name: str) -> Iterator[BinaryIO]:
        """Open a new file for writing; it is on disk, and its hash is known, when this ends."""
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
    """Give a folder to write into; it takes the place of `out` if all goes well, else vanishes.

    Refuses, before anything is computed, a place that is or holds an input, that holds files
    which are no export of ours, or that cannot be written.
    """
    out = Path(os.path.realpath(out))
    check_place(out, inputs, root)
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
        _take_place(path, out)
    except OSError as error:
        raise _not_exported(out, error) from error
    finally:
        shutil.rmtree(path, ignore_errors=True)  # the half-written one, or the one replaced
        if lock is not None:
            os.close(lock)


def _not_exported(out: Path, error: OSError) -> InputError:
    stays = "What was there before is unchanged." if out.exists() else "Nothing was written."
    if error.errno in _FULL:
        free = shutil.disk_usage(out.parent).free // 2**20
        return InputError(
            f"NOT exported: the disk is full or a limit is reached ({free} MB are free). {stays}",
            "Free some space, or name another folder, and export again.",
        )
    words = error.strerror or str(error)
    return InputError(f"NOT exported: {words}. {stays}", "Mend that, and export again.")


def _take_place(new: Path, out: Path) -> None:
    """Put the new folder where the old one is, in one step where the system has one."""
    while True:
        if not out.exists() or not any(out.iterdir()):
            try:
                if sys.platform == "win32" and out.exists():
                    out.rmdir()
                os.rename(new, out)  # over an empty folder too, in one step
                break
            except OSError as error:
                if error.errno not in (errno.ENOTEMPTY, errno.EEXIST):
                    raise  # else: another export was quicker, and is replaced
        if not is_export(out):
            check_place(out, [], out.parent)
        if exchange(new, out):
            break
        old = out.with_name(f".{out.name}.old-{uuid.uuid4().hex[:12]}")
        os.rename(out, old)
        os.rename(new, out)
        _sync_folder(out.parent)
        shutil.rmtree(old, ignore_errors=True)
        return
    _sync_folder(out.parent)


def exchange(one: Path, two: Path) -> bool:
    """Let two folders trade places in one step; return whether the system can."""
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
    """Hold a folder, so that another export does not take it for a leftover."""
    if sys.platform == "win32":
        return None
    descriptor = os.open(path, os.O_RDONLY)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:  # a file system without locks: then nothing is ever cleaned up there
        pass
    return descriptor


def _clean_up(out: Path) -> None:
    """Put back what a killed export had moved aside, and remove what it left half-written."""
    for old in sorted(out.parent.glob(f".{_literal(out.name)}.old-*")):
        if not out.exists() and is_export(old):
            os.rename(old, out)
        elif out.exists():
            shutil.rmtree(old, ignore_errors=True)
    if sys.platform == "win32":
        return
    for new in out.parent.glob(f".{_literal(out.name)}.new-*"):
        _remove_if_left(new)


def _remove_if_left(path: Path) -> None:
    try:
        descriptor = os.open(path, os.O_RDONLY)
    except OSError:
        return
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        shutil.rmtree(path, ignore_errors=True)
    except OSError:
        pass  # somebody is writing it right now
    finally:
        os.close(descriptor)


def _literal(name: str) -> str:
    """Return a name with nothing in it that a pattern would take for more than itself."""
    return "".join(f"[{c}]" if c in "*?[" else c for c in name)
