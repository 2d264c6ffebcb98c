"""Whole datasets: parts found, joined and judged; every fault of section A said in words."""

import json

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from PIL import Image

import curation
from curation.errors import BlockedError, InputError
from curation.loading import assembly, load_before_checks
from curation.loading.formats.disk_array import DiskArray
from curation.loading.probs.prob_matrix import ProbMatrix
from curation.report import Severity
from tests.loading.conftest import find_diagnosis
from tests.small_set import write_images


def test_parts_of_a_folder_are_found(whole):
    dataset = whole.load()
    assert dataset.ids[:3].tolist() == ["e0", "e1", "e2"]
    assert dataset.labels.tolist() == whole.labels.tolist()
    assert dataset.class_names == dataset.class_ids == dataset.label_values == ("cat", "dog", "eel")
    assert isinstance(dataset.pred_probs, DiskArray)
    assert (dataset.kind, dataset.name, len(dataset)) == ("index", "data", 30)
    assert dataset.settings["labels"] == "labels.csv"
    assert dataset.settings["label_column"] == "label"
    assert not dataset.report.blocked
    assert "every row has a label" in dataset.report.passed


def test_loaded_dataset_goes_straight_into_the_analysis(whole):
    dataset = whole.load()
    findings = curation.analyze(dataset.labels, dataset.pred_probs, dataset.class_names)
    assert findings.labels.tolist() == whole.labels.tolist()


def test_probabilities_slightly_above_one_open_with_a_report(whole):
    probs = np.full_like(whole.probs, 0.00001)
    probs[np.arange(len(probs)), whole.probs.argmax(axis=1)] = 1.00001
    whole.save("probs.npy", probs)
    assert probs[0].sum() > 1.00002
    report = curation.check(whole.root)
    assert not report.blocked
    (found,) = [each for each in report.diagnoses if each.code == "probs.just_above_one"]
    assert found.severity == "AUTO" and "at most 1.00001" in found.what
    dataset = whole.load()
    assert curation.analyze(dataset.labels, dataset.pred_probs).self_confidence.max() == 1


def test_importing_core_loads_neither_pandas_nor_pyarrow():
    import subprocess
    import sys

    code = "import sys, curation.core.count; print({'pyarrow', 'streamlit'} & set(sys.modules))"
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout.strip() == "set()"


def test_rows_without_ids_are_called_by_their_number(whole):
    whole.write("labels.csv", "label\n" + "".join(f"{k}\n" for k in whole.labels))
    assert whole.load().ids[:2].tolist() == ["0", "1"]


def test_blocked_error_carries_the_whole_report(whole):
    whole.write("labels.csv", "")
    whole.write("probs.npy", b"no")
    error = whole.blocked()
    assert isinstance(error, InputError)
    assert {each.code for each in error.report.diagnoses} == {"table.empty", "npy.broken"}
    assert "1 more fault" in error.remedy
    assert curation.check(whole.root).blocked


def test_unlabelled_rows_are_left_out_of_everything(whole):
    cells = [["cat", "dog", "eel"][k] for k in whole.labels]
    cells[4] = cells[7] = ""
    whole.write("labels.csv", whole.table(cells))
    dataset = whole.load()
    assert len(dataset) == len(dataset.ids) == len(dataset.pred_probs) == 28
    assert dataset.source_rows[:6].tolist() == [0, 1, 2, 3, 5, 6]
    np.testing.assert_array_equal(np.asarray(dataset.pred_probs), np.delete(whole.probs, [4, 7], 0))


@pytest.mark.parametrize(
    "rows",
    [
        pytest.param(
            20,
            marks=pytest.mark.fault(
                1, "BLOCK", says="probs.npy: 20 rows of probabilities for 30 labels."
            ),
        ),
        31,
    ],
)
def test_other_number_of_rows_is_refused_with_both_numbers(whole, rows):
    whole.save("probs.npy", np.full((rows, 3), 1 / 3))
    assert f"{rows} rows of probabilities for 30 labels" in whole.blocked().problem


@pytest.mark.fault(
    2,
    "BLOCK",
    says="probs.npy: looks transposed: (3, 30); expected (30, 3). Save the transpose: one "
    "row for each example.",
)
def test_transposed_probabilities_are_refused(whole):
    whole.save("probs.npy", whole.probs.T)
    assert "looks transposed: (3, 30); expected (30, 3)" in whole.blocked().problem


@pytest.mark.fault(
    3,
    "BLOCK",
    says="probs.npy: 1 of 30 rows holds NaN. Predict these rows again (in float32), or "
    "leave them out.",
)
@pytest.mark.fault(
    3,
    "WARN",
    says="probs.npy: 3 rows without usable probabilities (NaN, infinite or all zero) are "
    "left out. Predict these rows again to include them.",
)
@pytest.mark.fault(
    4,
    "BLOCK",
    says="probs.npy: 1 of 30 rows holds an infinity. Predict these rows again (in float32), "
    "or leave them out.",
)
@pytest.mark.fault(
    8,
    "BLOCK",
    says="probs.npy: 1 of 30 rows holds only zeros. Predict these rows again (in float32), "
    "or leave them out.",
)
def test_nan_infinity_and_zero_rows_are_refused_or_left_out(whole):
    probs = whole.probs.copy()
    probs[3, 1], probs[5, 0], probs[8] = np.nan, np.inf, 0
    whole.save("probs.npy", probs)
    report = whole.blocked().report
    codes = {each.code: each for each in report.of(Severity.BLOCK)}
    assert {"probs.nan", "probs.infinite", "probs.zero"} <= set(codes)
    assert codes["probs.nan"].first_rows == ("e3",)
    assert codes["probs.nan"].override == {"drop_rows": True}
    dataset = whole.load(drop_rows=True)
    assert len(dataset) == 27
    assert "e5" not in dataset.ids
    warning = next(each for each in dataset.report.diagnoses if each.code == "probs.dropped")
    assert warning.first_rows == ("e3", "e5", "e8")


@pytest.mark.fault(
    7,
    "WARN",
    says="probs.npy: 2 of 300 rows do not add up to 1 within 0.001; the first adds up to "
    "1.2. These rows are divided by their sum when read.",
)
def test_few_rows_off_their_sum_are_divided_and_reported(folder):
    folder.labels = np.arange(300) % 3
    probs = np.full((300, 3), 0.1, np.float32)
    probs[np.arange(300), folder.labels] = 0.8
    probs[[7, 200]] *= 1.2
    folder.probs = probs
    dataset = folder.whole().load()
    warning = next(each for each in dataset.report.diagnoses if each.code == "probs.sums")
    assert warning.severity is Severity.WARN
    assert "2 of 300 rows do not add up to 1" in warning.what
    assert "divided by their sum when read" in warning.what
    assert isinstance(dataset.pred_probs, ProbMatrix)
    np.testing.assert_allclose(np.asarray(dataset.pred_probs).sum(axis=1), 1, atol=1e-6)
    curation.analyze(dataset.labels, dataset.pred_probs, dataset.class_names)


@pytest.mark.fault(
    7,
    "BLOCK",
    says="30 of 30 rows do not add up to 1 within 0.001; the first adds up to 0.9. "
    "Are they independent sigmoid scores, as in multi-label data? Save the "
    "probabilities after softmax, or have each row divided by its sum on load.",
)
def test_many_rows_off_their_sum_are_refused_until_rescaling_is_agreed(whole):
    whole.save("probs.npy", whole.probs * 0.9)
    assert "Are they independent sigmoid scores, as in multi-label data?" in whole.blocked().problem
    np.testing.assert_allclose(
        np.asarray(whole.load(convert="rescale").pred_probs), whole.probs, rtol=1e-5
    )


@pytest.mark.parametrize(
    ("change", "convert", "word"),
    [
        pytest.param(
            *(lambda probs: np.log(probs) + 3, "softmax", "logits"),
            marks=pytest.mark.fault(
                5,
                "BLOCK",
                says="probs.npy: Values run from -6.806 to 2.934: looks like logits; apply "
                "softmax. 30 of 30 rows hold values outside 0 to 1. Apply softmax to each row "
                "before saving, or have it applied on load.",
            ),
        ),
        pytest.param(
            *(lambda probs: probs * 100, "percent", "percent"),
            marks=pytest.mark.fault(
                6,
                "BLOCK",
                says="rows add up to 100, so these look like percentages. 30 of 30 rows hold "
                "values outside 0 to 1. Divide them by 100.",
            ),
        ),
    ],
)
def test_other_numbers_are_converted_only_when_agreed(whole, change, convert, word):
    whole.save("probs.npy", change(whole.probs))
    error = whole.blocked()
    assert word in error.problem
    assert error.report.diagnoses[0].override == {"convert": convert}
    dataset = whole.load(convert=convert)
    np.testing.assert_allclose(np.asarray(dataset.pred_probs), whole.probs, atol=1e-5)


def test_labels_and_probabilities_are_joined_by_id(whole):
    order = np.random.default_rng(1).permutation(30)
    table = {"id": pa.array([f"e{row}" for row in order])}
    table |= {name: pa.array(whole.probs[order, k]) for k, name in enumerate(("cat", "dog", "eel"))}
    (whole.root / "probs.npy").unlink()
    pq.write_table(pa.table(table), whole.root / "probs.parquet")
    dataset = whole.load()
    np.testing.assert_array_equal(np.asarray(dataset.pred_probs), whole.probs)
    assert "probs.joined" in {each.code for each in dataset.report.diagnoses}


@pytest.mark.fault(
    1,
    "BLOCK",
    says="probs.csv: 2 of 30 labelled ids have no probabilities (30 labels, 31 rows of "
    "probabilities). Predict them too, or pass drop_rows=True to leave them out.",
)
def test_ids_without_probabilities_are_listed(whole):
    rows = "".join(f"e{row},0.2,0.3,0.5\n" for row in range(2, 33))
    whole.write("probs.csv", "id,cat,dog,eel\n" + rows)
    report = whole.blocked(probs="probs.csv").report
    missing = next(each for each in report.diagnoses if each.code == "probs.missing_ids")
    assert "2 of 30 labelled ids have no probabilities (30 labels, 31 rows" in missing.what
    assert missing.first_rows == ("e0", "e1")
    dataset = whole.load(probs="probs.csv", drop_rows=True)
    assert dataset.ids[0] == "e2" and len(dataset) == 28
    extra = next(each for each in dataset.report.diagnoses if each.code == "probs.extra_ids")
    assert extra.count == 3


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
    26,
    "WARN",
    says="labels.csv: 9 examples show the same as another, under the same label (compared: "
    "texts, letter by letter). Delete the copies if they are not intended.",
)
def test_identical_rows_give_a_warning(whole):
    rows = "".join(
        f"same text,{k}\n" if k == 1 else f"text {i},{k}\n" for i, k in enumerate(whole.labels)
    )
    whole.write("labels.csv", "text,label\n" + rows)
    warning = next(e for e in whole.load().report.diagnoses if e.code == "rows.identical")
    assert "9 examples show the same as another, under the same label" in warning.what
    assert warning.first_rows[0] == "row 4 = row 1"


@pytest.mark.fault(
    12,
    "AUTO",
    says="probs.csv: columns were put in the order of the classes, by name; they came as "
    "'eel', 'cat', 'dog'.",
)
def test_columns_are_put_in_the_order_of_the_classes_by_name(whole):
    whole.write("classes.txt", "cat\ndog\neel\n")
    rows = "".join(f"{c},{a},{b}\n" for a, b, c in whole.probs.tolist())
    whole.write("probs.csv", "eel,cat,dog\n" + rows)
    dataset = whole.load(probs="probs.csv")
    np.testing.assert_allclose(np.asarray(dataset.pred_probs), whole.probs)
    note = next(e for e in dataset.report.diagnoses if e.code == "probs.columns_reordered")
    assert note.severity is Severity.AUTO
    assert "'eel', 'cat', 'dog'" in note.what


@pytest.mark.fault(
    12,
    "BLOCK",
    says="probs.csv: columns that are not a class: 'fox'; classes without a column: 'eel'. "
    "Name the columns as classes.txt names the classes.",
)
def test_columns_without_a_class_are_listed_with_the_classes_without_a_column(whole):
    whole.write("classes.txt", "cat\ndog\neel\n")
    whole.write("probs.csv", "cat,dog,fox\n" + "0.2,0.3,0.5\n" * 30)
    problem = whole.blocked(probs="probs.csv").problem
    assert "columns that are not a class: 'fox'; classes without a column: 'eel'" in problem


def test_columns_in_another_order_than_their_names_are_fixed_by_class_order(whole):
    whole.save("probs.npy", whole.probs[:, [2, 0, 1]])
    report = whole.load().report
    permuted = next(each for each in report.diagnoses if each.code == "columns.permuted")
    dataset = whole.load(**permuted.override)
    np.testing.assert_array_equal(np.asarray(dataset.pred_probs), whole.probs)
    same = whole.load(class_order=[2, 0, 1])
    np.testing.assert_array_equal(np.asarray(same.pred_probs), whole.probs)
    assert "must name each of the 3 classes once" in whole.blocked(class_order=["cat"]).problem


def test_shards_are_read_as_one_without_copying(whole):
    (whole.root / "probs.npy").unlink()
    for number in range(3):
        whole.save(f"probs-{number:05d}.npy", whole.probs[number * 10 : number * 10 + 10])
    dataset = whole.load()
    np.testing.assert_array_equal(np.asarray(dataset.pred_probs), whole.probs)
    assert all(isinstance(part, DiskArray) for part in dataset.pred_probs.parts)
    (whole.root / "probs-00001.npy").unlink()
    assert "shards are missing: number 1" in whole.blocked().problem


def test_shards_of_other_widths_are_refused(whole):
    (whole.root / "probs.npy").unlink()
    whole.save("probs-00000.npy", whole.probs)
    whole.save("probs-00001.npy", whole.probs[:, :2])
    assert "this shard has shape (30, 2)" in whole.blocked().problem


def test_probabilities_may_be_in_the_label_table(folder):
    rows = "".join(f"{'cat' if k else 'dog'},{1 - k},{k}\n" for k in [0.0, 0.9, 0.2, 1.0] * 5)
    path = folder.write("mine.csv", "label,p_dog,p_cat\n" + rows)
    dataset = curation.load(path)
    assert dataset.class_names == ("dog", "cat")
    assert dataset.labels[:2].tolist() == [0 if not 0.0 else 1, 1]
    assert dataset.name == "mine"
    assert list(dataset.extras) == []


@pytest.mark.parametrize("format_", ["parquet", "jsonl"])
def test_probabilities_may_be_a_list_column(whole, format_):
    (whole.root / "probs.npy").unlink()
    names = ["cat", "dog", "eel"]
    rows = [
        {"label": names[k], "pred_probs": p.tolist()}
        for k, p in zip(whole.labels, whole.probs.astype(float), strict=True)
    ]
    (whole.root / "labels.csv").unlink()
    if format_ == "parquet":
        pq.write_table(pa.Table.from_pylist(rows), whole.root / "data.parquet")
    else:
        whole.write("data.jsonl", "".join(json.dumps(row) + "\n" for row in rows))
    np.testing.assert_allclose(np.asarray(whole.load().pred_probs), whole.probs)


def test_lists_of_other_lengths_are_named_by_row(whole):
    lists = pa.array([[0.5, 0.5]] * 29 + [[1.0]])
    pq.write_table(pa.table({"probs": lists}), whole.root / "x.parquet")
    error = whole.blocked(probs="x.parquet")
    assert "row 29: 1 number where most rows have 2" in error.problem


def test_headerless_csv_of_probabilities_is_understood(whole):
    np.savetxt(whole.root / "probs.csv", whole.probs, delimiter=",")
    dataset = whole.load(probs="probs.csv")
    np.testing.assert_allclose(np.asarray(dataset.pred_probs), whole.probs)


def test_word_among_probabilities_is_named(whole):
    whole.write("probs.csv", "cat,dog,eel\n" + "0.2,0.3,0.5\n" * 4 + "0.2,oops,0.5\n" * 26)
    problem = whole.blocked(probs="probs.csv").problem
    assert "probs.csv, row 4: 'oops' in column 'dog' is not a number" in problem


def test_ragged_probabilities_are_named_by_line(whole):
    whole.write("probs.csv", "cat,dog,eel\n0.2,0.3,0.5\n0.2,0.8\n")
    assert (
        "probs.csv, line 3: it has 2 cells, but the header has 3"
        in whole.blocked(probs="probs.csv").problem
    )


@pytest.mark.fault(
    25,
    "BLOCK",
    says="one probability per example, of shape …: for which class? Pass positive_class='yes' if "
    "it is for 'yes'.",
)
@pytest.mark.parametrize("shape", [(20,), (20, 1)])
def test_one_probability_per_example_needs_its_class(folder, shape):
    chance = np.linspace(0.1, 0.9, 20)
    folder.write("labels.csv", "label\n" + "no\nyes\n" * 10)
    folder.save("probs.npy", chance.reshape(shape))
    error = folder.blocked()
    assert "for which class?" in error.problem
    assert error.report.diagnoses[0].override == {"positive_class": "yes"}
    dataset = folder.load(positive_class="yes")
    np.testing.assert_allclose(np.asarray(dataset.pred_probs)[:, 1], chance)
    dataset = folder.load(positive_class="no")
    np.testing.assert_allclose(np.asarray(dataset.pred_probs)[:, 0], chance)
    assert "'maybe' is not a class" in folder.blocked(positive_class="maybe").remedy


@pytest.mark.fault(
    13,
    "BLOCK",
    says="probs.npy: 3 columns for the 4 classes of classes.txt. Save one column for each "
    "class, in the order of the classes.",
)
def test_other_number_of_columns_than_classes_is_refused(whole):
    whole.write("classes.txt", "cat\ndog\neel\nfox\n")
    assert "3 columns for the 4 classes of classes.txt" in whole.blocked().problem


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


@pytest.mark.fault(
    22,
    "WARN",
    says="probs.npy: There is only one row. Add more labelled examples.",
)
def test_one_row_is_enough(folder):
    folder.write("labels.csv", "id,label\na,0\n")
    folder.save("probs.npy", np.array([[0.5, 0.5]]))
    assert len(folder.load()) == 1


@pytest.mark.fault(
    29,
    "BLOCK",
    says="the values are of type …, not real numbers. Save the probabilities as float32: "
    "np.save(path, probs.astype('float32')).",
)
@pytest.mark.parametrize("dtype", [np.complex128, "U3", "datetime64[s]"])
def test_probabilities_that_are_not_real_numbers_are_refused(whole, dtype):
    whole.save("probs.npy", np.zeros((30, 3), dtype=dtype))
    assert "not real numbers" in whole.blocked().problem


def test_whole_number_probabilities_are_read_and_reported(whole):
    whole.save("probs.npy", np.eye(3, dtype=np.uint8)[whole.labels])
    assert "probs.type" in whole.codes()
    assert whole.load().pred_probs.dtype == np.float64


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


def test_other_columns_are_kept(whole):
    whole.write(
        "labels.csv",
        "label,note,id\n" + "".join(f"{k},n{k},{i}\n" for i, k in enumerate(whole.labels)),
    )
    dataset = whole.load()
    assert dict(dataset.extras)["note"][:2].tolist() == ["n0", "n1"]
    with pytest.raises(KeyError):
        dataset.extras["label"]


def test_label_file_is_remembered_in_enough_detail_to_be_written_back(whole):
    whole.write("labels.csv", ("\ufeff" + whole.table().replace(",", ";")).encode())
    source = whole.load().source
    assert source.path == whole.root / "labels.csv"
    assert (source.format, source.label_column, source.id_column) == ("csv", "label", "id")
    assert (source.delimiter, source.bom, source.encoding) == (";", True, "utf-8")


def test_pictures_are_found_next_to_the_table(whole):
    cells = "".join(f"{i}.png,{k}\n" for i, k in enumerate(whole.labels))
    whole.write("labels.csv", "file_name,label\n" + cells)
    (whole.root / "images").mkdir()
    for i in range(30):
        Image.new("RGB", (4, 4), (i, 0, 0)).save(whole.root / "images" / f"{i}.png")
    dataset = whole.load()
    assert dataset.kind == "image"
    assert dataset.settings["image_root"] == "images"
    assert dataset.content.image(7).image.getpixel((0, 0)) == (7, 0, 0)
    (whole.root / "images" / "3.png").write_bytes(b"")
    (whole.root / "images" / "5.png").unlink()
    codes = whole.codes()
    assert {"content.empty", "content.missing"} <= codes


def test_embedded_pictures_are_read_from_the_table(whole):
    import io

    (whole.root / "labels.csv").unlink()
    pictures = []
    for i in range(30):
        Image.new("RGB", (4, 4), (i, 0, 0)).save(buffer := io.BytesIO(), "png")
        pictures.append({"bytes": buffer.getvalue(), "path": None})
    table = pa.table({"image": pa.array(pictures), "label": pa.array(whole.labels)})
    pq.write_table(table, whole.root / "train.parquet")
    dataset = whole.load()
    assert dataset.content.image(9).image.getpixel((0, 0)) == (9, 0, 0)
    assert len(dataset.fingerprint) == 64


def test_folder_per_class_is_a_dataset(folder):
    for name in ("cat", "dog"):
        for i in range(5):
            path = folder.write(f"{name}/{i}.png", b"")
            Image.new("RGB", (2, 2)).save(path)
    folder.save("probs.npy", np.tile([[0.9, 0.1], [0.2, 0.8]], (5, 1)))
    dataset = folder.load()
    assert dataset.class_names == ("cat", "dog")
    assert dataset.ids[[0, 9]].tolist() == ["cat/0.png", "dog/4.png"]
    assert dataset.labels.tolist() == [0] * 5 + [1] * 5
    assert dataset.source.format == "folders"


def test_class_folder_that_leads_outside_is_left_out(folder, tmp_path):
    for name in ("cat", "dog"):
        Image.new("RGB", (2, 2)).save(folder.write(f"{name}/0.png", b""))
    (tmp_path / "secret").mkdir()
    Image.new("RGB", (2, 2)).save(tmp_path / "secret" / "0.png")
    (folder.root / "fox").symlink_to(tmp_path / "secret")
    folder.save("probs.npy", np.array([[0.9, 0.1], [0.2, 0.8]]))
    dataset = folder.load()
    assert dataset.class_names == ("cat", "dog")
    assert "folder.skipped" in {each.code for each in dataset.report.diagnoses}


@pytest.mark.fault(
    28,
    "BLOCK",
    says="probs.csv: reading it needs about 372 bytes of memory; the limit is 107 bytes.",
)
def test_file_too_large_for_memory_is_refused_with_numbers(whole):
    whole.write("probs.csv", "cat,dog,eel\n" + "0.2,0.3,0.5\n" * 30)
    error = whole.blocked(probs="probs.csv", memory_limit_gb=1e-7)
    assert "needs about 372 bytes of memory; the limit is 107 bytes." in error.problem


def test_missing_path_is_reported(tmp_path):
    with pytest.raises(BlockedError, match="there is no such file or folder"):
        curation.load(tmp_path / "nowhere")
    with pytest.raises(BlockedError, match="there is no such file or folder"):
        curation.load("nul\0byte")


@pytest.mark.fault(
    27,
    "WARN",
    says="probs.csv: column '' looks like row numbers that are not in order; it is not "
    "used, and rows are joined by position. If these are ids, name the column id in "
    "both files, to join by it.",
)
def test_row_numbers_that_pandas_wrote_are_never_used_as_ids(whole):
    def write(order):
        rows = [f"{row}," + ",".join(map(str, whole.probs[row])) + "\n" for row in order]
        whole.write("probs.csv", ",cat,dog,eel\n" + "".join(rows))
        report = whole.load(probs="probs.csv").report
        return next(each for each in report.diagnoses if each.code == "rows.index")

    assert write(range(30)).severity is Severity.AUTO
    shuffled = write(np.random.default_rng(0).permutation(30))
    assert shuffled.severity is Severity.WARN
    assert "not in order" in shuffled.what


@pytest.mark.fault(
    33,
    "BLOCK",
    says="labels.csv: the text is not UTF-8; it looks like latin-1. Save it as UTF-8, or "
    'pass encoding="latin-1" if that is right.',
)
def test_encoding_agreed_on_helps_only_the_files_that_need_it(whole):
    names = ["café", "dog", "eel"]
    whole.write("labels.csv", whole.table([names[k] for k in whole.labels]).encode("latin-1"))
    whole.write("classes.txt", "café\ndog\neel\n")
    assert whole.blocked().report.diagnoses[0].override == {"encoding": "latin-1"}
    assert whole.load(encoding="latin-1").class_names == ("café", "dog", "eel")


@pytest.mark.parametrize("column", ["label", "given_label", "target", "y", "class", "Label"])
def test_label_columns_of_the_usual_names_are_known(whole, column):
    whole.write("labels.csv", whole.table().replace("label", column))
    assert whole.load().source.label_column == column


@pytest.mark.parametrize("column", ["text", "sentence", "review", "content"])
def test_text_columns_of_the_usual_names_are_known(whole, column):
    rows = "".join(f"{k},words {i}\n" for i, k in enumerate(whole.labels))
    whole.write("labels.csv", f"label,{column}\n" + rows)
    dataset = whole.load()
    assert dataset.content.text(3) == "words 3"


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


def test_pictures_are_checked_after_loading_if_that_is_asked_for(folder, monkeypatch):
    monkeypatch.setattr(assembly, "CHECKED_AT_ONCE", 0)
    write_images(folder.root, 30, 3, rng=np.random.default_rng(1))
    (folder.root / "images/00003.png").unlink()
    (folder.root / "images/00009.png").write_bytes((folder.root / "images/00008.png").read_bytes())
    dataset = load_before_checks(folder.root)
    early = dataset.checks.latest
    assert not dataset.checks.done and "content.missing" not in {e.code for e in early.diagnoses}
    complete = curation.load(folder.root)
    assert complete.checks.done and complete.report == dataset.report
    codes = {each.code for each in complete.report.diagnoses}
    assert codes - {each.code for each in early.diagnoses} == {"content.missing", "rows.two_labels"}
    assert curation.check(folder.root) == complete.report
