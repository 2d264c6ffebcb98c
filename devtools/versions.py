"""Test the oldest and the newest versions of the libraries that pyproject.toml allows.

    python devtools/versions.py lowest             the lowest version of each
    python devtools/versions.py newest             the newest that pip finds
    python devtools/versions.py lowest tests/core  only these tests; otherwise all but the browser's
    python devtools/versions.py audit              known vulnerabilities of what is installed here

Each end gets an environment of its own in a temporary folder, which is deleted afterwards.
"""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[1]
REQUIREMENT = re.compile(r"(?P<name>[\w-]+)(\[\w+\])?>=(?P<floor>[\d.]+)")
ALL_TESTS = ["tests", "-m", "not browser"]


def list_floors() -> dict[str, str]:
    """Return the lowest allowed version of each library that the package uses."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    optional = project["optional-dependencies"]
    named = [*project["dependencies"], *optional["excel"], *optional["postgres"]]
    found = [REQUIREMENT.match(each) for each in named]
    return {match["name"]: match["floor"] for match in found if match}


def run_tests(end: str, tests: list[str]) -> int:
    """Install one end of the allowed versions into a new environment and run tests there."""
    with tempfile.TemporaryDirectory() as folder:
        python = Path(folder, "venv", "bin", "python")
        subprocess.run([sys.executable, "-m", "venv", Path(folder, "venv")], check=True)
        install = [python, "-m", "pip", "install", "--quiet", "--editable", f"{ROOT}[test]"]
        if end == "lowest":
            pinned = "".join(f"{name}=={floor}\n" for name, floor in list_floors().items())
            constraints = Path(folder, "lowest.txt")
            constraints.write_text(pinned, encoding="utf-8")
            install += ["--constraint", constraints]
        subprocess.run(install, check=True)
        subprocess.run([python, "-m", "pip", "freeze", "--exclude-editable"], check=True)
        command = [python, "-m", "pytest", "-q", "-p", "no:cacheprovider", *(tests or ALL_TESTS)]
        return subprocess.run(command, cwd=ROOT).returncode


def audit() -> int:
    """Report known vulnerabilities of the libraries in this environment; needs `pip-audit`.

    A library that cannot be looked up is a failure: nothing is known about it.
    """
    freeze = [sys.executable, "-m", "pip", "freeze", "--exclude-editable"]
    with tempfile.TemporaryDirectory() as folder:
        installed = Path(folder, "installed.txt")
        installed.write_bytes(subprocess.run(freeze, check=True, capture_output=True).stdout)
        command = [sys.executable, "-m", "pip_audit", "--strict", "--disable-pip", "--no-deps"]
        return subprocess.run([*command, "--requirement", installed]).returncode


def main(arguments: list[str]) -> int:
    if arguments[:1] == ["audit"]:
        return audit()
    if arguments[:1] not in (["lowest"], ["newest"]):
        print(__doc__)
        return 2
    return run_tests(arguments[0], arguments[1:])


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
