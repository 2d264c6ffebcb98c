"""CSV text to cells: records, delimiters, and pyarrow's parser with clear diagnoses."""

from __future__ import annotations

import csv
import io
import re
from collections import Counter
from collections.abc import Sequence
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv

from curation.loading.formats.file_faults import unreadable
from curation.loading.report_builder import ReportBuilder, list_few, stop

DELIMITERS = (",", ";", "\t")
ODD_DELIMITERS = "|:"  # never used to read a file, only to recognize a column's name
BLOCK_BYTES = 8 * 2**20  # parsed in parallel; with a longer cell, the file is read in one block
MAX_BLOCK_BYTES = 2**31 - 1  # pyarrow counts the bytes of a block in 32 bits
MAX_COLUMNS = 100_000  # these take seconds; the matrices of so many classes take over 500 GB
_MAYBE_COMMA = re.compile(r"\s*[-+]?[0-9]*,?[0-9]+(?:[eE][-+]?[0-9]+)?\s*")
_EXCEL_LINE = re.compile(r"sep=.?\s*", re.IGNORECASE)
_NOT_BLANK = re.compile(rb"[^\r\n]")
_LINE_END = re.compile(rb"[\r\n]")


def first_record(data: bytes) -> str:
    """Return the first record that is not blank; a quoted cell may run over several lines.

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
    """Return the cells of one record."""
    limit = csv.field_size_limit(MAX_BLOCK_BYTES)
    try:
        return next(csv.reader(io.StringIO(record, newline=""), delimiter=delimiter), [])
    finally:
        csv.field_size_limit(limit)


def find_delimiter(header: str) -> str:
    """Return the delimiter that splits a header into the most cells.

    >>> find_delimiter('id;"label, given"'), find_delimiter("0,10;0,10;0,80")
    (';', ';')
    """
    bare = "".join(header.split('"')[0::2])  # only text outside quotes
    for mark in DELIMITERS[1:]:
        cells = bare.split(mark)
        if len(cells) > 1 and all(_MAYBE_COMMA.fullmatch(cell) for cell in cells):
            return mark  # the commas are decimal commas
    return max(DELIMITERS, key=bare.count)


def read_cells(data: bytes, name: str, delimiter: str, types: pa.DataType = None) -> pa.Table:
    """Return all cells, the header as first row, in columns f0, f1, ...; text unless `types`."""
    first = first_record(data)
    _refuse_excel_line(first, name)
    wide = len(split_record(first, delimiter))
    if wide == 0:
        raise stop(
            code="table.empty",
            where=name,
            what="the file holds only blank lines.",
            fix="Save it again.",
            why="There is nothing to read.",
        )
    check_width(wide, name)
    if not data.endswith((b"\n", b"\r")):
        data += b"\n"  # pyarrow ignores a single line without a line end
    try:
        return _parse(data, delimiter, wide, types or pa.string(), BLOCK_BYTES)
    except pa.ArrowInvalid:
        _find_ragged(data, name, delimiter, wide)
    try:  # no ragged row, so a cell may be longer than a block
        return _parse(data, delimiter, wide, types or pa.string(), len(data) + 1)
    except (pa.ArrowException, OverflowError) as error:
        raise unreadable(name, error) from error


def _parse(data: bytes, delimiter: str, wide: int, kind: pa.DataType, block: int) -> pa.Table:
    return pyarrow.csv.read_csv(
        pa.BufferReader(data),
        read_options=pyarrow.csv.ReadOptions(
            autogenerate_column_names=True, block_size=min(block, MAX_BLOCK_BYTES)
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
    # newline="": the csv module handles all three line ends
    text = io.TextIOWrapper(io.BytesIO(data), "utf-8", errors="replace", newline="")
    return csv.reader(text, delimiter=delimiter)


def _find_ragged(data: bytes, name: str, delimiter: str, wide: int) -> None:
    """Stop with the line number of the first row that is longer or shorter than the header."""
    limit = csv.field_size_limit(MAX_BLOCK_BYTES)
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
        _refuse_comment(first_record(data), name)
        line, found = ragged[0]
        mark = _find_odd_delimiter(first_record(data)) if wide == 1 else None
        raise stop(
            code="table.ragged",
            where=f"{name}, line {line}",
            what=f"it has {found} {_cells(found)}, but the header has {wide}.",
            fix="Quote cells that contain the delimiter, or fix the line."
            if mark is None
            else f"Pass delimiter={mark!r} if that separates the cells.",
            override={} if mark is None else {"delimiter": mark},
            why="If it were read anyway, its cells could be in the wrong columns.",
            count=len(ragged),
            first_rows=(f"line {each}" for each, _ in ragged),
        )


def _find_odd_delimiter(header: str) -> str | None:
    """Return the mark that a header seems to be split by, if it is one that is never guessed."""
    return next((mark for mark in ODD_DELIMITERS if mark in header), None)


def _refuse_comment(record: str, name: str) -> None:
    """Stop at a comment where the header should be."""
    if not record.startswith("#"):
        return
    raise stop(
        code="table.no_header",
        where=name,
        what=f"the first line is a comment, {record.strip()[:60]!r}.",
        fix="Delete the lines at the top that begin with #.",
        why="The names of the columns must come first.",
    )


def _refuse_excel_line(record: str, name: str) -> None:
    """Stop at the line sep=; that tells Excel what separates the cells."""
    if not _EXCEL_LINE.fullmatch(record):
        return
    raise stop(
        code="table.no_header",
        where=name,
        what=f"the first line is {record.strip()}, which only Excel understands.",
        fix="Delete the first line.",
        why="The names of the columns must come first.",
    )


def _cells(count: int) -> str:
    return "cell" if count == 1 else "cells"


def check_width(count: int, where: str) -> None:
    """Stop if there are too many columns."""
    if count > MAX_COLUMNS:
        raise stop(
            code="table.too_wide",
            where=where,
            what=f"the table has {count:,} columns; at most {MAX_COLUMNS:,} are read.",
            fix="Keep only the columns that are needed. Save probabilities as .npy.",
            why="Reading so many columns would keep the server busy for minutes.",
        )


def drop_blank_columns(cells: pa.Table, name: str, report: ReportBuilder) -> pa.Table:
    """Return a table, its header in the first row, without columns in which every cell is blank.

    Spreadsheets write them where somebody once typed something, or set a colour.
    """
    blank = [c for c in cells.column_names if _is_blank(cells.column(c))]
    if not blank or len(blank) == cells.num_columns:
        return cells
    report.add_auto_fix(
        code="table.blank_columns",
        where=name,
        what=f"{len(blank)} columns without a name and without cells are not read.",
        fix="If they should hold something, save the table again.",
        why="Spreadsheets write such columns; they hold nothing.",
        count=len(blank),
    )
    return cells.drop_columns(blank)


def _is_blank(column: pa.ChunkedArray) -> bool:
    if column[0].as_py().strip():
        return False
    return bool(pc.all(pc.equal(pc.utf8_trim_whitespace(column), "")).as_py())


def check_names(names: Sequence[str], where: str) -> None:
    """Stop if there are too many columns, or two with the same name."""
    check_width(len(names), where)
    if len(set(names)) == len(names):
        return
    twice = [name for name, count in Counter(names).items() if count > 1]
    if not any(name.strip() for name in twice):
        raise stop(
            code="table.duplicate_columns",
            where=where,
            what=f"{names.count(twice[0])} of {len(names)} columns have no name.",
            fix="Give each column its own name. If there is a title above the names, delete all "
            "lines above them.",
            why="It is unclear which column is meant.",
            count=len(twice),
        )
    raise stop(
        code="table.duplicate_columns",
        where=where,
        what=f"column names occur twice: {list_few(twice)}.",
        fix="Give each column its own name. If pandas wrote several lines of names, join them: "
        "frame.columns = ['_'.join(map(str, each)) for each in frame.columns].",
        why="It is unclear which column is meant.",
        count=len(twice),
    )


def end_of_header(data: bytes) -> int:
    """Return where the first record stops."""
    record = first_record(data).encode()
    return data.find(record) + len(record)
