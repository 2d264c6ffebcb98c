"""CSV and TSV label files, written back with only the decided cells changed."""

from __future__ import annotations

import codecs
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

from curation.dataset import LabelSource
from curation.errors import InputError
from curation.exports.spreadsheet import make_safe
from curation.loading.formats.csv_bytes import Grammar, Records, read_cell, write_cell
from curation.loading.formats.edits import Edits, check_old, check_rows, flag_name

_MARKS = {  # what a file may begin with, and the encoding that it means
    "utf-8": ((codecs.BOM_UTF8, "utf-8"),),
    "utf-8-sig": ((codecs.BOM_UTF8, "utf-8"),),
    "utf-16": ((codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be")),
    "utf-16-le": ((codecs.BOM_UTF16_LE, "utf-16-le"),),
    "utf-16-be": ((codecs.BOM_UTF16_BE, "utf-16-be"),),
    "utf-32": ((codecs.BOM_UTF32_LE, "utf-32-le"), (codecs.BOM_UTF32_BE, "utf-32-be")),
    "utf-32-le": ((codecs.BOM_UTF32_LE, "utf-32-le"),),
    "utf-32-be": ((codecs.BOM_UTF32_BE, "utf-32-be"),),
}
_WITHOUT_MARK = {"utf-8-sig": "utf-8", "utf-16": "utf-16-le", "utf-32": "utf-32-le"}


def rewrite_delimited(
    path: Path, source: LabelSource, edits: Edits, file: BinaryIO, *, spreadsheet_safe: bool
) -> int:
    """Write the label file with its edits, and return how many rows it had."""
    mark, encoding, data = read_as_utf8(path, source.encoding)
    grammar = Grammar.of(source.delimiter)
    layout = find_layout(data, grammar, source, path.name)
    check_rows(edits, len(layout.rows), path.name)
    pieces = _rewrite(data, grammar, layout, edits, path.name)
    if spreadsheet_safe:
        pieces = iter([make_safe(b"".join(pieces), grammar)])
    file.write(mark)
    if encoding == "utf-8":
        file.writelines(pieces)
    else:
        file.write(_encode(b"".join(pieces).decode(), encoding, path.name))
    return len(layout.rows)


def read_as_utf8(path: Path, encoding: str) -> tuple[bytes, str, bytes]:
    """Return a file's mark, its encoding without it, and the rest as UTF-8."""
    raw = path.read_bytes()
    family = codecs.lookup(encoding).name
    found = [each for each in _MARKS.get(family, ()) if raw.startswith(each[0])]
    mark, exact = found[0] if found else (b"", _WITHOUT_MARK.get(family, family))
    body = raw[len(mark) :]
    if exact == "utf-8":
        return mark, exact, body
    text = body.decode(exact)
    if text.encode(exact) != body:
        raise InputError(
            f"{path.name} cannot be written back in {encoding!r} byte for byte.",
            "Save it as UTF-8, and load the dataset again.",
        )
    return mark, exact, text.encode()


def _encode(text: str, encoding: str, name: str) -> bytes:
    try:
        return text.encode(encoding)
    except UnicodeEncodeError as error:
        raise InputError(
            f"{name} is written in {encoding}, which has no {text[error.start]!r}.",
            "Choose a class name it can hold, or save the file as UTF-8 and load it again.",
        ) from error


class Layout:
    """The header and the rows of a table, and which cell of a row is the label."""

    def __init__(self, header: tuple[int, int], rows: Records, columns: list[str], label: int):
        self.header, self.rows, self.columns, self.label = header, rows, columns, label


def find_layout(data: bytes, grammar: Grammar, source: LabelSource, name: str) -> Layout:
    """Return where the header, the rows and the labels are.

    Blank lines are no rows, unless the table has one column.
    """
    every = grammar.records(data)
    full = every.without_blank()
    start, stop = (int(full.starts[0]), int(full.stops[0])) if len(full) else (0, 0)
    columns = [read_cell(data[a:b]) for a, b in grammar.cells(data, start, stop)]
    records = full if len(columns) > 1 else every
    rows = Records(records.starts[1:], records.stops[1:], records.ends[1:])
    if source.label_column not in columns:
        raise InputError(
            f"{name} has no column {source.label_column!r} any more.",
            "Load the dataset again, and export then.",
        )
    return Layout((start, stop), rows, columns, columns.index(source.label_column))


def _rewrite(
    data: bytes, grammar: Grammar, layout: Layout, edits: Edits, name: str
) -> Iterator[bytes]:
    """Yield the pieces of the new file: what is untouched as it lies, and what is new."""
    place = 0
    for start, stop, new in _changes(data, grammar, layout, edits, name):
        yield data[place:start]
        yield new
        place = stop
    yield data[place:]


def _changes(
    data: bytes, grammar: Grammar, layout: Layout, edits: Edits, name: str
) -> Iterator[tuple[int, int, bytes]]:
    """Yield the ranges of bytes that change, in order, and what takes their place."""
    rows, wanted = layout.rows, dict(zip(edits.rows.tolist(), range(len(edits.rows)), strict=True))
    out = set(edits.out.tolist())
    if edits.flag:
        column = write_cell(flag_name(layout.columns), grammar.delimiter)
        yield layout.header[1], layout.header[1], grammar.delimiter + column
    touched = range(len(rows)) if edits.flag else sorted(out | set(wanted))
    marks = {True: grammar.delimiter + b"true", False: grammar.delimiter + b"false"}
    for row in touched:
        start, stop = int(rows.starts[row]), int(rows.stops[row])
        if row in out and not edits.flag:
            yield start, int(rows.ends[row]), b""
            continue
        if row in wanted:
            at, to = _find_cell(grammar, data, start, stop, layout.label)
            raw, edit = data[at:to], wanted[row]
            check_old(read_cell(raw), edits.old[edit], row, name)
            yield at, to, write_cell(edits.new[edit], grammar.delimiter, like=raw)
        if edits.flag:
            yield stop, stop, marks[row in out]


def _find_cell(
    grammar: Grammar, data: bytes, start: int, stop: int, column: int
) -> tuple[int, int]:
    for place, cell in enumerate(grammar.cells(data, start, stop)):
        if place == column:
            return cell
    return stop, stop
