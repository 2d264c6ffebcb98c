"""The code reads as agreed: formatted, linted, typed."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]


@pytest.mark.parametrize("command", ["ruff format --check .", "ruff check .", "mypy"])
def test_tools_find_nothing_to_say(command):
    run = subprocess.run(
        [sys.executable, "-m", *command.split()], cwd=ROOT, capture_output=True, text=True
    )
    assert run.returncode == 0, run.stdout + run.stderr


@pytest.mark.parametrize(("folder", "other"), [("tests", "benchmarks"), ("benchmarks", "tests")])
def test_tests_and_benchmarks_do_not_import_each_other(folder, other):
    importing = re.compile(rf"^\s*(from|import) {other}\b", re.MULTILINE)
    paths = sorted((ROOT / folder).rglob("*.py"))
    assert paths and not [path for path in paths if importing.search(path.read_text("utf-8"))]
