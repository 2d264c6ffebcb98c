"""What is in a dataset's folder, before anything is decided: each file, its columns, first rows.

Only the beginning of each file is read. Names and cells are as in the files: whoever shows them
has to show them literally.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np

from curation.errors import CurationError
from curation.loading.formats.base import TableFormat
from curation.loading.formats.class_folders import find_example_folders
from curation.loading.formats.file_faults import NO_LIMIT
from curation.loading.formats.npy import Header, open_npy, read_header
from curation.loading.formats.npz import open_npz, read_member
from curation.loading.formats.registry import (
    advise,
    count_rows,
    find_format,
    is_archive,
    is_array,
    peek_table,
)
from curation.loading.overrides import MANIFEST
from curation.loading.vocabulary import IMAGE_SUFFIXES
from curation.paths import is_text, resolve_inside

MAX_FILES = 24  # looked at; more are only counted
MAX_FOLDERS = 50  # searched inside the dataset's folder
MAX_ENTRIES = 20_000  # of one folder
MAX_NAMED = 6  # columns in one line about a file
MAX_NAME_CHARACTERS = 40
MAX_CELLS = 12  # columns of an array in a preview
MAX_COUNTED_BYTES = 2**28  # rows of a larger file are not counted
MAX_UNPACKED_BYTES = 2**26  # of an array in an archive, to show its first values
TYPE_WORDS = {"other": "text"}  # what `peek` calls the cells that are neither numbers nor lists


@dataclass(frozen=True)
class FoundFile:
    """One file or folder of pictures, and what it holds.

    The `columns` of an archive are its arrays. `types` says what each column holds, in a word.
    """

    name: str  # from the dataset's folder
    columns: tuple[str, ...] = ()
    types: Mapping[str, str] = field(default_factory=dict)
    rows: tuple[tuple[str, ...], ...] = ()  # the first ones, if they were asked for
    count: int | None = None  # of all rows, if known
    shape: tuple[int, ...] | None = None  # of an array
    dtype: str = ""
    pictures: int = 0  # in a folder
    folders: tuple[str, ...] = ()  # of pictures, one for each class
    advice: str = ""  # what to do with a format that is not read

    @property
    def is_read(self) -> bool:
        """Return whether it can be part of a dataset, apart from its pictures."""
        return bool(self.columns or self.folders or self.shape is not None)

    def describe(self) -> str:
        """Return one line, such as `a.csv (id, text)` or `b.npy (1797 x 64)`."""
        name = _as_written(self.name)
        if self.folders:
            return f"{name} (a folder for each class: {_list(self.folders)})"
        if self.pictures:
            return f"{name} ({self.pictures:,} {'picture' if self.pictures == 1 else 'pictures'})"
        if self.shape is not None:
            return f"{name} ({write_shape(self.shape)})"
        return f"{name} ({_list(self.columns)})" if self.columns else f"{name} (not read)"


def describe_files(path: Path) -> tuple[str, ...]:
    """Return one line for each file at a path; none if nothing can be listed."""
    found, more = survey_files(path)
    lines = tuple(each.describe() for each in found)
    return (*lines, f"{more} more") if more else lines


def survey_files(path: Path, *, rows: int = 0) -> tuple[list[FoundFile], int]:
    """Return the files at a path with their first rows, and how many more there are.

    A file that is opened directly is alone. Files that cannot be read are listed too. A path that
    does not exist gives nothing, whatever is next to it.
    """
    try:
        if not path.exists():
            return [], 0
        if path.is_file() and path.name != MANIFEST and path.suffix.lower() != ".toml":
            return [_look(path.parent, path.name, rows)], 0
        root = path if path.is_dir() else path.parent
        names, folders = _list_names(root)
    except (OSError, ValueError):
        return [], 0
    able = sorted(names, key=lambda name: (find_format(name) is None, "/" in name, name))
    found = [_look(root, name, rows) for name in able[:MAX_FILES]]
    return [*found, *folders], max(len(able) - MAX_FILES, 0)


def _list_names(root: Path) -> tuple[list[str], list[FoundFile]]:
    """Return the files in a folder and in the folders below, and the folders of pictures."""
    names, pictures = _list_folder(root, "")
    folders = [FoundFile("pictures", pictures=pictures)] if pictures else []
    classes = find_example_folders(root)
    folders += [_class_folder(root, base) for base in classes]
    inside = [] if "." in classes else _list_folders(root)[:MAX_FOLDERS]
    for folder in inside:
        more, pictures = _list_folder(root, f"{folder}/")
        names += more
        if pictures and folder not in classes:
            folders.append(FoundFile(f"{folder}/", pictures=pictures))
    return names, folders


def _list_folder(root: Path, prefix: str) -> tuple[list[str], int]:
    """Return the files of a folder, and how many of its files are pictures."""
    names = [entry.name for entry in _entries(root / prefix) if entry.is_file()]
    pictures = [name for name in names if name.lower().endswith(IMAGE_SUFFIXES)]
    others = [f"{prefix}{name}" for name in names if name not in set(pictures)]
    return [name for name in others if name != MANIFEST], len(pictures)


def _list_folders(root: Path) -> list[str]:
    """Return the folders inside a folder, without those that lead out of it."""
    found = []
    for entry in _entries(root):
        with suppress(CurationError):
            if entry.is_dir() and resolve_inside(root, entry.name):
                found.append(entry.name)
    return found


def _entries(folder: Path) -> list[os.DirEntry[str]]:
    found: list[os.DirEntry[str]] = []
    with os.scandir(folder) as entries:
        for entry in entries:
            if not entry.name.startswith(".") and is_text(entry.name):
                found.append(entry)
            if len(found) == MAX_ENTRIES:
                break
    return sorted(found, key=lambda entry: entry.name)


def _class_folder(root: Path, base: str) -> FoundFile:
    folders = tuple(_list_folders(root / base))
    return FoundFile("." if base == "." else f"{base}/", folders=folders)


def _look(root: Path, name: str, rows: int) -> FoundFile:
    found = FoundFile(name, advice=advise([name]))
    try:
        path = resolve_inside(root, name)
        looked = _look_inside(path, found, rows)
        return replace(looked, count=_count(path)) if rows else looked
    except Exception:  # a parser may fail in any way on untrusted bytes; reading reports it
        return found


def _look_inside(path: Path, found: FoundFile, rows: int) -> FoundFile:
    """Return what the file holds, by its format; unchanged if its format is not read."""
    if is_array(path.name):
        with path.open("rb") as file:
            return _as_array(path, found, read_header(file, found.name), rows)
    if is_archive(path.name):
        return _as_archive(path, found, open_npz(path, found.name, memory_limit=NO_LIMIT), rows)
    peek = peek_table(path)
    if peek is None:
        return found
    types = {name: TYPE_WORDS.get(held, held) for name, held in peek.first_row.items()}
    return replace(found, columns=peek.columns, types=types, rows=_first_rows(path, rows))


def _first_rows(path: Path, rows: int) -> tuple[tuple[str, ...], ...]:
    format_ = find_format(path.name)
    if not rows or not isinstance(format_, TableFormat):
        return ()
    try:
        return tuple(format_.first_rows(path, rows))
    except Exception:  # as in `_look`; the columns are still worth showing
        return ()


def _as_array(path: Path, found: FoundFile, header: Header, rows: int) -> FoundFile:
    found = replace(found, shape=header.shape, dtype=str(header.dtype))
    if not rows or len(header.shape) not in (1, 2):
        return found
    head = np.asarray(open_npy(path, found.name)[: min(rows, header.shape[0])])
    cells = head.reshape(len(head), -1)[:, :MAX_CELLS]
    return replace(found, rows=tuple(tuple(map(_write, row)) for row in cells.tolist()))


def _as_archive(
    path: Path, found: FoundFile, headers: Mapping[str, Header], rows: int
) -> FoundFile:
    types = {key: f"{write_shape(each.shape)} {each.dtype}" for key, each in headers.items()}
    found = replace(found, columns=tuple(headers), types=types)
    if not rows or sum(each.data_bytes for each in headers.values()) > MAX_UNPACKED_BYTES:
        return found
    columns = [_first_values(read_member(path, found.name, key), rows) for key in headers]
    return replace(found, rows=tuple(zip(*columns, strict=True)))


def _first_values(array: np.ndarray[tuple[int, ...], np.dtype[np.generic]], rows: int) -> list[str]:
    first = array.reshape(len(array), -1)[:rows, :MAX_CELLS] if array.ndim else array.reshape(1, 1)
    cells = [", ".join(map(_write, row)) for row in first.tolist()]
    return cells + [""] * (rows - len(cells))


def _write(value: object) -> str:
    return f"{value:.4g}" if isinstance(value, float) else str(value)


def _count(path: Path) -> int | None:
    return count_rows(path) if path.stat().st_size <= MAX_COUNTED_BYTES else None


def write_shape(shape: tuple[int, ...]) -> str:
    """Return the shape of an array in words.

    >>> write_shape((1797, 64)), write_shape(())
    ('1,797 x 64', 'one value')
    """
    return " x ".join(f"{size:,}" for size in shape) or "one value"


def _list(names: tuple[str, ...]) -> str:
    shown = ", ".join(map(_as_written, names[:MAX_NAMED]))
    return shown if len(names) <= MAX_NAMED else f"{shown} and {len(names) - MAX_NAMED} more"


def _as_written(name: str) -> str:
    """Return a name that cannot control a terminal, and is not too long for a line."""
    plain = "".join(c if c.isprintable() else repr(c)[1:-1] for c in name) or "(no name)"
    return plain if len(plain) <= MAX_NAME_CHARACTERS else f"{plain[:MAX_NAME_CHARACTERS]}…"
