"""Paths: only files inside the dataset's folder are opened; and where the user's folders are.

A dataset's table names files, and a table can come from anyone. There are three defences: the name
is checked as text (`check_name`), every link on the path is followed before the file is opened
(`resolve_inside`), and the real path of the open file is checked (`open_inside`). So a file that is
replaced by a link after the check is refused before a byte of it is read. Linux can do the last two
at once (`_open_directly`), with fewer system calls.
"""

from __future__ import annotations

import errno
import hashlib
import io
import os
import re
import stat
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

import platformdirs

from curation.errors import ContentError

PACKAGE = Path(__file__).resolve().parent
APP_NAME = "curation"  # what the user's folders are called
MIRRORS = "storage/mirrors"  # in the cache folder: copies of folders in object storage
ORIGIN = "address.txt"  # in each of them: the address that it is a copy of
# Windows opens devices under these names in any folder and with any extension. They are refused
# everywhere, so that a dataset behaves the same on every machine.
RESERVED = re.compile(r"(con|prn|aux|nul|conin\$|conout\$|(com|lpt)[0-9¹²³])\s*(\..*)?", re.I)
DRIVE = re.compile(r"[A-Za-z]:")
SEPARATORS = re.compile(r"[/\\]")

KINDS = (
    (stat.S_ISDIR, "a folder, not a file"),
    (stat.S_ISFIFO, "a named pipe (FIFO), not a file"),
    (stat.S_ISSOCK, "a socket, not a file"),
    (stat.S_ISCHR, "a device, not a file"),
    (stat.S_ISBLK, "a device, not a file"),
)

# O_NONBLOCK: opening a FIFO would otherwise wait for a writer forever.
OPEN_FLAGS = (
    os.O_RDONLY
    | getattr(os, "O_NONBLOCK", 0)
    | getattr(os, "O_NOFOLLOW", 0)
    | getattr(os, "O_NOCTTY", 0)
    | getattr(os, "O_CLOEXEC", 0)
    | getattr(os, "O_BINARY", 0)
)


def open_inside(root: str | os.PathLike[str], name: str) -> BinaryIO:
    """Return a regular file inside `root`, open for reading; the caller closes it.

    `name` is relative to `root`. Links that stay inside are followed. A name that is or leads
    outside, is not a regular file, or does not exist raises `ContentError`.
    """
    check_name(name)
    direct = _open_directly(root, name)
    if direct is not None:
        return direct
    home = os.path.realpath(root)
    path = _resolve(home, name)
    try:
        descriptor = os.open(path, OPEN_FLAGS)
    except OSError as error:
        raise _cannot_open(name, error) from None
    try:
        _check_opened(descriptor, path, home, name)
        return os.fdopen(descriptor, "rb")
    except BaseException:
        os.close(descriptor)
        raise


def _open_directly(root: str | os.PathLike[str], name: str) -> BinaryIO | None:
    """Return a regular file inside `root`, open for reading; None if anything about it is unusual.

    O_PATH follows links without opening what they lead to. The system says where that is, and
    exactly that file is then opened, whatever has become of the path meanwhile.
    """
    if sys.platform != "linux":
        return None
    try:
        with _hold(root) as home, _hold(os.path.join(root, name)) as held:
            found = os.readlink(f"/proc/self/fd/{held}")
            inside = _is_inside(found, os.readlink(f"/proc/self/fd/{home}"))
            if not inside or not stat.S_ISREG(os.fstat(held).st_mode):
                return None
            # With a buffer size, Python does not ask whether it is a terminal.
            return open(f"/proc/self/fd/{held}", "rb", buffering=io.DEFAULT_BUFFER_SIZE)
    except (OSError, ValueError):
        return None


@contextmanager
def _hold(path: str | os.PathLike[str]) -> Iterator[int]:
    descriptor = os.open(path, os.O_PATH | os.O_CLOEXEC)
    try:
        yield descriptor
    finally:
        os.close(descriptor)


def resolve_inside(root: str | os.PathLike[str], name: str) -> Path:
    """Return the path of `name` with every link followed, if that is inside `root`.

    Windows names with backslashes are understood: a file with exactly that name is used if it
    exists; otherwise each backslash separates folders.
    """
    return Path(_resolve(os.path.realpath(root), name))


def leads_outside(root: str | os.PathLike[str], name: str) -> bool:
    """Return whether a folder's name leads out of `root`: by itself, or over a link on the way."""
    if DRIVE.match(name):
        return True
    home = os.path.realpath(root)
    found = os.path.realpath(os.path.join(home, os.path.expanduser(name)))
    return found != home and not _is_inside(found, home)


def describe_place(path: Path) -> str | None:
    """Return what is at a path that is not a regular file, in words; None if there is nothing.

    Nothing is opened: opening a fifo would wait for a writer forever.
    """
    try:
        mode = path.stat().st_mode
    except (OSError, ValueError):
        return "it is a broken link" if os.path.islink(path) else None
    return next((f"it is {words}" for is_so, words in KINDS if is_so(mode)), None)


def _resolve(home: str, name: str) -> str:
    check_name(name)
    try:
        found = os.path.realpath(os.path.join(home, name))
        if "\\" in name and not os.path.exists(found):
            found = os.path.realpath(os.path.join(home, name.replace("\\", "/")))
    except (OSError, ValueError):  # a name no file system can hold
        raise _missing(name) from None
    if not _is_inside(found, home):
        raise _outside(name)
    return found


def check_name(name: str) -> None:
    """Refuse a name that could lead outside on any system, before accessing the disk."""
    if not isinstance(name, str) or not name.strip():
        raise ContentError("missing (no file is named)", "Name a file in the table.", "missing")
    parts = SEPARATORS.split(name)
    if "\0" in name or "://" in name or DRIVE.match(name) or parts[0] == "" or _climbs_out(parts):
        raise _outside(name)
    if any(RESERVED.fullmatch(part.strip()) for part in parts):
        raise ContentError(
            "outside the dataset's folder (a name reserved for devices)",
            "Rename the file: Windows opens a device under this name.",
            "outside",
            name,
        )


def _climbs_out(parts: list[str]) -> bool:
    """Return whether following the parts ever leads above the start."""
    depth = 0
    for part in (each.strip() for each in parts):
        depth += {"": 0, ".": 0, "..": -1}.get(part, 1)
        if depth < 0:
            return True
    return False


def _check_opened(descriptor: int, path: str, home: str, name: str) -> None:
    """Refuse what was opened if it is not a regular file or not inside `home`."""
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        raise ContentError(
            "not a regular file", "Replace it with a regular file.", "not allowed", name
        )
    if not _is_inside(_true_path(descriptor, path), home):
        raise _outside(name)


def _true_path(descriptor: int, path: str) -> str:
    """Return the real path of an open file, or "" if it is unknown."""
    if sys.platform == "linux":
        try:
            return os.readlink(f"/proc/self/fd/{descriptor}")
        except OSError:  # /proc is missing
            pass
    # Otherwise follow the path again, and trust it only if it still leads to the open file.
    again = os.path.realpath(path)
    try:
        return again if os.path.samestat(os.stat(again), os.fstat(descriptor)) else ""
    except OSError:
        return ""


def _is_inside(path: str, home: str) -> bool:
    inside, outside = os.path.normcase(path), os.path.normcase(home)
    return inside.startswith(outside.rstrip(os.sep) + os.sep)  # not root_evil/


def _cannot_open(name: str, error: OSError) -> ContentError:
    if error.errno == errno.ELOOP:  # became a link after it was followed
        return _outside(name)
    if isinstance(error, FileNotFoundError | NotADirectoryError):
        return _missing(name)
    if error.errno == errno.ENXIO:  # a socket, or a fifo without a writer
        return ContentError(
            "not a regular file", "Replace it with a regular file.", "not allowed", name
        )
    words = error.strerror or type(error).__name__
    return ContentError(
        f"cannot be read ({words})", "Check the file's permissions.", "unreadable", name
    )


def _missing(name: str) -> ContentError:
    return ContentError(
        "missing", "Put the file there, or correct its name in the table.", "missing", name
    )


def _outside(name: str) -> ContentError:
    return ContentError(
        "outside the dataset's folder",
        "Copy the file into the dataset's folder and name it relative to that folder.",
        "outside",
        name,
    )


def writable(path: Path) -> bool:
    """Return whether this process can write to a folder that is meant to be writable.

    An administrator can write anywhere, but a folder without write permission for anyone still
    counts as read-only. So does the copy of a folder in object storage.
    """
    if find_origin(path) is not None:
        return False
    allowed = os.access(path, os.W_OK, effective_ids=os.access in os.supports_effective_ids)
    return allowed and bool(path.stat().st_mode & 0o222)


def user_folder() -> Path:
    """Return the folder where Curation keeps this user's data, such as ~/.local/share/curation."""
    return platformdirs.user_data_path(APP_NAME, appauthor=False)


def personal_folder(root: Path) -> Path:
    """Return the user's own folder for what belongs to the dataset at root.

    It is used where nothing can be written next to the dataset. A dataset in object storage is
    known by its address, wherever its copy is.
    """
    place = os.fsencode(find_origin(root) or root.resolve())
    return user_folder() / f"{root.name}-{hashlib.sha256(place).hexdigest()[:12]}"


def find_origin(root: Path) -> str | None:
    """Return the address in object storage that a folder is a copy of; None for any other."""
    mirrors = cache_folder() / MIRRORS
    try:
        key, _, *below = root.resolve().relative_to(mirrors.resolve()).parts
        address = (mirrors / key / ORIGIN).read_text(encoding="utf-8")
    except (OSError, ValueError):
        return None
    return "/".join([address, *below[1:]])


def cache_folder() -> Path:
    """Return the folder for what can be computed again, such as ~/.cache/curation."""
    return platformdirs.user_cache_path(APP_NAME, appauthor=False)


def find_dashboard() -> Path:
    """Return the folder of app.py: inside the installed package, or the checkout around it."""
    package = Path(__file__).parent
    installed = package / "dashboard"
    return installed if installed.is_dir() else package.parent


def is_text(name: str) -> bool:
    r"""Return whether a file's name is text; on disk it may be any bytes.

    >>> is_text("café.csv"), is_text("caf\udce9.csv")
    (True, False)
    """
    try:
        name.encode()
    except UnicodeEncodeError:
        return False
    return True
