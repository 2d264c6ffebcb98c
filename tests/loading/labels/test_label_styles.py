"""Whether labels name the classes by id, by name or by index, and those that name none."""

import pytest

from tests.loading.labels.reading import read, refused, warned


@pytest.mark.parametrize(
    ("values", "style"), [(["n02", "n01"], "id"), (["dog", "cat"], "name"), (["1", "0"], "index")]
)
def test_labels_are_ids_names_or_indices(values, style):
    labels = read(values, ["cat", "dog"], ids=["n01", "n02"])
    assert labels.codes.tolist() == [1, 0]
    assert labels.style == style
    assert labels.values == tuple(reversed(values))


def test_two_classes_with_the_same_name_stay_two():
    labels = read(["n1", "n2"], ["maillot", "maillot"], ids=["n1", "n2"])
    assert labels.codes.tolist() == [0, 1]
    diagnosis = refused(["maillot", "cat"], ["maillot", "maillot", "cat"], ids=["1", "2", "3"])
    assert "two classes share each of these names: 'maillot'" in diagnosis.what


def test_label_that_is_not_in_the_list_is_named():
    diagnosis = refused(["cat", "cow", "cat "], ["cat", "dog"])
    assert "labels without a class: 'cat ', 'cow'; the 2 classes of classes.txt" in diagnosis.what
    assert diagnosis.count == 2


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
