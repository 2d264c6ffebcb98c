"""Texts in files of their own, one per example: read once, and kept like a column of texts."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from curation.errors import ContentError, NoAnswerError
from curation.loading.content.picture_paths import PicturePlace
from curation.loading.content.sources import ImageFiles, Texts
from curation.loading.formats.file_faults import too_large
from curation.loading.formats.text_encoding import as_utf8, decode_text
from curation.loading.overrides import Options
from curation.loading.report_builder import ReportBuilder, Stop
from curation.loading.vocabulary import TEXT_SUFFIXES
from curation.report import FIRST_ROWS

CHARACTER_BYTES = 2  # approximate memory per byte of a file, once it is text


def are_text_files(names: Sequence[str | None]) -> bool:
    """Return whether names are those of text files.

    >>> are_text_files(["pos/1.txt", "neg/2.txt"]), are_text_files(["Read 1.txt first."])
    (True, False)
    """
    given = [name.lower() for name in names if name]
    return bool(given) and all(name.endswith(TEXT_SUFFIXES) for name in given)


def read_text_files(
    files: ImageFiles, where: str, options: Options, report: ReportBuilder
) -> Texts:
    """Return the texts in files; one that cannot be read is missing, as an empty cell is.

    They are read as UTF-8, and those that are not in the encoding that was given: it may have been
    meant for the label table alone.
    """
    _check_encoding(options.encoding, where)
    texts: list[str | None] = []
    foreign: list[str] = []
    size = 0
    for row, name in enumerate(files.names.tolist()):
        size += (files.size(row) or 0) * CHARACTER_BYTES
        if size > options.memory_limit:
            raise too_large(where, size, options.memory_limit)
        raw = _read(files, row)
        text = None if raw is None else _decode(raw, options.encoding)
        if raw is not None and text is None:
            text = raw.decode("utf-8", errors="replace")
            foreign.append(str(name))
        texts.append(text)
    encoding = options.encoding or "utf-8"
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


def _check_encoding(encoding: str | None, where: str) -> None:
    """Stop if there is no such encoding."""
    try:
        sample = "a".encode(encoding or "utf-8")
    except LookupError:
        sample = b"a"  # refused now
    as_utf8(sample, where, encoding)


def _read(files: ImageFiles, row: int) -> bytes | None:
    """Return the bytes of a file; None if there are none to be had, now or later."""
    try:
        return files.read(row)
    except ContentError as error:
        if error.fault == "waiting":  # as a missing text, it would stay missing
            raise NoAnswerError(error.problem, "Open the dataset again in a while.") from None
        return None
    except OSError:
        return None


def _decode(raw: bytes, encoding: str | None) -> str | None:
    try:
        return decode_text(raw, "", encoding)[0].decode()
    except (Stop, UnicodeError):
        return None


def read_folder_texts(
    root: Path, names: NDArray[np.object_], options: Options, report: ReportBuilder
) -> Texts:
    """Return the texts of files in the folders of their classes."""
    return read_text_files(PicturePlace(root).open(names), "text files", options, report)
