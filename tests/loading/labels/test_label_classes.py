"""Label cells to class indices, and every way they can be wrong."""

import pyarrow as pa
import pytest

from curation.loading.labels.class_list import make_classes
from curation.loading.labels.label_cells import Cells
from curation.loading.labels.label_classes import read_labels
from curation.loading.report_builder import ReportBuilder, Stop


def read(values, names=None, *, num_columns=None, ids=(), report=None, **options):
    cells = Cells(pa.chunked_array([pa.array(values, pa.string())]), "text", "labels.csv")
    classes = None if names is None else make_classes(names, "classes.txt", ids)
    report = report or ReportBuilder()
    return read_labels(cells, report, classes=classes, num_columns=num_columns, **options)


def refused(values, names=None, **options):
    with pytest.raises(Stop) as caught:
        read(values, names, **options)
    return caught.value.diagnosis


def warned(values, names=None, **options):
    report = ReportBuilder()
    labels = read(values, names, report=report, **options)
    return labels, {each.code: each for each in report.diagnoses}


@pytest.mark.parametrize(
    ("values", "style"), [(["n02", "n01"], "id"), (["dog", "cat"], "name"), (["1", "0"], "index")]
)
def test_labels_are_ids_names_or_indices(values, style):
    labels = read(values, ["cat", "dog"], ids=["n01", "n02"])
    assert labels.codes.tolist() == [1, 0]
    assert labels.style == style
    assert labels.values == tuple(reversed(values))


def test_class_that_never_occurs_is_written_like_the_others():
    assert read(["n01"], ["cat", "dog"], ids=["n01", "n02"]).values == ("n01", "n02")
    assert read(["0"], ["cat", "dog"]).values == ("0", "1")
    assert read(["2", "3"], num_columns=3, shift=-1).values == ("1", "2", "3")


def test_two_classes_with_the_same_name_stay_two():
    labels = read(["n1", "n2"], ["maillot", "maillot"], ids=["n1", "n2"])
    assert labels.codes.tolist() == [0, 1]
    diagnosis = refused(["maillot", "cat"], ["maillot", "maillot", "cat"], ids=["1", "2", "3"])
    assert "two classes share each of these names: 'maillot'" in diagnosis.what


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


def test_label_that_is_not_in_the_list_is_named():
    diagnosis = refused(["cat", "cow", "cat "], ["cat", "dog"])
    assert "labels without a class: 'cat ', 'cow'; the 2 classes of classes.txt" in diagnosis.what
    assert diagnosis.count == 2


def test_different_numbers_of_classes_and_columns_are_refused():
    assert "the labels have 2 classes" in refused(["a", "b"], num_columns=3).what


@pytest.mark.fault(
    14,
    "BLOCK",
    says="labels.csv: labels are 1..3; 0 never occurs. Subtract 1? Pass shift_labels=-1 if "
    "they are counted from 1.",
)
def test_labels_counted_from_one_are_refused_with_an_offer():
    for names in (None, ["cat", "dog", "eel"]):
        diagnosis = refused(["1", "2", "3"], names, num_columns=3)
        assert diagnosis.what == "labels are 1..3; 0 never occurs. Subtract 1?"
        assert diagnosis.override == {"shift_labels": -1}
    assert read(["1", "2", "3"], num_columns=3, shift=-1).codes.tolist() == [0, 1, 2]


@pytest.mark.fault(
    14,
    "WARN",
    says="labels.csv: labels are 1..3; 0 never occurs, although there are 4 columns. Pass "
    "shift_labels=-1 if they are counted from 1.",
)
def test_spare_column_does_not_hide_counting_from_one():
    labels, found = warned(["1", "2", "3"], num_columns=4)
    assert labels.codes.tolist() == [1, 2, 3]
    assert "0 never occurs, although there are 4 columns" in found["labels.one_indexed"].what


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


def test_only_missing_labels_are_refused():
    assert refused(["", ""], num_columns=2).what == "none of the 2 rows has a label."


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


def named_columns(folder, *names: str) -> None:
    rows = "".join(f"e{r},{','.join(map(str, p))}\n" for r, p in enumerate(folder.probs.tolist()))
    folder.write("probs.csv", ",".join(["id", *names]) + "\n" + rows)


def test_numbers_read_as_positions_of_named_columns_are_listed(folder):
    folder.write("labels.csv", folder.table(list(folder.labels)))
    named_columns(folder, "owl", "cat", "dog")
    dataset = folder.load()
    found = next(each for each in dataset.report.diagnoses if each.code == "labels.positions")
    assert (found.severity, dataset.class_names) == ("AUTO", ("owl", "cat", "dog"))
    assert "positions in the columns of probs.csv: 0 = owl, 1 = cat, 2 = dog." in found.what
    folder.write("classes.txt", "owl\ncat\ndog\n")  # listed in that order by a person
    assert "labels.positions" not in folder.codes()


@pytest.mark.parametrize("listed", [True, False])
def test_numbers_read_as_positions_of_classes_named_by_numbers_give_a_warning(folder, listed):
    folder.write("labels.csv", folder.table(list(folder.labels)))
    if listed:
        folder.write("classes.txt", "1\n2\n3\n")
        folder.save("probs.npy", folder.probs)
    else:
        named_columns(folder, "p_1", "p_2", "p_3")
    found = next(each for each in folder.load().report.diagnoses if each.code == "labels.positions")
    assert found.severity == "WARN" and "0 = 1, 1 = 2, 2 = 3" in found.what
    assert found.override == {"labels_are": "index"}
    assert "labels.positions" not in folder.codes(**found.override)


def test_whole_numbers_in_scientific_notation_are_whole_numbers(folder):
    folder.write("labels.csv", folder.table([f"{label:.18e}" for label in folder.labels]))
    folder.save("probs.npy", folder.probs)
    dataset = folder.load()
    assert dataset.class_names == ("0", "1", "2")
    assert dataset.labels.tolist() == folder.labels.tolist()
    assert dataset.label_values[1] == "1.000000000000000000e+00"
