"""Labels written back to a JSON array: only the values of decided labels change."""

from __future__ import annotations

import codecs
import json
import re
from collections.abc import Iterator
from typing import BinaryIO

from curation.dataset import LabelSource
from curation.errors import InputError
from curation.loading.formats.edits import Edits, check_rows, flag_name
from curation.loading.formats.jsonl_writing import add_flag, relabel

_DECODE = json.JSONDecoder().raw_decode
_BETWEEN = re.compile(r"[ \t\r\n,]*+")


def rewrite_array(raw: bytes, source: LabelSource, edits: Edits, file: BinaryIO, name: str) -> int:
    """Write the label file with its edits, and return its number of rows."""
    mark = codecs.BOM_UTF8 if raw.startswith(codecs.BOM_UTF8) else b""
    text = raw[len(mark) :].decode()
    spans = find_elements(text, name)
    check_rows(edits, len(spans), name)
    file.write(mark)
    file.writelines(piece.encode() for piece in _rewrite(text, spans, source, edits, name))
    return len(spans)


def find_elements(text: str, name: str) -> list[tuple[int, int]]:
    """Return where each element of the array starts and stops.

    >>> find_elements('[ {"a": 1},\\n {"a": 2} ]', "labels.json")
    [(2, 10), (13, 21)]
    """
    spans: list[tuple[int, int]] = []
    place = _skip(text, text.index("[") + 1)
    try:
        while text[place] != "]":
            _, end = _DECODE(text, place)
            spans.append((place, end))
            place = _skip(text, end)
    except (ValueError, IndexError, RecursionError) as error:
        raise InputError(
            f"{name} is no longer a JSON array.", "Load the dataset again, then export."
        ) from error
    return spans


def _skip(text: str, place: int) -> int:
    match = _BETWEEN.match(text, place)
    return match.end() if match else place


def _rewrite(
    text: str, spans: list[tuple[int, int]], source: LabelSource, edits: Edits, name: str
) -> Iterator[str]:
    """Yield the pieces of the new file; a row that is left out goes with the comma before it."""
    wanted = {row: place for place, row in enumerate(edits.rows.tolist())}
    out = set(edits.out.tolist())
    flag = _flag_key(text, spans) if edits.flag else None
    yield text[: spans[0][0]]
    first = True
    for row, (start, end) in enumerate(spans):
        if row in out and flag is None:
            continue
        if not first:
            yield text[spans[row - 1][1] : start]
        first = False
        element = text[start:end]
        if row in wanted:
            edit = wanted[row]
            element = relabel(element, source, edits.old[edit], edits.new[edit], row, name)
        if flag is not None and element.startswith("{"):
            element = add_flag(element.encode(), flag, row in out).decode()
        yield element
    yield text[spans[-1][1] :]


def _flag_key(text: str, spans: list[tuple[int, int]]) -> str:
    values = (json.loads(text[start:end]) for start, end in spans)
    return flag_name(sorted({key for value in values if isinstance(value, dict) for key in value}))
