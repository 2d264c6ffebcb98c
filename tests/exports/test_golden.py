"""Every byte of an export is as it was: the files in `golden/` are compared one by one.

After a change that is meant to be seen, write them again and read the difference:

    CURATION_WRITE_GOLDEN=1 python -m pytest tests/exports/test_golden.py
"""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import numpy as np
import pytest

from tests.bench import Bench

GOLDEN = Path(__file__).parent / "golden"
# Their words may change with the program's version, or when a sentence is rewritten.
WORDS = ("manifest.json", "report.html", "certificate.html")


@pytest.fixture
def decided(bench: Bench) -> Bench:
    """Ten texts, two classes of one name, and decisions of every action, by two curators."""
    bench.write("classes.csv", b"id,name\nn1,seal\nn2,seal\nn3,=eel\n")
    given = (1, 2, 1, 2, 1, 2, 3, 3, 1, 2)
    rows = "".join(f"e{k},n{label},text {k} \u00e9\n" for k, label in enumerate(given))
    bench.write("labels.csv", f"id,label,text\n{rows}".encode())
    likeliest = (0, 2, 2, 1, 0, 0, 2, 2, 0, 1)
    probs = np.full((10, 3), 0.125)
    probs[np.arange(10), likeliest] = 0.75
    np.save(bench.root / "probs.npy", probs)
    bench.decide(1, "relabel", "n3", note="an eel, surely").decide(1, "relabel", "n3", by="bo")
    bench.decide(2, "keep").decide(2, "exclude", by="bo")
    bench.decide(3, "exclude").decide(4, "ambiguous", labels=["n1", "n2"], kind="multi_label")
    bench.decide(5, "needs_review").decide(6, "skip", note="=1+1").decide(7, "keep")
    return bench.decide_classes("merge", "n1", "n2", into="animal")


@pytest.mark.parametrize(
    "options",
    [
        {"method": "confusion"},
        {"method": "confusion", "apply_merges": True, "excluded": "flag", "undecided": "confusion",
         "spreadsheet_safe": True},
    ],
    ids=["plain", "everything"],
)  # fmt: skip
def test_every_file_is_the_same_to_the_byte(decided, request, options):
    found = {
        path.name: path.read_bytes()
        for path in decided.export(**options).folder.iterdir()
        if path.name not in WORDS
    }
    golden = GOLDEN / request.node.callspec.id
    if os.environ.get("CURATION_WRITE_GOLDEN"):
        shutil.rmtree(golden, ignore_errors=True)  # with the files that are no longer written
        golden.mkdir(parents=True)
        for name, data in found.items():
            (golden / name).write_bytes(data)
    kept = {path.name: path.read_bytes() for path in golden.iterdir()}
    names = sorted(found.keys() | kept.keys())
    differ = [name for name in names if found.get(name) != kept.get(name)]
    assert not differ, f"not as in {golden}; if that is meant, see the first lines of this file"
