"""Which columns are probabilities, and of which class: by what is known, else by the sums."""

import json

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from curation.report import Severity
from tests.loading.conftest import find_diagnosis

NAMES = ["cat", "dog", "eel"]


def csv(columns: dict[str, object]) -> str:
    rows = zip(*columns.values(), strict=True)
    return ",".join(columns) + "\n" + "".join(",".join(map(str, row)) + "\n" for row in rows)


def words(folder) -> list[str]:
    return [NAMES[k] for k in folder.labels]


def by_class(folder, names=NAMES) -> dict[str, object]:
    return dict(zip(names, folder.probs.astype(float).T.tolist(), strict=True))


@pytest.mark.parametrize("extra", ["p_value", "confidence", "score", "temperature"])
def test_column_that_is_no_class_of_the_list_is_not_read(whole, extra):
    whole.write("classes.txt", "cat\ndog\neel\n")
    (whole.root / "probs.npy").unlink()
    whole.write("probs.csv", csv({extra: [0.5] * 30, **by_class(whole)}))
    dataset = whole.load()
    assert dataset.class_names == ("cat", "dog", "eel")
    np.testing.assert_allclose(np.asarray(dataset.pred_probs), whole.probs, rtol=1e-6)
    note = find_diagnosis(dataset, "probs.other_columns")
    assert (note.severity, note.where, note.count) == (Severity.AUTO, "probs.csv", 1)
    assert repr(extra) in note.what and note.why and note.fix


@pytest.mark.parametrize("extra", ["p_value", "confidence", "temperature"])
def test_column_that_is_no_label_is_not_read_where_rows_add_up_without_it(whole, extra):
    (whole.root / "probs.npy").unlink()
    columns = {f"p_{name}": values for name, values in by_class(whole).items()}
    whole.write("probs.csv", csv({**columns, extra: [0.5] * 30}))
    dataset = whole.load()
    assert dataset.class_names == ("cat", "dog", "eel")
    assert repr(extra) in find_diagnosis(dataset, "probs.other_columns").what


def test_column_that_rows_need_to_add_up_is_a_class_without_examples(whole):
    """30 rows labelled cat, dog or eel; the model also knows a fox."""
    (whole.root / "probs.npy").unlink()
    four = np.column_stack([whole.probs.astype(float) * 0.9, np.full(30, 0.1)])
    whole.write("probs.csv", csv(dict(zip([*NAMES, "fox"], four.T.tolist(), strict=True))))
    assert whole.load().class_names == ("cat", "dog", "eel", "fox")
    whole.write("classes.txt", "cat\ndog\neel\n")
    error = whole.blocked()
    assert "columns that are not a class of classes.txt: 'fox'" in error.problem
    assert "The rows add up to 1 only with them" in error.problem
    assert "Add them to classes.txt" in error.remedy


def test_number_labels_leave_out_the_usual_extras(folder):
    folder.save("labels.npy", folder.labels)
    folder.write("probs.csv", csv({**by_class(folder), "confidence": [0.9] * 30}))
    dataset = folder.load()
    assert dataset.class_names == ("cat", "dog", "eel")
    assert "'confidence'" in find_diagnosis(dataset, "probs.other_columns").what


def test_one_column_too_many_is_named_and_fixed_by_the_offered_classes(folder):
    folder.save("labels.npy", folder.labels)
    folder.write("probs.csv", csv({**by_class(folder), "age": list(range(30))}))
    error = folder.blocked()
    assert "probs.csv, column 'age': it is among the columns of probabilities" in error.problem
    diagnosis = error.report.diagnoses[0]
    assert diagnosis.override == {"classes": NAMES} and diagnosis.why
    dataset = folder.load(**diagnosis.override)
    assert dataset.class_names == ("cat", "dog", "eel")


def test_text_next_to_the_probabilities_is_not_read(whole):
    (whole.root / "probs.npy").unlink()
    whole.write("probs.csv", csv({"comment": ["fine"] * 30, **by_class(whole)}))
    assert "'comment'" in find_diagnosis(whole.load(), "probs.other_columns").what


def test_classes_may_be_called_p_something(folder):
    names = ["p_a", "p_b", "p_c"]
    folder.write("labels.csv", folder.table([names[k] for k in folder.labels]))
    folder.write("probs.csv", csv(by_class(folder, names)))
    assert folder.load().class_names == ("p_a", "p_b", "p_c")
    folder.write("labels.csv", folder.table(list(folder.labels)))
    folder.write("classes.txt", "p_a\np_b\np_c\n")
    assert folder.load().class_names == ("p_a", "p_b", "p_c")
    folder.write("classes.txt", "a\nb\nc\n")
    assert folder.load().class_names == ("a", "b", "c")


def test_classes_may_be_called_like_columns_of_other_things(folder):
    names = ["image", "path", "text"]
    folder.write("labels.csv", folder.table([names[k] for k in folder.labels]))
    folder.write("probs.csv", csv(by_class(folder, names)))
    dataset = folder.load()
    assert dataset.class_names == ("image", "path", "text")
    np.testing.assert_allclose(np.asarray(dataset.pred_probs), folder.probs, rtol=1e-6)


@pytest.mark.parametrize("prefix", ["", "p_", "prob_"])
def test_numbered_columns_follow_the_sorted_labels(whole, prefix):
    (whole.root / "probs.npy").unlink()
    columns = {f"{prefix}{k}": whole.probs[:, k].astype(float) for k in (2, 0, 1)}
    whole.write("probs.csv", csv({"": range(30), **columns}))
    dataset = whole.load()
    np.testing.assert_allclose(np.asarray(dataset.pred_probs), whole.probs, rtol=1e-6)
    note = find_diagnosis(dataset, "probs.numbered_columns")
    assert note.severity is Severity.AUTO
    assert "assigned to the sorted labels, in that order: 'cat', 'dog', 'eel'" in note.what


@pytest.mark.parametrize("prefix", ["p", "prob", "class_", "p_", ""])
def test_numbered_columns_are_the_classes_that_labels_number(folder, prefix):
    """As H2O and others write them, with the predicted class beside them."""
    folder.save("labels.npy", folder.labels)
    columns = {f"{prefix}{k}": folder.probs[:, k].astype(float) for k in range(3)}
    folder.write("probs.csv", csv({"predict": folder.labels, **columns}))
    dataset = folder.load()
    assert dataset.class_names == ("0", "1", "2")
    np.testing.assert_allclose(np.asarray(dataset.pred_probs), folder.probs, rtol=1e-6)


@pytest.mark.parametrize("ending", ["_prob", "_proba", "_probability"])
def test_columns_may_end_in_what_they_are(whole, ending):
    (whole.root / "probs.npy").unlink()
    columns = by_class(whole, [f"{name}{ending}" for name in NAMES])
    whole.write("probs.csv", csv({"note": ["fine"] * 30, **columns, "max_prob": [0.9] * 30}))
    dataset = whole.load()
    assert dataset.class_names == ("cat", "dog", "eel")
    assert "'note', 'max_prob'" in find_diagnosis(dataset, "probs.other_columns").what


def test_numbered_columns_follow_the_list_of_classes(whole):
    (whole.root / "probs.npy").unlink()
    whole.write("classes.txt", "eel\ncat\ndog\n")
    whole.write("probs.csv", csv({str(k): whole.probs[:, k].astype(float) for k in range(3)}))
    dataset = whole.load()
    assert dataset.class_names == ("eel", "cat", "dog")
    assert (
        "assigned to classes.txt, in that order: 'eel', 'cat'"
        in find_diagnosis(dataset, "probs.numbered_columns").what
    )
    np.testing.assert_allclose(np.asarray(dataset.pred_probs), whole.probs, rtol=1e-6)


def test_numbered_columns_of_another_count_than_labels_ask_for_the_classes(whole):
    (whole.root / "probs.npy").unlink()
    whole.write("probs.csv", csv({str(k): [0.25] * 30 for k in range(4)}))
    assert "the labels have 3 classes" in whole.blocked().problem


def test_label_table_may_hold_columns_named_by_class_alone(folder):
    whole = {"label": words(folder), "age": range(30), **by_class(folder)}
    folder.write("labels.csv", csv(whole))
    dataset = folder.load()
    assert dataset.class_names == ("cat", "dog", "eel")
    assert list(dataset.extras) == ["age"]
    folder.write("labels.csv", csv({**whole, "cat": range(30)}))  # a count of cats, say
    assert "no probabilities found" in folder.blocked().problem


def test_columns_shown_with_an_example_are_neither_its_probabilities_nor_row_numbers(folder):
    columns = {f"p_{name}": values for name, values in by_class(folder).items()}
    others = {"": range(30), "Unnamed: 0": range(30), "age": range(30), "p_value": [0.01] * 30}
    folder.write("labels.csv", csv({"label": words(folder), **others, **columns}))
    assert list(folder.load().extras) == ["age", "p_value"]


def test_list_of_probabilities_is_not_shown_with_the_example(folder):
    table = {"label": words(folder), "age": range(30), "probs": folder.probs.tolist()}
    pq.write_table(pa.table({k: list(v) for k, v in table.items()}), folder.root / "labels.parquet")
    assert list(folder.load().extras) == ["age"]


def test_decimal_commas_are_read_where_semicolons_divide(whole):
    """As a spreadsheet set to German or French saves it."""
    (whole.root / "probs.npy").unlink()
    rows = [["id", *NAMES], *([f"e{k}", *row] for k, row in enumerate(whole.probs.tolist()))]
    text = "\r\n".join(";".join(map(str, row)) for row in rows).replace(".", ",")
    whole.write("probs.csv", text)
    dataset = whole.load()
    np.testing.assert_allclose(np.asarray(dataset.pred_probs), whole.probs, rtol=1e-6)
    assert find_diagnosis(dataset, "probs.decimal_comma").severity is Severity.AUTO


def test_word_among_the_numbers_of_a_class_is_placed(whole):
    (whole.root / "probs.npy").unlink()
    text = csv({**by_class(whole), "note": ["fine"] * 30})
    lines = text.split("\n")
    lines[5] = "oops" + lines[5][lines[5].index(",") :]
    whole.write("probs.csv", "\n".join(lines))
    assert "probs.csv, row 4: 'oops' in column 'cat' is not a number" in whole.blocked().problem


def test_single_column_asks_which_class_it_is_for(folder):
    labels = ["no", "yes"] * 15
    folder.write("labels.csv", folder.table(labels))
    chance = [0.2, 0.7] * 15
    folder.write("probs.csv", csv({"id": [f"e{k}" for k in range(30)], "probability": chance}))
    error = folder.blocked()
    assert "for which class?" in error.problem
    dataset = folder.load(**error.report.diagnoses[0].override)
    assert np.asarray(dataset.pred_probs)[:2].tolist() == [[0.8, 0.2], [1 - 0.7, 0.7]]


def test_object_of_probabilities_by_class_is_read(folder):
    rows = [
        {"id": k, "label": word, "probs": dict(zip(NAMES[::-1], row[::-1], strict=True))}
        for k, (word, row) in enumerate(zip(words(folder), folder.probs.tolist(), strict=True))
    ]
    folder.write("data.jsonl", "".join(json.dumps(row) + "\n" for row in rows))
    dataset = folder.load()
    order = [dataset.class_names.index(name) for name in NAMES]
    np.testing.assert_allclose(np.asarray(dataset.pred_probs)[:, order], folder.probs, rtol=1e-6)
    assert list(dataset.extras) == []
    table = pa.table({key: [row[key] for row in rows] for key in ("id", "probs")})
    pq.write_table(table, folder.root / "probs.parquet")
    folder.write("data.jsonl", "".join(json.dumps(row | {"probs": 0}) + "\n" for row in rows))
    again = folder.load(probs="probs.parquet")
    assert again.class_names == dataset.class_names
    np.testing.assert_array_equal(np.asarray(again.pred_probs), np.asarray(dataset.pred_probs))


@pytest.mark.parametrize("divider", [", ", " ", "\n "])
def test_lists_written_as_text_are_read(folder, divider):
    """As pandas writes a column of lists, or of NumPy arrays, to CSV."""
    lists = ["[" + divider.join(map(str, row)) + "]" for row in folder.probs.tolist()]
    rows = (f'{word},"{cell}"\n' for word, cell in zip(words(folder), lists, strict=True))
    folder.write("data.csv", "label,pred_probs\n" + "".join(rows))
    dataset = folder.load()
    np.testing.assert_allclose(np.asarray(dataset.pred_probs), folder.probs, rtol=1e-6)
    assert find_diagnosis(dataset, "probs.written_lists").severity is Severity.AUTO
    assert list(dataset.extras) == []


def test_list_that_numpy_abbreviated_is_refused(folder):
    rows = (f'{word},"[0.1 0.2 ... 0.3]"\n' for word in words(folder))
    folder.write("data.csv", "label,pred_probs\n" + "".join(rows))
    error = folder.blocked()
    assert "row 0: '[0.1 0.2 ... 0.3]' is not a list of numbers" in error.problem
    assert "np.save" in error.remedy


def test_spaces_around_names_and_cells_are_ignored_and_reported(folder):
    rows = "".join(
        f"e{row}, {NAMES[label]}, {', '.join(map(str, folder.probs[row]))}\n"
        for row, label in enumerate(folder.labels)
    )
    folder.write("data.csv", "id, label, p_cat, p_dog, p_eel\n" + rows)
    dataset = folder.load()
    assert dataset.class_names == ("cat", "dog", "eel")
    assert dataset.labels.tolist() == folder.labels.tolist()
    np.testing.assert_allclose(dataset.pred_probs[:], folder.probs, rtol=1e-6)
    assert {"table.spaces", "labels.spaces"} <= folder.codes()
    assert list(dataset.extras) == []


def test_columns_named_with_blanks_as_the_classes_are_stay_so(folder):
    cells = [f" {NAMES[label]}" for label in folder.labels]
    folder.write("labels.csv", folder.table(cells))
    rows = "".join(f"e{r},{','.join(map(str, p))}\n" for r, p in enumerate(folder.probs))
    folder.write("probs.csv", "id, cat, dog, eel\n" + rows)
    assert folder.load().class_names == (" cat", " dog", " eel")
    assert "table.spaces" not in folder.codes()


def test_named_columns_follow_the_order_of_the_classes_whatever_they_are_called(whole):
    (whole.root / "probs.npy").unlink()
    columns = dict(zip(("m1", "m2", "m3"), whole.probs.T.tolist(), strict=True))
    whole.write("out.csv", csv({"id": [f"e{k}" for k in range(30)], "age": range(30), **columns}))
    dataset = whole.load(probs="out.csv", prob_columns=["m1", "m2", "m3"])
    np.testing.assert_allclose(np.asarray(dataset.pred_probs), whole.probs, rtol=1e-6)
    assert dataset.settings["prob_columns"] == ["m1", "m2", "m3"]


def test_named_columns_that_name_their_class_are_in_any_order(whole):
    (whole.root / "probs.npy").unlink()
    columns = {f"p_{name}": values for name, values in by_class(whole).items()}
    whole.write("labels.csv", csv({"label": words(whole), **columns}))
    dataset = whole.load(prob_columns=["p_eel", "p_cat", "p_dog"])
    assert dataset.class_names == ("eel", "cat", "dog")
    np.testing.assert_allclose(dataset.pred_probs[:], whole.probs[:, [2, 0, 1]], rtol=1e-6)
    assert not set(columns) & set(dataset.extras)


def test_named_column_may_hold_lists(whole):
    (whole.root / "probs.npy").unlink()
    written = [str(row) for row in whole.probs.tolist()]
    rows = "".join(f'{name},"{row}"\n' for name, row in zip(words(whole), written, strict=True))
    whole.write("labels.csv", "label,net\n" + rows)
    dataset = whole.load(prob_columns=["net"])
    np.testing.assert_allclose(np.asarray(dataset.pred_probs), whole.probs, rtol=1e-6)


def test_named_column_that_does_not_exist_is_refused_with_those_that_do(whole):
    whole.write("labels.csv", csv({"label": words(whole), **by_class(whole)}))
    found = whole.blocked(probs="labels.csv", prob_columns=["cat", "dgo"]).report.diagnoses[0]
    assert (found.code, found.fix) == ("table.no_such_column", "Correct prob_columns.")
    assert "no column 'dgo'; the columns are 'label', 'cat', 'dog', 'eel'" in found.what


def test_named_columns_without_a_table_have_no_effect_and_are_refused(whole):
    error = whole.blocked(prob_columns=["m1"])
    assert error.report.diagnoses[0].code == "manifest.no_effect"
