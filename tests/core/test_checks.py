import re

import numpy as np
import pandas as pd
import pytest

from curation import analyze
from curation.core import matrix
from curation.core.checks import Places, check_labels, survey_probabilities
from curation.errors import InputError

GOOD = np.array([[0.9, 0.1], [0.2, 0.8], [0.5, 0.5]])


def refusal(labels, pred_probs):
    with pytest.raises(InputError) as caught:
        analyze(labels, pred_probs)
    return caught.value.problem, caught.value.remedy


def with_row(row, values, dtype=float):
    probs = np.tile([0.25, 0.75], (20, 1)).astype(dtype)
    probs[row] = values
    return probs


def test_shapes_that_do_not_match_are_both_shown():
    problem, _ = refusal([0, 1, 0, 1], GOOD)
    assert problem == "4 labels came with probabilities of shape (3, 2)."


def test_transposed_probabilities_are_named_as_such():
    problem, remedy = refusal([0, 1, 0], GOOD.T)
    assert problem == "3 labels came with probabilities of shape (2, 3). They look transposed."
    assert remedy == "Transpose them: one row for each example."


def test_one_dimension_is_refused_with_its_shape():
    problem, _ = refusal([0, 1], np.array([0.2, 0.8]))
    assert problem == "The probabilities have shape (2,), not (examples, classes)."


def test_one_class_is_too_few():
    problem, remedy = refusal([0, 0], np.ones((2, 1)))
    assert "1 column; label errors need at least 2 classes" in problem
    assert "[1 - p, p]" in remedy


@pytest.mark.fault(
    22,
    "BLOCK",
    says="There are no rows. Pass at least one labelled example.",
)
def test_no_rows_are_refused():
    assert refusal([], np.empty((0, 3)))[0] == "There are no rows."


@pytest.mark.parametrize(
    ("labels", "words"),
    [
        ([0, 1, 2], "The label of row 2 (2) is not a class from 0 to 1 (1 of 3 rows;"),
        ([-1, 1, 0], "The label of row 0 (-1) is not a class from 0 to 1"),
        ([0, 1.5, 1], "The label of row 1 (1.5) is not a whole number"),
        ([0, np.nan, 1], "The label of row 1 (nan) is missing"),
        ([0, None, 1], "The label of row 1 (nan) is missing"),
        (pd.Series([0, pd.NA, 1], dtype="Int64"), "The label of row 1 (nan) is missing"),
        (["cat", "dog", "cat"], "The labels are of type <U3, not class indices; the first is"),
        (np.array([0, "dog", 1], object), "A label is 'dog', which is not a class index."),
        ([[0], [1], [0]], "The labels have shape (3, 1), not one label for each example."),
        ([0, np.inf, 1], "The label of row 1 (inf) is not a class from 0 to 1"),
    ],
)  # fmt: skip
def test_labels_that_are_not_class_indices_are_named(labels, words):
    assert words in refusal(labels, GOOD)[0]


@pytest.mark.parametrize(
    "labels", [[0.0, 1.0], [False, True], np.array([0, 1], "u1"), pd.Series([0, 1])]
)
def test_whole_numbers_of_any_type_are_labels(labels):
    assert check_labels(labels, 2).tolist() == [0, 1]
    assert check_labels(labels, 2).dtype == np.int64


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64"])
@pytest.mark.parametrize(
    ("values", "problem_words", "remedy_words"),
    [
        ([np.nan, 1], "Row 7 of the probabilities holds a NaN (1 of 20 rows", "Predict those rows"),
        ([np.inf, 0], "Row 7 of the probabilities holds an infinity", "float16 overflows"),
        ([-np.inf, np.inf], "holds an infinity", "float32"),
        ([-0.25, 1.25], "Row 7 of the probabilities holds -0.25, outside 0 to 1", "softmax"),
        ([2.5, 0], "Row 7 of the probabilities holds 2.5, outside 0 to 1", "percentages by 100"),
        ([0.5, 0.75], "Row 7: the 2 probabilities add up to 1.25, not 1 (1 of 20", "softmax"),
        ([0, 0], "Row 7: the 2 probabilities add up to 0, not 1", "softmax"),
    ],
)
def test_row_that_is_not_a_distribution_is_named_with_its_value(
    dtype, values, problem_words, remedy_words
):
    problem, remedy = refusal([0] * 20, with_row(7, values, dtype))
    assert problem_words in problem and remedy_words in remedy


def test_first_five_of_many_rows_are_named():
    probs = np.tile([0.25, 0.75], (20, 1))
    probs[3::2] = [0.5, 0.75]
    problem, _ = refusal([0] * 20, probs)
    assert "(9 of 20 rows; first: 3, 5, 7, 9, 11)" in problem


def test_bad_row_is_found_in_any_block():
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(matrix, "BLOCK_BYTES", 1)
        assert "Row 19" in refusal([0] * 20, with_row(19, [np.nan, 1]))[0]


@pytest.mark.fault(7, "HOLDS")
def test_row_sums_may_be_off_by_what_their_type_rounds_away():
    assert analyze([0, 1], np.array([[0.5, 0.5009], [0.2, 0.8]]))
    assert "add up to 1.002" in refusal([0, 1], np.array([[0.5, 0.502], [0.2, 0.8]]))[0]
    half = np.array([[0.5, 0.515], [0.2, 0.8]], np.float16)  # off by 0.015, as in the paper's files
    assert analyze([0, 1], half)
    assert "add up to" in refusal([0, 1], np.array([[0.5, 0.53], [0.2, 0.8]], np.float16))[0]


def test_rounding_errors_outside_zero_and_one_are_allowed():
    findings = analyze([0, 1], np.array([[1 + 1e-9, -1e-9], [0.2, 0.8]]))
    assert findings.normalized_margin[0] == 1


def test_a_value_above_one_counts_as_one_as_far_as_row_sums_may_be_off():
    probs = np.array([[1.00001, 0.00001], [0.2, 0.8], [0.00001, 1.00001]])
    findings = analyze([0, 1, 0], probs)
    assert findings.self_confidence[0] == 1 and findings.normalized_margin[2] >= -1
    assert findings.strength.mean_confidence <= 1
    survey = survey_probabilities(probs)
    assert survey.valid and survey.just_above_one == Places(2, (0, 2))
    assert not survey_probabilities(GOOD).just_above_one


@pytest.mark.parametrize("value", [1.0015, 1.00101, 1.5, -1.1e-6, -0.3])
def test_a_value_that_is_refused_is_shown_outside_zero_to_one(value):
    words, _ = refusal([0] * 20, with_row(1, [value, 0]))
    shown = float(re.search(r"holds (\S+), outside 0 to 1", words)[1])
    assert not 0 <= shown <= 1 and shown == pytest.approx(value, rel=1e-3)


@pytest.mark.parametrize("dtype", [object, complex, "U3"])
def test_what_is_not_numbers_is_refused_by_type(dtype):
    assert "The probabilities are of type" in refusal([0, 1, 0], GOOD.astype(dtype))[0]


def test_ragged_lists_are_refused():
    assert refusal([0, 1], [[0.5, 0.5], [1.0]])[0] == (
        "The probabilities are rows of different lengths."
    )
    assert "The labels are rows" in refusal([0, [1, 2], 1], GOOD)[0]


@pytest.mark.fault(
    29,
    "BLOCK",
    says="The input is a masked array, and the masked values are unknown. Leave out the "
    "masked rows, and pass plain arrays.",
)
def test_masked_arrays_are_refused():
    assert "masked" in refusal([0, 1, 0], np.ma.masked_invalid(GOOD))[0]


def test_survey_counts_every_kind_of_invalid_row():
    probs = np.array(
        [[0.5, 0.5], [np.nan, 1], [np.inf, 0], [-1, 2], [0, 0], [0.5, 0.6], [3, -2], [0.1, 0.9]]
    )
    survey = survey_probabilities(probs)
    found = {
        name: places.first for name, places in vars(survey).items() if not isinstance(places, float)
    }
    assert found.pop("just_above_one") == ()
    assert found == {
        "missing": (1,),
        "infinite": (2,),
        "negative": (3, 6),
        "above_one": (
            3,
            6,
        )
        if not np.isinf(probs[2]).any()
        else (2, 3, 6),
        "zero": (4,),
        "off_sum": (5,),
    }
    assert (survey.lowest, survey.highest) == (-2, 3)
    assert not survey.valid and survey_probabilities(GOOD).valid


@pytest.mark.parametrize("labels", [None, 5, np.array(5), iter([0, 1, 0])])
def test_labels_that_are_not_a_list_are_refused(labels):
    assert "not one label for each example" in refusal(labels, GOOD)[0]


def test_no_rows_of_probabilities_are_not_called_transposed():
    assert refusal([0, 1, 1], np.zeros((0, 3)))[0] == "There are no rows."
