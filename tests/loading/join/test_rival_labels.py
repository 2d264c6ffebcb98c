"""Two arrays or files of labels: used if they agree, and asked about if they differ."""

import numpy as np
import pytest

from curation.report import Severity
from tests.loading.join.two_files import (
    COUNT,
    NAMES,
    found,
    write,
)


def other_labels(folder) -> np.ndarray:
    changed = folder.labels.copy()
    changed[[5, 7]] = 0  # 5 was 2 and 7 was 1
    return changed


def test_archive_with_two_arrays_of_labels_that_differ_is_ambiguous(folder):
    arrays = {"labels": folder.labels, "noisy_labels": other_labels(folder)}
    np.savez(folder.root / "data.npz", pred_probs=folder.probs, **arrays)
    block = found(folder, "npz.label_arrays")
    assert block.severity is Severity.BLOCK
    assert "'labels' and 'noisy_labels' differ in 2 of 30 rows" in block.what
    assert block.first_rows == ("row 5", "row 7")
    assert block.override == {"label_column": "noisy_labels"}
    assert folder.load(**block.override).labels.tolist() == other_labels(folder).tolist()
    assert folder.load(label_column="labels").labels.tolist() == folder.labels.tolist()


def test_archive_with_two_arrays_of_labels_that_agree_is_read(folder):
    arrays = {"labels": folder.labels, "y": np.eye(3)[folder.labels], "label": folder.labels + 0.0}
    np.savez(folder.root / "data.npz", pred_probs=folder.probs, **arrays)
    note = found(folder, "npz.label_arrays")
    assert note.severity is Severity.AUTO
    assert "'labels', 'label', 'y' agree; 'labels' is read" in note.what


def test_array_of_measurements_next_to_the_labels_is_ignored(folder):
    np.savez(
        folder.root / "data.npz", labels=folder.labels, y=folder.probs[:, 0], probs=folder.probs
    )
    assert "npz.label_arrays" not in folder.codes()


@pytest.mark.parametrize("ending", ["npy", "csv"])
def test_two_files_of_labels_that_differ_are_ambiguous(folder, ending):
    folder.save("probs.npy", folder.probs)
    for name, values in (("labels", folder.labels), ("noisy_labels", other_labels(folder))):
        if ending == "npy":
            folder.save(f"{name}.npy", values)
        else:
            write(folder, f"{name}.csv", "id,label", zip(COUNT, values, strict=True))
    block = found(folder, "folder.ambiguous_labels")
    assert "they differ in 2 of 30 rows" in block.what
    assert block.first_rows == ("row 5", "row 7")
    assert block.override == {"labels": f"noisy_labels.{ending}"}
    assert folder.load(**block.override).labels.tolist() == other_labels(folder).tolist()


def test_two_files_of_labels_that_agree_are_reported(folder):
    folder.save("probs.npy", folder.probs)
    folder.save("labels.npy", folder.labels)
    write(folder, "data.csv", "label", ([NAMES[k]] for k in folder.labels))
    assert folder.codes() == {"folder.labels_chosen"}


def test_labels_of_two_splits_are_not_compared(folder):
    folder.save("probs.npy", folder.probs)
    write(folder, "labels.csv", "id,label", zip(COUNT, folder.labels, strict=True))
    write(folder, "test.csv", "id,label", zip(COUNT, other_labels(folder), strict=True))
    assert "folder.ambiguous_labels" not in folder.codes()
