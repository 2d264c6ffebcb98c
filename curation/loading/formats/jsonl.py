"""JSON Lines files: one object per line, every error with its line number.

Written back, only the values of decided labels change.
"""

from __future__ import annotations

import codecs
import json
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, BinaryIO, ClassVar

import pyarrow as pa

from curation.dataset import Dataset, LabelKind, LabelSource
from curation.errors import InputError
from curation.loading.formats.base import Held, Peek, TextFormat
from curation.loading.formats.csv_bytes import Records, find_lines
from curation.loading.formats.edits import Edits, check_old, check_rows, flag_name
from curation.loading.formats.file_faults import NO_LIMIT
from curation.loading.formats.table import Table
from curation.loading.formats.text_encoding import decode_text
from curation.loading.report_builder import ReportBuilder, stop
from curation.loading.vocabulary import PROB_LIST_COLUMNS

PEEK_BYTES = 2**20  # in which the first line is looked for
_DECODE = json.JSONDecoder().raw_decode
_SPACE = re.compile(r"[ \t\r\n]*+")


class _DuplicateKey(ValueError):
    """One object has the same key twice."""


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [name for name, _ in pairs]
        raise _DuplicateKey(next(name for name in names if names.count(name) > 1))
    return found


# once, not for each line as json.loads does
_decode = json.JSONDecoder(object_pairs_hook=_object).decode
_decode_as_written = json.JSONDecoder(parse_float=str).decode


class Jsonl(TextFormat):
    """One JSON object per line; a key that a line lacks is a missing cell."""

    name = "jsonl"
    suffixes: ClassVar[tuple[str, ...]] = (".jsonl", ".ndjson")

    def read(
        self,
        path: Path,
        name: str,
        report: ReportBuilder,
        *,
        memory_limit: int,
        encoding: str | None = None,
        delimiter: str | None = None,
    ) -> Table:
        data, bom = decode_text(self.read_bytes(path, name, memory_limit), name, encoding)
        columns, kinds = _parse_columns(data.decode(), name)
        return Table(path, name, self.name, pa.table(columns), bom=bom, kinds=kinds)

    def peek(self, path: Path) -> Peek:
        head = self.read_head(path, PEEK_BYTES).removeprefix(codecs.BOM_UTF8)
        first = json.loads(head.lstrip().split(b"\n", 1)[0])
        return Peek(tuple(first), {key: _held(value) for key, value in first.items()})

    def count_rows(self, path: Path) -> int | None:
        return self.count_lines(path)

    def rewrite(
        self, dataset: Dataset, edits: Edits, file: BinaryIO, *, spreadsheet_safe: bool
    ) -> int:
        source = dataset.source
        assert source.path is not None
        raw = self.read_bytes(source.path, source.path.name, NO_LIMIT)
        return rewrite_jsonl(raw, source, edits, file, source.path.name)


def _held(value: Any) -> Held:
    if isinstance(value, list | dict):
        return "list"
    return "number" if isinstance(value, float) else "other"


def _parse_columns(text: str, name: str) -> tuple[dict[str, pa.Array], dict[str, LabelKind]]:
    """Return the columns as text or lists of numbers, and what kind of values the text was."""
    rows = _read_rows(text, name)
    if not rows:
        raise stop(
            code="table.no_rows",
            where=name,
            what="the file holds no rows.",
            fix="Save it with its rows.",
            why="There is nothing to judge.",
        )
    keys = dict.fromkeys(key for row in rows for key in row)
    exact = _as_written(text, _with_fractions(rows))
    columns: dict[str, pa.Array] = {}
    kinds: dict[str, LabelKind] = {}
    for key in keys:
        values = [row.get(key) for row in rows]
        columns[key], kind = _column(values, exact.get(key, values), key, name)
        if kind is not None:
            kinds[key] = kind
    return columns, kinds


def _with_fractions(rows: list[dict[str, Any]]) -> set[str]:
    """Return the columns that hold numbers with a point or an exponent."""
    return {key for row in rows for key, value in row.items() if type(value) is float}


def _as_written(text: str, keys: set[str]) -> dict[str, list[Any]]:
    """Return columns with their numbers as the file writes them: as a float, 1.10 would be 1.1."""
    if not keys:
        return {}
    lines = [_decode_as_written(line) for line in text.split("\n") if line.strip()]
    return {key: [row.get(key) for row in lines] for key in keys}


def _read_rows(text: str, name: str) -> list[dict[str, Any]]:
    rows = []
    lines = text.split("\n")
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        row = _parse(line, name, number, last=number == len(lines))
        if not isinstance(row, dict):
            raise stop(
                code="jsonl.not_an_object",
                where=f"{name}, line {number}",
                what=f"found {type(row).__name__} instead of an object {{...}}.",
                fix='Write one object per line, such as {"id": "a", "label": "cat"}.',
                why="Without names, it is unclear which value is the label.",
            )
        rows.append(row)
    return rows


def _parse(line: str, name: str, number: int, *, last: bool) -> Any:
    try:
        return _decode(line)
    except _DuplicateKey as error:
        raise stop(
            code="jsonl.duplicate_keys",
            where=f"{name}, line {number}",
            what=f"the name {str(error)[:80]!r} occurs twice in one object.",
            fix="Give each value its own name.",
            why="It is unclear which one is meant.",
        ) from error
    except (ValueError, RecursionError) as error:
        reason = error.msg if isinstance(error, json.JSONDecodeError) else str(error)
        # A file that was cut ends in the middle of a line; a complete one ends with a line end.
        cut = " The file is cut: its last line does not end." if last else ""
        raise stop(
            code="jsonl.broken",
            where=f"{name}, line {number}",
            what=f"not valid JSON: {reason[:200]}.{cut}",
            fix="Fix the line, or save the file again.",
            why="Without it, every row after it would shift.",
        ) from error


def _column(
    values: list[Any], written: list[Any], key: str, name: str
) -> tuple[pa.Array, LabelKind | None]:
    """Return one column as it is written, and what its cells were before they became text."""
    types = {type(value) for value in values if value is not None}
    if types == {list} and (numbers := _number_lists(values)) is not None:
        return numbers, None
    by_class = types == {dict} and key.lower() in PROB_LIST_COLUMNS
    if by_class and (numbers := _number_structs(values)) is not None:
        return numbers, None
    try:
        cells = pa.array([_text(value) for value in written], pa.string())
    except (UnicodeEncodeError, ValueError) as error:  # half of a surrogate pair, written as \ud800
        raise stop(
            code="jsonl.broken_text",
            where=name,
            what=f"column {key!r} holds half a character: {error}.",
            fix="Save the file again with whole characters.",
            why="Such a text can be neither shown nor saved.",
        ) from error
    return cells, _kind(types)


def _number_lists(values: Iterable[Any]) -> pa.Array | None:
    try:
        return pa.array(values, pa.list_(pa.float64()))
    except (pa.ArrowException, OverflowError, TypeError):
        return None


def _number_structs(values: list[Any]) -> pa.Array | None:
    """Return objects such as {"cat": 0.9, "dog": 0.1} as they are, if all have the same keys."""
    keys = (values[0] or {}).keys()
    for value in values:
        if value is None or value.keys() != keys:
            return None
        if not all(type(each) in (int, float) for each in value.values()):
            return None
    try:
        return pa.array(values, pa.struct([(key, pa.float64()) for key in keys])) if keys else None
    except (pa.ArrowException, OverflowError, UnicodeEncodeError, ValueError):
        return None


def _text(value: Any) -> str | None:
    if value is None or value != value:  # NaN is a missing number
        return None
    if isinstance(value, str):
        return value
    if type(value) is int:
        return str(value)
    return json.dumps(value, ensure_ascii=False)


def _kind(types: set[type]) -> LabelKind | None:
    if types & {list, dict}:
        return "list"  # type: ignore[return-value]
    names: dict[type, LabelKind] = {str: "text", int: "integer", float: "float", bool: "boolean"}
    if len(types) > 1:
        return "float" if types == {int, float} else "mixed"
    return names[types.pop()] if types else "text"


def rewrite_jsonl(raw: bytes, source: LabelSource, edits: Edits, file: BinaryIO, name: str) -> int:
    """Write the label file with its edits, and return how many rows it had."""
    mark = codecs.BOM_UTF8 if raw.startswith(codecs.BOM_UTF8) else b""
    data = raw[len(mark) :]
    rows = find_rows(data)
    check_rows(edits, len(rows), name)
    file.write(mark)
    file.writelines(_rewrite(data, rows, source, edits, name))
    return len(rows)


def find_rows(data: bytes) -> Records:
    """Return the lines that are rows, not blank."""
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
            line = _relabel(line, source, edits.old[edit], edits.new[edit], row, name)
        yield line if flag is None else _add_flag(line, flag, row in out)
        place = end
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
    """Return the new value as JSON of the same kind as the old one, escaped if the line is."""
    if not was_text:
        try:
            if not isinstance(json.loads(new), str | list | dict):
                return new  # a number or a boolean, as the file writes it
        except ValueError:
            pass
    return json.dumps(new, ensure_ascii=ascii_only)


def find_value(text: str, key: str) -> tuple[int, int]:
    """Return where the value of a key of the outermost object starts and stops.

    It occurs once: reading refuses a line with the same key twice.

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
        f"A line has no key {key!r} any more: {text[:60]!r}.",
        "The file was changed since it was loaded. Load it again, and export then.",
    )


def _skip(text: str, place: int) -> int:
    match = _SPACE.match(text, place)
    return match.end() if match else place


def _flag_key(data: bytes, rows: Records) -> str:
    keys: set[str] = set()
    for start, end in zip(rows.starts.tolist(), rows.stops.tolist(), strict=True):
        keys |= json.loads(data[start:end]).keys()
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
