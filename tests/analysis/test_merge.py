import numpy as np

from curation import analyze
from curation.analysis.merge import preview_merge
from tests.problems import noisy_problem


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
