"""Of two classes, one score tells both; of more, the likeliest alone is refused."""

from __future__ import annotations

import numpy as np
import pytest

import curation
from curation.loading.probs.top_scores import find_top_scores
from tests.loading.conftest import find_diagnosis


def test_the_score_of_the_predicted_class_gives_that_of_the_other(folder):
    rows = ["ham,ham,0.9", "spam,ham,0.8", "spam,spam,0.7", "ham,spam,0.6"] * 5
    folder.write("data.csv", "label,prediction,confidence\n" + "\n".join(rows))
    dataset = curation.load(folder.root)
    expected = [[0.9, 0.1], [0.8, 0.2], [0.3, 0.7], [0.4, 0.6]] * 5
    assert np.allclose(dataset.pred_probs, expected)
    said = find_diagnosis(dataset, "probs.predicted_class").what
    assert "'confidence' is read as the probability of the class in 'prediction'" in said


def test_a_score_below_a_half_is_not_that_of_the_likelier_class(folder):
    rows = ["ham,ham,0.1", "spam,ham,0.2", "spam,spam,0.7", "ham,spam,0.6"] * 5
    folder.write("data.csv", "label,prediction,score\n" + "\n".join(rows))
    assert "for which class?" in folder.blocked().problem


def test_a_table_with_all_scores_needs_no_other(folder):
    rows = ["ham,ham,0.9,0.9,0.1", "spam,spam,0.8,0.2,0.8"] * 10
    folder.write("data.csv", "label,prediction,confidence,p_ham,p_spam\n" + "\n".join(rows))
    dataset = curation.load(folder.root)
    assert np.allclose(dataset.pred_probs, [[0.9, 0.1], [0.2, 0.8]] * 10)


def test_columns_that_add_up_to_one_come_before_the_predicted_class(folder):
    rows = [f"{'abc'[k % 3]},0.{6 + k % 3},{','.join(map(str, p))}" for k, p in
            enumerate(folder.probs.tolist())]  # fmt: skip
    folder.write("labels.csv", folder.table(["abc"[k] for k in folder.labels]))
    folder.write("predictions.csv", "prediction,confidence,m,n,o\n" + "\n".join(rows))
    refused = folder.blocked(classes=["a", "b", "c"])
    assert "columns that are not a class: 'm', 'n', 'o'" in refused.problem


@pytest.mark.parametrize(
    "columns", [("id", "label"), ("prediction",), ("confidence",), ("name", "top1", "score")]
)
def test_other_columns_are_not_taken_for_the_likeliest_classes(columns):
    assert find_top_scores(columns) is None
