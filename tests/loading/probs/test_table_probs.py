"""Probabilities in a table: lists, objects and numbers in cells."""

import json

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from curation.report import Severity
from tests.loading.conftest import find_diagnosis
from tests.loading.probs.columns import NAMES, words


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


def test_named_column_may_hold_lists(whole):
    (whole.root / "probs.npy").unlink()
    written = [str(row) for row in whole.probs.tolist()]
    rows = "".join(f'{name},"{row}"\n' for name, row in zip(words(whole), written, strict=True))
    whole.write("labels.csv", "label,net\n" + rows)
    dataset = whole.load(prob_columns=["net"])
    np.testing.assert_allclose(np.asarray(dataset.pred_probs), whole.probs, rtol=1e-6)
