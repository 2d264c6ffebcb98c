"""Labels written back to an Excel workbook with openpyxl.

Only the decided cells change; other cells, styles, widths and sheets stay. But openpyxl writes the
whole workbook again and does not keep everything: shapes, form controls, slicers and sparklines are
lost, and formulas have no saved values until Excel opens and saves the file. If rows are dropped,
merged cells and row heights do not move up.
"""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Sequence
from datetime import datetime
from itertools import pairwise
from pathlib import Path
from typing import Any, BinaryIO

from curation.errors import InputError
from curation.loading.formats.edits import Edits, check_old, flag_name
from curation.loading.formats.excel_sheets import Layout, NumberedRow, open_book, to_text

CORE = "docProps/core.xml"  # holds the times at which a workbook was created and changed
ZIP_TIME = (1980, 1, 1, 0, 0, 0)  # the earliest time that a zip archive can hold
NO_TIME = b"1980-01-01T00:00:00Z"  # for a workbook without a creation time
_TIME = re.compile(rb"(<dcterms:(created|modified)[^>]*>)[^<]*(</dcterms:)")
_BOOLEANS = {"True": True, "False": False}  # as the loader reads them


def rewrite_workbook(
    path: Path,
    column: str,
    layout: Layout,
    rows: Sequence[NumberedRow],
    edits: Edits,
    file: BinaryIO,
) -> None:
    """Write a workbook with the edits to the label column of its table."""
    if column not in layout.columns:
        raise InputError(
            f"{path.name} no longer has a column {column!r}.",
            "Load the dataset again, then export.",
        )
    try:
        saved = _save_edited(path, layout.columns.index(column), layout, rows, edits)
    except InputError:
        raise
    except Exception as error:  # more can fail here than on reading
        reason = (str(error) or type(error).__name__).splitlines()[0][:200]
        raise InputError(
            f"{path.name} cannot be written back: {reason}.",
            "Save the sheet as CSV UTF-8, load that file, then export.",
        ) from error
    _copy_with_times(saved, path, file)


def _save_edited(
    path: Path, place: int, layout: Layout, rows: Sequence[NumberedRow], edits: Edits
) -> io.BytesIO:
    with open_book(path, path.name, rich_text=True) as book:
        sheet = book[layout.title]
        for row, old, new in zip(edits.rows.tolist(), edits.old, edits.new, strict=True):
            number, values = rows[row]
            check_old(to_text(values[place]) or "", old, row, path.name)
            cell = sheet.cell(number, layout.first_column + place)
            _set_value(cell, _value_like(values[place], new), path.name)
        if edits.flag:
            _add_flags(sheet, layout, rows, edits)
        else:
            _drop_rows(sheet, [rows[row][0] for row in edits.out.tolist()])
        saved = io.BytesIO()
        book.save(saved)
    return saved


def _value_like(old: Any, new: str) -> Any:
    """Return a label as a value of the old cell's type, if it can be one.

    >>> _value_like(3, "4"), _value_like("3", "4"), _value_like(3, "cat")
    (4, '4', 'cat')
    """
    if isinstance(old, bool):
        return _BOOLEANS.get(new, new)
    kinds = {int: (int, float), float: (int, float), datetime: (datetime.fromisoformat,)}
    for convert in kinds.get(type(old), ()):
        try:
            return convert(new)
        except ValueError:
            continue
    return new


def _set_value(cell: Any, value: Any, name: str) -> None:
    from openpyxl.utils.exceptions import IllegalCharacterError

    try:
        cell.value = value
    except IllegalCharacterError as error:
        raise InputError(
            f"{name}: an Excel cell cannot hold the control characters in {value!r}.",
            "Rename the class, or save the labels as CSV.",
        ) from error
    if isinstance(value, str):
        cell.data_type = "s"  # even if it begins with =, like a formula


def _add_flags(sheet: Any, layout: Layout, rows: Sequence[NumberedRow], edits: Edits) -> None:
    column = layout.first_column + len(layout.header)
    sheet.cell(layout.header_row, column).value = flag_name(layout.columns)
    out = set(edits.out.tolist())
    for row, (number, _) in enumerate(rows):
        sheet.cell(number, column).value = row in out


def _drop_rows(sheet: Any, numbers: Sequence[int]) -> None:
    """Remove rows, given in ascending order; each row below moves up once."""
    from openpyxl.utils import get_column_letter

    if not numbers:
        return
    last_row, last_column = sheet.max_row, get_column_letter(sheet.max_column)
    for dropped, (number, following) in enumerate(pairwise([*numbers, last_row + 1]), start=1):
        if number + 1 < following:
            block = f"A{number + 1}:{last_column}{following - 1}"
            sheet.move_range(block, rows=-dropped, translate=True)
    sheet.delete_rows(last_row - len(numbers) + 1, len(numbers))


def _copy_with_times(saved: io.BytesIO, path: Path, file: BinaryIO) -> None:
    """Write a saved workbook with its old times, so that the same labels give the same bytes."""
    times = _read_times(path)
    with zipfile.ZipFile(saved) as made, zipfile.ZipFile(file, "w") as copy:
        for name in made.namelist():
            content = made.read(name)
            if name == CORE:
                content = _TIME.sub(lambda m: m[1] + times.get(m[2], NO_TIME) + m[3], content)
            entry = zipfile.ZipInfo(name, ZIP_TIME)
            entry.compress_type = zipfile.ZIP_DEFLATED
            copy.writestr(entry, content)


def _read_times(path: Path) -> dict[bytes, bytes]:
    """Return the creation and change times stated in a workbook."""
    with zipfile.ZipFile(path) as archive:
        if CORE not in archive.namelist():
            return {}
        return {m[2]: m[0][len(m[1]) : -len(m[3])] for m in _TIME.finditer(archive.read(CORE))}
