"""Every diagnosis in the source says why it matters and what to do, in short plain sentences."""

import ast
from pathlib import Path

import pytest

import curation
from curation.report import Diagnosis, Severity

LONGEST = 200  # characters of a sentence that is read on a screen
SOURCE = Path(curation.__file__).parent
CONSTRUCTORS = {"stop", "add_block", "add_warning", "add_auto_fix", "add", "Diagnosis"}


def list_calls():
    """Return (place, words by their name) for each call that makes a diagnosis."""
    for path in sorted((SOURCE / "loading").rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Call) and is_constructor(node.func):
                said = {each.arg: each.value for each in node.keywords}
                if "code" in said:
                    yield f"{path.stem}:{node.lineno}", said


def is_constructor(function):
    name = getattr(function, "id", getattr(function, "attr", ""))
    return name in CONSTRUCTORS


def text_of(node):
    """Return the words of a literal, with … for what is only known when it runs."""
    if isinstance(node, ast.Constant):
        return str(node.value)
    if isinstance(node, ast.JoinedStr):
        return "".join(text_of(each) for each in node.values)
    return "…"


CALLS = dict(list_calls())


def test_the_calls_are_found():
    assert len(CALLS) > 90
    codes = {text_of(said["code"]) for said in CALLS.values()}
    assert {"labels.unknown", "probs.joined", "probs.in_sample", "rows.index"} <= codes


@pytest.mark.parametrize("place", CALLS)
def test_every_diagnosis_says_why_it_matters_and_what_to_do(place):
    said = CALLS[place]
    for name in ("what", "why", "fix"):
        text = text_of(said[name]).strip()
        assert text, f"no {name}"
        assert text.endswith((".", "?", "…", "...")), text
        assert len(text) <= LONGEST, text


@pytest.mark.parametrize("missing", ["code", "what", "why", "fix"])
def test_diagnosis_without_a_reason_or_a_fix_cannot_be_made(missing):
    words = dict(code="rows.one", what="It is so.", where="a.csv", why="It matters.", fix="Fix it.")
    Diagnosis(severity=Severity.WARN, **words)
    with pytest.raises(ValueError, match=missing):
        Diagnosis(severity=Severity.WARN, **words | {missing: " "})
