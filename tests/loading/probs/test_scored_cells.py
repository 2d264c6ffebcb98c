"""Cells that hold a score for each class: which are read, and which are left alone."""

import json

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from curation.loading.probs.scored_cells import read_scores


@pytest.mark.parametrize(
    "cell",
    ["cat", "", "[", "{'cat': }", "[1, 2]", "{'cat': 'x'}", "[['cat', 0.1], ['cat', 0.9]]",
     "__import__('os').getcwd()", "{'a': open('x')}", "[" * 5000, 5, None,
     {"classes": ["a"], "scores": [0.1, 0.9]}],
    ids=lambda cell: str(cell)[:30],
)  # fmt: skip
def test_other_cells_hold_no_scores(cell):
    assert read_scores(cell) is None


def test_predicted_class_with_its_score_is_no_list(folder):
    folder.write("labels.csv", folder.table(folder.labels.tolist()))
    table = {"id": [f"e{k}" for k in range(30)], "label": folder.labels, "score": [0.9] * 30}
    pq.write_table(pa.table(table), folder.root / "preds.parquet")
    assert folder.blocked(probs="preds.parquet").report.diagnoses  # and no other exception


@pytest.mark.parametrize("cat", [1, 3])
def test_votes_that_are_whole_numbers_are_never_read_as_probabilities(folder, cat):
    votes = [json.dumps({"cat": cat, "dog": cat // 2, "eel": 0})] * 30
    names = [("cat", "dog", "eel")[k] for k in folder.labels]
    pd.DataFrame({"label": names, "votes": votes}).to_csv(folder.root / "data.csv", index=False)
    assert "folder.no_probabilities" in folder.codes()


def test_row_without_scores_is_reported_as_missing(folder):
    names = [("cat", "dog", "eel")[k] for k in folder.labels]
    cells = [json.dumps(dict(zip(("cat", "dog", "eel"), row, strict=True)))
             for row in folder.probs.tolist()]  # fmt: skip
    cells[3] = ""
    pd.DataFrame({"label": names, "probs": cells}).to_csv(folder.root / "data.csv", index=False)
    found = folder.blocked().report.diagnoses[0]
    assert (found.code, found.count) == ("probs.nan", 1)


def test_row_that_holds_something_else_is_named(folder):
    names = [("cat", "dog", "eel")[k] for k in folder.labels] * 10
    cells = [json.dumps(dict(zip(("cat", "dog", "eel"), row, strict=True)))
             for row in folder.probs.tolist()] * 10  # fmt: skip
    cells[250] = "n/a"
    pd.DataFrame({"label": names, "probs": cells}).to_csv(folder.root / "data.csv", index=False)
    found = folder.blocked().report.diagnoses[0]
    assert found.code == "probs.not_a_number" and "row 250" in found.where


def test_percents_that_are_whole_numbers_are_offered_to_be_divided(folder):
    names = [("cat", "dog", "eel")[k] for k in folder.labels]
    cells = [json.dumps({"cat": 90, "dog": 9, "eel": 1})] * 30
    pd.DataFrame({"label": names, "probs": cells}).to_csv(folder.root / "data.csv", index=False)
    assert "probs.percent" in folder.codes()


def test_scores_in_texts_as_pandas_3_and_polars_save_them_are_read(folder):
    names = [("cat", "dog", "eel")[k] for k in folder.labels]
    cells = [json.dumps(dict(zip(("cat", "dog", "eel"), row, strict=True)))
             for row in folder.probs.tolist()]  # fmt: skip
    text = pa.large_string()
    table = pa.table({"label": pa.array(names, text), "probs": pa.array(cells, text)})
    pq.write_table(table, folder.root / "data.parquet")
    np.testing.assert_array_equal(np.asarray(folder.load().pred_probs), folder.probs)


def test_numbered_answers_of_people_are_not_taken_for_a_ranking(folder):
    folder.write("labels.csv", folder.table(folder.labels.tolist()))
    people = {
        "label_0": folder.labels,
        "label_1": folder.labels,
        "label_2": (folder.labels + 1) % 3,
    }
    probs = {f"prob_{k}": folder.probs[:, k] for k in range(3)}
    table = pd.DataFrame({"id": [f"e{k}" for k in range(30)], **people, **probs})
    table.to_csv(folder.root / "probs.csv", index=False)
    np.testing.assert_allclose(np.asarray(folder.load().pred_probs), folder.probs)
