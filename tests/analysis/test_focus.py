import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from curation.analysis import focus

square = st.integers(2, 9).flatmap(
    lambda m: hnp.arrays(np.int64, (m, m), elements=st.integers(0, 50))
)


@given(square, st.integers(1, 4))
def test_overview_loses_no_hot_cell(matrix, block):
    rows, columns = focus.find_peaks(matrix, block)
    pooled = matrix[rows, columns]
    for i in range(len(matrix)):
        for j in range(len(matrix)):
            assert pooled[i // block, j // block] >= matrix[i, j]
    assert (rows // block == np.arange(len(rows))[:, None]).all()
    assert (columns // block == np.arange(len(rows))).all()


@given(square, st.data())
def test_gathering_the_others_keeps_every_example(matrix, data):
    size = data.draw(st.integers(1, len(matrix) - 1))
    classes = np.sort(data.draw(st.permutations(range(len(matrix))))[:size])
    gathered = focus.gather_others(matrix, classes)
    assert gathered.sum() == matrix.sum()
    assert (gathered[:-1, :-1] == matrix[np.ix_(classes, classes)]).all()
    assert (gathered.sum(axis=1)[:-1] == matrix.sum(axis=1)[classes]).all()


def test_most_confused_classes_are_those_of_the_strongest_pairs():
    # Class 0 gives a little to each of many; 3 and 5 meet only each other, but more often.
    joint = np.diag(np.full(8, 0.05))
    joint[0, 1:] += 0.02
    joint[5, 3] = 0.1
    assert focus.find_most_confused(joint, 2).tolist() == [3, 5]
    assert focus.find_most_confused(joint, 4).tolist() == [0, 1, 3, 5]
    assert focus.find_most_confused(joint, 8).tolist() == list(range(8))


@given(square, st.integers(2, 9))
def test_hottest_cell_is_always_among_the_most_confused_classes(matrix, limit):
    errors = matrix - np.diag(matrix.diagonal())
    chosen = focus.find_most_confused(matrix / max(matrix.sum(), 1), limit)
    assert len(chosen) <= max(limit, len(matrix))
    if errors.any():
        assert errors[np.ix_(chosen, chosen)].max() == errors.max()


def test_of_a_thousand_classes_the_hottest_cells_are_in_focus():
    rng = np.random.default_rng(3)
    joint = np.diag(rng.uniform(0.5, 1, 1000)) + rng.uniform(0, 1e-4, (1000, 1000))
    hot = rng.permutation(1000)[:30].reshape(15, 2)
    joint[hot[:, 0], hot[:, 1]] = 0.05
    joint[7] += 3e-4  # the noisiest class of all meets nobody in particular
    chosen = focus.find_most_confused(joint / joint.sum(), 30)
    assert {*chosen.tolist()} == {*hot.ravel().tolist()}
