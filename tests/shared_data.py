"""Real data that tests use where it is at hand; it is no part of the project."""

import os
from pathlib import Path

import pytest

FOLDER = Path(os.environ.get("CURATION_SHARED_DATA", Path(__file__).parents[2] / "shared" / "data"))


def find(name: str) -> Path:
    """Return a file or folder of the real data, or skip the test, saying why."""
    path = FOLDER / name
    if not path.exists():
        pytest.skip(f"{name} is not here; set CURATION_SHARED_DATA to the folder that holds it")
    return path
