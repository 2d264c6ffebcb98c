"""The paper's theorems, as examples small enough to hold exactly."""

import numpy as np
import pytest

import curation
from tests.problems import ideal_problem

# counts[given, true] whose noise rates have the largest value of each row and column on the
# diagonal: columns sum to 100, 200 and 150
COUNTS = np.array([[80, 30, 0], [15, 160, 30], [5, 10, 120]])


def assert_exact(findings, given, true):
    """Every error is found, and the joint is the true one."""
    true_counts = np.zeros((3, 3), int)
    np.add.at(true_counts, (given, true), 1)
    assert (findings.confident_joint == true_counts).all()
    assert (findings.mask("confident_joint") == (given != true)).all()
    assert findings.joint == pytest.approx(true_counts / len(given))
    wrong = given != true
    assert (findings.suggested_labels[wrong] == true[wrong]).all()


def test_lemma_1_thresholds_have_the_closed_form():
    given, pred_probs, _ = ideal_problem(COUNTS)
    noise_matrix = COUNTS / COUNTS.sum(axis=0)  # p(given | true)
    mixing = COUNTS / COUNTS.sum(axis=1, keepdims=True)  # p(true | given), [given, true]
    closed_form = (noise_matrix * mixing).sum(axis=1)
    assert curation.analyze(given, pred_probs).thresholds == pytest.approx(closed_form)


def test_theorem_1_ideal_probabilities_recover_every_error_and_the_joint():
    given, pred_probs, true = ideal_problem(COUNTS)
    findings = curation.analyze(given, pred_probs)
    assert_exact(findings, given, true)
    assert (findings.mask("confusion") == (given != true)).all()  # so does the baseline


def test_corollary_per_class_diffracted_ones_do_too_where_confusion_fails():
    given, pred_probs, true = ideal_problem(COUNTS)
    # p_j = .3 p*_j + e_j: the model puts .5 on class 0 whatever it sees
    diffracted = 0.3 * pred_probs + np.array([0.5, 0.15, 0.05])
    findings = curation.analyze(given, diffracted)
    assert_exact(findings, given, true)
    assert (findings.predicted_labels == 0).all()  # the baseline sees class 0 everywhere
    assert (findings.mask("confusion") != (given != true)).mean() > 0.5


@pytest.mark.parametrize("seed", range(5))
def test_theorem_2_per_example_diffracted_ones_do_too(seed):
    rng = np.random.default_rng(seed)
    given, ideal, true = ideal_problem(20 * COUNTS)
    thresholds = curation.analyze(given, ideal).thresholds
    # each probability errs by less than its distance to the threshold; drawn evenly about 0, then
    # shifted in proportion so that rows still sum to 1, which at most doubles an error
    room = 0.9 * np.abs(ideal - thresholds)
    error = rng.uniform(-room, room)
    error -= error.sum(axis=1, keepdims=True) * room / room.sum(axis=1, keepdims=True)
    shift = np.array([0.25, 0.2, 0.15])  # and each class by its own e_j, as before
    pred_probs = 0.4 * (ideal + error / 2) + shift
    assert len(np.unique(pred_probs, axis=0)) > 0.99 * len(given)
    assert_exact(curation.analyze(given, pred_probs), given, true)
