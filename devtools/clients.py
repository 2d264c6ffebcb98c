"""Feed exports to the programs that they are written for, and read what arrived there.

    python devtools/clients.py FOLDER        install them into FOLDER, then run the tests
    python devtools/clients.py FOLDER -k studio -x   the same with options for pytest

Each program gets an environment of its own in FOLDER, about 2 GB in all, which is used again the
next time. The tests are those marked `client`; without this command they are skipped.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
FOLDER_VARIABLE = "CURATION_CLIENTS"
TESTS = "tests"  # the environment that runs the tests, with libraries that fit into it
ENVIRONMENTS = {
    TESTS: ["--editable", f"{ROOT}[test]", "argilla", "datasets"],
    "label-studio": ["label-studio"],
    "fiftyone": ["fiftyone"],
    "cleanlab-studio": ["cleanlab-studio"],
}


def find_python(folder: Path, name: str) -> Path:
    """Return the Python of an environment."""
    return folder / name / "bin" / "python"


def install(folder: Path) -> None:
    """Make the environments that are missing."""
    for name, packages in ENVIRONMENTS.items():
        python = find_python(folder, name)
        if not python.exists():
            subprocess.run([sys.executable, "-m", "venv", folder / name], check=True)
            subprocess.run([python, "-m", "pip", "install", "--quiet", *packages], check=True)


def main(arguments: list[str]) -> int:
    if not arguments or arguments[0].startswith("-"):
        print(__doc__)
        return 2
    folder = Path(arguments[0]).resolve()
    install(folder)
    command = [find_python(folder, TESTS), "-m", "pytest", "-m", "client", "-n", "0", "-v"]
    environment = {**os.environ, FOLDER_VARIABLE: str(folder)}
    return subprocess.run([*command, *arguments[1:]], cwd=ROOT, env=environment).returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
