"""Checks what a browser sent against the protocol: every field, its type, and nothing else.

A message that does not fit is not answered. An operation that does not fit is refused alone: the
browser sends each until it has an answer, and one that is never understood would hold up the rest.
"""

from __future__ import annotations

import json
import math
import types
from collections.abc import Mapping
from enum import StrEnum
from functools import cache
from typing import Any, Literal, NotRequired, Union, cast, get_args, get_origin, get_type_hints
from typing import is_typeddict as is_message

from curation.review.operation_types import BulkOperation, DecideOperation, UndoOperation
from curation.review.protocol import BrowserMessage

MAX_WHOLE_NUMBER = 2**53  # JavaScript has no larger ones
MAX_SHOWN = 60  # characters of a wrong value in a message
OPERATIONS: dict[str, type] = {
    "decide": DecideOperation,
    "resolve": DecideOperation,
    "many": BulkOperation,
    "undo": UndoOperation,
    "redo": UndoOperation,
}
NAMES: dict[Any, str] = {
    str: "a text", int: "a whole number", float: "a number", bool: "true or false",
    types.NoneType: "null",
}  # fmt: skip


class MessageError(ValueError):
    """What a browser sent does not fit the protocol; says where, and what was found."""


def read_message(body: bytes) -> BrowserMessage:
    """Return the message in the body of a request; its operations are not checked yet."""
    try:
        value = json.loads(body, parse_constant=_refuse_constant)
    except (ValueError, RecursionError) as error:  # also a body that is not UTF-8
        raise MessageError(f"it is not JSON: {error}") from None
    _check(value, BrowserMessage, "")
    return cast(BrowserMessage, value)


def check_operation(operation: Mapping[str, object]) -> None:
    """Raise a MessageError if an operation is not one of the protocol's."""
    kind = operation.get("do")
    shape = OPERATIONS.get(kind) if isinstance(kind, str) else None
    if shape is None:
        raise MessageError(f"do: {_show(kind)} is not one of {', '.join(OPERATIONS)}")
    _check(operation, shape, "")


def _refuse_constant(name: str) -> None:
    raise ValueError(f"{name} is not a number of JSON")


@cache
def _fields(shape: type) -> dict[str, tuple[Any, bool]]:
    """Return the fields of a message: the type of each, and whether it has to be there."""
    fields = {}
    for name, hint in get_type_hints(shape, include_extras=True).items():
        is_optional = get_origin(hint) is NotRequired
        fields[name] = (get_args(hint)[0] if is_optional else hint, not is_optional)
    return fields


def _check(value: object, hint: Any, where: str) -> None:
    if hint is BrowserMessage:
        _check_fields(value, {**_fields(hint), "operations": (list[dict[str, Any]], True)}, where)
        for place, each in enumerate(cast(BrowserMessage, value)["operations"]):
            _check(each.get("op_id"), str, f"operations[{place}].op_id")
    elif is_message(hint):
        _check_fields(value, _fields(hint), where)
    elif get_origin(hint) in (list, dict):
        _check_members(value, hint, where)
    elif not _fits(value, hint):
        raise MessageError(f"{where or 'it'}: {_show(value)} is not {_name(hint)}")


def _check_fields(value: object, fields: Mapping[str, tuple[Any, bool]], where: str) -> None:
    if not isinstance(value, dict):
        raise MessageError(f"{where or 'it'}: {_show(value)} is not an object")
    inside = f"{where}." if where else ""
    if unknown := sorted(value.keys() - fields.keys()):
        raise MessageError(f"{inside}{_show(unknown[0])}: there is no such field")
    for name, (hint, is_needed) in fields.items():
        if name in value:
            _check(value[name], hint, f"{inside}{name}")
        elif is_needed:
            raise MessageError(f"{inside}{name}: it is missing")


def _check_members(value: object, hint: Any, where: str) -> None:
    kind, inner = get_origin(hint), get_args(hint)[-1]
    if not isinstance(value, kind):
        raise MessageError(
            f"{where}: {_show(value)} is not {'a list' if kind is list else 'an object'}"
        )
    if inner is Any:
        return
    members = value.items() if isinstance(value, dict) else enumerate(cast(list[object], value))
    for name, each in members:
        _check(each, inner, f"{where}[{name!r:.{MAX_SHOWN}}]")


def _fits(value: object, hint: Any) -> bool:
    """Return whether a value without members has a type of the protocol."""
    if get_origin(hint) in (Union, types.UnionType):
        return any(_fits(value, each) for each in get_args(hint))
    if get_origin(hint) is Literal:
        return isinstance(value, str) and value in get_args(hint)
    if isinstance(hint, type) and issubclass(hint, StrEnum):
        return isinstance(value, str) and value in list(hint)
    if hint is int:
        return type(value) is int and abs(value) <= MAX_WHOLE_NUMBER
    if hint is float:
        return _fits(value, int) or (type(value) is float and math.isfinite(value))
    return type(value) is hint


def _name(hint: Any) -> str:
    if get_origin(hint) in (Union, types.UnionType):
        return " or ".join(map(_name, get_args(hint)))
    if get_origin(hint) is Literal:
        return f"one of {', '.join(get_args(hint))}"
    if isinstance(hint, type) and issubclass(hint, StrEnum):
        return f"one of {', '.join(hint)}"
    return NAMES[hint]


def _show(value: object) -> str:
    text = repr(value)
    return text if len(text) <= MAX_SHOWN else f"{text[:MAX_SHOWN]}…"
