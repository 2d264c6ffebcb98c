"""Columns and arrays that could both be the labels are never chosen between in silence."""

import numpy as np
import pytest

from curation.report import Severity
from tests.loading.conftest import find_diagnosis

NAMES = ["cat", "dog", "eel"]


def test_two_columns_of_labels_that_differ_are_ambiguous(whole):
    rows = [NAMES[k] for k in whole.labels]
    right = [*rows[:28], "cat", "cat"]  # the last two are dog and eel
    lines = (f"{a},{b}\n" for a, b in zip(rows, right, strict=True))
    whole.write("labels.csv", "given_label,label\n" + "".join(lines))
    error = whole.blocked()
    assert "several columns could be the labels: 'label', 'given_label'" in error.problem
    assert "differ in 2 of 30 rows" in error.problem
    diagnosis = error.report.diagnoses[0]
    assert (diagnosis.first_rows, diagnosis.override) == (
        ("row 28", "row 29"),
        {"label_column": "label"},
    )
    assert diagnosis.why
    assert whole.load(label_column="given_label").source.label_column == "given_label"


@pytest.mark.parametrize("other", ["{name}", "{number}"])
def test_two_columns_that_agree_are_read_as_one_and_reported(whole, other):
    cells = [other.format(name=NAMES[k], number=k) for k in whole.labels]
    lines = (f"{NAMES[k]},{cell}\n" for k, cell in zip(whole.labels, cells, strict=True))
    whole.write("labels.csv", "label,target\n" + "".join(lines))
    dataset = whole.load()
    assert dataset.source.label_column == "label"
    assert (
        "'label', 'target' agree; 'label' is read"
        in find_diagnosis(dataset, "table.label_columns").what
    )


def test_measurement_is_not_a_second_column_of_labels(whole):
    lines = (f"{NAMES[k]},{row / 4}\n" for row, k in enumerate(whole.labels))
    whole.write("labels.csv", "class,y\n" + "".join(lines))
    dataset = whole.load()
    assert dataset.source.label_column == "class"
    assert list(dataset.extras) == ["y"]


def test_archive_with_two_arrays_of_labels_that_differ_is_ambiguous(folder):
    arrays = {"labels": folder.labels, "noisy_labels": folder.other_labels()}
    np.savez(folder.root / "data.npz", pred_probs=folder.probs, **arrays)
    block = folder.found("npz.label_arrays")
    assert block.severity is Severity.BLOCK
    assert "'labels' and 'noisy_labels' differ in 2 of 30 rows" in block.what
    assert block.first_rows == ("row 5", "row 7")
    assert block.override == {"label_column": "noisy_labels"}
    assert folder.load(**block.override).labels.tolist() == folder.other_labels().tolist()
    assert folder.load(label_column="labels").labels.tolist() == folder.labels.tolist()


def test_archive_with_two_arrays_of_labels_that_agree_is_read(folder):
    arrays = {"labels": folder.labels, "y": np.eye(3)[folder.labels], "label": folder.labels + 0.0}
    np.savez(folder.root / "data.npz", pred_probs=folder.probs, **arrays)
    note = folder.found("npz.label_arrays")
    assert note.severity is Severity.AUTO
    assert "'labels', 'label', 'y' agree; 'labels' is read" in note.what


def test_array_of_measurements_next_to_the_labels_is_ignored(folder):
    np.savez(
        folder.root / "data.npz", labels=folder.labels, y=folder.probs[:, 0], probs=folder.probs
    )
    assert "npz.label_arrays" not in folder.codes()
