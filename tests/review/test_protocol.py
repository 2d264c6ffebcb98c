"""Python and JavaScript agree on every field that the review page and the browser exchange."""

from __future__ import annotations

import ast
import inspect
import re
import types
from pathlib import Path
from typing import (
    Any,
    Literal,
    NotRequired,
    Union,
    get_args,
    get_origin,
    get_type_hints,
    is_typeddict,
)

import pytest

from curation.review import example_types, operation_types, protocol
from curation.review.example_status import Status
from curation.store.actions import Action, IssueKind

ROOT = Path(__file__).parents[2]
SCRIPT = (ROOT / "curation/ui/review/component/protocol.js").read_text(encoding="utf-8")
TYPEDEF = re.compile(r"@typedef \{object\} (\w+)(.*?)\*/", re.DOTALL)
PROPERTY = re.compile(r"@property \{(.+)\} (\[?)(\w+)")
ALIAS = re.compile(r"@typedef \{(?!object\})([^@]+?)\} (\w+)")
UNION_NAMES = ("Operation", "OperationAnswer", "Content", "ServerAnswer")
PLAIN = {str: "string", int: "number", float: "number", bool: "boolean", type(None): "null"}

MODULES = (operation_types, example_types, protocol)
NAMES = {name: each for module in MODULES for name, each in vars(module).items()}
SHAPES = {name: each for name, each in NAMES.items() if is_typeddict(each)}
UNIONS = {name: get_args(NAMES[name]) for name in UNION_NAMES}
PARTS = {  # a TypedDict itself does not say what it is made of
    node.name: {base.id for base in node.bases if isinstance(base, ast.Name)} - {"TypedDict"}
    for module in MODULES
    for node in ast.parse(inspect.getsource(module)).body
    if isinstance(node, ast.ClassDef)
}
ALIASES = {name: " ".join(text.replace("*", " ").split()) for text, name in ALIAS.findall(SCRIPT)}
TYPEDEFS = {
    name: {field: (kind, bool(bracket)) for kind, bracket, field in PROPERTY.findall(body)}
    for name, body in TYPEDEF.findall(SCRIPT)
}


def in_javascript(hint: Any) -> str:
    """Return a Python type as JSDoc writes it.

    >>> in_javascript(dict[str, list[int | None]])
    'Record<string, (number | null)[]>'
    """
    origin, arguments = get_origin(hint), get_args(hint)
    if isinstance(hint, type) and hint in PLAIN:
        return PLAIN[hint]
    if hint == Status:
        return "Status"
    if origin is Literal:
        return " | ".join(f'"{each}"' for each in arguments)
    if origin in (Union, types.UnionType):
        return " | ".join(dict.fromkeys(map(in_javascript, name_unions(arguments))))
    if origin is list:
        inner = in_javascript(arguments[0])
        return f"({inner})[]" if " | " in inner else f"{inner}[]"
    if origin is tuple:
        return f"[{', '.join(map(in_javascript, arguments))}]"
    if origin is dict:
        return f"Record<{', '.join(map(in_javascript, arguments))}>"
    return str(hint.__name__)


def name_unions(members: tuple[Any, ...]) -> list[Any]:
    """Return the members of a union, with a name for those that have one together."""
    for name, named in UNIONS.items():
        if set(named) <= set(members):
            rest = [each for each in members if each not in named]
            return [types.SimpleNamespace(__name__=name), *rest]
    return list(members)


def in_any_order(text: str, sign: str = "|") -> set[str]:
    return {part.strip() for part in text.split(sign)}


def test_both_sides_have_the_same_messages():
    assert {name for name in SHAPES if not PARTS[name]} == set(TYPEDEFS)
    for name, parts in PARTS.items():
        assert not parts or in_any_order(ALIASES[name], "&") == parts, name


@pytest.mark.parametrize("name", [name for name in SHAPES if not PARTS[name]])
def test_both_sides_have_the_same_fields(name):
    expected = get_type_hints(SHAPES[name], include_extras=True)
    assert TYPEDEFS[name].keys() == expected.keys()
    for field, hint in expected.items():
        is_optional = get_origin(hint) is NotRequired
        kind = in_javascript(get_args(hint)[0] if is_optional else hint)
        written, has_brackets = TYPEDEFS[name][field]
        assert (field, in_any_order(written)) == (field, in_any_order(kind))
        assert (field, has_brackets) == (field, is_optional)


@pytest.mark.parametrize("name", UNION_NAMES)
def test_both_sides_choose_between_the_same_messages(name):
    assert in_any_order(ALIASES[name]) == {each.__name__ for each in UNIONS[name]}


@pytest.mark.parametrize(
    "name, values",
    [("Action", list(Action)), ("IssueKind", list(IssueKind)), ("Status", get_args(Status))],
)
def test_both_sides_know_the_same_words(name, values):
    assert in_any_order(ALIASES[name]) == {f'"{each}"' for each in values}
