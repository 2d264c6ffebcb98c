"""CSV text for our own files, and cells that no spreadsheet takes for a formula.

A cell that begins with = + - @, a tab or a CR is run as a formula when a spreadsheet opens the
file. With `spreadsheet_safe` such a cell gets an apostrophe in front. Training data must stay
exact, so this is never done unasked.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from curation.loading.formats.csv_bytes import QUOTE, Grammar

STARTS = ("=", "+", "-", "@", "\t", "\r")
_STARTS = tuple(each.encode() for each in STARTS)
_QUOTED = re.compile('[",\r\n]')  # what a cell cannot hold unless it is quoted


def make_safe(data: bytes, grammar: Grammar) -> bytes:
    """Return a delimited file whose every cell is safe to open in a spreadsheet.

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
    """Yield rows as lines of CSV: numbers so that they read back the same, None as empty.

    Numbers stay as they are also where `safe`; a minus sign before digits is no formula.
    """
    for row in rows:
        line = ",".join([_cell(value, safe) for value in row])
        yield line.encode("utf-8", "replace") + b"\n"


def _cell(value: Any, safe: bool) -> str:
    if value is None:
        return ""
    if not isinstance(value, str):
        return str(value)
    text = f"'{value}" if safe and value.startswith(STARTS) else value
    return '"' + text.replace('"', '""') + '"' if _QUOTED.search(text) else text
