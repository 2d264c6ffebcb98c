"""The browser's JavaScript: formatted, linted, type-checked, and tested without a browser."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from curation.ui.review import component
from curation.ui.review.component.bundle import join_modules

ROOT = Path(__file__).parents[2]


def require(condition, reason):
    """Skip where a tool is missing; on the build machine that is a failure."""
    if not condition:
        pytest.fail(reason) if os.environ.get("CI") == "true" else pytest.skip(reason)


def run(*command):
    require(shutil.which(command[0]), f"{command[0]} is not installed")
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


SCRIPTS = json.loads((ROOT / "package.json").read_text(encoding="utf-8"))["scripts"]
LINTERS = re.findall(r"npm run (lint:\w+)", SCRIPTS["lint"])


def test_three_tools_check_the_code():
    assert [SCRIPTS[each].split()[0] for each in LINTERS] == ["prettier", "eslint", "tsc"]


@pytest.mark.parametrize("linter", LINTERS)  # apart, so that several workers share them
def test_prettier_eslint_and_tsc_find_nothing_to_report(linter):
    require((ROOT / "node_modules").is_dir(), "the tools are missing: run `npm install` first")
    run("npm", "run", linter)


def test_the_modules_without_a_screen_pass_their_tests_in_node():
    run("node", "--test", "tests/ui/")


def test_the_bundle_is_one_valid_module_with_everything_in_it(tmp_path):
    path = tmp_path / "bundle.mjs"
    path.write_text(join_modules(component.FOLDER / "main.js"), encoding="utf-8")
    run("node", "--check", str(path))
    modules = set(component.FOLDER.glob("*.js")) - {component.FOLDER / "protocol.js"}  # types only
    for module in modules:  # what nothing imports would never run
        text = module.read_text(encoding="utf-8")
        assert text.splitlines()[0] in path.read_text(encoding="utf-8"), module.name
