"""The text of docs/faults.md: every numbered case, what comes of it, and the tests that prove it.

All of it is read from the markers of the tests, without running them. That a test really meets the
message of its marker is checked when it runs (tests/fault_messages.py).
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from devtools.fault_cases import CASES, OUTCOMES, SECTIONS

ROOT = Path(__file__).parents[1]
INTRODUCTION = """# Faults, and what comes of each

Every case below has a number, and the tests that prove it name that number. The messages are the
ones that a person reads: a test fails if its message is no longer shown. In a message, … stands for
what differs from run to run.

{outcomes}

`python -m pytest -m fault` runs these tests. Some try random moments or random orders many times:
few in a normal run, and as often as is promised with
`CURATION_FULL=1 python -m pytest -m fault -n 0 -o timeout=5400`: 500 kills of the server and 200 of
an export, 1,000 cuts of the write-ahead log, 10,000 orders in which two curators decide, and 50
kills while a store of 100,000 decisions is upgraded. How the store and the server behave under load
is in [reliability.md](reliability.md).

All {total} cases are proven.

This file is made by `python docs/build.py` from the markers of the tests; do not edit it.
"""


class Proof(NamedTuple):
    """One marker: a case, what comes of it, the message, and the test that proves it."""

    number: int
    outcome: str
    says: str
    test: str
    path: str


def read_proofs() -> list[Proof]:
    """Return every marker of the tests, in the order of the files."""
    return [
        proof
        for path in sorted((ROOT / "tests").rglob("test_*.py"))
        for proof in _read_file(path.relative_to(ROOT).as_posix())
    ]


def _read_file(path: str) -> Iterator[Proof]:
    tree = ast.parse((ROOT / path).read_text(encoding="utf-8"))
    for test in tree.body:
        if isinstance(test, ast.FunctionDef):
            for decorator in test.decorator_list:
                for node in ast.walk(decorator):  # a marker may also be on one parameter
                    if isinstance(node, ast.Call) and _is_marker(node.func):
                        yield _read_marker(node, test.name, path)


def _is_marker(node: ast.expr) -> bool:
    return ast.unparse(node) == "pytest.mark.fault"


def _read_marker(call: ast.Call, test: str, path: str) -> Proof:
    number, outcome = (ast.literal_eval(each) for each in call.args)
    says = {each.arg: ast.literal_eval(each.value) for each in call.keywords}.get("says", "")
    return Proof(number, outcome, says, test, path)


def build_page() -> str:
    """Return docs/faults.md."""
    proofs = read_proofs()
    outcomes = "\n".join(f"- **{name}**: {meaning}." for name, meaning in OUTCOMES.items())
    parts = [INTRODUCTION.format(outcomes=outcomes, total=len(CASES))]
    for number in CASES:
        if number in SECTIONS:
            parts.append(f"\n## {SECTIONS[number]}\n\n| | case | outcome | proven by |")
            parts.append("|---|---|---|---|")
        parts.append(_write_row(number, [each for each in proofs if each.number == number]))
    return "\n".join(parts) + "\n"


def _write_row(number: int, proofs: list[Proof]) -> str:
    said = dict.fromkeys((each.outcome, each.says) for each in proofs if each.says)
    outcomes = [f"**{outcome}** {_quote(says)}" for outcome, says in said]
    silent = dict.fromkeys(each.outcome for each in proofs)
    outcomes += [f"**{each}**" for each in silent if each not in {outcome for outcome, _ in said}]
    tests = dict.fromkeys(_link(each) for each in proofs)
    return f"| {number} | {CASES[number]} | {'<br>'.join(outcomes)} | {'<br>'.join(tests)} |"


def _quote(says: str) -> str:
    """Return a message as code, which Markdown leaves as it is.

    >>> _quote("a | b")
    '`a \\\\| b`'
    """
    mark = "``" if "`" in says else "`"
    return f"{mark}{says}{mark}".replace("|", "\\|").replace("\n", " ")


def _link(proof: Proof) -> str:
    words = proof.test.removeprefix("test_").replace("_", " ")
    return f"[{words}](../{proof.path})"
