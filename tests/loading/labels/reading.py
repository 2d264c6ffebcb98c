"""Cells read as labels, for the tests of every step."""

import pyarrow as pa
import pytest

from curation.loading.labels.class_list import make_classes
from curation.loading.labels.label_cells import Cells
from curation.loading.labels.label_classes import read_labels
from curation.loading.report_builder import ReportBuilder, Stop


def read(values, names=None, *, num_columns=None, ids=(), report=None, **options):
    """Return the labels in these cells, with the classes of these names."""
    cells = Cells(pa.chunked_array([pa.array(values, pa.string())]), "text", "labels.csv")
    classes = None if names is None else make_classes(names, "classes.txt", ids)
    report = report or ReportBuilder()
    return read_labels(cells, report, classes=classes, num_columns=num_columns, **options)


def refused(values, names=None, **options):
    """Return why these cells are refused."""
    with pytest.raises(Stop) as caught:
        read(values, names, **options)
    return caught.value.diagnosis


def warned(values, names=None, **options):
    """Return the labels in these cells, and what was reported, by code."""
    report = ReportBuilder()
    labels = read(values, names, report=report, **options)
    return labels, {each.code: each for each in report.diagnoses}
