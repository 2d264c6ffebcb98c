"""Cells as labels: whole numbers in any notation, and cells without a label."""

import pytest

from tests.loading.labels.reading import read, refused, warned


@pytest.mark.fault(
    15,
    "WARN",
    says="labels.csv: 5 of 7 rows have no label (an empty cell in 3, '-1' in 1, 'unlabeled' "
    "in 1); they are left out of scoring. Label them, or leave them: exports keep "
    "these rows as they are.",
)
def test_rows_without_a_label_are_left_out_and_counted():
    labels, found = warned(["cat", "", "-1", "unlabeled", None, " ", "dog"], ["cat", "dog"])
    assert labels.codes.tolist() == [0, -1, -1, -1, -1, -1, 1]
    warning = found["labels.unlabelled"]
    assert warning.what == (
        "5 of 7 rows have no label (an empty cell in 3, '-1' in 1, 'unlabeled' in 1); they are "
        "left out of scoring."
    )
    assert warning.first_rows == ("row 1", "row 2", "row 3", "row 4", "row 5")


def test_nan_among_numbers_is_missing_but_among_words_it_is_a_word():
    assert read(["0.0", "nan", "1.0"], num_columns=2).codes.tolist() == [0, -1, 1]
    assert read(["nan", "cat"], num_columns=2).classes.names == ("cat", "nan")


def test_minus_one_is_a_class_where_the_list_says_so():
    assert read(["-1", "1"], ["-1", "1"]).codes.tolist() == [0, 1]


@pytest.mark.fault(
    17,
    "AUTO",
    says="labels.csv: labels such as 1.0 were read as 1. If 1.0 and 1 are names of two "
    "classes, list them in classes.txt.",
)
def test_whole_floats_are_read_as_numbers():
    labels, found = warned(["1.0", "0.0"], num_columns=2)
    assert labels.codes.tolist() == [1, 0]
    assert labels.values == ("0.0", "1.0")
    assert "labels.whole" in found


@pytest.mark.fault(
    17,
    "BLOCK",
    says="labels.csv: labels that are not whole numbers: '1.5'. Classes are whole numbers "
    "or names. If these are names, list them in classes.txt.",
)
def test_fractions_are_refused():
    diagnosis = refused(["1.0", "1.5"], num_columns=2)
    assert diagnosis.what == "labels that are not whole numbers: '1.5'."
    assert read(["1.0", "1.5"], ["1.0", "1.5"]).codes.tolist() == [0, 1]


def test_whole_numbers_in_scientific_notation_are_whole_numbers(folder):
    folder.write("labels.csv", folder.table([f"{label:.18e}" for label in folder.labels]))
    folder.save("probs.npy", folder.probs)
    dataset = folder.load()
    assert dataset.class_names == ("0", "1", "2")
    assert dataset.labels.tolist() == folder.labels.tolist()
    assert dataset.label_values[1] == "1.000000000000000000e+00"


def minus_one(folder, values: tuple[int, ...], probs) -> None:
    """Save labels that are written as these numbers, in the order of the classes."""
    folder.write("labels.csv", folder.table([values[k] for k in folder.labels]))
    if probs is not None:
        folder.save("probs.npy", probs)


def test_minus_one_that_makes_as_many_labels_as_columns_is_asked_about(folder):
    minus_one(folder, (-1, 0, 1), folder.probs)
    error = folder.blocked()
    found = error.report.diagnoses[0]
    assert (found.code, found.count) == ("labels.minus_one", 10)
    assert "With it there are 3 labels (-1, 0, 1), as many as columns" in found.what
    assert found.first_rows == ("row 0", "row 3", "row 6", "row 9", "row 12")
    assert found.override == {"classes": ["-1", "0", "1"]}
    dataset = folder.load(**found.override)
    assert dataset.class_names == ("-1", "0", "1")
    assert dataset.labels.tolist() == folder.labels.tolist()


def test_minus_one_can_be_declared_to_mean_no_label(folder):
    minus_one(folder, (-1, 0, 1), folder.probs)
    dataset = folder.load(labels_are="index")
    assert len(dataset.labels) == 20 and set(dataset.labels.tolist()) == {0, 1}


def test_minus_one_and_one_are_the_labels_of_a_model_of_two_classes(folder):
    folder.labels = folder.labels % 2
    minus_one(folder, (-1, 1), folder.probs[:, :2] / folder.probs[:, :2].sum(1, keepdims=True))
    assert folder.blocked().report.diagnoses[0].override == {"classes": ["-1", "1"]}


def test_minus_one_with_columns_named_by_words_offers_a_shift(folder):
    minus_one(folder, (-1, 0, 1), None)
    rows = "".join(f"e{r},{','.join(map(str, p))}\n" for r, p in enumerate(folder.probs.tolist()))
    folder.write("probs.csv", "id,bad,fair,good\n" + rows)
    found = folder.blocked().report.diagnoses[0]
    assert (found.code, found.override) == ("labels.minus_one", {"shift_labels": 1})
    dataset = folder.load(**found.override)
    assert dataset.labels.tolist() == folder.labels.tolist()
    assert dataset.label_values == ("-1", "0", "1")


def test_minus_one_in_addition_to_all_classes_is_a_missing_label(folder):
    folder.write("labels.csv", folder.table([-1, "", *folder.labels[2:]]))
    folder.save("probs.npy", folder.probs)
    found = next(e for e in folder.load().report.diagnoses if e.code == "labels.unlabelled")
    assert "2 of 30 rows have no label ('-1' in 1, an empty cell in 1)" in found.what


def test_minus_one_written_as_a_float_is_the_class_of_that_name(folder):
    folder.save("labels.npy", folder.labels - 1.0)
    folder.save("probs.npy", folder.probs)
    dataset = folder.load(classes=["-1", "0", "1"])
    assert dataset.labels.tolist() == folder.labels.tolist()
