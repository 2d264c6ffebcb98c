"""The columns of JSON objects: exact text, lists of numbers, and probabilities by class."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import pyarrow as pa

from curation.dataset import LabelKind
from curation.loading.formats.base import Held
from curation.loading.formats.file_faults import no_rows
from curation.loading.formats.number_columns import SUM_TOLERANCE
from curation.loading.report_builder import stop
from curation.loading.vocabulary import PROB_LIST_COLUMNS

Record = dict[str, Any]
SCORED = frozenset({"label", "score"})  # how Hugging Face's pipelines write one class
# how BigQuery, AutoML and Rekognition write it
CLASS_KEYS = ("label", "class", "class_name", "name", "displayName", "Name")
SCORE_KEYS = ("score", "prob", "probability", "confidence", "Confidence")
VECTOR = frozenset({"type", "values"})  # how Spark writes a vector


class DuplicateKey(ValueError):
    """One object has the same key twice."""


def _object(pairs: list[tuple[str, Any]]) -> Record:
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [name for name, _ in pairs]
        raise DuplicateKey(next(name for name in names if names.count(name) > 1))
    return found


# made once; json.loads would make one for each line
decode = json.JSONDecoder(object_pairs_hook=_object).decode
decode_as_written = json.JSONDecoder(parse_float=str).decode


def held_by(value: Any) -> Held:
    """Return what a value holds, for a peek at a file."""
    if isinstance(value, list | dict):
        return "list"
    return "number" if isinstance(value, float) else "other"


def make_columns(
    rows: Sequence[Record], read_as_written: Callable[[], Sequence[Record]], name: str
) -> tuple[dict[str, pa.Array], dict[str, LabelKind]]:
    """Return the columns as text or lists of numbers, and the kinds of the text columns.

    `read_as_written` gives the rows with their fractions as text: as a float, 1.10 would become
    1.1. It is called only if there are any.
    """
    if not rows:
        raise no_rows(name)
    keys = dict.fromkeys(key for row in rows for key in row)
    fractions = {key for row in rows for key, value in row.items() if type(value) is float}
    again = read_as_written() if fractions else ()
    columns: dict[str, pa.Array] = {}
    kinds: dict[str, LabelKind] = {}
    for key in keys:
        values = [row.get(key) for row in rows]
        written = [row.get(key) for row in again] if key in fractions else values
        columns[key], kind = _column(values, written, key, name)
        if kind is not None:
            kinds[key] = kind
    return columns, kinds


def repeated_key(where: str, error: DuplicateKey) -> Exception:
    """Return the stop for an object that has the same key twice."""
    return stop(
        code="jsonl.duplicate_keys",
        where=where,
        what=f"the name {str(error)[:80]!r} occurs twice in one object.",
        fix="Give each value its own name.",
        why="It is unclear which value is meant.",
    )


def _column(
    values: list[Any], written: list[Any], key: str, name: str
) -> tuple[pa.Array, LabelKind | None]:
    """Return one column as written, and the kind of its cells before they became text."""
    types = {type(value) for value in values if value is not None}
    if types == {list} and (numbers := _number_lists(values)) is not None:
        return numbers, None
    if types == {list} and (scores := _scores_by_class(values)) is not None:
        values, types = scores, {dict}
    if types == {dict} and (numbers := _vectors(values)) is not None:
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


def _scores_by_class(values: Sequence[Any]) -> list[Any] | None:
    """Return lists of {"label": "cat", "score": 0.9} as {"cat": 0.9}, with 0 for missing classes.

    A pipeline that was asked for the best classes leaves the others out. If these have some of the
    probability, None is returned: `scored_cells` says that they are missing.
    """
    every = [each for value in values for each in value or ()]
    if not every or not all(isinstance(each, dict) for each in every):
        return None
    name = next((key for key in CLASS_KEYS if key in every[0]), None)
    score = next((key for key in SCORE_KEYS if key in every[0]), None)
    if name is None or score is None:
        return None
    for each in every:
        if not isinstance(each.get(name), str) or type(each.get(score)) not in (int, float):
            return None
    blank = dict.fromkeys(sorted({each[name] for each in every}), 0.0)
    for value in values:
        whole = abs(sum(each[score] for each in value or ()) - 1) <= SUM_TOLERANCE
        if value is not None and len(value) < len(blank) and not whole:
            return None
    return [
        None if value is None else blank | {each[name]: float(each[score]) for each in value}
        for value in values
    ]


def _vectors(values: Sequence[Any]) -> pa.Array | None:
    """Return Spark's {"type": 1, "values": [0.9, 0.1]} as lists of numbers."""
    if not all(isinstance(each, dict) and each.keys() == VECTOR for each in values):
        return None
    return _number_lists([each["values"] for each in values])


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
