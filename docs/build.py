"""Write the documents that are made from the code, or say which of them are out of date.

    python docs/build.py            write them
    python docs/build.py --check    exit with 1 if one differs from what would be written

One function per document; `DOCUMENTS` lists them.
"""

from __future__ import annotations

import argparse
import inspect
import io
import re
import sys
import tokenize
from collections.abc import Callable, Iterator
from functools import cached_property
from pathlib import Path
from typing import Any, get_args

DOCS = Path(__file__).parent
sys.path.insert(0, str(DOCS.parent))  # so that it runs as a script from any folder

import curation  # noqa: E402
from curation.exports import argilla, label_studio, picture_folder  # noqa: E402
from curation.exports.file_registry import describe_files  # noqa: E402
from devtools import doctor_page, faults_page  # noqa: E402

MADE_FROM_CODE = "<!-- Made by docs/build.py from the code; edit that instead. -->"


def build_api() -> str:
    """Return docs/api.md: every public name, its signature and its docstring."""
    names = "\n".join(f"- [`{name}`](#{name.lower()})" for name in curation.__all__)
    sections = [_describe(name, getattr(curation, name)) for name in curation.__all__]
    head = f"{MADE_FROM_CODE}\n\n# Python API\n\nImport all of these from `curation`.\n\n{names}"
    return "\n\n".join([head, *sections]) + "\n"


def build_export() -> str:
    """Return docs/export.md: every file of an export and what it holds."""
    head = (
        f"{MADE_FROM_CODE}\n\n# The files of an export\n\nThe Export page, `curate export` and "
        "`curation.export` write these files into one folder, all of them or none."
    )
    steps = {
        "Import into Argilla 2": argilla.IMPORT_STEPS,
        "Import into Label Studio": label_studio.IMPORT_STEPS,
        "Open the pictures in FiftyOne or with Hugging Face": picture_folder.IMPORT_STEPS,
    }
    parts = [f"## {title}\n\n{words}" for title, words in steps.items()]
    return "\n\n".join([head, describe_files(), *parts]) + "\n"


DOCUMENTS: dict[str, Callable[[], str]] = {
    "api.md": build_api,
    "doctor.md": doctor_page.build_page,
    "export.md": build_export,
    "faults.md": faults_page.build_page,
}


def _describe(name: str, value: Any) -> str:
    if inspect.isclass(value):
        return "\n\n".join(_describe_class(name, value))
    return f"## {name}\n\n{_describe_function(name, value)}"


def _describe_function(name: str, value: Any) -> str:
    keywords = list(_list_keywords(value))
    table = f"\n\n{_write_table('keyword', keywords)}" if keywords else ""
    return f"{_write_code(f'{name}{_sign(value)}')}\n\n{_write_doc(value)}{table}"


def _list_keywords(function: Any) -> Iterator[str]:
    """Yield a row for each keyword of a function that takes those of a TypedDict."""
    for each in inspect.signature(function).parameters.values():
        if each.kind is each.VAR_KEYWORD and str(each.annotation).startswith("Unpack["):
            [keywords] = get_args(eval(each.annotation, function.__globals__))
            yield from _list_attributes(keywords)


def _write_table(head: str, rows: list[str]) -> str:
    return "\n".join([f"| {head} | type | meaning |", "|---|---|---|", *rows])


def _describe_class(name: str, value: type) -> Iterator[str]:
    yield f"## {name}"
    yield _write_doc(value)
    if rows := list(_list_attributes(value)):
        yield _write_table("attribute", rows)
    for member_name, member in _list_members(value):
        if isinstance(member, property | cached_property):
            yield f"### {name}.{member_name}\n\n{_write_doc(member)}"
        elif inspect.isfunction(member):
            yield f"### {name}.{member_name}\n\n{_describe_function(member_name, member)}"


def _list_members(value: type) -> Iterator[tuple[str, Any]]:
    """Yield what a class defines, then what it inherits from a class that has no section itself."""
    public = {id(getattr(curation, name)) for name in curation.__all__}
    for each in value.__mro__:
        if each is value or (each.__module__.startswith("curation.") and id(each) not in public):
            yield from ((name, member) for name, member in vars(each).items() if name[0] != "_")


def _list_attributes(value: type) -> Iterator[str]:
    """Yield a row for each public attribute that the class declares or inherits from ours."""
    for each in reversed([base for base in value.__mro__ if base.__module__ != "builtins"]):
        declared = vars(each).get("__annotations__", {})
        comments = read_comments(each) if declared else {}
        for name, kind in declared.items():
            if not name.startswith("_"):
                written = str(getattr(kind, "__forward_arg__", kind)).replace("|", "\\|")
                yield f"| `{name}` | `{written}` | {comments.get(name, '')} |"


def read_comments(value: type) -> dict[str, str]:
    """Return the comment behind each attribute in the source of a class."""
    found: dict[str, str] = {}
    name = ""
    tokens = tokenize.generate_tokens(io.StringIO(inspect.getsource(value)).readline)
    previous = ""
    for token in tokens:
        if token.type == tokenize.OP and token.string == ":" and not name:
            name = previous
        elif token.type == tokenize.COMMENT and name:
            found.setdefault(name, token.string.lstrip("# ").replace("|", "\\|"))
        elif token.type == tokenize.NEWLINE:
            name = ""
        previous = token.string
    return found


def _sign(function: Any) -> str:
    text = re.sub(r"(: |-> )(['\"])(.*?)\2(?=[,)= ]|$)", r"\1\3", str(inspect.signature(function)))
    text = re.sub(r"<function (\w+) at 0x[0-9a-f]+>", r"\1", text)
    text = re.sub(r"<\w+\.\w+: (.*?)>", r"\1", text)  # an enum's value
    return text.replace("(self, ", "(").replace("(self)", "()")


def _write_code(text: str) -> str:
    if len(text) > 90:
        start, _, end = text.rpartition(")")
        name, _, arguments = start.partition("(")
        parts = re.split(r", (?=[\w*]+(?:[:,]|$))", arguments)
        text = f"{name}(\n" + "".join(f"    {part},\n" for part in parts) + f"){end}"
    return f"```python\n{text}\n```"


def _write_doc(value: Any) -> str:
    """Return a docstring as Markdown; examples become blocks of code."""
    lines: list[str] = []
    in_code = False
    for line in (inspect.getdoc(value) or "").splitlines():
        code = bool(line.startswith((">>>", "   ")) or (in_code and line.strip()))
        if code != in_code:
            lines.append("```python" if code else "```")
        in_code = code
        lines.append(line.removeprefix("    ") if code else line)
    return "\n".join([*lines, "```"] if in_code else lines)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true", help="write nothing")
    check = parser.parse_args().check
    stale = []
    for name, build in DOCUMENTS.items():
        path, text = DOCS / name, build()
        if path.exists() and path.read_text(encoding="utf-8") == text:
            continue
        stale.append(name)
        if not check:
            path.write_text(text, encoding="utf-8")
    print(f"{'out of date' if check else 'written'}: {', '.join(stale) or 'none'}")
    return int(check and bool(stale))


if __name__ == "__main__":
    sys.exit(main())
