"""What pyproject.toml says about versions, as devtools/versions.py reads it."""

from __future__ import annotations

import tomllib
from importlib.metadata import version
from pathlib import Path

from devtools.versions import list_floors

PROJECT = tomllib.loads((Path(__file__).parents[1] / "pyproject.toml").read_text())["project"]


def numbers(text: str) -> list[int]:
    return [int(each) for each in text.split(".")[:3] if each.isdigit()]


def test_every_library_has_a_floor_that_what_is_installed_reaches():
    floors = list_floors()
    assert len(floors) == len(PROJECT["dependencies"]) + 2  # openpyxl and psycopg
    assert [name for name in floors if numbers(version(name)) < numbers(floors[name])] == []


def test_streamlit_has_an_upper_bound():
    # It changes every two weeks, and our pages are tested against what it draws.
    assert any(each.startswith("streamlit>=") and ",<" in each for each in PROJECT["dependencies"])
