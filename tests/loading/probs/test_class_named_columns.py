"""Columns of probabilities that are named after the classes, the labels or their numbers."""

import numpy as np
import pytest

from curation.report import Severity
from tests.loading.conftest import find_diagnosis
from tests.loading.probs.columns import NAMES, by_class, csv


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
