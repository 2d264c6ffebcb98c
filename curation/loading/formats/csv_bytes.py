"""Where the records and cells of a delimited file start and end, in bytes.

The rules are the same as for reading. A quote opens a quoted cell only at the start of the cell.
Inside, a doubled quote means one quote. Text after the closing quote belongs to the cell. A line
ends with LF, CR or CRLF. The file is UTF-8, in which no byte of a longer character looks like a
delimiter, a quote or a line end.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from curation.core.matrix import IntArray

QUOTE = b'"'
BLOCK = 1 << 24  # bytes searched for line ends at a time


@dataclass(frozen=True)
class Records:
    """Where each record starts, where its last cell stops, and where its line end stops."""

    starts: IntArray
    stops: IntArray
    ends: IntArray

    def __len__(self) -> int:
        return len(self.starts)

    def without_blank(self) -> Records:
        """Return the records that are not blank."""
        full = self.stops > self.starts
        return Records(self.starts[full], self.stops[full], self.ends[full])


@dataclass(frozen=True)
class Grammar:
    """The patterns of one cell and one record, for one delimiter."""

    delimiter: bytes
    cell: re.Pattern[bytes]
    record: re.Pattern[bytes]

    @classmethod
    def of(cls, delimiter: str) -> Grammar:
        """Return the grammar for a delimiter; its patterns never backtrack, even in long cells."""
        mark = re.escape(delimiter.encode())
        plain = rb"[^%b\r\n]*+" % mark
        cell = rb'(?:"[^"]*+(?:""[^"]*+)*+"?+%b|%b)' % (plain, plain)
        record = rb"%b(?:%b%b)*+" % (cell, mark, cell)
        return cls(delimiter.encode(), re.compile(cell), re.compile(record))

    def cells(self, data: bytes, start: int, stop: int) -> Iterator[tuple[int, int]]:
        """Yield where each cell of a record starts and stops, including its quotes.

        >>> list(Grammar.of(",").cells(b'a,"b,""c",', 0, 10))
        [(0, 1), (2, 9), (10, 10)]
        """
        while True:
            match = self.cell.match(data, start, stop)
            end = match.end() if match else stop
            yield start, end
            if end >= stop:
                return
            start = end + len(self.delimiter)

    def records(self, data: bytes) -> Records:
        """Return every record of a file, including blank ones."""
        return self._scan(data) if QUOTE in data else find_lines(data)

    def _scan(self, data: bytes) -> Records:
        starts, stops, ends = [], [], []
        place, size, match = 0, len(data), self.record.match
        while place < size:
            found = match(data, place)
            stop = found.end() if found else size
            end = stop + (2 if data[stop : stop + 2] == b"\r\n" else 1 if stop < size else 0)
            starts.append(place)
            stops.append(stop)
            ends.append(end)
            place = end
        return Records(np.array(starts), np.array(stops), np.array(ends))


def find_lines(data: bytes, *, only_lf: bool = False) -> Records:
    """Return every line; with `only_lf`, a CR is an ordinary byte, as in JSON Lines.

    >>> lines = find_lines(b"a\\r\\nb\\rc")
    >>> lines.starts.tolist(), lines.stops.tolist(), lines.ends.tolist()
    ([0, 3, 5], [1, 4, 6], [3, 5, 6])
    """
    buffer = np.frombuffer(data, np.uint8)
    found = []
    for first in range(0, len(buffer), BLOCK):
        block = buffer[first : first + BLOCK]
        marks = block == 10 if only_lf else (block == 10) | (block == 13)
        found.append(np.flatnonzero(marks) + first)
    places = np.concatenate(found) if found else np.empty(0, np.int64)
    if only_lf:
        stops, ends = places, places + 1
    else:
        stops, ends = _pair(buffer, places)
    starts = np.concatenate([[0], ends]).astype(np.int64)
    if len(data) and (not len(ends) or ends[-1] < len(data)):
        stops, ends = np.append(stops, len(data)), np.append(ends, len(data))
    return Records(starts[: len(ends)], stops, ends)


def _pair(buffer: np.ndarray[tuple[int], np.dtype[np.uint8]], places: IntArray) -> tuple[
    IntArray, IntArray
]:  # fmt: skip
    """Return where lines stop and where their ends stop; CR followed by LF is one end."""
    after = buffer[np.minimum(places + 1, len(buffer) - 1)] if len(places) else places
    first_half = (buffer[places] == 13) & (after == 10)
    lone = np.append(False, first_half[:-1])  # an LF right after its CR
    stops = np.where(lone, places - 1, places)[~first_half]
    return stops, places[~first_half] + 1


def read_cell(raw: bytes) -> str:
    """Return the text of a cell, without its quotes.

    >>> read_cell(b'"a ""b"" c"'), read_cell(b'a "b"')
    ('a "b" c', 'a "b"')
    """
    if not raw.startswith(QUOTE):
        return raw.decode()
    match = re.match(rb'"([^"]*+(?:""[^"]*+)*+)"?+(.*)', raw, re.DOTALL)
    inside, rest = match.groups() if match else (raw, b"")
    return (inside.replace(b'""', b'"') + rest).decode()


def write_cell(text: str, delimiter: bytes, *, like: bytes = b"") -> bytes:
    """Return a text as a cell, quoted if it must be or if the cell it replaces was quoted.

    >>> write_cell("dog", b",", like=b'"cat"'), write_cell("a,b", b",")
    (b'"dog"', b'"a,b"')
    """
    raw = text.encode()
    quoted = like.startswith(QUOTE)
    if not quoted:
        needs = any(mark in raw for mark in (delimiter, b"\r", b"\n")) or raw.startswith(QUOTE)
        if not needs and (QUOTE not in raw or QUOTE in like):  # bare quote as before
            return raw
    return QUOTE + raw.replace(QUOTE, QUOTE * 2) + QUOTE
