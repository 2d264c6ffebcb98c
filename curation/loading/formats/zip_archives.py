"""Zip archives, checked before anything in them is unpacked: .npz and .xlsx are such archives."""

from __future__ import annotations

import stat
import zipfile
from pathlib import Path, PurePosixPath, PureWindowsPath

from curation.loading.formats.file_faults import cut_short, too_large
from curation.loading.report_builder import list_few, stop

MAX_MEMBERS = 1000  # files in one archive; more is a mistake or an attack
MAX_GROWTH = 200  # times its size, when unpacked; probabilities grow 1 to 20 times
HARMLESS_BYTES = 64 * 2**20  # up to this unpacked size, any growth is harmless


def check_archive(path: Path, name: str, *, memory_limit: int) -> None:
    """Stop at an archive that has too many files, leads outside, or unpacks to too much."""
    _check_count(_count_entries(path), name)
    with zipfile.ZipFile(path) as archive:
        members = archive.infolist()
    _check_count(len(members), name)
    _check_names(members, name)
    _check_growth(members, path.stat().st_size, name, memory_limit)


def find_cut(path: Path, name: str) -> Exception | None:
    """Return the stop for an archive whose end is missing; None for any other file."""
    try:
        size = path.stat().st_size
        with path.open("rb") as file:
            begun = file.read(4) == b"PK\x03\x04"
        if zipfile.is_zipfile(path) or not begun:
            return None
    except OSError:
        return None
    return cut_short(name, size, "an archive")


def _count_entries(path: Path) -> int:
    """Return the number of entries stated at the end of an archive; listing them takes seconds."""
    with path.open("rb") as file:
        file.seek(max(0, path.stat().st_size - 66_000))  # the record and its longest comment
        tail = file.read()
    place = tail.rfind(b"PK\x05\x06")
    # 0xffff means 65,535 entries or more: too many in any case
    return int.from_bytes(tail[place + 10 : place + 12], "little") if place >= 0 else 0


def _check_count(count: int, name: str) -> None:
    if count > MAX_MEMBERS:
        raise stop(
            code="archive.members",
            where=name,
            what=f"the archive has {count} entries or more; at most {MAX_MEMBERS} are read.",
            fix="Save only what is needed.",
            why="An archive with so many entries could keep any machine busy.",
        )


def _check_names(members: list[zipfile.ZipInfo], name: str) -> None:
    outside = [each.filename for each in members if _leads_outside(each)]
    if outside:
        raise stop(
            code="archive.outside",
            where=name,
            what=f"entries that point outside the archive: {list_few(outside)}.",
            fix="Save the file again with the program that made it.",
            why="Such names are a known way to overwrite files elsewhere.",
            count=len(outside),
        )


def _leads_outside(member: zipfile.ZipInfo) -> bool:
    """Return whether an entry's name leads outside, or it is a link, which may lead anywhere."""
    entry = member.orig_filename
    parts = PurePosixPath(entry).parts
    return (
        stat.S_ISLNK(member.external_attr >> 16)
        or "\\" in entry
        or ".." in parts
        or entry.startswith("/")
        or PureWindowsPath(entry).drive != ""
    )


def _check_growth(members: list[zipfile.ZipInfo], size: int, name: str, limit: int) -> None:
    total = sum(member.file_size for member in members)
    if total > limit:
        raise too_large(name, total, limit)
    if total > HARMLESS_BYTES and total > MAX_GROWTH * size:
        raise stop(
            code="archive.growth",
            where=name,
            what=f"{size} bytes would unpack to {total}, {total // max(size, 1)} times as many; "
            f"the limit is {MAX_GROWTH} times.",
            fix="Save arrays as .npy files, which are read from disk, and tables as CSV.",
            why="Such an archive could fill the memory of any machine.",
        )
