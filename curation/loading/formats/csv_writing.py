"""CSV text of exported files, and cells that no spreadsheet runs as a formula.

A spreadsheet runs a cell that begins with = + - @, a tab or a CR as a formula. With
`spreadsheet_safe`, such a cell gets an apostrophe in front. Training data must stay exact, so
this is only done on request.
"""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from curation.loading.formats.csv_bytes import QUOTE, Grammar

FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r")
_STARTS = tuple(each.encode() for each in FORMULA_STARTS)
_LINE_END = "\r\n"  # passed to the csv module, so that it quotes cells with either; "\n" is written


class _Echo:
    """A file for csv.writer that returns each line."""

    def write(self, line: str) -> str:
        return line


def make_safe(data: bytes, grammar: Grammar) -> bytes:
    """Return a delimited file that is safe to open in a spreadsheet.

    >>> make_safe(b'id,label\\n1,=A1\\n2,"-x"\\n', Grammar.of(","))
    b'id,label\\n1,\\'=A1\\n2,"\\'-x"\\n'
    """
    return b"".join(_pieces(data, grammar))


def _pieces(data: bytes, grammar: Grammar) -> Iterator[bytes]:
    place, records = 0, grammar.records(data)
    for start, stop in zip(records.starts.tolist(), records.stops.tolist(), strict=True):
        for at, to in grammar.cells(data, start, stop):
            inside = at + (data[at : at + 1] == QUOTE and to > at + 1)
            if data.startswith(_STARTS, inside, to):
                yield data[place:inside] + b"'"
                place = inside
    yield data[place:]


def csv_lines(rows: Iterable[Sequence[Any]], *, safe: bool) -> Iterator[bytes]:
    """Yield rows as lines of CSV: numbers in full precision, None as an empty cell.

    `safe` leaves numbers alone: a minus sign before digits is not a formula.

    >>> list(csv_lines([["id", "note"], [0.5, "a,b"], [None, "=A1"]], safe=True))
    [b'id,note\\n', b'0.5,"a,b"\\n', b",'=A1\\n"]
    """
    writer = csv.writer(_Echo(), lineterminator=_LINE_END)
    for row in rows:
        cells = [_guard(value) for value in row] if safe else row
        line: Any = writer.writerow(cells)  # csv.writer returns what write returns
        yield line[: -len(_LINE_END)].encode("utf-8", "replace") + b"\n"


def _guard(value: Any) -> Any:
    starts = isinstance(value, str) and value.startswith(FORMULA_STARTS)
    return f"'{value}" if starts else value
