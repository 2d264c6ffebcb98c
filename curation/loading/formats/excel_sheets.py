"""The sheets of an Excel workbook: opened safely, and the table found among them."""

from __future__ import annotations

import threading
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import date, datetime, time
from itertools import islice
from pathlib import Path
from typing import Any

from curation.loading.formats.file_faults import check_size, unreadable
from curation.loading.formats.number_columns import SUM_TOLERANCE
from curation.loading.formats.zip_archives import check_archive, find_cut
from curation.loading.report_builder import ReportBuilder, Stop, list_few, stop
from curation.loading.vocabulary import LABEL_COLUMNS

HEADER_ROWS = 20  # rows in which the header is looked for
SAMPLE_ROWS = 1000  # rows of a sheet that are read to see whether it holds a table
MAX_ROWS = 2**20  # of a sheet, in Excel
MAX_EXACT = 2**53  # up to here a float holds every whole number exactly
OLD_MAGIC = bytes.fromhex("d0cf11e0a1b11ae1")  # .xls files and encrypted workbooks begin with it

ENCRYPTED = "EncryptedPackage".encode("utf-16-le")  # a name inside every encrypted workbook
# Warning filters are shared by all threads: two threads that set and restore them would clash.
WARNINGS_LOCK = threading.RLock()

Row = tuple[Any, ...]
NumberedRow = tuple[int, Row]  # rows of a sheet count from 1


@dataclass(frozen=True)
class Layout:
    """Where the table is on its sheet: rows and columns count from 1."""

    title: str
    header: Row
    header_row: int
    first_column: int

    @property
    def columns(self) -> list[str]:
        """Return the names of the columns; an empty cell is a column without a name."""
        return [to_text(value) or "" for value in self.header]


def to_text(value: Any) -> str | None:
    """Return a cell as text.

    >>> to_text(7), to_text(True), to_text(datetime(2024, 1, 31)), to_text("007")
    ('7', 'True', '2024-01-31', '007')
    """
    if value is None or isinstance(value, str):
        return value
    if isinstance(value, datetime):
        return (value.date() if value.time() == time() else value).isoformat()
    if isinstance(value, date | time):
        return value.isoformat()
    return repr(value) if isinstance(value, float) else str(value)


@contextmanager
def open_book(path: Path, name: str, **options: Any) -> Iterator[Any]:
    """Open a workbook with openpyxl."""
    try:
        import openpyxl
    except ImportError as error:
        raise stop(
            code="xlsx.not_installed",
            where=name,
            what="reading Excel files needs the package openpyxl, which is not installed.",
            fix="Run pip install 'confident-curation[excel]', or save the sheet as CSV UTF-8.",
            why="Most datasets have no Excel files, so it is not installed by default.",
        ) from error
    with WARNINGS_LOCK, warnings.catch_warnings(), path.open("rb") as file:
        # about features of Excel that openpyxl does not keep
        warnings.filterwarnings("ignore", module="openpyxl")
        book = openpyxl.load_workbook(file, **options)
        try:
            yield book
        finally:
            book.close()


@contextmanager
def open_table(
    path: Path, name: str, report: ReportBuilder, memory_limit: int, sheet: str | None = None
) -> Iterator[tuple[Any, Layout]]:
    """Open the sheet of this name; or else the first that holds a table with labels, or any table.

    A warning is added if none was named, and other sheets hold tables too.
    """
    with _open_sheets(path, name, memory_limit) as sheets:
        filled = [each for each in sheets if _count_filled(each) == 2]
        if sheet is not None:
            chosen = _find_named(sheets, sheet, name)
        else:
            some = _with_labels(filled) or filled or [s for s in sheets if _count_filled(s)]
            chosen = next(iter(some), None)
            _warn_of_others(chosen, filled, name, report)
        if chosen is None or not _count_filled(chosen):
            raise _no_cells(name)
        yield chosen, _find_layout(chosen)


@contextmanager
def _open_sheets(path: Path, name: str, memory_limit: int) -> Iterator[list[Any]]:
    """Open the sheets that can be seen, or all if none can."""
    check_size(path, name, memory_limit)
    try:
        _check_magic(path, name)
        check_archive(path, name, memory_limit=memory_limit)
        with open_book(path, name, read_only=True, data_only=True) as book:
            shown = [each for each in book.worksheets if each.sheet_state == "visible"]
            yield shown or list(book.worksheets)
    except Stop:
        raise
    except Exception as error:  # a parser may fail in any way on untrusted bytes
        raise find_cut(path, name) or unreadable(name, error) from error


def _find_named(sheets: Sequence[Any], title: str, name: str) -> Any:
    found = next((each for each in sheets if each.title == title), None)
    if found is None:
        titles = [each.title for each in sheets]
        raise stop(
            code="xlsx.no_such_sheet",
            where=name,
            what=f"there is no sheet {title!r}; the sheets are {list_few(titles, most=12)}.",
            fix="Correct sheet or prob_sheet.",
            why="If a sheet is named, no other one is used instead.",
        )
    return found


def _with_labels(sheets: Sequence[Any]) -> list[Any]:
    return [each for each in sheets if _names_labels(each)]


@dataclass(frozen=True)
class SheetRoles:
    """The sheets that name a column of labels, and those with probabilities and no labels."""

    labels: tuple[str, ...]
    probs: tuple[str, ...]


def find_sheet_roles(path: Path, name: str, memory_limit: int) -> SheetRoles:
    """Return which sheets could hold what; no probabilities if a sheet of labels has them."""
    with _open_sheets(path, name, memory_limit) as sheets:
        filled = [each for each in sheets if _count_filled(each) == 2]
        labels = _with_labels(filled)
        titles = tuple(each.title for each in labels)
        if not labels or any(_adds_up(each) for each in labels):
            return SheetRoles(titles, ())
        others = [each for each in filled if each.title not in titles]
        return SheetRoles(titles, tuple(each.title for each in others if _adds_up(each)))


def _adds_up(sheet: Any) -> bool:
    """Return whether the fractions in each of the first rows of a table add up to 1."""
    rows = islice(iterate_rows(sheet, _find_layout(sheet), sheet.title), SAMPLE_ROWS)
    parts = [[each for each in row if isinstance(each, float)] for _, row in rows]
    return all(len(each) > 1 and abs(sum(each) - 1) <= SUM_TOLERANCE for each in parts)


def _names_labels(sheet: Any) -> bool:
    """Return whether one of the first rows of a sheet names a column of labels."""
    rows = sheet.iter_rows(max_row=HEADER_ROWS, values_only=True)
    return any(str(cell).strip().lower() in LABEL_COLUMNS for row in rows for cell in row)


def _check_magic(path: Path, name: str) -> None:
    """Stop at an encrypted workbook and at an .xls file that was given another name."""
    with path.open("rb") as file:
        if file.read(len(OLD_MAGIC)) != OLD_MAGIC:
            return
        encrypted = ENCRYPTED in file.read()
    if encrypted:
        raise stop(
            code="xlsx.encrypted",
            where=name,
            what="the workbook is protected by a password.",
            fix="Open it in Excel, remove the password (File, Info, Protect Workbook), and save "
            "it.",
            why="Nothing in it can be read without the password.",
        )
    raise stop(
        code="xlsx.old_format",
        where=name,
        what="it is named .xlsx, but is a file of Excel 97-2003 (.xls).",
        fix="Open it in Excel and save it as an Excel Workbook (.xlsx) or as CSV UTF-8.",
        why="The old format is a different one and cannot be read.",
    )


def _no_cells(name: str) -> Exception:
    return stop(
        code="table.empty",
        where=name,
        what=f"no sheet holds anything in its first {SAMPLE_ROWS} rows.",
        fix="Save it again, with the table at the top of a sheet.",
        why="There is nothing to read.",
    )


def _warn_of_others(chosen: Any, filled: Sequence[Any], name: str, report: ReportBuilder) -> None:
    others = [sheet.title for sheet in filled if sheet is not chosen]
    if not others:
        return
    report.add_warning(
        code="xlsx.sheets",
        where=name,
        what=f"sheet {chosen.title!r} is read; other sheets hold tables too: {list_few(others)}.",
        fix=f'To use another sheet, pass it, such as sheet="{others[0]}".',
        why="Labels from the wrong sheet would be wrong in every row.",
        count=len(others),
        choices=[{"sheet": each} for each in others],
    )


def _number_rows(sheet: Any) -> Iterator[NumberedRow]:
    """Yield every row of a sheet with its number."""
    sheet.reset_dimensions()  # the size stated in the file may be wrong
    rows = sheet.iter_rows(max_row=MAX_ROWS)  # a broken row number could be of any size
    return enumerate((tuple(map(_read_value, row)) for row in rows), start=1)


def _read_value(cell: Any) -> Any:
    """Return the value of a cell: None for an error such as #N/A, 1 for 1.0.

    Excel has one type for all numbers, and some programs write a whole number as 1.0.
    """
    value = cell.value
    if cell.data_type == "e" or value == "":
        return None
    if isinstance(value, float) and value.is_integer() and abs(value) < MAX_EXACT:
        return int(value)
    return value


def _is_filled(cells: Sequence[Any]) -> bool:
    return any(value is not None for value in cells)


def _count_filled(sheet: Any) -> int:
    """Return how many of the first rows hold something, up to 2: a header and a row."""
    rows = islice(_number_rows(sheet), SAMPLE_ROWS)
    return sum(1 for _ in islice((row for _, row in rows if _is_filled(row)), 2))


def _find_layout(sheet: Any) -> Layout:
    """Return where the table is; the first row that is not empty is its header.

    The next row may begin further left: pandas writes row numbers under an empty cell.
    """
    filled = ((number, row) for number, row in _number_rows(sheet) if _is_filled(row))
    number, header = next(filled)
    _, first = next(filled, (0, header))
    start = min(_find_first(header), _find_first(first))
    stop_at = max(place for place, value in enumerate(header) if value is not None) + 1
    return Layout(sheet.title, header[start:stop_at], number, start + 1)


def _find_first(row: Row) -> int:
    return next(place for place, value in enumerate(row) if value is not None)


def iterate_rows(sheet: Any, layout: Layout, name: str) -> Iterator[NumberedRow]:
    """Yield the rows of a table below its header.

    Empty rows are skipped, unless the table has only one column: there an empty row is a missing
    label. Empty rows at the end are always skipped.
    """
    start, width = layout.first_column - 1, len(layout.header)
    empty: list[NumberedRow] = []
    for number, row in islice(_number_rows(sheet), layout.header_row, None):
        _check_outside(row, layout, number, name)
        values = row[start : start + width]
        values += (None,) * (width - len(values))
        if _is_filled(values):
            yield from empty
            yield number, values
            empty = []
        elif width == 1:
            empty.append((number, values))


def _check_outside(row: Row, layout: Layout, number: int, name: str) -> None:
    start, width = layout.first_column - 1, len(layout.header)
    if not _is_filled(row[:start]) and not _is_filled(row[start + width :]):
        return
    raise stop(
        code="table.ragged",
        where=f"{name}, sheet {layout.title!r}, row {number}",
        what=f"a cell is outside the {width} columns of the header in row {layout.header_row}.",
        fix="Give its column a name in the header, or clear the cell. The first row that is not "
        "empty must be the header.",
        why="It is unclear what a value in a column without a name means.",
    )
