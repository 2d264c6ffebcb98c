"""What every format promises: labels are written back, and the report's code reads them."""

from __future__ import annotations

import pytest

from curation.exports.cleaned_labels import cleaned_name
from curation.loading.formats.edits import FLAG
from curation.loading.formats.registry import BY_NAME
from devtools.damaged_files import LABELS, WHOLE, neighbours

FILES = [name for name in WHOLE if name.startswith(("labels", "all"))]
GIVEN = [str(label) for label in LABELS]


@pytest.fixture
def written(bench, request):
    """A dataset with this label file, in which row 0 becomes class 1 and row 2 is excluded."""
    for name, content in {request.param: WHOLE[request.param], **neighbours(request.param)}.items():
        bench.write(name, content)
    return bench.relabel({0: 1}).decide(2, "exclude")


def read_back(bench, **options):
    """Return what the report's code reads from the cleaned labels, by the name of the variable."""
    name = bench.root.parent / cleaned_name(bench.dataset)
    name.write_bytes(bench.cleaned(**options))
    found = {}
    code = BY_NAME[bench.dataset.source.format].reading_code(bench.dataset, str(name))
    exec("\n".join(["import numpy as np", "import pandas as pd", *code]), found)
    return found


@pytest.mark.parametrize("written", FILES, indirect=True)
def test_decided_labels_are_written_and_excluded_rows_dropped(written):
    assert list(read_back(written)["labels"]) == ["1", *GIVEN[1:2], *GIVEN[3:]]


@pytest.mark.parametrize("written", FILES, indirect=True)
def test_excluded_rows_are_marked_or_the_format_says_why_not(written):
    found = read_back(written, excluded="flag")
    assert list(found["labels"]) == ["1", *GIVEN[1:]]
    if not BY_NAME[written.dataset.source.format].no_flags:
        marks = found["cleaned"][FLAG].astype(str).str.lower()
        assert list(marks == "true") == [row == 2 for row in range(len(GIVEN))]
