"""NumPy files, judged by their headers before anything is read; a pickle is never opened."""

from __future__ import annotations

import math
import threading
import zipfile
from dataclasses import dataclass
from pathlib import Path, PurePosixPath, PureWindowsPath
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray

from curation.loading.formats.base import too_large, unreadable
from curation.loading.report_builder import list_few, stop

Array = NDArray[Any]
MAGIC = b"\x93NUMPY"
MOST_MEMBERS = 1000  # arrays in one .npz; more is a mistake or an attack
MOST_SWELLING = 200  # times an .npz may grow when unpacked; probabilities grow 1 to 20 times
SWELLING_MATTERS = 64 * 2**20  # bytes; below this any growth is harmless
_NO_PICKLE = "Save plain numbers or text: np.save(path, np.asarray(values, dtype=float))."


# NumPy reads a header with Python's own parser, which before 3.13 miscounts its depth when two
# threads use it at once and then calls a good file broken.
_PARSING = threading.RLock()


@dataclass(frozen=True)
class Header:
    """What an .npy file says about itself."""

    shape: tuple[int, ...]
    dtype: np.dtype[Any]
    data_bytes: int
    header_bytes: int


def read_header(file: IO[bytes], name: str) -> Header:
    """Return the header of an .npy stream; stop if it is none, or holds pickled objects."""
    try:
        version = np.lib.format.read_magic(file)
        read = np.lib.format.read_array_header_1_0
        if version != (1, 0):
            read = np.lib.format.read_array_header_2_0
        with _PARSING:
            shape, _, dtype = read(file)
    except Exception as error:  # however a parser of foreign bytes fails
        raise stop(
            code="npy.broken",
            where=name,
            what=f"it is not an .npy file that can be read: {str(error)[:120]}.",
            fix=f"A pickle or another format under this name is refused. {_NO_PICKLE}",
            why="A file is read as what its name says; loading a pickle runs the code in it.",
        ) from error
    if dtype.hasobject:
        raise stop(
            code="npy.objects",
            where=name,
            what="it holds Python objects (dtype object), stored as a pickle.",
            fix=_NO_PICKLE,
            why="Loading a pickle runs whatever code is in it.",
        )
    if dtype.names or dtype.itemsize == 0 or any(side < 0 for side in shape):
        raise stop(
            code="npy.type",
            where=name,
            what=f"arrays of {dtype} are not read.",
            fix=_NO_PICKLE,
            why="Only plain numbers and text can be labels or probabilities.",
        )
    return Header(shape, dtype, math.prod(shape) * dtype.itemsize, file.tell())


def open_npy(path: Path, name: str) -> Array:
    """Return an .npy file as an array that stays on disk, after judging its header."""
    try:
        size = path.stat().st_size
        with path.open("rb") as file:
            header = read_header(file, name)
        _check_cut(header, size - header.header_bytes, name)
        if header.data_bytes == 0:
            return np.empty(header.shape, header.dtype)  # nothing to map
        with _PARSING:
            array: Array = np.load(path, mmap_mode="r", allow_pickle=False)
        return array
    except (OSError, ValueError) as error:
        raise unreadable(name, error) from error


def _check_cut(header: Header, found: int, name: str) -> None:
    if header.data_bytes > found:
        raise stop(
            code="file.cut",
            where=name,
            what=f"file is cut: expected {header.data_bytes} bytes, got {found}.",
            fix="Copy or save it again.",
            why=f"Its header promises an array of shape {header.shape}.",
        )


def open_npz(path: Path, name: str, *, memory_limit: int) -> dict[str, Header]:
    """Return the arrays an .npz archive holds, from headers alone; refuse one that is a trap."""
    try:
        _check_count(_count_entries(path), name)
        with zipfile.ZipFile(path) as archive:
            members = archive.infolist()
            _check_members(members, name)
            _check_swelling(members, path.stat().st_size, name, memory_limit)
            return {
                member.filename.removesuffix(".npy"): _member_header(archive, member, name)
                for member in members
                if member.filename.endswith(".npy")
            }
    except Exception as error:  # however a parser of foreign bytes fails
        raise _cut_archive(path, name) or _as_stop(error, name) from error


def _cut_archive(path: Path, name: str) -> Exception | None:
    """Return the stop for an archive that has a beginning and no end."""
    try:
        size = path.stat().st_size
        with path.open("rb") as file:
            begun = file.read(4) == b"PK\x03\x04"
        if zipfile.is_zipfile(path) or not begun:
            return None
    except OSError:
        return None
    return stop(
        code="file.cut",
        where=name,
        what=f"file is cut: its {size} bytes do not end as an archive must.",
        fix="Copy or save it again.",
        why="Its table of contents stands at the end, so nothing in it can be found.",
    )


def read_member(path: Path, name: str, key: str) -> Array:
    """Return one array of an archive that `open_npz` has judged."""
    try:
        with zipfile.ZipFile(path) as archive, archive.open(f"{key}.npy") as file, _PARSING:
            return np.asarray(np.lib.format.read_array(file, allow_pickle=False))
    except Exception as error:  # however a parser of foreign bytes fails
        raise _as_stop(error, f"{name}, array {key!r}") from error


def _as_stop(error: Exception, name: str) -> Exception:
    from curation.loading.report_builder import Stop

    return error if isinstance(error, Stop) else unreadable(name, error)


def _count_entries(path: Path) -> int:
    """Return how many entries an archive's last record claims; list_few them takes seconds."""
    with path.open("rb") as file:
        file.seek(max(0, path.stat().st_size - 66_000))  # the record and its longest comment
        tail = file.read()
    place = tail.rfind(b"PK\x05\x06")
    # 0xffff: 65,535 entries or more, said elsewhere. That is too many in any case.
    return int.from_bytes(tail[place + 10 : place + 12], "little") if place >= 0 else 0


def _check_count(count: int, name: str) -> None:
    if count > MOST_MEMBERS:
        raise stop(
            code="npz.members",
            where=name,
            what=f"the archive has {count} entries or more; at most {MOST_MEMBERS} are read.",
            fix="Save only the arrays that are needed.",
            why="An archive can be made to keep any machine busy.",
        )


def _check_members(members: list[zipfile.ZipInfo], name: str) -> None:
    _check_count(len(members), name)
    outside = [each.filename for each in members if _leaves(each.filename)]
    if outside:
        raise stop(
            code="npz.outside",
            where=name,
            what=f"entries that point outside the archive: {list_few(outside)}.",
            fix="Make the archive again with np.savez.",
            why="Such names are a known way to overwrite files elsewhere.",
            count=len(outside),
        )


def _leaves(entry: str) -> bool:
    parts = PurePosixPath(entry).parts
    return (
        "\\" in entry
        or ".." in parts
        or entry.startswith("/")
        or PureWindowsPath(entry).drive != ""
    )


def _check_swelling(members: list[zipfile.ZipInfo], size: int, name: str, limit: int) -> None:
    total = sum(member.file_size for member in members)
    if total > limit:
        raise too_large(name, total, limit)
    if total > SWELLING_MATTERS and total > MOST_SWELLING * size:
        raise stop(
            code="npz.swelling",
            where=name,
            what=f"{size} bytes would unpack to {total}, {total // max(size, 1)} times as many; "
            f"the limit is {MOST_SWELLING} times.",
            fix="Save the arrays as .npy files, which are read from disk.",
            why="An archive can be made to fill the memory of any machine.",
        )


def _member_header(archive: zipfile.ZipFile, member: zipfile.ZipInfo, name: str) -> Header:
    where = f"{name}, array {member.filename.removesuffix('.npy')!r}"
    with archive.open(member) as file:
        header = read_header(file, where)
    _check_cut(header, member.file_size - header.header_bytes, where)
    return header
