"""CSV and TSV files, every cell kept as exact text: 007, NA, None and True stay what they are."""

from __future__ import annotations

import codecs
import csv
import io
import re
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.csv

from curation.loading.formats.base import Table, unreadable
from curation.loading.report_builder import list_few, stop

DELIMITERS = (",", ";", "\t")
BLOCK_BYTES = 8 * 2**20  # parsed in parallel; a longer cell makes the file be read in one piece
LONGEST_BLOCK = 2**31 - 1  # pyarrow counts the bytes of a block in 32 bits
_MAYBE_COMMA = re.compile(r"\s*[-+]?[0-9]*,?[0-9]+(?:[eE][-+]?[0-9]+)?\s*")
_NOT_BLANK = re.compile(rb"[^\r\n]")
_LINE_END = re.compile(rb"[\r\n]")
_WIDE_MARKS = (
    (codecs.BOM_UTF32_LE, "utf-32"),  # before UTF-16, whose mark it begins with
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)


def read_delimited(
    path: Path, name: str, *, encoding: str | None = None, delimiter: str | None = None
) -> Table:
    """Return a CSV or TSV file as text; the delimiter is found out unless given."""
    try:
        raw = path.read_bytes()
    except OSError as error:
        raise unreadable(name, error) from error
    data, bom = as_utf8(raw, name, encoding)
    header = first_record(data)
    if delimiter is None:
        delimiter = "\t" if path.suffix.lower() == ".tsv" else find_delimiter(header)
    cells = read_cells(data, name, delimiter)
    table = _take_header(cells, name)
    _check_last_quote(data, table, name, delimiter)
    return Table(
        path, name, "csv", table, encoding=encoding or "utf-8", delimiter=delimiter, bom=bom
    )


def read_text(path: Path, name: str, encoding: str | None) -> tuple[bytes, bool]:
    """Return a file beside the label table as UTF-8; the encoding agreed on helps if it is not."""
    try:
        raw = path.read_bytes()
    except OSError as error:
        raise unreadable(name, error) from error
    return as_utf8(raw, name, encoding if find_encoding(raw) else None)


def as_utf8(raw: bytes, name: str, encoding: str | None) -> tuple[bytes, bool]:
    """Return the bytes as UTF-8 without their mark, and whether there was one.

    Another encoding is recognised and offered, never assumed: a wrong guess would turn names
    into nonsense that looks like names.
    """
    if encoding is None:
        _refuse_other_encodings(raw, name)
        bom = raw.startswith(codecs.BOM_UTF8)
        return (raw[len(codecs.BOM_UTF8) :] if bom else raw), bom
    try:
        text = raw.decode(encoding)
        return text.removeprefix("\ufeff").encode(), text.startswith("\ufeff")
    except (LookupError, ValueError) as error:
        raise stop(
            code="table.encoding",
            where=name,
            what=f"it cannot be read as {encoding!r}: {error}.",
            fix="Pass the encoding it was saved in, or save it as UTF-8.",
            why="Read in the wrong encoding, names turn into other names.",
        ) from error


def _refuse_other_encodings(raw: bytes, name: str) -> None:
    found = find_encoding(raw)
    if found is None:
        return
    raise stop(
        code="table.encoding",
        where=name,
        what=f"the text is not UTF-8; it looks like {found}.",
        fix=f'Save it as UTF-8, or pass encoding="{found}" if that is right.',
        why="Read in the wrong encoding, names turn into other names.",
        override={"encoding": found},
    )


def find_encoding(raw: bytes) -> str | None:
    """Return the encoding the bytes are probably in, or None if they are UTF-8.

    >>> find_encoding("id,café".encode("latin-1")), find_encoding("id,café".encode())
    ('latin-1', None)
    """
    for mark, encoding in _WIDE_MARKS:
        if raw.startswith(mark):
            return encoding
    head = raw[:4096]
    for encoding, zeros in (("utf-16-le", head[1::2]), ("utf-16-be", head[0::2])):
        if len(head) >= 4 and zeros.count(0) > 0.4 * len(head) / 2 and _decodes(raw, encoding):
            return encoding
    if _decodes(raw, "utf-8"):
        return None
    windows = any(0x80 <= byte <= 0x9F for byte in set(raw))  # control characters in Latin-1
    return "cp1252" if windows and _decodes(raw, "cp1252") else "latin-1"


def _decodes(raw: bytes, encoding: str) -> bool:
    try:
        raw.decode(encoding)
    except UnicodeDecodeError:
        return False
    return True


def first_record(data: bytes) -> str:
    """Return the first line that is not blank, whole where a quoted cell runs over its end.

    >>> first_record(b'\\n"two\\nlines",b\\n1,2\\n')
    '"two\\nlines",b'
    """
    begin = _NOT_BLANK.search(data)
    if begin is None:
        return ""
    seen, quotes = begin.start(), 0
    for end in _LINE_END.finditer(data, begin.start()):
        quotes += data.count(b'"', seen, end.start())
        seen = end.start()
        if quotes % 2 == 0:
            return data[begin.start() : seen].decode(errors="replace")
    return data[begin.start() :].decode(errors="replace")


def split_record(record: str, delimiter: str) -> list[str]:
    """Return the cells of one line."""
    limit = csv.field_size_limit(LONGEST_BLOCK)
    try:
        return next(csv.reader(io.StringIO(record, newline=""), delimiter=delimiter), [])
    finally:
        csv.field_size_limit(limit)


def find_delimiter(header: str) -> str:
    """Return the delimiter that divides a header into most cells.

    >>> find_delimiter('id;"label, given"'), find_delimiter("0,10;0,10;0,80")
    (';', ';')
    """
    bare = "".join(header.split('"')[0::2])  # what stands outside quotes
    for mark in DELIMITERS[1:]:
        cells = bare.split(mark)
        if len(cells) > 1 and all(_MAYBE_COMMA.fullmatch(cell) for cell in cells):
            return mark  # commas are inside the numbers
    return max(DELIMITERS, key=bare.count)


def read_cells(data: bytes, name: str, delimiter: str, types: pa.DataType = None) -> pa.Table:
    """Return all cells, the header as first row, in columns f0, f1, ...; text unless `types`."""
    wide = len(split_record(first_record(data), delimiter))
    if wide == 0:
        raise stop(
            code="table.empty",
            where=name,
            what="the file holds nothing but blank lines.",
            fix="Save it again.",
            why="There is nothing to read.",
        )
    if not data.endswith((b"\n", b"\r")):
        data += b"\n"  # pyarrow does not see a lone line that is not ended
    try:
        return _parse(data, delimiter, wide, types or pa.string(), BLOCK_BYTES)
    except pa.ArrowInvalid:
        _find_ragged(data, name, delimiter, wide)
    try:  # no ragged row: a cell may be longer than a block
        return _parse(data, delimiter, wide, types or pa.string(), len(data) + 1)
    except (pa.ArrowException, OverflowError) as error:
        raise unreadable(name, error) from error


def _parse(data: bytes, delimiter: str, wide: int, kind: pa.DataType, block: int) -> pa.Table:
    return pyarrow.csv.read_csv(
        pa.BufferReader(data),
        read_options=pyarrow.csv.ReadOptions(
            autogenerate_column_names=True, block_size=min(block, LONGEST_BLOCK)
        ),
        parse_options=pyarrow.csv.ParseOptions(
            delimiter=delimiter, newlines_in_values=True, ignore_empty_lines=wide > 1
        ),
        convert_options=pyarrow.csv.ConvertOptions(
            column_types={f"f{column}": kind for column in range(wide)},
            strings_can_be_null=False,
        ),
    )


def _records(data: bytes, delimiter: str) -> Any:
    # newline="": the csv module itself knows all three line ends
    text = io.TextIOWrapper(io.BytesIO(data), "utf-8", errors="replace", newline="")
    return csv.reader(text, delimiter=delimiter)


def _find_ragged(data: bytes, name: str, delimiter: str, wide: int) -> None:
    """Stop with the line number of the first row that is longer or shorter than the header."""
    limit = csv.field_size_limit(LONGEST_BLOCK)
    try:
        reader = _records(data, delimiter)
        line = 1
        ragged: list[tuple[int, int]] = []
        for cells in reader:
            if cells and len(cells) != wide:
                ragged.append((line, len(cells)))
            line = reader.line_num + 1
    finally:
        csv.field_size_limit(limit)
    if ragged:
        line, found = ragged[0]
        raise stop(
            code="table.ragged",
            where=f"{name}, line {line}",
            what=f"{found} {_cells(found)} where the header has {wide}.",
            fix="Quote cells that hold the delimiter, or mend the line.",
            why="Read anyway, every cell after it would land in the wrong column.",
            count=len(ragged),
            first_rows=(f"line {each}" for each, _ in ragged),
        )


def _cells(count: int) -> str:
    return "cell" if count == 1 else "cells"


def _take_header(cells: pa.Table, name: str) -> pa.Table:
    names = [cells.column(k)[0].as_py() for k in range(cells.num_columns)]
    check_names(names, name)
    if cells.num_rows == 1:
        raise stop(
            code="table.no_rows",
            where=name,
            what=f"there is a header ({list_few(names)}) but no rows.",
            fix="Save the table with its rows.",
            why="There is nothing to judge.",
        )
    return cells.slice(1).rename_columns(names)


def check_names(names: Sequence[str], where: str) -> None:
    """Stop if two columns have one name."""
    if len(set(names)) == len(names):
        return
    twice = [name for name, count in Counter(names).items() if count > 1]
    raise stop(
        code="table.duplicate_columns",
        where=where,
        what=f"column names that occur twice: {list_few(twice)}.",
        fix="Give each column its own name.",
        why="Which of them is meant cannot be told.",
        count=len(twice),
    )


def _check_last_quote(data: bytes, table: pa.Table, name: str, delimiter: str) -> None:
    """Stop if a quote is opened and never closed: the rest of the file is inside one cell."""
    if data.count(b'"') % 2 == 0:
        return
    last = [table.column(k)[-1].as_py() for k in range(table.num_columns)]
    if not any("\n" in cell or "\r" in cell for cell in last):
        return
    swallowed = max(cell.count("\n") + cell.count("\r") for cell in last)
    total = data.count(b"\n") or data.count(b"\r")
    raise stop(
        code="table.open_quote",
        where=f"{name}, line {max(total - swallowed + 1, 1)}",
        what="a quote is opened here and never closed.",
        fix='Close it, or write "" for a quote that belongs to the text.',
        why=f"The {swallowed} lines after it would all be one cell.",
    )
