"""The ranges of the classes, and which values are the most telling, against slow oracles."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from curation.analysis.feature_ranges import (
    CategoryShares,
    NumberRanges,
    compare_features,
    find_percentiles,
    summarize_column,
    summarize_columns,
)


def texts(numbers):
    return np.array([None if n is None else repr(float(n)) for n in numbers], dtype=object)


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.tuples(st.floats(-1e6, 1e6), st.integers(0, 3)), min_size=1, max_size=60),
    st.floats(0, 1),
)
def test_percentiles_are_those_of_numpy_class_by_class(rows, share):
    numbers, labels = (np.array(each) for each in zip(*rows, strict=True))
    (found,) = find_percentiles(numbers, labels, 5, (share,))
    for label in range(5):
        own = numbers[labels == label]
        if len(own):
            assert found[label] == pytest.approx(np.quantile(own, share), rel=1e-9, abs=1e-6)
        else:
            assert math.isnan(found[label])


def slow_evidence(numbers, labels, x, g, s):
    """Straight from the formula: Laplace densities with the percentiles of the two classes."""

    def log_density(label):
        own = [n for n, each in zip(numbers, labels, strict=True) if each == label]
        low, middle, high = (np.quantile(own, share) for share in (0.1, 0.5, 0.9))
        whole = np.quantile(numbers, 0.9) - np.quantile(numbers, 0.1)
        b = max(high - low, 0.05 * whole) / (2 * math.log(5))
        return math.log(math.exp(-abs(x - middle) / b) / (2 * b))

    return log_density(s) - log_density(g)


def test_evidence_of_a_number_is_the_difference_of_the_log_densities():
    rng = np.random.default_rng(0)
    labels = rng.integers(0, 3, 300)
    numbers = rng.normal(labels * 1.5, 1 + labels)
    summaries = summarize_columns({"x": texts(numbers)}, labels, 3)
    for x in (-2.0, 0.0, 1.3, 8.0):
        (found,) = compare_features({"x": str(x)}, summaries, 0, 2)
        assert found.evidence == pytest.approx(slow_evidence(numbers, labels, x, 0, 2))
        assert found.number == x


def test_the_range_of_a_laplace_density_holds_four_fifths():
    b = 3.0
    share = 1 - math.exp(-(2 * math.log(5) * b / 2) / b)
    assert share == pytest.approx(0.8)


def test_evidence_of_a_category_is_the_ratio_of_the_smoothed_shares():
    # class 0: red 3, blue 1; class 1: red 0, blue 2; three colours in all
    colours = np.array(["red", "red", "red", "blue", "blue", "blue", "green"], dtype=object)
    labels = np.array([0, 0, 0, 0, 1, 1, 2])
    summaries = summarize_columns({"colour": colours}, labels, 3)
    (found,) = compare_features({"colour": "red"}, summaries, 0, 1)
    expected = math.log((0 + 1) / (2 + 3)) - math.log((3 + 1) / (4 + 3))
    assert found.evidence == pytest.approx(expected)
    assert (found.given.share, found.suggested.share) == (0.75, 0.0)
    assert (found.given.commonest, found.suggested.commonest) == ("red", "blue")


def test_the_most_telling_comes_first_and_the_others_keep_their_order():
    rng = np.random.default_rng(1)
    labels = np.repeat([0, 1], 100)
    columns = {
        "noise": texts(rng.normal(0, 1, 200)),
        "words": np.array([f"word {k}" for k in range(200)], dtype=object),
        "apart": texts(rng.normal(labels * 10, 1)),
        "empty": np.full(200, None, dtype=object),
    }
    summaries = summarize_columns(columns, labels, 2)
    cells = {"noise": "0.1", "words": "word 3", "apart": "9.7", "empty": None}
    found = compare_features(cells, summaries, 0, 1)
    assert [each.name for each in found] == ["apart", "noise", "words", "empty"]
    assert found[0].evidence > 5 and found[2].evidence == found[3].evidence == 0
    assert compare_features(cells, summaries, 1, 0)[0].evidence == -found[0].evidence


def test_swapping_the_classes_swaps_the_sign_and_one_class_says_nothing():
    rng = np.random.default_rng(2)
    labels = rng.integers(0, 2, 80)
    summaries = summarize_columns({"x": texts(rng.normal(labels, 1))}, labels, 2)
    assert compare_features({"x": "3"}, summaries, 1, 1)[0].evidence == 0


@pytest.mark.parametrize("cell", [None, "", " NA ", "nan", "?", "inf", "two"])
def test_a_cell_that_is_no_number_says_nothing(cell):
    labels = np.repeat([0, 1], 20)
    summaries = summarize_columns({"x": texts(np.arange(40))}, labels, 2)
    (found,) = compare_features({"x": cell}, summaries, 0, 1)
    assert (found.number, found.evidence) == (None, 0.0)
    assert (found.given.low, found.given.middle) == pytest.approx((1.9, 9.5))


def test_missing_cells_are_no_part_of_a_range():
    numbers = [None, 1, 2, 3, 4, 5, 6, 7, 8, 9, None]
    found = summarize_column(texts(numbers), np.zeros(11, np.int64), 2)
    assert isinstance(found, NumberRanges) and found.middle[0] == 5 and math.isnan(found.middle[1])


def test_few_different_numbers_are_categories():
    found = summarize_column(np.array(["0", "1"] * 30), np.repeat([0, 1], 30), 2)
    assert isinstance(found, CategoryShares) and found.counts["1"].tolist() == [15, 15]


def test_a_class_of_equal_values_is_not_infinitely_sure():
    labels = np.repeat([0, 1], 50)
    numbers = np.concatenate([np.zeros(50), np.linspace(0, 10, 50)])
    summaries = summarize_columns({"x": texts(numbers)}, labels, 2)
    (found,) = compare_features({"x": "5"}, summaries, 0, 1)
    assert 0 < found.evidence < 100
    mostly = summarize_column(texts([0] * 95 + [1, 2, 3, 4, 5, 6, 7]), np.zeros(102, np.int64), 1)
    assert mostly.low[0] == mostly.high[0] == 0 and 0 < mostly.scale[0] < 1


def test_progress_is_reported_column_by_column():
    said = []
    columns = {"a": np.array(["x", "y"]), "b": np.array(["1", "2"])}
    summarize_columns(columns, np.array([0, 1]), 2, progress=lambda *each: said.append(each[1]))
    assert said == [0.0, 0.5]


def test_numbers_that_are_not_text_are_compared_too():
    found = summarize_column(np.arange(20.0), np.repeat([0, 1], 10), 2)
    assert isinstance(found, NumberRanges) and found.middle.tolist() == [4.5, 14.5]
