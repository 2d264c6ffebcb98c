"""A class is as likely as the tokens that name it, and nothing is made up for the others."""

from __future__ import annotations

import json
import math

import numpy as np
import pytest

import curation
from curation.errors import BlockedError
from tests.loading.conftest import find_diagnosis


def write_answers(folder, rows, *, labels=("yes", "no")):
    """Write one answer for each row, a mapping of tokens to probabilities."""
    said = [labels[k % 2] for k in range(len(rows))]
    folder.write("labels.csv", "label\n" + "".join(f"{each}\n" for each in said))
    lines = []
    for row in rows:
        tokens = [{"token": t, "logprob": math.log(p)} for t, p in row.items()]
        first = {**tokens[0], "top_logprobs": tokens}
        choice = {"message": {"content": tokens[0]["token"]}, "logprobs": {"content": [first]}}
        lines.append(json.dumps({"object": "chat.completion", "choices": [choice]}) + "\n")
    folder.write("responses.jsonl", "".join(lines))
    return folder.root


def test_tokens_that_name_a_class_are_added_up_and_others_left_out(folder):
    row = {"yes": 0.5, " Yes": 0.2, "no": 0.26, "Maybe": 0.04}
    dataset = curation.load(write_answers(folder, [row] * 6))
    # of the 0.96 that belong to a class, 0.7 are yes
    assert dataset.class_names == ("no", "yes")
    assert np.allclose(dataset.pred_probs, [[0.26 / 0.96, 0.7 / 0.96]] * 6)
    assert "other tokens have at most 0.04" in find_diagnosis(dataset, "probs.tokens").what


def test_classes_that_differ_only_in_case_are_told_apart_by_it(folder):
    row = {"Yes": 0.75, "yes": 0.25}
    dataset = curation.load(write_answers(folder, [row] * 6, labels=("Yes", "yes")))
    assert np.allclose(dataset.pred_probs, [[0.75, 0.25]] * 6)


def test_a_row_that_lacks_a_class_is_named_with_the_class_and_the_tokens(folder):
    rows = [{"yes": 0.7, "no": 0.3}] * 5 + [{"yes": 0.9, "Sure": 0.05}]
    with pytest.raises(BlockedError) as caught:
        curation.load(write_answers(folder, rows))
    assert "responses.jsonl, row 5: 'no' is not among the 2 likeliest tokens" in str(caught.value)
    assert "(1 of 6 rows are so)" in str(caught.value)


def test_a_probability_above_one_is_refused(folder):
    root = write_answers(folder, [{"yes": 2.0, "no": 0.3}] * 6)
    with pytest.raises(BlockedError, match="another form: ValueError, the logprob of 'yes' is 0.6"):
        curation.load(root, probs="responses.jsonl")
