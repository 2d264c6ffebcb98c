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


def test_most_confused_classes_are_those_with_most_mass_off_the_diagonal():
    joint = np.diag([0.2, 0.2, 0.2, 0.2])
    joint[3, 1] = 0.2
    assert focus.find_most_confused(joint, 2).tolist() == [1, 3]
