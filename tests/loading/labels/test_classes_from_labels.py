"""The classes where no list names them."""

import pytest

from tests.loading.labels.reading import read, refused, warned


@pytest.mark.fault(31, "HOLDS")
def test_words_without_a_list_are_sorted():
    labels = read(["dog", "cat", "NA", "None"], num_columns=4)
    assert labels.classes.names == ("NA", "None", "cat", "dog")


@pytest.mark.fault(30, "HOLDS")
def test_leading_zeros_make_different_classes():
    assert read(["01", "1", "007", "7"], num_columns=4).classes.names == ("007", "01", "1", "7")


def test_whole_numbers_are_indices_of_columns():
    labels = read(["10", "2", "0"], num_columns=12)
    assert labels.codes.tolist() == [10, 2, 0]
    assert len(labels.classes) == 12


def test_numbers_that_are_not_indices_are_assigned_in_order_with_a_warning():
    labels, found = warned(["5", "1", "3"], num_columns=3)
    assert labels.classes.names == ("1", "3", "5")
    assert found["labels.order_guessed"].override == {"classes": ["1", "3", "5"]}


@pytest.mark.fault(
    13,
    "BLOCK",
    says="labels.csv: labels without a class: 7; the 3 classes are 0 to 2. Number the "
    "classes from 0 in the order of the columns, or list them in classes.txt.",
)
def test_label_without_a_column_is_named():
    diagnosis = refused(["0", "1", "2", "7"], num_columns=3)
    assert diagnosis.what == "labels without a class: 7; the 3 classes are 0 to 2."
    assert refused(["0", "1", "3"], num_columns=3).code == "labels.outside"


def test_different_numbers_of_classes_and_columns_are_refused():
    assert "the labels have 2 classes" in refused(["a", "b"], num_columns=3).what
