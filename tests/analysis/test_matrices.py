import numpy as np
import pytest

import curation
from curation.analysis import matrices
from curation.analysis.matrices import MATRICES, OTHER, Cell, find_changes
from tests.problems import noisy_problem


@pytest.fixture(scope="module")
def findings():
    labels, probs, _ = noisy_problem(np.random.default_rng(0), n=3000, m=8)
    return curation.analyze(labels, probs)


def test_every_matrix_is_read_as_given_by_true(findings):
    n = len(findings.labels)
    assert matrices.read_matrix(findings, "joint").sum() == pytest.approx(n)
    assert matrices.read_matrix(findings, "noise_matrix").sum(axis=0) == pytest.approx(1)
    mixing = matrices.read_matrix(findings, "inverse_noise_matrix")
    assert mixing.sum(axis=1) == pytest.approx(1)
    assert mixing == pytest.approx(findings.joint / findings.joint.sum(axis=1, keepdims=True))
    assert matrices.read_matrix(findings, "difference").sum() == pytest.approx(0, abs=1e-6)


@pytest.mark.parametrize("matrix", MATRICES)
def test_same_place_is_the_same_pair_in_every_view(findings, matrix):
    whole = matrices.read_matrix(findings, matrix)
    order = np.random.default_rng(1).permutation(8)
    for view in (
        matrices.view_classes(findings, matrix, order, order[::-1]),
        matrices.view_overview(findings, matrix, order, 3, diagonal=True),
    ):
        assert (view.values == whole[view.givens, view.trues]).all()


def test_conditional_matrices_with_others_still_add_up_to_one(findings):
    classes = np.array([5, 2, 0])
    noise = matrices.view_with_others(findings, "noise_matrix", classes)
    assert noise.values.sum(axis=0) == pytest.approx(1)
    assert noise.values[:3, :3] == pytest.approx(findings.noise_matrix[np.ix_(classes, classes)])
    mixing = matrices.view_with_others(findings, "inverse_noise_matrix", classes)
    assert mixing.values.sum(axis=1) == pytest.approx(1)
    assert mixing.givens[:, 0].tolist() == [5, 2, 0, OTHER]


@pytest.mark.parametrize("matrix", MATRICES)
def test_others_among_themselves_are_only_confusions_without_the_diagonal(findings, matrix):
    shown, others = np.array([5, 2, 0]), (1, 3, 4, 6, 7)
    view = matrices.hide_diagonal(
        matrices.view_with_others(findings, matrix, shown, diagonal=False)
    )
    joint = findings.joint
    whole = joint if matrix in matrices.SHARES else matrices.read_matrix(findings, matrix)
    among = sum(whole[i, j] for i in others for j in others if i != j)
    if matrix == "noise_matrix":
        among /= sum(joint[i, j] for i in range(8) for j in others)
    if matrix == "inverse_noise_matrix":
        among /= sum(joint[i, j] for i in others for j in range(8))
    assert view.values[-1, -1] == pytest.approx(among)
    assert np.isnan(view.values.diagonal()).tolist() == [True, True, True, False]
    with_diagonal = matrices.view_with_others(findings, matrix, shown)
    off = ~np.eye(4, dtype=bool)
    assert (with_diagonal.values[off] == view.values[off]).all()


def test_overview_without_the_diagonal_never_shows_a_diagonal_cell(findings):
    view = matrices.view_overview(findings, "joint", np.arange(8), 3, diagonal=False)
    assert (view.givens != view.trues).all()
    off = findings.joint * len(findings.labels)
    np.fill_diagonal(off, 0)
    assert view.values.max() == off.max()
    assert view.find(Cell(7, 1)) == (2, 0)
    assert view.row_classes.tolist() == view.column_classes.tolist() == [0, 3, 6]


def test_hidden_diagonal_is_blank_also_where_classes_are_reordered(findings):
    order = np.array([3, 1, 2])
    view = matrices.hide_diagonal(matrices.view_classes(findings, "joint", order, order[::-1]))
    assert np.isnan(view.values).tolist() == np.fliplr(np.eye(3, dtype=bool)).tolist()


def test_examples_of_a_cell_are_those_counted_the_most_suspect_first(findings):
    for given in range(8):
        for true in range(8):
            rows = matrices.find_rows(findings, Cell(given, true), "confident_joint")
            assert (findings.labels[rows] == given).all()
            assert np.all(np.diff(findings.normalized_margin[rows]) >= 0)
            if given != true:
                assert len(rows) == findings.confident_joint[given, true]
                assert (findings.suggested_labels[rows] == true).all()


def test_examples_of_a_confusion_cell_are_all_it_counts_flagged_or_not(findings):
    for given in range(8):
        for true in range(8):
            cell = Cell(given, true)
            assert matrices.find_basis(findings, "confusion", cell) == "confusion"
            rows = matrices.find_rows(findings, cell, "confusion", likeliest=True)
            assert sorted(rows) == [
                row for row in range(3000)
                if findings.labels[row] == given and findings.predicted_labels[row] == true
            ]  # fmt: skip
            assert len(rows) == findings.confusion[given, true]


def test_examples_of_a_difference_are_those_of_the_larger_estimate(findings):
    found = matrices.read_matrix(findings, "difference")
    bases = {matrices.find_basis(findings, "difference", Cell(0, true)) for true in range(8)}
    assert bases == {"confusion", "confident_joint"}
    for true in range(8):
        expected = "confusion" if found[0, true] < 0 else "confident_joint"
        assert matrices.find_basis(findings, "difference", Cell(0, true)) == expected
    shown = np.array([0, 1])
    expected = "confusion" if sum(found[k, 1] for k in range(2, 8)) < 0 else "confident_joint"
    assert matrices.find_basis(findings, "difference", Cell(OTHER, 1), shown) == expected
    assert matrices.find_basis(findings, "joint", Cell(0, 1)) is None


def test_examples_of_the_diagonal_are_those_counted_into_their_own_class():
    labels, probs, _ = noisy_problem(np.random.default_rng(0), n=3000, m=8)
    found = curation.analyze(labels, probs, collisions="confident")
    counts = [len(matrices.find_rows(found, Cell(k, k), "both")) for k in range(8)]
    assert counts == found.confident_joint.diagonal().tolist()


def test_examples_of_all_others_together_add_up(findings):
    shown = np.array([0, 1])
    rows = matrices.find_rows(findings, Cell(OTHER, 1), "confident_joint", shown)
    assert len(rows) == findings.confident_joint[2:, 1].sum()


def test_largest_cell_is_off_the_diagonal_and_may_be_missing(findings):
    cell = matrices.find_largest_cell(findings)
    off = findings.confident_joint - np.diag(findings.confident_joint.diagonal())
    assert off[cell.given, cell.true] == off.max()
    clean = curation.analyze([0, 1], [[0.9, 0.1], [0.1, 0.9]])
    assert matrices.find_largest_cell(clean) is None


def test_largest_cell_of_a_view_is_drawn_with_its_own_classes():
    labels, probs, _ = noisy_problem(np.random.default_rng(0), n=3000, m=8)
    found = curation.analyze(labels, probs)
    largest = matrices.find_largest_cell(found)
    rest = np.setdiff1d(np.arange(8), [largest.given])
    cell = matrices.find_largest_cell(found, matrices.view_with_others(found, "joint", rest))
    counts = found.confident_joint[np.ix_(rest, rest)]
    off = counts - np.diag(counts.diagonal())
    assert largest.given not in (cell.given, cell.true)
    assert found.confident_joint[cell.given, cell.true] == off.max()
    overview = matrices.view_overview(found, "joint", np.arange(8), 2, diagonal=True)
    assert matrices.find_largest_cell(found, overview) == largest


def test_changes_are_counted_off_the_diagonal_from_half_an_example_on():
    # as given: 2 of 4 zeros are ones. Row 3 becomes a one: 1 of 3 zeros, and one more one
    probs = np.array([[0.9, 0.1], [0.9, 0.1], [0.1, 0.9], [0.1, 0.9], [0.1, 0.9]])
    before = curation.analyze([0, 0, 0, 0, 1], probs)
    now = curation.analyze([0, 0, 0, 1, 1], probs)
    assert before.confident_joint.tolist() == [[2, 2], [0, 1]]
    assert now.confident_joint.tolist() == [[2, 1], [0, 2]]
    assert matrices.count_changes("confident_joint", now, before) == 1
    # the estimate of 0 taken for 1 falls from 2 to 1; p(true 1 | given 0) from 50 to 33 %
    assert matrices.count_changes("joint", now, before) == 1
    assert matrices.count_changes("inverse_noise_matrix", now, before) == 1
    assert matrices.count_changes("joint", now, now) == 0


def test_small_changes_and_cells_not_drawn_are_not_marked():
    now, before = np.array([[1.4, np.nan], [0.0, 7.0]]), np.array([[1.0, 3.0], [0.5, 9.0]])
    assert find_changes("joint", now, before).tolist() == [[0, 0], [-0.5, -2]]
    shares = find_changes("inverse_noise_matrix", now / 100, before / 100)[1]
    assert shares == pytest.approx([-0.005, -0.02])
