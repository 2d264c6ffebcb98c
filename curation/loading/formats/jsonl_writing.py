"""Labels written back to JSON Lines: only the values of decided labels change."""

from __future__ import annotations

import codecs
import json
import re
from collections.abc import Iterator
from typing import BinaryIO

from curation.dataset import LabelSource
from curation.errors import InputError
from curation.loading.formats.csv_bytes import Records, find_lines
from curation.loading.formats.edits import Edits, check_old, check_rows, flag_name

_DECODE = json.JSONDecoder().raw_decode
_SPACE = re.compile(r"[ \t\r\n]*+")


def rewrite_jsonl(raw: bytes, source: LabelSource, edits: Edits, file: BinaryIO, name: str) -> int:
    """Write the label file with its edits, and return its number of rows."""
    mark = codecs.BOM_UTF8 if raw.startswith(codecs.BOM_UTF8) else b""
    data = raw[len(mark) :]
    rows = find_rows(data)
    check_rows(edits, len(rows), name)
    file.write(mark)
    file.writelines(_rewrite(data, rows, source, edits, name))
    return len(rows)


def find_rows(data: bytes) -> Records:
    """Return the lines that are not blank."""
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
        start, end = int(rows.starts[row]), int(rows.stops[row])
        yield data[place:start]
        if row in out and flag is None:
            place = int(rows.ends[row])
            continue
        line = data[start:end]
        if row in wanted:
            edit = wanted[row]
            line = relabel(
                line.decode(), source, edits.old[edit], edits.new[edit], row, name
            ).encode()
        yield line if flag is None else add_flag(line, flag, row in out)
        place = end
    yield data[place:]


def relabel(text: str, source: LabelSource, old: str, new: str, row: int, name: str) -> str:
    """Return one object with another label; a label in a list stays in it.

    >>> from pathlib import Path
    >>> source = LabelSource(Path("x.jsonl"), "jsonl", "label")
    >>> relabel('{"label": [ "cat" ]}', source, "cat", "dog", 0, "x.jsonl")
    '{"label": [ "dog" ]}'
    """
    at, to = find_value(text, source.label_column or "") if _is_object(text) else (0, len(text))
    value = json.loads(text[at:to])
    if isinstance(value, list) and len(value) == 1:
        at = _skip(text, at + 1)
        value, to = _DECODE(text, at)
    check_old(value if isinstance(value, str) else json.dumps(value), old, row, name)
    literal = _literal(new, was_text=isinstance(value, str), ascii_only=text.isascii())
    return text[:at] + literal + text[to:]


def _is_object(text: str) -> bool:
    return text.lstrip().startswith("{")


def _literal(new: str, *, was_text: bool, ascii_only: bool) -> str:
    """Return the new value as JSON of the same kind as the old one, escaped like its line."""
    if not was_text:
        try:
            if not isinstance(json.loads(new), str | list | dict):
                return new  # a number or a boolean, as written in the file
        except ValueError:
            pass
    return json.dumps(new, ensure_ascii=ascii_only)


def find_value(text: str, key: str) -> tuple[int, int]:
    """Return where the value of a key of the outermost object starts and stops.

    The key occurs once: a line with the same key twice is refused on reading.

    >>> find_value('{"a": {"label": 1}, "label" : "cat"}', "label")
    (30, 35)
    """
    place = _skip(text, _skip(text, 0) + 1)
    while text[place] == '"':
        name, place = _DECODE(text, place)
        start = _skip(text, _skip(text, place) + 1)
        _, end = _DECODE(text, start)
        if name == key:
            return start, end
        place = _skip(text, end)
        if text[place] != ",":
            break
        place = _skip(text, place + 1)
    raise InputError(
        f"A line no longer has the key {key!r}: {text[:60]!r}.",
        "The file has changed since it was loaded. Load it again, then export.",
    )


def _skip(text: str, place: int) -> int:
    match = _SPACE.match(text, place)
    return match.end() if match else place


def _flag_key(data: bytes, rows: Records) -> str:
    keys: set[str] = set()
    for start, end in zip(rows.starts.tolist(), rows.stops.tolist(), strict=True):
        keys |= json.loads(data[start:end]).keys()
    return flag_name(sorted(keys))


def add_flag(line: bytes, key: str, value: bool) -> bytes:
    """Return the line with one more key at the end of its object.

    >>> add_flag(b'{"a": 1} ', "excluded", True)
    b'{"a": 1, "excluded": true} '
    """
    end = line.rindex(b"}")
    comma = b"" if line[:end].rstrip().endswith(b"{") else b", "
    added = f"{json.dumps(key)}: {json.dumps(value)}".encode()
    return line[:end] + comma + added + line[end:]
