"""Where files from object storage are kept on this machine, and how much room they may take.

    mirrors/KEY/      a folder of a bucket: see `mirror`
    pictures/         pictures that were looked at: see `picture_files`

Both count towards one limit. Tables and probabilities of datasets that are open are never deleted.
"""

from __future__ import annotations

import json
import os
import shutil
import stat
from contextlib import suppress
from pathlib import Path

from curation.errors import StorageError
from curation.file_lock import FileLock
from curation.paths import MIRRORS, cache_folder
from curation.wording import format_bytes

LIMIT_VARIABLE = "CURATION_CACHE_GB"
DEFAULT_LIMIT_GB = 20.0
FETCHED = "fetched.json"  # in a mirror: the size and version of each file that was fetched whole
IN_USE = "in-use.lock"  # in a mirror: locked by everybody who has it open
SYNCING = "syncing.lock"  # in a mirror: locked by whoever changes it, or is about to open it
MIN_FREE_BYTES = 2**28  # left on the disk for everybody else


def mirrors_folder() -> Path:
    return cache_folder() / MIRRORS


def pictures_folder() -> Path:
    return mirrors_folder().parent / "pictures"


def cache_limit() -> int:
    """Return how many bytes all files from storage may take."""
    text = os.environ.get(LIMIT_VARIABLE, "")
    try:
        limit = float(text or DEFAULT_LIMIT_GB)
    except ValueError:
        limit = -1.0
    if not 0 < limit < 2**20:
        raise StorageError(
            f"{LIMIT_VARIABLE} is {text!r}.", "Give a number of gigabytes, such as 20."
        )
    return int(limit * 2**30)


def read_fetched(mirror: Path) -> dict[str, tuple[int, str]]:
    """Return the files of a mirror that were fetched whole; none if that cannot be read."""
    try:
        kept = json.loads((mirror / FETCHED).read_bytes())
        return {str(name): (int(size), str(version)) for name, (size, version) in kept.items()}
    except (OSError, ValueError, TypeError, AttributeError):
        return {}


def measure_mirrors() -> int:
    """Return how many bytes the fetched files of all mirrors take."""
    return sum(_measure(each) for each in _list_mirrors())


def _measure(mirror: Path) -> int:
    return sum(size for size, _ in read_fetched(mirror).values())


def _list_mirrors() -> list[Path]:
    try:
        return [each for each in mirrors_folder().iterdir() if each.is_dir()]
    except OSError:
        return []


def make_room(mirror: Path, needed: int, called: str) -> None:
    """Delete datasets that nobody has open until `needed` more bytes fit; stop if they cannot.

    The least recently opened goes first. Pictures make room by themselves.
    """
    limit, kept = cache_limit(), measure_mirrors()
    others = sorted((m for m in _list_mirrors() if m != mirror), key=_last_use)
    for other in others:
        if kept + needed <= limit and _free() >= needed + MIN_FREE_BYTES:
            return
        size = _measure(other)
        if delete_unused(other):
            kept -= size
    if kept + needed > limit:
        raise StorageError(
            f"The tables and probabilities of {called} need {format_bytes(needed)} more, and the "
            f"cache may hold {format_bytes(limit)} (in use: {format_bytes(kept)}).",
            f"Set {LIMIT_VARIABLE} to more gigabytes, or close other datasets.",
        )
    if _free() < needed + MIN_FREE_BYTES:
        raise full_disk(called, needed)


def full_disk(called: str, needed: int) -> StorageError:
    """Return the error for a disk without room for what is fetched."""
    return StorageError(
        f"{called} cannot be fetched: the disk of {mirrors_folder().parent} is full "
        f"({format_bytes(needed)} needed, {format_bytes(_free())} free).",
        "Free some space, or set XDG_CACHE_HOME to a folder on another disk.",
    )


def delete_unused(mirror: Path) -> bool:
    """Delete a mirror unless somebody has it open or opens it; return whether it is gone."""
    locks = [FileLock(mirror / name) for name in (SYNCING, IN_USE)]
    try:
        if not all(lock.acquire(shared=False, wait=False) for lock in locks):
            return False
        for folder, _, _ in os.walk(mirror):
            with suppress(OSError):
                os.chmod(folder, stat.S_IRWXU)
        shutil.rmtree(mirror, ignore_errors=True)
    finally:
        for lock in locks:
            lock.release()
    return not mirror.exists()


def _last_use(mirror: Path) -> float:
    try:
        return (mirror / IN_USE).stat().st_mtime
    except OSError:
        return 0.0


def _free() -> int:
    folder = next(each for each in (mirrors_folder(), *mirrors_folder().parents) if each.exists())
    return shutil.disk_usage(folder).free
