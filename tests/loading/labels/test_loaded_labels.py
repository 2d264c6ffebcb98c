"""Labels, ids and true labels as people save them: read, or refused in words."""

import csv

import numpy as np
import pytest

from tests.loading.conftest import find_diagnosis


def test_rows_without_ids_are_called_by_their_number(whole):
    whole.write("labels.csv", "label\n" + "".join(f"{k}\n" for k in whole.labels))
    assert whole.load().ids[:2].tolist() == ["0", "1"]


def test_unlabelled_rows_are_left_out_of_everything(whole):
    cells = [["cat", "dog", "eel"][k] for k in whole.labels]
    cells[4] = cells[7] = ""
    whole.write("labels.csv", whole.table(cells))
    dataset = whole.load()
    assert len(dataset) == len(dataset.ids) == len(dataset.pred_probs) == 28
    assert dataset.source_rows[:6].tolist() == [0, 1, 2, 3, 5, 6]
    np.testing.assert_array_equal(np.asarray(dataset.pred_probs), np.delete(whole.probs, [4, 7], 0))


@pytest.mark.fault(
    26,
    "BLOCK",
    says="labels.csv: 1 id occurs more than once: 'e6'. Give every row its own id.",
)
def test_duplicate_ids_are_listed(whole):
    whole.write("labels.csv", whole.table().replace("e7,", "e6,").replace("e9,", "e6,"))
    assert "1 id occurs more than once: 'e6'" in whole.blocked().problem


def test_missing_ids_are_listed(whole):
    whole.write("labels.csv", whole.table().replace("e7,", ","))
    error = whole.blocked()
    assert "1 of 30 rows has no id" in error.problem
    assert error.report.diagnoses[0].first_rows == ("row 7",)


@pytest.mark.fault(
    21,
    "BLOCK",
    says="labels.csv, column 'label': only one class, 'cat': finding label errors needs ≥2 "
    "classes. Add examples of another class.",
)
def test_one_class_is_not_enough(whole):
    whole.write("labels.csv", whole.table(["cat"] * 30))
    whole.write("classes.txt", "cat\ndog\neel\n")
    assert "needs ≥2 classes" in whole.blocked().problem


@pytest.mark.fault(17, "HOLDS")
@pytest.mark.fault(18, "HOLDS")
@pytest.mark.parametrize(
    "labels",
    [
        lambda k: k.astype(np.uint8),
        lambda k: k.astype(float),
        lambda k: k[:, None],
        lambda k: k.astype(str),
        lambda k: k.astype("S"),
        lambda k: k.astype(">i4"),
    ],
)
def test_arrays_of_labels_of_any_type_are_read(whole, labels):
    (whole.root / "labels.csv").unlink()
    whole.save("labels.npy", labels(whole.labels))
    assert whole.load().labels.tolist() == whole.labels.tolist()


@pytest.mark.fault(17, "HOLDS")
def test_boolean_labels_are_two_classes(folder):
    folder.save("labels.npy", np.array([True, False] * 10))
    folder.save("probs.npy", np.tile([[0.3, 0.7], [0.8, 0.2]], (10, 1)))
    dataset = folder.load()
    assert dataset.labels[:2].tolist() == [1, 0]
    assert dataset.source.label_kind == "boolean"


@pytest.mark.fault(
    18,
    "BLOCK",
    says='labels.npy: the labels are one-hot, of shape (30, 3). Pass labels_are="onehot" '
    "to use the column that is 1.",
)
def test_one_hot_labels_are_offered(whole):
    (whole.root / "labels.csv").unlink()
    whole.save("labels.npy", np.eye(3, dtype=int)[whole.labels])
    error = whole.blocked()
    assert "one-hot" in error.problem
    dataset = whole.load(**error.report.diagnoses[0].override)
    assert dataset.labels.tolist() == whole.labels.tolist()


@pytest.mark.fault(
    18,
    "BLOCK",
    says="labels.npy: labels have shape (30, 3): multi-label is not supported yet. Keep one "
    "label for each example.",
)
def test_several_labels_for_an_example_are_not_supported_yet(whole):
    (whole.root / "labels.csv").unlink()
    whole.save("labels.npy", np.ones((30, 3), dtype=int))
    assert "multi-label is not supported yet" in whole.blocked().problem
    (whole.root / "labels.npy").unlink()
    whole.write("labels.jsonl", '{"label": ["cat", "dog"]}\n' * 30)
    assert "multi-label is not supported yet" in whole.blocked().problem


@pytest.mark.fault(
    16,
    "WARN",
    says="labels.npy: 1 of 30 rows has no label (an empty cell in 1); it is left out of scoring.",
)
def test_float_labels_with_nan_are_left_out(whole):
    (whole.root / "labels.csv").unlink()
    labels = whole.labels.astype(float)
    labels[2] = np.nan
    whole.save("labels.npy", labels)
    assert whole.load().source_rows[:3].tolist() == [0, 1, 3]


@pytest.mark.fault(
    29,
    "BLOCK",
    says="labels.npy: it holds Python objects (dtype object), stored as a pickle. Save "
    "plain numbers or text: np.save(path, np.asarray(values, dtype=float)).",
)
def test_object_labels_are_refused(whole):
    (whole.root / "labels.csv").unlink()
    whole.save("labels.npy", np.array([{}, []] * 15, dtype=object))
    assert "stored as a pickle" in whole.blocked().problem


def test_true_labels_are_joined_by_id_or_position(whole):
    rows = [f"e{row},{'cat' if row % 2 else 'dog'}\n" for row in reversed(range(29))]
    whole.write("true_labels.csv", "id,label\n" + "".join(rows))
    assert whole.load().true_labels[:3].tolist() == [1, 0, 1]
    assert whole.load().true_labels[29] == -1
    (whole.root / "true_labels.csv").unlink()
    whole.save("true_labels.npy", whole.labels)
    assert whole.load().true_labels.tolist() == whole.labels.tolist()
    whole.save("true_labels.npy", np.append(whole.labels[:29], 9))
    assert "true_labels.unknown" in whole.codes()
    whole.save("true_labels.npy", whole.labels[:5])
    assert "5 true labels for 30 labels" in whole.blocked().problem


def test_label_file_is_remembered_in_enough_detail_to_be_written_back(whole):
    whole.write("labels.csv", ("\ufeff" + whole.table().replace(",", ";")).encode())
    source = whole.load().source
    assert source.path == whole.root / "labels.csv"
    assert (source.format, source.label_column, source.id_column) == ("csv", "label", "id")
    assert (source.delimiter, source.bom, source.encoding) == (";", True, "utf-8")


@pytest.mark.parametrize("column", ["label", "given_label", "target", "y", "class", "Label"])
def test_label_columns_of_the_usual_names_are_known(whole, column):
    whole.write("labels.csv", whole.table().replace("label", column))
    assert whole.load().source.label_column == column


def test_true_labels_of_other_examples_give_a_warning_and_are_not_used(whole):
    whole.write("true_labels.csv", "id,true_label\n" + "".join(f"x{k},cat\n" for k in range(30)))
    dataset = whole.load()
    found = find_diagnosis(dataset, "true_labels.unmatched")
    assert (found.severity, found.count) == ("WARN", 30)
    assert "30 of 30 true labels match no example: joined by id, 0 of 30 examples" in found.what
    assert found.first_rows == ("e0", "e1", "e2", "e3", "e4")
    assert dataset.true_labels is None


def test_true_labels_of_some_examples_are_counted(whole):
    whole.write("true_labels.csv", "id,true_label\ne0,cat\ne3,dog\n")
    dataset = whole.load()
    found = find_diagnosis(dataset, "true_labels.partial")
    assert (found.severity, found.count) == ("AUTO", 28)
    assert found.first_rows == ("e1", "e2", "e4", "e5", "e6")
    assert dataset.true_labels[:4].tolist() == [0, -1, -1, 1]
    whole.write("true_labels.csv", "id,true_label\ne0,cat\nx3,dog\n")
    found = find_diagnosis(whole.load(), "true_labels.unmatched")
    assert "1 of 2 true labels match no example" in found.what


def test_labels_in_brackets_are_written_back_in_brackets(bench):
    bench.write("labels.csv", b"id,label\na,['cat']\nb,['dog']\nc,['cat']\nd,['dog']\n")
    bench.write(
        "probs.csv", b"id,cat,dog,fox\n" + b"".join(b"%c,0.5,0.3,0.2\n" % k for k in b"abcd")
    )
    bench.decide_classes("rename", "dog", into="hound")
    bench.relabel({0: "fox"}).decide(2, "relabel", new_class="newt")
    written = b"id,label\na,['fox']\nb,['hound']\nc,['newt']\nd,['hound']\n"
    assert bench.cleaned(apply_merges=True) == written


@pytest.mark.parametrize("other", ["cat ", '"[""cat""]"', "['cat']"])
def test_a_class_that_is_written_in_two_ways_is_written_back(bench, other):
    first = "cat" if other == "cat " else "['cat']"
    dog = first.replace("cat", "dog")
    rows = f"id,label\na,{first}\nb,{dog}\nc,{other}\nd,{dog}\n"
    bench.write("labels.csv", rows.encode())
    bench.write("probs.csv", b"id,cat,dog\na,1,0\nb,0,1\nc,1,0\nd,0,1\n")
    written = bench.relabel({0: "dog", 2: "dog"}).cleaned().decode()
    assert [row["label"] for row in csv.DictReader(written.splitlines())] == [dog] * 4


def test_a_class_that_never_occurred_is_written_as_the_others_are(bench):
    bench.write("labels.csv", b"id,label\na,LABEL_0\nb,LABEL_1\nc,LABEL_0\n")
    bench.write("probs.csv", b"id,cat,dog,eel\na,1,0,0\nb,0,1,0\nc,1,0,0\n")
    bench.classes(("cat", "dog", "eel"))
    assert bench.relabel({2: 2}).cleaned() == b"id,label\na,LABEL_0\nb,LABEL_1\nc,LABEL_2\n"
