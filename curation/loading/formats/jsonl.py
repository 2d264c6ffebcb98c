"""JSON Lines files: one object per line, every error with its line number.

When the file is written back, only the values of decided labels change.
"""

from __future__ import annotations

import codecs
import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any, BinaryIO, ClassVar

import pyarrow as pa

from curation.dataset import Dataset, LabelKind
from curation.loading.formats.base import Held, Peek, TableFile, TextFormat
from curation.loading.formats.edits import Edits
from curation.loading.formats.file_faults import NO_LIMIT
from curation.loading.formats.jsonl_writing import rewrite_jsonl
from curation.loading.formats.table import Table
from curation.loading.formats.text_encoding import decode_text
from curation.loading.report_builder import ReportBuilder, stop
from curation.loading.vocabulary import PROB_LIST_COLUMNS

PEEK_BYTES = 2**20  # read to find the first line


class _DuplicateKey(ValueError):
    """One object has the same key twice."""


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [name for name, _ in pairs]
        raise _DuplicateKey(next(name for name in names if names.count(name) > 1))
    return found


# made once, and not for each line as by json.loads
_decode = json.JSONDecoder(object_pairs_hook=_object).decode
_decode_as_written = json.JSONDecoder(parse_float=str).decode


class Jsonl(TextFormat):
    """One JSON object per line; a key that a line lacks is a missing cell."""

    name = "jsonl"
    suffixes: ClassVar[tuple[str, ...]] = (".jsonl", ".ndjson")

    def read(self, file: TableFile, report: ReportBuilder) -> Table:
        raw = self.read_bytes(file.path, file.name, file.memory_limit)
        data, bom = decode_text(raw, file.name, file.encoding)
        columns, kinds = _parse_columns(data.decode(), file.name)
        return Table(file.path, file.name, self.name, pa.table(columns), bom=bom, kinds=kinds)

    def peek(self, path: Path) -> Peek:
        head = self.read_head(path, PEEK_BYTES).removeprefix(codecs.BOM_UTF8)
        first = json.loads(head.lstrip().split(b"\n", 1)[0])
        return Peek(tuple(first), {key: _held(value) for key, value in first.items()})

    def first_rows(self, path: Path, count: int) -> list[tuple[str, ...]]:
        head = self.read_head(path, PEEK_BYTES).removeprefix(codecs.BOM_UTF8)
        lines = [line for line in head.split(b"\n")[:-1] or [head] if line.strip()]
        rows = [json.loads(line) for line in lines[:count]]
        return [tuple(_written(row.get(key)) for key in rows[0]) for row in rows]

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


def _written(value: Any) -> str:
    if value is None or isinstance(value, str):
        return value or ""
    return json.dumps(value, ensure_ascii=False)


def _parse_columns(text: str, name: str) -> tuple[dict[str, pa.Array], dict[str, LabelKind]]:
    """Return the columns as text or lists of numbers, and the kinds of the text columns."""
    rows = _read_rows(text, name)
    if not rows:
        raise stop(
            code="table.no_rows",
            where=name,
            what="the file holds no rows.",
            fix="Save it with its rows.",
            why="There is nothing to check.",
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
    """Return columns with their numbers as written: as a float, 1.10 would become 1.1."""
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
            why="It is unclear which value is meant.",
        ) from error
    except (ValueError, RecursionError) as error:
        reason = error.msg if isinstance(error, json.JSONDecodeError) else str(error)
        # A file that was cut off ends in the middle of a line; a complete one ends with a line end.
        cut = " The file is cut off: its last line is incomplete." if last else ""
        raise stop(
            code="jsonl.broken",
            where=f"{name}, line {number}",
            what=f"not valid JSON: {reason[:200]}.{cut}",
            fix="Fix the line, or save the file again.",
            why="If it were skipped, every row after it would shift.",
        ) from error


def _column(
    values: list[Any], written: list[Any], key: str, name: str
) -> tuple[pa.Array, LabelKind | None]:
    """Return one column as written, and the kind of its cells before they became text."""
    types = {type(value) for value in values if value is not None}
    if types == {list} and (numbers := _number_lists(values)) is not None:
        return numbers, None
    by_class = types == {dict} and key.lower() in PROB_LIST_COLUMNS
    if by_class and (numbers := _number_structs(values)) is not None:
        return numbers, None
    try:
        cells = pa.array([_text(value) for value in written], pa.string())
    except (UnicodeEncodeError, ValueError) as error:  # half a surrogate pair, such as \ud800
        raise stop(
            code="jsonl.broken_text",
            where=name,
            what=f"column {key!r} holds an incomplete character: {error}.",
            fix="Save the file again with complete characters.",
            why="Such a text can be neither shown nor saved.",
        ) from error
    return cells, _kind(types)


def _number_lists(values: Iterable[Any]) -> pa.Array | None:
    try:
        return pa.array(values, pa.list_(pa.float64()))
    except (pa.ArrowException, OverflowError, TypeError):
        return None


def _number_structs(values: list[Any]) -> pa.Array | None:
    """Return objects such as {"cat": 0.9, "dog": 0.1} as a struct, if all have the same keys."""
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
