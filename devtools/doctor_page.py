"""The text of docs/doctor.md: every diagnosis that the doctor can make, from the list of codes.

Why a diagnosis matters and what to do about it is taken from the checks themselves.
"""

from __future__ import annotations

import ast
from collections.abc import Container, Iterable, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from curation.diagnosis_codes import CODES, FAMILIES, DiagnosisCode

ROOT = Path(__file__).parents[1]
SEVERITIES = {  # of what each constructor makes; the others say it
    "stop": {"BLOCK"},
    "add_block": {"BLOCK"},
    "add_warning": {"WARN"},
    "add_auto_fix": {"AUTO"},
    "add": {"BLOCK", "WARN"},  # one of the two, chosen as it runs
}
INTRODUCTION = """# What the doctor can find

`curate check FOLDER` and the Overview page list what the doctor found in a dataset. Each diagnosis
has a code, which stays the same from version to version. This page lists all of them.

- **BLOCK**: nothing runs until a person fixes it.
- **WARN**: everything runs; the warning stays on the pages and in the exports.
- **AUTO**: a harmless fix was made, and is reported.

An *option* can be passed to `curation.load`, or written in `curation.toml`.
In sentences, … stands for what depends on the dataset.

This file is made by `python docs/build.py`; do not edit it.
"""


class Call(NamedTuple):
    """One place in the source that makes a diagnosis; `codes` may hold * for what varies."""

    place: str
    codes: frozenset[str]
    severities: frozenset[str]
    why: str
    fix: str


def read_calls() -> Iterator[Call]:
    """Yield every call in the source that makes a diagnosis."""
    for path in sorted((ROOT / "curation").rglob("*.py")):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        constants = _read_constants(tree)
        for node in ast.walk(tree):
            said = _read_keywords(node)
            if not {"code", "what", "why", "fix"} <= set(said):
                continue
            codes = _read_choices(said["code"])
            if codes == {"*"}:
                codes = _find_codes(tree, node, ast.unparse(said["code"]))
            if codes:
                yield Call(
                    f"{path.stem}:{getattr(node, 'lineno', 0)}",
                    frozenset(codes),
                    frozenset(_read_severities(node, said)),
                    _read_words(said["why"], constants),
                    _read_words(said["fix"], constants),
                )


def _read_keywords(node: ast.AST) -> dict[str | None, ast.expr]:
    return {each.arg: each.value for each in node.keywords} if isinstance(node, ast.Call) else {}


def _read_constants(tree: ast.Module) -> dict[str, ast.expr]:
    """Return the values of the module's own names, for words that are kept in a constant."""
    assigned = [node for node in tree.body if isinstance(node, ast.Assign)]
    return {ast.unparse(node.targets[0]): node.value for node in assigned}


def _find_codes(tree: ast.Module, call: ast.AST, variable: str) -> set[str]:
    """Return the codes that a variable may hold in a call.

    A parameter holds what the calls of its function pass. Any other variable holds a code that its
    function writes down, or else one of the functions that it calls.
    """
    functions = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]
    around = next((each for each in functions if call in ast.walk(each)), None)
    if around is None:
        return set()
    if variable in {each.arg for each in around.args.args}:
        return _list_codes(_find_calls(tree, {around.name}))
    called = {ast.unparse(each.func) for each in _find_calls(around)}
    return _list_codes([around]) or _list_codes(f for f in functions if f.name in called)


def _find_calls(tree: ast.AST, names: Container[str] | None = None) -> list[ast.Call]:
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call)]
    return [each for each in calls if names is None or ast.unparse(each.func) in names]


def _list_codes(places: Iterable[ast.AST]) -> set[str]:
    return {text for place in places for text in _read_texts(place) if text in CODES}


def _read_texts(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value


def _read_choices(node: ast.expr) -> set[str]:
    if isinstance(node, ast.IfExp):
        return _read_choices(node.body) | _read_choices(node.orelse)
    if isinstance(node, ast.JoinedStr):
        return {"".join(each for value in node.values for each in _read_choices(value))}
    return {str(node.value)} if isinstance(node, ast.Constant) else {"*"}


def _read_severities(call: ast.AST, said: Mapping[str | None, ast.expr]) -> set[str]:
    if "severity" in said:
        names = (
            node.attr for node in ast.walk(said["severity"]) if isinstance(node, ast.Attribute)
        )
        return set(names)
    function = getattr(call, "func", None)
    return SEVERITIES[getattr(function, "id", getattr(function, "attr", ""))]


def _read_words(node: ast.expr, constants: Mapping[str, ast.expr]) -> str:
    """Return a sentence with … for what varies; nothing if all of it does."""
    node = constants.get(ast.unparse(node), node)
    if isinstance(node, ast.Constant):
        return str(node.value)
    if isinstance(node, ast.JoinedStr):
        return "".join(_read_words(value, {}) or "…" for value in node.values)
    return ""


def describe_code(code: str, entry: DiagnosisCode, calls: list[Call]) -> str:
    """Return the paragraph about one code."""
    whys = [entry.why] if entry.why else _list_once(call.why for call in calls)
    fixes = [entry.fix] if entry.fix else _list_once(call.fix for call in calls)
    lines = [
        f"### `{code}` ({', '.join(entry.severities)})\n",
        f"{entry.meaning}\n",
        f"- Why it matters: {' '.join(whys)}",
        f"- What to do: {' '.join(fixes)}",
    ]
    if entry.option:
        lines.append(f"- Option: `{entry.option}`")
    return "\n".join(lines).replace("<", "\\<") + "\n"  # not an HTML tag


def _list_once(words: Iterator[str]) -> list[str]:
    return [each for each in dict.fromkeys(words) if each]


def find_calls(code: str, calls: list[Call]) -> list[Call]:
    """Return the places that can make a diagnosis of this code, those that name it first."""
    named = [call for call in calls if code in call.codes]
    return named or [call for call in calls if any(_matches(code, each) for each in call.codes)]


def _matches(code: str, pattern: str) -> bool:
    start, star, end = pattern.partition("*")
    return bool(star) and code.startswith(start) and code.endswith(end)


def build_page() -> str:
    """Return docs/doctor.md."""
    calls = list(read_calls())
    parts = [INTRODUCTION]
    for family, title in FAMILIES.items():
        parts.append(f"## {title}\n")
        its_codes = [code for code in CODES if code.partition(".")[0] == family]
        parts += [describe_code(code, CODES[code], find_calls(code, calls)) for code in its_codes]
    return "\n".join(parts)
