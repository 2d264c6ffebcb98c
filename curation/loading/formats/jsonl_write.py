"""JSON Lines label files, written back with only the value of decided labels changed."""

from __future__ import annotations

import codecs
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

from curation.dataset import LabelSource
from curation.errors import InputError
from curation.loading.formats.csv_bytes import Records, find_lines
from curation.loading.formats.edits import Edits, check_old, check_rows, flag_name

_DECODE = json.JSONDecoder().raw_decode
_SPACE = re.compile(r"[ \t\r\n]*+")


def rewrite_jsonl(path: Path, source: LabelSource, edits: Edits, file: BinaryIO) -> int:
    """Write the label file with its edits, and return how many rows it had."""
    raw = path.read_bytes()
    mark = codecs.BOM_UTF8 if raw.startswith(codecs.BOM_UTF8) else b""
    data = raw[len(mark) :]
    rows = find_rows(data)
    check_rows(edits, len(rows), path.name)
    file.write(mark)
    file.writelines(_rewrite(data, rows, source, edits, path.name))
    return len(rows)


def find_rows(data: bytes) -> Records:
    """Return the lines that are rows: those with anything but blanks in them."""
    lines = find_lines(data, only_lf=True)
    pairs = zip(lines.starts.tolist(), lines.stops.tolist(), strict=True)
    full = [row for row, (a, b) in enumerate(pairs) if data[a:b].strip()]
    return Records(lines.starts[full], lines.stops[full], lines.ends[full])


def _rewrite(
    data: bytes, rows: Records, source: LabelSource, edits: Edits, name: str
) -> Iterator[bytes]:
    wanted = {row: place for place, row in enumerate(edits.rows.tolist())}
    out = set(edits.out.tolist())
    flag = _flag_key(data, rows) if edits.flag else None
    place = 0
    for row in range(len(rows)) if edits.flag else sorted(out | set(wanted)):
        start, stop = int(rows.starts[row]), int(rows.stops[row])
        yield data[place:start]
        if row in out and flag is None:
            place = int(rows.ends[row])
            continue
        line = data[start:stop]
        if row in wanted:
            edit = wanted[row]
            line = _relabel(line, source, edits.old[edit], edits.new[edit], row, name)
        yield line if flag is None else _add_flag(line, flag, row in out)
        place = stop
    yield data[place:]


def _relabel(
    line: bytes, source: LabelSource, old: str, new: str, row: int, name: str
) -> bytes:  # fmt: skip
    text = line.decode()
    at, to = find_value(text, source.label_column or "")
    value = json.loads(text[at:to])
    check_old(value if isinstance(value, str) else json.dumps(value), old, row, name)
    literal = _literal(new, was_text=isinstance(value, str), ascii_only=line.isascii())
    return (text[:at] + literal + text[to:]).encode()


def _literal(new: str, *, was_text: bool, ascii_only: bool) -> str:
    """Return the new value as JSON, of the old one's kind; escaped where the line escapes."""
    if not was_text:
        try:
            if not isinstance(json.loads(new), str | list | dict):
                return new  # a number or a boolean, as the file writes it
        except ValueError:
            pass
    return json.dumps(new, ensure_ascii=ascii_only)


def find_value(text: str, key: str) -> tuple[int, int]:
    """Return where the value of a key of the outermost object starts and stops.

    It occurs once: a file with one name twice in a line is refused when it is read.

    >>> find_value('{"a": {"label": 1}, "label" : "cat"}', "label")
    (30, 35)
    """
    place = _skip(text, _skip(text, 0) + 1)
    while text[place] == '"':
        name, place = _DECODE(text, place)
        start = _skip(text, _skip(text, place) + 1)
        _, stop = _DECODE(text, start)
        if name == key:
            return start, stop
        place = _skip(text, stop)
        if text[place] != ",":
            break
        place = _skip(text, place + 1)
    raise InputError(
        f"A line has no key {key!r} any more: {text[:60]!r}.",
        "The file was changed since it was loaded. Load it again, and export then.",
    )


def _skip(text: str, place: int) -> int:
    match = _SPACE.match(text, place)
    return match.end() if match else place


def _flag_key(data: bytes, rows: Records) -> str:
    keys: set[str] = set()
    for start, stop in zip(rows.starts.tolist(), rows.stops.tolist(), strict=True):
        keys |= json.loads(data[start:stop]).keys()
    return flag_name(sorted(keys))


def _add_flag(line: bytes, key: str, value: bool) -> bytes:
    """Return the line with one more key at the end of its object.

    >>> _add_flag(b'{"a": 1} ', "excluded", True)
    b'{"a": 1, "excluded": true} '
    """
    end = line.rindex(b"}")
    comma = b"" if line[:end].rstrip().endswith(b"{") else b", "
    added = f"{json.dumps(key)}: {json.dumps(value)}".encode()
    return line[:end] + comma + added + line[end:]
