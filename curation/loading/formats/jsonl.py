"""JSON Lines files: one object a line, every error with its line."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pyarrow as pa

from curation.dataset import LabelKind
from curation.loading.formats.base import Table
from curation.loading.formats.csv import read_text
from curation.loading.report_builder import stop
from curation.loading.vocabulary import PROB_LIST_COLUMNS


class _Twice(ValueError):
    """One object has a name twice."""


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [name for name, _ in pairs]
        raise _Twice(next(name for name in names if names.count(name) > 1))
    return found


# json.loads looks for the encoding first, line by line
_decode = json.JSONDecoder(object_pairs_hook=_object).decode
_decode_as_written = json.JSONDecoder(parse_float=str).decode


def read_jsonl(path: Path, name: str, *, encoding: str | None = None) -> Table:
    """Return a JSON Lines file as columns of text; a key that a line lacks is a missing cell."""
    data, bom = read_text(path, name, encoding)
    rows = _read_rows(data.decode(), name)
    if not rows:
        raise stop(
            code="table.no_rows",
            where=name,
            what="the file holds no rows.",
            fix="Save it with its rows.",
            why="There is nothing to judge.",
        )
    keys = dict.fromkeys(key for row in rows for key in row)
    kinds: dict[str, LabelKind] = {}
    columns = {}
    exact = _as_written(data.decode(), _with_fractions(rows))
    for key in keys:
        values = [row.get(key) for row in rows]
        columns[key], kind = _column(values, exact.get(key, values), key, name)
        if kind is not None:
            kinds[key] = kind
    return Table(path, name, "jsonl", pa.table(columns), bom=bom, kinds=kinds)


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
                what=f"found {type(row).__name__} where an object {{...}} belongs.",
                fix='Write one object a line, such as {"id": "a", "label": "cat"}.',
                why="Without names, which value is the label cannot be told.",
            )
        rows.append(row)
    return rows


def _parse(line: str, name: str, number: int, *, last: bool) -> Any:
    try:
        return _decode(line)
    except _Twice as error:
        raise stop(
            code="jsonl.duplicate_keys",
            where=f"{name}, line {number}",
            what=f"the name {str(error)[:80]!r} occurs twice in one object.",
            fix="Give each value its own name.",
            why="Which of them is meant cannot be told.",
        ) from error
    except (ValueError, RecursionError) as error:
        reason = error.msg if isinstance(error, json.JSONDecodeError) else str(error)
        # A file that was cut ends within a line: whole ones end with a line end.
        cut = " The file is cut: its last line does not end." if last else ""
        raise stop(
            code="jsonl.broken",
            where=f"{name}, line {number}",
            what=f"not valid JSON: {reason[:200]}.{cut}",
            fix="Mend the line, or save the file again.",
            why="Left out, it would shift every row after it.",
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
            what=f"column {key!r} holds a character that is no character: {error}.",
            fix="Save the file again with whole characters.",
            why="Such a text could be neither shown nor saved.",
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
