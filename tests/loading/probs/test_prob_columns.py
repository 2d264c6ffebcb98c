"""Which columns are probabilities, and of which class: by what is known, else by the sums."""

import numpy as np
import pytest

from curation.report import Severity
from tests.loading.conftest import find_diagnosis
from tests.loading.probs.columns import NAMES, by_class, csv, words


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


def test_named_column_that_does_not_exist_is_refused_with_those_that_do(whole):
    whole.write("labels.csv", csv({"label": words(whole), **by_class(whole)}))
    found = whole.blocked(probs="labels.csv", prob_columns=["cat", "dgo"]).report.diagnoses[0]
    assert (found.code, found.fix) == ("table.no_such_column", "Correct prob_columns.")
    assert "no column 'dgo'; the columns are 'label', 'cat', 'dog', 'eel'" in found.what


def test_named_columns_without_a_table_have_no_effect_and_are_refused(whole):
    error = whole.blocked(prob_columns=["m1"])
    assert error.report.diagnoses[0].code == "manifest.no_effect"
