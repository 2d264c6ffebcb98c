"""Arrays and archives are joined by the ids that they hold or that lie beside them."""

import numpy as np
import pytest

from curation.report import Severity
from tests.loading.join.two_files import (
    COUNT,
    FILES,
    NAMES,
    SWAPPED,
    TURNED,
    assert_joined,
    labels,
    probs,
)


@pytest.mark.parametrize(
    ("member", "column", "keys"),
    [("id", "id", COUNT), ("ids", "id", COUNT), ("image_id", "image_id", COUNT)]
    + [("filename", "filename", FILES), ("path", "image", FILES)],
)
def test_archive_of_probabilities_is_joined_by_its_ids_or_file_names(folder, member, column, keys):
    labels(folder, column, keys)
    arrays = {member: np.array([keys[k] for k in SWAPPED]), "pred_probs": folder.probs[SWAPPED]}
    np.savez(folder.root / "probs.npz", **arrays)
    assert_joined(folder)


def test_archive_of_labels_is_joined_by_its_file_names(folder):
    words = np.array(NAMES)[folder.labels]
    np.savez(folder.root / "labels.npz", labels=words, filename=np.array(FILES))
    probs(folder, "filename", [FILES[k] for k in SWAPPED])
    assert_joined(folder, labels="labels.npz")


def test_separate_array_of_ids_names_the_examples(folder):
    folder.save("labels.npy", folder.labels)
    folder.save("probs.npy", folder.probs)
    folder.save("ids.npy", np.array(TURNED))
    dataset = assert_joined(folder)
    assert dataset.ids[:2].tolist() == ["29", "28"]
    note = folder.found("ids.array")
    assert note.severity is Severity.AUTO
    assert note.what == ("it is read as the ids for the labels and the probabilities, row by row.")


def test_array_of_ids_joins_probabilities_to_a_table_with_ids(folder):
    labels(folder, "id", COUNT)
    folder.save("probs.npy", folder.probs[SWAPPED])
    folder.save("ids.npy", np.array(SWAPPED))
    assert_joined(folder)
    assert "the ids for the probabilities," in folder.found("ids.array").what


def test_array_of_ids_of_another_length_is_reported_as_unused(folder):
    folder.save("labels.npy", folder.labels)
    folder.save("probs.npy", folder.probs)
    folder.save("ids.npy", np.arange(29))
    warning = folder.found("ids.array")
    assert warning.severity is Severity.WARN
    folder.save("ids.npy", np.zeros(30, int))
    assert "ids.npy: 1 id occurs more than once: '0'" in folder.blocked().problem
    assert "its 29 ids are not used: there are 30 labels and 30 rows" in warning.what
