from __future__ import annotations

import numpy as np
import pytest

from curation import analyze
from curation.analysis.merge import merge_labels
from curation.analysis.merged_probabilities import MergedProbabilities
from tests.problems import noisy_problem


@pytest.mark.parametrize(("kept", "taken_in"), [(0, 3), (3, 0), (2, 1), (4, 5)])
def test_merged_matrix_reads_as_if_the_columns_had_been_added(kept, taken_in):
    labels, probs, _ = noisy_problem(np.random.default_rng(1), n=200)
    expected = probs.copy()
    expected[:, kept] += expected[:, taken_in]
    expected = np.delete(expected, taken_in, axis=1)
    columns = merge_labels(np.arange(6), kept=kept, taken_in=taken_in).tolist()
    view = MergedProbabilities(probs, columns=columns, num_columns=5)
    assert view[10:20] == pytest.approx(expected[10:20])
    rows, columns = np.arange(200)[:, None], np.arange(5)[None, :]
    assert view[rows, columns] == pytest.approx(expected[rows, columns])
    new_labels = merge_labels(labels, kept=kept, taken_in=taken_in)
    found, direct = analyze(new_labels, view), analyze(new_labels, expected)
    assert (found.confident_joint == direct.confident_joint).all()
    assert (found.issues("both") == direct.issues("both")).all()


class Watched:
    """A matrix that counts how many rows were ever read at once."""

    def __init__(self, values):
        self.values, self.most = values, 0
        self.shape, self.dtype = values.shape, values.dtype

    def __getitem__(self, key):
        found = self.values[key]
        if not isinstance(key, tuple):
            self.most = max(self.most, len(found))
        return found


def test_matrix_is_read_in_blocks_and_never_whole():
    rng, rows = np.random.default_rng(0), 60_000
    labels, probs, _ = noisy_problem(rng, n=rows, m=30)
    watched = Watched(probs.astype(np.float32))
    kept = np.flatnonzero(rng.random(rows) < 0.99)
    view = MergedProbabilities(watched, columns=[*range(29), 3], num_columns=30, rows=kept)
    analyze(np.where(labels == 29, 3, labels)[kept], view)
    assert 0 < watched.most < rows / 5


@pytest.mark.parametrize("becomes", [[0, 1, 2, 3], [0, 0, 2, 3], [2, 2, 2, 2]])
def test_cells_and_blocks_agree(becomes):
    probs = np.random.default_rng(1).dirichlet(np.ones(4), 9).astype(np.float32)
    rows = np.array([0, 2, 3, 7])
    view = MergedProbabilities(probs, columns=becomes, num_columns=4, rows=rows)
    whole = view[0:4]
    assert whole.sum(axis=1) == pytest.approx(np.ones(4))
    grid = np.indices((4, 4))
    assert (view[grid[0], grid[1]] == whole).all()
    assert view[2, 2] == whole[2, 2] and view[2].tolist() == whole[2].tolist()
    assert (view[np.arange(4)[:, None], np.array([[1, 2]])] == whole[:, [1, 2]]).all()
