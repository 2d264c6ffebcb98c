"""Tables of pandas are matched by name, never by position in silence."""

import numpy as np
import pandas as pd
import pytest

from curation import analyze
from curation.errors import InputError
from tests.problems import noisy_problem

NAMES = ["ant", "bee", "cow", "dog"]


@pytest.fixture
def problem():
    labels, probs, _ = noisy_problem(np.random.default_rng(0), n=600, m=4, noise=0.05, sharpness=9)
    return labels, probs, analyze(labels, probs, NAMES)


def refusal(*arguments):
    with pytest.raises(InputError) as caught:
        analyze(*arguments)
    return caught.value.problem, caught.value.remedy


def test_columns_are_matched_to_the_class_names(problem):
    labels, probs, expected = problem
    order = [2, 0, 3, 1]
    table = pd.DataFrame(probs[:, order], columns=[NAMES[each] for each in order])
    found = analyze(labels, table, NAMES)
    assert found.class_names == tuple(NAMES)
    assert found.issues().tolist() == expected.issues().tolist()
    assert (found.confident_joint == expected.confident_joint).all()


def test_numbered_columns_are_in_the_order_of_their_numbers(problem):
    labels, probs, expected = problem
    order = [2, 0, 3, 1]
    for names in (None, NAMES, ["0", "1", "2", "3"]):
        found = analyze(labels, pd.DataFrame(probs[:, order], columns=order), names)
        assert found.issues().tolist() == expected.issues().tolist()


def test_columns_name_the_classes_where_nothing_else_does(problem):
    labels, probs, expected = problem
    found = analyze(labels, pd.DataFrame(probs, columns=NAMES))
    assert found.class_names == tuple(NAMES)
    assert found.issues().tolist() == expected.issues().tolist()


@pytest.mark.parametrize(
    "columns", [["ant", "bee", "cow", "cat"], ["ant", "ant", "cow", "dog"], [1, 2, 3, 4]]
)
def test_columns_with_other_names_are_refused_with_both(problem, columns):
    labels, probs, _ = problem
    words, remedy = refusal(labels, pd.DataFrame(probs, columns=columns), NAMES)
    assert words == (
        f"The columns of the probabilities are {', '.join(map(repr, map(str, columns)))}, and the "
        "class names are 'ant', 'bee', 'cow', 'dog'."
    )
    assert "pred_probs.to_numpy()" in remedy


def test_labels_are_matched_to_the_index_of_the_probabilities(problem):
    labels, probs, expected = problem
    ids = [f"e{row}" for row in range(600)]
    table = pd.DataFrame(probs, columns=NAMES, index=ids)
    series = pd.Series(labels, index=ids).sample(frac=1, random_state=0)
    found = analyze(series, table, NAMES)
    assert (found.labels == labels).all()  # the order of the probabilities
    assert found.issues().tolist() == expected.issues().tolist()


def test_the_same_index_is_taken_as_it_is_even_if_it_repeats(problem):
    labels, probs, expected = problem
    index = np.arange(600) // 2
    found = analyze(pd.Series(labels, index=index), pd.DataFrame(probs, index=index))
    assert found.issues().tolist() == expected.issues().tolist()


def test_arrays_have_no_index_and_are_taken_by_position(problem):
    labels, probs, expected = problem
    shuffled = pd.Series(labels, index=np.random.default_rng(0).permutation(600))
    for given, table in ((shuffled, probs), (labels, pd.DataFrame(probs, index=shuffled.index))):
        assert analyze(given, table).issues().tolist() == expected.issues().tolist()


@pytest.mark.parametrize(
    ("index", "why"),
    [
        (range(1, 601), "1 of 600 rows of probabilities have no label."),
        ([0] * 600, "An index that repeats cannot be matched."),
        ([f"e{row}" for row in range(600)], "600 of 600 rows of probabilities have no label."),
    ],
)
def test_an_index_that_does_not_match_is_refused_with_both(problem, index, why):
    labels, probs, _ = problem
    words, remedy = refusal(pd.Series(labels, index=index), pd.DataFrame(probs))
    first = ", ".join(repr(each) for each in list(index)[:5])
    assert words.startswith(
        f"The index of the labels is {first}, ... (600), and that of the probabilities 0, 1, 2"
    )
    assert words.endswith(why) and "labels.to_numpy()" in remedy


def test_an_index_that_separates_what_belongs_together_is_refused(problem):
    """`pd.DataFrame(model.predict_proba(X))` numbers its rows anew."""
    labels, probs, _ = problem
    index = np.random.default_rng(1).permutation(600)
    words, _ = refusal(pd.Series(labels, index=index), pd.DataFrame(probs))
    assert words.endswith(
        "Matched by index, the model agrees with 24.7 % of the labels, by position with 83.2 %."
    )
