"""A small dataset of pictures, decided in every way, exported for other programs."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from devtools.clients import FOLDER_VARIABLE, find_python
from tests.bench import Bench

Run = Callable[..., Any]


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker(pytest.mark.client)


def find_client(name: str) -> Path:
    """Return the Python that another program is installed for, or skip the test."""
    folder = os.environ.get(FOLDER_VARIABLE)
    if not folder or not find_python(Path(folder), name).exists():
        pytest.skip(f"{name} is not here: python devtools/clients.py FOLDER")
    return find_python(Path(folder), name)


def run_client(name: str, code: str, *arguments: object, **variables: str) -> Any:
    """Run code in the environment of another program; return what it prints last, as JSON."""
    command = [find_client(name), "-c", code, *map(str, arguments)]
    run = subprocess.run(
        command, capture_output=True, text=True, timeout=280, env={**os.environ, **variables}
    )
    assert run.returncode == 0, run.stderr
    return json.loads(run.stdout.splitlines()[-1])


@pytest.fixture
def pets(bench: Bench) -> Bench:
    """Ten pictures in files; the model takes rows 1 and 2 for eels."""
    labels = ["cat", "dog"] * 4 + ["eel"] * 2
    rows = "".join(f"e{k},images/p {k}.png,{label}\n" for k, label in enumerate(labels))
    bench.write("labels.csv", b"id,image,label\n" + rows.encode())
    (bench.root / "images").mkdir()
    rng = np.random.default_rng(0)
    for k in range(10):
        pixels = rng.integers(0, 255, (8, 8, 3), dtype=np.uint8)
        Image.fromarray(pixels).save(bench.root / f"images/p {k}.png")
    bench.classes(("cat", "dog", "eel")).probs([0, 2, 2, 1, 0, 1, 0, 1, 2, 2])
    bench.decide(1, "relabel", "eel", note="long & wet", seconds=4.5)
    bench.decide(2, "exclude", by="bo", note="blurred").decide(3, "needs_review")
    return bench.decide(4, "ambiguous", labels=["cat", "dog"]).decide(5, "keep", by="bo")
