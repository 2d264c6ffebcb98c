"""Probabilities as people save them: read, converted if agreed, or refused in words."""

import json

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import curation
from curation.loading.formats.disk_array import DiskArray
from curation.loading.probs.prob_matrix import ProbMatrix
from curation.report import Severity
from tests.loading.conftest import find_diagnosis


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
    warning = find_diagnosis(dataset, "probs.dropped")
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
    warning = find_diagnosis(dataset, "probs.sums")
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
    extra = find_diagnosis(dataset, "probs.extra_ids")
    assert extra.count == 3


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
    note = find_diagnosis(dataset, "probs.columns_reordered")
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
    assert dataset.labels[:2].tolist() == [0, 1]
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
