"""All file formats. A new format is one module and one line in `FORMATS`."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path, PurePosixPath

from curation.loading.formats.arrow import Arrow
from curation.loading.formats.base import Format, Peek, TableFile, TableFormat
from curation.loading.formats.class_folders import ClassFolders
from curation.loading.formats.csv import Csv
from curation.loading.formats.excel import Excel
from curation.loading.formats.gzipped import GzippedCsv, GzippedJsonl
from curation.loading.formats.json_array import JsonArray, JsonColumns
from curation.loading.formats.jsonl import Jsonl
from curation.loading.formats.npy import Npy
from curation.loading.formats.npz import Npz
from curation.loading.formats.parquet import Parquet
from curation.loading.formats.read_only_sources import (
    Headless,
    Majority,
    NestedLabels,
    Splits,
    TableInParts,
)
from curation.loading.formats.record_registry import RECORD_FORMS
from curation.loading.formats.table import Table
from curation.loading.formats.text_lines import TextLines
from curation.loading.formats.unsupported import ADVICE, PACKED_FOLDERS
from curation.loading.report_builder import ReportBuilder, stop

FORMATS: tuple[Format, ...] = (
    Csv(),
    Jsonl(),
    GzippedCsv(),
    GzippedJsonl(),
    Parquet(),
    Excel(),
    Npy(),
    Npz(),
    ClassFolders(),
    Arrow(),
    TextLines(),
    JsonArray(),
    JsonColumns(),
    *RECORD_FORMS,
    Majority(),
    Splits(),
    TableInParts(),
    Headless(),
    NestedLabels(),
)
BY_NAME = {each.name: each for each in FORMATS}
BY_SUFFIX = {suffix: each for each in FORMATS for suffix in each.suffixes}
SUFFIXES = tuple(BY_SUFFIX)
TABLE_SUFFIXES = tuple(s for s, each in BY_SUFFIX.items() if isinstance(each, TableFormat))


def find_suffix(name: str) -> str:
    """Return the suffix of a file's name in lower case, both parts of one such as .csv.gz.

    >>> find_suffix("Labels.CSV"), find_suffix("labels.csv.gz"), find_suffix("labels.v2.txt")
    ('.csv', '.csv.gz', '.txt')
    """
    last = PurePosixPath(name).name.lower()
    known = [suffix for suffix in SUFFIXES if last.endswith(suffix) and last != suffix]
    return max(known, key=len, default=PurePosixPath(last).suffix)


def remove_suffix(name: str) -> str:
    """Return the last part of a file's name without its suffix.

    >>> remove_suffix("data/Labels.csv.gz"), remove_suffix("labels.v2.txt")
    ('Labels', 'labels.v2')
    """
    last = PurePosixPath(name).name
    return last[: len(last) - len(find_suffix(last))]


def find_format(name: str) -> Format | None:
    """Return the format of a file, by its name; None for a file that is not read."""
    return BY_SUFFIX.get(find_suffix(name))


def is_table(name: str) -> bool:
    """Return whether a file is read as a table."""
    return isinstance(find_format(name), TableFormat)


def is_array(name: str) -> bool:
    """Return whether a file is a single array."""
    return isinstance(find_format(name), Npy)


def is_archive(name: str) -> bool:
    """Return whether a file is an archive of arrays."""
    return isinstance(find_format(name), Npz)


def advise(files: Iterable[str]) -> str:
    """Return advice for the first file whose format is known but not supported; "" if none is.

    >>> advise(["probs.npy", "labels.csv.gz", "labels.ods"])
    'labels.ods: Only .xlsx spreadsheets are read: save it as .xlsx, or the sheet as CSV UTF-8.'
    """
    for name in files:
        is_packed = name.lower().endswith(PACKED_FOLDERS)
        advice = ADVICE.get(".tar" if is_packed else PurePosixPath(name).suffix.lower())
        if advice is not None and find_format(name) is None:
            return f"{name}: {advice.replace('FILE', name)}"
    return ""


def read_table(file: TableFile, report: ReportBuilder) -> Table:
    """Return the table in a file of any table format."""
    found = find_format(file.path.name)
    if not isinstance(found, TableFormat):
        raise stop(
            code="table.format",
            where=file.name,
            what=f"files ending in '{file.path.suffix}' cannot be read as tables.",
            fix=advise([file.name]) or f"Save it as one of {', '.join(TABLE_SUFFIXES)}.",
            why="The format is known from the ending of the name, never guessed.",
        )
    return found.read(file, report)


def peek_table(path: Path) -> Peek | None:
    """Return the columns of a table from its first bytes; None if they cannot be found."""
    found = find_format(path.name)
    if not isinstance(found, TableFormat):
        return None
    try:
        return found.peek(path)
    except Exception:  # a parser may fail in any way on untrusted bytes; reading reports it
        return None


def count_rows(path: Path) -> int | None:
    """Return the number of rows without reading their cells; None if that is not possible."""
    found = find_format(path.name)
    try:
        return None if found is None else found.count_rows(path)
    except Exception:  # as in peek_table
        return None
