"""Files and splits that could both be the labels are never chosen between in silence."""

import numpy as np
import pytest

from curation.report import Severity
from tests.loading.conftest import find_diagnosis

NAMES = ["cat", "dog", "eel"]
COUNT = list(range(30))


def table(rows: int) -> str:
    return "id,label\n" + "".join(f"e{row},{NAMES[row % 3]}\n" for row in range(rows))


def write(folder, name: str, header: str, rows) -> None:
    folder.write(name, header + "\n" + "".join(",".join(map(str, row)) + "\n" for row in rows))


def test_two_splits_that_both_fit_are_ambiguous(folder):
    folder.write("train.csv", table(30))
    folder.write("test.csv", table(30))
    folder.save("probs.npy", folder.probs)
    error = folder.blocked()
    assert "several files could be the labels: 'test.csv', 'train.csv'" in error.problem
    assert folder.load(labels="train.csv").settings["labels"] == "train.csv"


def test_every_file_that_could_be_the_labels_is_offered(folder):
    folder.write("train.csv", table(30))
    folder.write("test.csv", table(30))
    folder.save("probs.npy", folder.probs)
    (found,) = folder.blocked().report.diagnoses
    assert found.choices == (
        {"labels": "test.csv"}, {"labels": "train.csv"}, {"splits": "all"},
    )  # fmt: skip


@pytest.mark.parametrize("name", ["test_probs.npy", "pred_probs_test.npy", "probs-test.npy"])
def test_split_that_the_probabilities_name_is_used(folder, name):
    folder.write("train.csv", table(30))
    folder.write("test.csv", table(30))
    folder.save(name, folder.probs)
    dataset = folder.load()
    assert dataset.settings["labels"] == "test.csv"
    note = find_diagnosis(dataset, "folder.split_chosen")
    assert note.severity is Severity.AUTO and "instead of 'train.csv'" in note.what
    assert 'labels="train.csv"' in note.fix


def test_split_with_as_many_rows_as_the_probabilities_is_used(folder):
    folder.write("train.csv", table(90))
    folder.write("test.csv", table(30))
    folder.save("probs.npy", folder.probs)
    dataset = folder.load()
    assert dataset.settings["labels"] == "test.csv"
    assert (
        "as many rows as the probabilities, 30"
        in find_diagnosis(dataset, "folder.split_chosen").what
    )


def test_split_without_labels_is_not_a_candidate(folder):
    """As Kaggle gives it: the test split is to be predicted."""
    folder.write("train.csv", table(30))
    folder.write("test.csv", "id,text\na,b\n")
    folder.save("probs.npy", folder.probs)
    dataset = folder.load()
    assert dataset.settings["labels"] == "train.csv"
    assert not {"folder.split_chosen", "folder.labels_chosen"} & folder.codes()


def test_probabilities_of_the_requested_split_are_used(folder):
    for split, rows in (("train", 30), ("test", 9)):
        folder.write(f"{split}.csv", table(rows))
        folder.save(f"{split}_probs.npy", folder.probs[:rows])
    assert "several files could be the probabilities" in folder.blocked().problem
    assert folder.load(labels="test.csv").settings["probs"] == "test_probs.npy"


def test_clearer_name_is_used_and_the_other_is_reported(whole):
    whole.write("train.csv", whole.table())
    dataset = whole.load()
    assert dataset.settings["labels"] == "labels.csv"
    note = find_diagnosis(dataset, "folder.labels_chosen")
    assert note.severity is Severity.AUTO and "'train.csv' could hold labels too" in note.what


def test_features_next_to_the_labels_are_neither_labels_nor_probabilities(folder):
    """As scikit-learn users keep them."""
    folder.save("X_train.npy", np.zeros((30, 5)))
    folder.save("y_train.npy", folder.labels)
    folder.save("data.npy", np.zeros((30, 5)))
    assert "no probabilities found" in folder.blocked().problem
    folder.save("oof.npy", folder.probs)
    settings = folder.load().settings
    assert (settings["labels"], settings["probs"]) == ("y_train.npy", "oof.npy")


@pytest.mark.parametrize("ending", ["npy", "csv"])
def test_two_files_of_labels_that_differ_are_ambiguous(folder, ending):
    folder.save("probs.npy", folder.probs)
    for name, values in (("labels", folder.labels), ("noisy_labels", folder.other_labels())):
        if ending == "npy":
            folder.save(f"{name}.npy", values)
        else:
            write(folder, f"{name}.csv", "id,label", zip(COUNT, values, strict=True))
    block = folder.found("folder.ambiguous_labels")
    assert "they differ in 2 of 30 rows" in block.what
    assert block.first_rows == ("row 5", "row 7")
    assert block.override == {"labels": f"noisy_labels.{ending}"}
    assert folder.load(**block.override).labels.tolist() == folder.other_labels().tolist()


def test_two_files_of_labels_that_agree_are_reported(folder):
    folder.save("probs.npy", folder.probs)
    folder.save("labels.npy", folder.labels)
    write(folder, "data.csv", "label", ([NAMES[k]] for k in folder.labels))
    assert folder.codes() == {"folder.labels_chosen"}


def test_labels_of_two_splits_are_not_compared(folder):
    folder.save("probs.npy", folder.probs)
    write(folder, "labels.csv", "id,label", zip(COUNT, folder.labels, strict=True))
    write(folder, "test.csv", "id,label", zip(COUNT, folder.other_labels(), strict=True))
    assert "folder.ambiguous_labels" not in folder.codes()
