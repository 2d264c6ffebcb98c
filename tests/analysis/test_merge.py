import numpy as np
import pytest

from curation import analyze
from curation.analysis.merge import MergedProbabilities, merge_labels, preview_merge
from tests.problems import noisy_problem


@pytest.mark.parametrize(("kept", "taken_in"), [(0, 3), (3, 0), (2, 1), (4, 5)])
def test_merged_matrix_reads_as_if_the_columns_had_been_added(kept, taken_in):
    labels, probs, _ = noisy_problem(np.random.default_rng(1), n=200)
    expected = probs.copy()
    expected[:, kept] += expected[:, taken_in]
    expected = np.delete(expected, taken_in, axis=1)
    view = MergedProbabilities(probs, kept=kept, taken_in=taken_in)
    assert view[10:20] == pytest.approx(expected[10:20])
    rows, columns = np.arange(200)[:, None], np.arange(5)[None, :]
    assert view[rows, columns] == pytest.approx(expected[rows, columns])
    new_labels = merge_labels(labels, kept=kept, taken_in=taken_in)
    found, direct = analyze(new_labels, view), analyze(new_labels, expected)
    assert (found.confident_joint == direct.confident_joint).all()
    assert (found.issues("both") == direct.issues("both")).all()


def test_merging_a_class_that_exists_twice_removes_its_errors():
    rng = np.random.default_rng(2)
    labels, probs, _ = noisy_problem(rng, noise=0.0, sharpness=20)
    split = np.where((labels == 5) & (rng.random(len(labels)) < 0.5), 6, labels)
    wide = np.hstack([probs, np.zeros((len(labels), 1))])
    share = rng.random(len(labels))
    wide[:, 6] = wide[:, 5] * share
    wide[:, 5] *= 1 - share
    before = analyze(split, wide)
    preview = preview_merge(before, wide, kept=5, taken_in=6)
    assert preview.errors[1] < preview.errors[0]
    assert preview.issues[1] < preview.issues[0]
    assert preview.agreement[1] > preview.agreement[0]
