"""docs/api.md says everything about the public names, and is up to date."""

from __future__ import annotations

import ast
import inspect
import re
import subprocess
import sys
import textwrap
from dataclasses import fields, is_dataclass
from functools import cached_property
from pathlib import Path

import pytest

import curation
from curation.store.draft_checks import DecisionDetails

ROOT = Path(__file__).parents[2]
API = (ROOT / "docs" / "api.md").read_text(encoding="utf-8")
CLASSES = [name for name in curation.__all__ if inspect.isclass(getattr(curation, name))]


def list_members(value):
    """Return the public methods and properties of a class, unless another public class has them."""
    kinds = (property, cached_property)
    elsewhere = [getattr(curation, name) for name in CLASSES if getattr(curation, name) != value]
    return [
        name
        for each in value.__mro__
        if each.__module__.startswith("curation.") and each not in elsewhere
        for name, member in vars(each).items()
        if not name.startswith("_") and (inspect.isfunction(member) or isinstance(member, kinds))
    ]


def test_documents_made_from_the_code_are_up_to_date():
    run = subprocess.run(
        [sys.executable, "docs/build.py", "--check"], cwd=ROOT, capture_output=True, text=True
    )
    assert run.returncode == 0, run.stdout + run.stderr + "\nRun: python docs/build.py"


@pytest.mark.parametrize("name", curation.__all__)
def test_every_public_name_has_a_section_and_a_docstring(name):
    value = getattr(curation, name)
    assert f"\n## {name}\n" in API
    assert inspect.getdoc(value), name
    if inspect.isclass(value):
        for member in list_members(value):
            assert f"\n### {name}.{member}\n" in API
            assert inspect.getdoc(inspect.getattr_static(value, member)), member


def list_attributes(value):
    """Return the public attributes of a class: its fields, and what `__init__` sets on `self`."""
    names = {each.name for each in fields(value)} if is_dataclass(value) else set()
    ours = [each for each in value.__mro__ if each.__module__.startswith("curation.")]
    trees = [ast.parse(textwrap.dedent(inspect.getsource(each))) for each in ours]
    for node in (node for tree in trees for node in ast.walk(tree)):
        targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
        names |= {
            each.attr
            for each in targets
            if isinstance(each, ast.Attribute) and getattr(each.value, "id", "") == "self"
        }
    return {name for name in names if not name.startswith("_")}


def read_meanings(heading):
    """Return what docs/api.md says about each attribute or keyword below a heading."""
    _, _, section = API.partition(f"\n{heading}\n")
    lines = re.split(r"\n#+ ", section)[0].splitlines()
    rows = [line.split(" | ") for line in lines if line.startswith("| `")]
    return {cells[0].strip("| `"): cells[-1].strip("| ") for cells in rows}


@pytest.mark.parametrize("name", CLASSES)
def test_every_attribute_says_what_it_means(name):
    meanings = read_meanings(f"## {name}")
    assert set(meanings) == list_attributes(getattr(curation, name))
    for attribute, meaning in meanings.items():
        assert re.search(r"[a-z]{2,} [a-z]{2,}", meaning), f"{name}.{attribute}: {meaning!r}"


def test_every_keyword_of_a_decision_says_what_it_means():
    meanings = read_meanings("### Store.decide")
    assert set(meanings) == set(DecisionDetails.__annotations__)
    assert all(meanings.values())


def test_the_package_tells_type_checkers_that_it_is_typed():
    assert Path(curation.__file__).with_name("py.typed").is_file()
