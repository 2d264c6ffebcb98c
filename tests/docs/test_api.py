"""docs/api.md says everything about the public names, and is up to date."""

from __future__ import annotations

import inspect
import subprocess
import sys
from dataclasses import fields
from functools import cached_property
from pathlib import Path

import pytest

import curation

ROOT = Path(__file__).parents[2]
API = (ROOT / "docs" / "api.md").read_text(encoding="utf-8")


def list_members(value):
    """Return the public methods and properties that a class itself defines."""
    kinds = (property, cached_property)
    return [
        name
        for name, member in vars(value).items()
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


@pytest.mark.parametrize("value", [curation.Findings, curation.Dataset])
def test_every_attribute_says_what_it_means(value):
    _, _, section = API.partition(f"\n## {value.__name__}\n")
    lines = section.partition("\n## ")[0].splitlines()
    rows = [line.split(" | ") for line in lines if line.startswith("| `")]
    said = {cells[0].strip("| `"): cells[-1].strip("| ") for cells in rows}
    assert all(said[each.name] for each in fields(value))


def test_the_package_tells_type_checkers_that_it_is_typed():
    assert Path(curation.__file__).with_name("py.typed").is_file()
