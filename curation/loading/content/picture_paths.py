"""Where the pictures that a table names are: which folder, which ending, which part of the path.

Nothing in the data decides which folder is read. It is the dataset's own, or one that a person
named as image_root. Inside it, every name is checked again when it is opened.
"""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import BinaryIO
from urllib.parse import unquote

import numpy as np
from numpy.typing import NDArray

from curation.errors import ContentError, CurationError
from curation.loading.content.file_case import CasedNames
from curation.loading.content.remote_pictures import open_pictures
from curation.loading.content.signatures import ALLOWED, HEAD_BYTES
from curation.loading.content.sources import ImageFiles
from curation.loading.part_paths import address_refused
from curation.loading.report_builder import ReportBuilder, stop
from curation.loading.vocabulary import IMAGE_SUFFIXES
from curation.paths import describe_place, leads_outside, open_inside, resolve_inside
from curation.storage.grants import find_granted, find_mirror
from curation.storage.remote_address import Address, is_address

SAMPLE_ROWS = 200  # names whose files are looked for
SAMPLE_NAMES = 5  # if all of these are files once an ending is added, all names get that ending
MAX_SEARCHED_FOLDERS = 50
MAX_STRIPPED = 12  # folders removed from the beginning of a path
ENOUGH = 0.5  # share of the names that must be found once their beginnings are removed
_LOCAL_FILES = "?d="  # how Label Studio writes a file of its local storage


@dataclass(frozen=True)
class PicturePlace:
    """How a name in the table becomes a file: `root`, `folder`, part of the name, `ending`."""

    root: Path
    folder: str = "."
    ending: str = ""
    stripped: int = 0  # how many folders at the beginning of a path are ignored
    address: Address | None = None  # of the root in object storage, if the names are addresses
    cased: CasedNames | None = None  # finds files whose names differ in case

    def name_file(self, name: str) -> str:
        """Return the name of a file under the root.

        >>> PicturePlace(Path("."), "images", "", 3).name_file("/home/ana/cat/1.jpg")
        'images/cat/1.jpg'
        """
        prefix = "" if self.folder in ("", ".") else self.folder.rstrip("/") + "/"
        if not name:
            return prefix
        if self.address is not None and is_address(name):
            return self.address.find_name(name) or name  # elsewhere: refused when it is opened
        found = f"{prefix}{strip_path(name, self.stripped)}{self.ending}"
        return found if self.cased is None else self.cased.find(found)

    def open(self, names: NDArray[np.object_]) -> ImageFiles:
        """Return the pictures of these names."""
        if self == PicturePlace(self.root):
            return open_pictures(self.root, names)
        joined = [self.name_file(name) if name else self.name_file("") for name in names]
        return open_pictures(self.root, np.array(joined, dtype=object))


def strip_path(name: str, count: int) -> str:
    """Return a path without its first folders; the root and a scheme count as one each.

    >>> strip_path("/home/ana/1.jpg", 2), strip_path("s3://bucket/cat/1.jpg", 3)
    ('ana/1.jpg', 'cat/1.jpg')
    """
    if not count:
        return name
    if _LOCAL_FILES in name:
        name = unquote(name.partition(_LOCAL_FILES)[2])
    parts = re.split(r"[/\\]", name)
    return "/".join(parts[count:] if len(parts) > count else parts[-1:])


def find_pictures(
    root: Path, names: NDArray[np.object_], near: str, image_root: str | None, report: ReportBuilder
) -> PicturePlace:
    """Return where the pictures of these names are; `near` is the folder of the table."""
    looked = [name for name in names[:SAMPLE_ROWS] if name]
    root, folders = _choose_folders(root, near, image_root, report)
    mirror = find_mirror(root)
    if mirror is not None and any(mirror.address.find_name(name) for name in looked):
        return PicturePlace(mirror.copy.files, address=mirror.address)
    place = _find_ending(root, folders, looked)
    if place is not None:
        return place
    found = {folder: _count(PicturePlace(root, folder), looked) for folder in folders}
    best = max(folders, key=lambda folder: found[folder])
    if found[best] == len(looked):
        return PicturePlace(root, best)
    cased = _find_cased(root, folders, looked, found[best])
    if cased is not None:
        _report_cased(cased, looked, report)
        return cased
    stripped = _find_stripped(root, folders, looked, found[best])
    if stripped is None:
        return PicturePlace(root, best)
    _report_stripped(stripped, looked, report)
    return stripped


def _choose_folders(
    root: Path, near: str, image_root: str | None, report: ReportBuilder
) -> tuple[Path, list[str]]:
    """Return the root to read from, and the folders to search in it.

    In a tie, the folder of the table wins. A folder that a person named may be outside the dataset.
    """
    if image_root is None:
        inside = sorted(e.name for e in root.iterdir() if e.is_dir() and e.name[0] != ".")
        return root, list(dict.fromkeys([near, ".", *inside]))[:MAX_SEARCHED_FOLDERS]
    if is_address(image_root):
        mirrored = _find_mirrored(root, image_root)
        _report_elsewhere(image_root, image_root, report)
        return mirrored, ["."]
    folder = Path(os.path.realpath(root / Path(image_root).expanduser()))
    if not folder.is_dir():
        raise stop(
            code="part.missing",
            where=image_root,
            what=f"{describe_place(folder) or 'there is no such folder'}.",
            fix="Correct image_root: the folder that the names of the pictures are relative to.",
            why="If a folder is named, no other folder is used instead.",
        )
    if not leads_outside(root, image_root):
        return root, [os.path.relpath(folder, os.path.realpath(root))]
    _report_elsewhere(image_root, str(folder), report)
    return folder, ["."]


def _report_elsewhere(image_root: str, folder: str, report: ReportBuilder) -> None:
    report.add_auto_fix(
        code="content.elsewhere",
        where=image_root,
        what=f"pictures are read from {folder}, outside the dataset's folder.",
        fix="To read only the dataset's folder, leave image_root out.",
        why="A dataset may come from anyone, so other folders are read only if you name them.",
    )


def _find_mirrored(root: Path, image_root: str) -> Path:
    """Return the copy of a folder in object storage, if whoever loads the dataset named it."""
    mirror, own = find_granted(image_root), find_mirror(root)
    if mirror is not None:
        return mirror.copy.files
    name = own.address.find_name(image_root.rstrip("/")) if own is not None else None
    if own is None or name is None:
        raise address_refused(image_root, "image_root")
    return own.copy.files / name


def _find_ending(root: Path, folders: Sequence[str], looked: Sequence[str]) -> PicturePlace | None:
    """Return the folder and the ending that the first names lack, such as .jpg."""
    few = looked[:SAMPLE_NAMES]
    if not few or any(name.lower().endswith(IMAGE_SUFFIXES) for name in looked):
        return None
    for ending in (each for suffix in IMAGE_SUFFIXES for each in (suffix, suffix.upper())):
        for folder in folders:
            place = PicturePlace(root, folder, ending)
            if _count(place, few) == len(few):
                return place
    return None


def _find_cased(
    root: Path, folders: Sequence[str], looked: Sequence[str], found: int
) -> PicturePlace | None:
    """Return the folder in which more of the names are files if their case is ignored."""
    names = CasedNames(root)
    for folder in folders:
        place = PicturePlace(root, folder, cased=names)
        if _count(place, looked) > max(found, ENOUGH * len(looked)):
            return place
    return None


def _report_cased(place: PicturePlace, looked: Sequence[str], report: ReportBuilder) -> None:
    report.add_auto_fix(
        code="content.case",
        where="content",
        what=f"capitals in the names of files are ignored: {looked[0][:120]!r} is read as "
        f"{place.name_file(looked[0])[:120]!r}.",
        fix="If other pictures are meant, write their names as they are.",
        why="Some systems tell such names apart, and others do not.",
        count=len(looked),
    )


def _find_stripped(
    root: Path, folders: Sequence[str], looked: Sequence[str], found: int
) -> PicturePlace | None:
    """Return the fewest folders to remove from the paths so that most of them are files.

    Two paths must not become the same file.
    """
    if not looked:
        return None
    different = len(set(looked))
    for count in range(1, MAX_STRIPPED + 1):
        if len({strip_path(name, count) for name in looked}) < different:
            return None
        for folder in folders:
            place = PicturePlace(root, folder, stripped=count)
            if _count(place, looked) > max(found, ENOUGH * len(looked)):
                return place
    return None


def _report_stripped(place: PicturePlace, looked: Sequence[str], report: ReportBuilder) -> None:
    count = _count(place, looked)
    report.add_auto_fix(
        code="content.suffix",
        where="content",
        what=f"the beginnings of the paths are ignored: {looked[0][:120]!r} is read as "
        f"{place.name_file(looked[0])[:120]!r}; of {len(looked)} files looked for, {count} are "
        "found.",
        fix="If other pictures are meant, pass their folder as image_root.",
        why="Such paths come from another machine; only files in the dataset's folder are read.",
        count=len(looked),
    )


def _count(place: PicturePlace, names: Sequence[str]) -> int:
    return sum(_exists(place.root, place.name_file(name)) for name in names)


def _exists(root: Path, name: str) -> bool:
    try:
        return resolve_inside(root, name).is_file()
    except (CurationError, OSError):
        return False


def files_exist(place: PicturePlace, names: Sequence[str | None]) -> bool:
    """Return whether one of the first names is a file; others may be missing."""
    few = [name for name in names if name][:SAMPLE_NAMES]
    return any(_read_head(place, name) is not None for name in few)


def are_pictures(place: PicturePlace, names: Sequence[str | None]) -> bool:
    """Return whether the first names are pictures, by what the files hold; some may be missing."""
    heads = [_read_head(place, name) for name in names if name][:SAMPLE_NAMES]
    found = [head for head in heads if head is not None]
    all_are = all(any(kind.match(head) for kind in ALLOWED.values()) for head in found)
    return len(found) > len(heads) / 2 and all_are


def _read_head(place: PicturePlace, name: str) -> bytes | None:
    try:
        with _open(place.root, place.name_file(name)) as file:
            return file.read(HEAD_BYTES)
    except (ContentError, OSError):
        return None


def _open(root: Path, name: str) -> BinaryIO:
    """Return a file, open for reading; in object storage it is fetched for that."""
    mirror = find_mirror(root)
    if mirror is None:
        return open_inside(root, name)
    inside = resolve_inside(root, name).relative_to(mirror.copy.files.resolve())
    return mirror.open_picture(inside.as_posix())


def folder_of(table_name: str) -> str:
    """Return the folder of a table, from the dataset's root."""
    return str(PurePosixPath(table_name).parent)
