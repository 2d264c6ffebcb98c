"""Texts in files of their own, one per example: read once, and kept like a column of texts."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import BinaryIO

import numpy as np
from numpy.typing import NDArray

from curation.errors import ContentError
from curation.loading.content.picture_paths import SAMPLE_NAMES, PicturePlace
from curation.loading.content.signatures import ALLOWED, HEAD_BYTES
from curation.loading.content.sources import ImageFiles, Texts
from curation.loading.formats.file_faults import too_large
from curation.loading.overrides import Options
from curation.loading.report_builder import ReportBuilder
from curation.loading.vocabulary import TEXT_SUFFIXES
from curation.paths import open_inside, resolve_inside
from curation.report import FIRST_ROWS
from curation.storage.grants import find_mirror

CHARACTER_BYTES = 2  # approximate memory per byte of a file, once it is text


def are_text_files(names: Sequence[str | None]) -> bool:
    """Return whether names are those of text files.

    >>> are_text_files(["pos/1.txt", "neg/2.txt"]), are_text_files(["Read 1.txt first."])
    (True, False)
    """
    given = [name.lower() for name in names if name]
    return bool(given) and all(name.endswith(TEXT_SUFFIXES) for name in given)


def exist(place: PicturePlace, names: Sequence[str | None]) -> bool:
    """Return whether the first names are files."""
    few = [name for name in names if name][:SAMPLE_NAMES]
    return bool(few) and all(_read_head(place, name) is not None for name in few)


def are_pictures(place: PicturePlace, names: Sequence[str | None]) -> bool:
    """Return whether the first names are pictures, by what the files hold."""
    heads = [_read_head(place, name) for name in names if name][:SAMPLE_NAMES]
    kinds = ALLOWED.values()
    return bool(heads) and all(head and any(k.match(head) for k in kinds) for head in heads)


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


def read_text_files(
    files: ImageFiles, where: str, options: Options, report: ReportBuilder
) -> Texts:
    """Return the texts in files; one that cannot be read is missing, as an empty cell is."""
    encoding = options.encoding or "utf-8"
    texts: list[str | None] = []
    foreign: list[str] = []
    size = 0
    for row, name in enumerate(files.names.tolist()):
        try:
            raw = files.read(row)
        except (ContentError, OSError):
            texts.append(None)
            continue
        size += len(raw) * CHARACTER_BYTES
        if size > options.memory_limit:
            raise too_large(where, size, options.memory_limit)
        texts.append(_decode(raw, encoding))
        if texts[-1] is None:
            texts[-1] = raw.decode(encoding, errors="replace")
            foreign.append(str(name))
    if foreign:
        report.add_warning(
            code="content.encoding",
            where=where,
            what=f"{len(foreign)} of {len(texts)} text files are not {encoding}; what cannot be "
            "read is shown as \ufffd.",
            fix='Pass their encoding, such as encoding="latin-1".',
            why="A text with missing characters is harder to judge.",
            count=len(foreign),
            first_rows=foreign[:FIRST_ROWS],
            override={} if options.encoding else {"encoding": "latin-1"},
        )
    return Texts(texts)


def _decode(raw: bytes, encoding: str) -> str | None:
    try:
        return raw.decode("utf-8-sig" if encoding == "utf-8" else encoding)
    except (UnicodeError, LookupError):
        return None


def read_folder_texts(
    root: Path, names: NDArray[np.object_], options: Options, report: ReportBuilder
) -> Texts:
    """Return the texts of files in the folders of their classes."""
    return read_text_files(PicturePlace(root).open(names), "text files", options, report)
