"""The numbers of the overview, each worked out by hand."""

import numpy as np
import pytest

import curation
from curation.analysis import summary
from curation.analysis.findings import METHODS

# Five examples, three classes; the third is nobody's label.
#   given  probabilities      thresholds are means of the own class:
#   0      .9 .1 .0           t_0 = (.9 + .8 + .1) / 3 = .6
#   0      .8 .1 .1           t_1 = (.8 + .8) / 2      = .8
#   0      .1 .9 .0  -> 1     t_2 = none
#   1      .1 .8 .1
#   1      .1 .8 .1
LABELS = np.array([0, 0, 0, 1, 1])
PROBS = np.array([[0.9, 0.1, 0], [0.8, 0.1, 0.1], [0.1, 0.9, 0], [0.1, 0.8, 0.1], [0.1, 0.8, 0.1]])


@pytest.fixture
def findings():
    return curation.analyze(LABELS, PROBS, ["cat", "dog", "eel"])


def test_class_table_agrees_with_a_calculation_by_hand(findings):
    table = summary.describe_classes(findings, findings.mask())
    # The joint is [[2, 1, 0], [0, 2, 0], [0, 0, 0]] / 5.
    assert table["name"].tolist() == ["cat", "dog", "eel"]
    assert table["examples"].tolist() == [3, 2, 0]
    assert table["noise_rate"].tolist() == pytest.approx([0, 1 / 3, 0])  # 1 of 3 true dogs is "cat"
    assert table["inverse_noise_rate"].tolist() == pytest.approx([1 / 3, 0, 0])
    assert table["issues_out"].tolist() == [1, 0, 0]
    assert table["issues_in"].tolist() == [0, 1, 0]
    assert table["threshold"].tolist() == pytest.approx([0.6, 0.8, np.nan], nan_ok=True)
    # Likeliest: cat at .9 and .8, both labelled so; dog at .9 (labelled cat), .8 and .8.
    hand = {
        "mean_confidence": [0.85, 2.5 / 3, np.nan],
        "agreement": [1, 2 / 3, np.nan],
        "calibration_error": [(0.1 + 0.2) / 2, (0.9 + 0.4) / 3, np.nan],  # a bin for .9, one for .8
    }
    for column, expected in hand.items():
        assert table[column].tolist() == pytest.approx(expected, nan_ok=True), column


def test_class_table_sums_issues_to_the_flagged(findings):
    for method in METHODS:
        table = summary.describe_classes(findings, findings.mask(method))
        assert table["issues_out"].sum() == table["issues_in"].sum() == findings.mask(method).sum()


def test_noisiest_class_has_the_largest_share_of_doubtful_labels(findings):
    assert summary.find_noisiest_class(findings) == 0


def test_noisiest_class_is_not_a_tiny_one_if_there_are_larger_ones():
    labels = np.repeat([0, 1, 2], [40, 40, 2])
    probs = np.eye(3)[labels] * 0.8 + 0.2 / 3
    probs[0] = [0.05, 0.9, 0.05]  # 1 of 40 cats looks like a dog
    probs[-1] = [0.05, 0.9, 0.05]  # 1 of 2 eels does
    assert summary.find_noisiest_class(curation.analyze(labels, probs)) == 0


def test_right_labels_have_no_noisiest_class_and_no_overlap():
    findings = curation.analyze([0, 1], [[0.9, 0.1], [0.1, 0.9]])
    assert summary.find_noisiest_class(findings) is None
    assert summary.find_strongest_overlap(findings.confident_joint) is None


def test_overlap_starts_with_the_class_that_loses_more():
    joint = np.array([[5, 2, 0], [1, 5, 4], [0, 4, 5]])
    overlap = summary.find_strongest_overlap(joint)
    assert (overlap.a, overlap.b, overlap.count) == (1, 2, 8)


def test_agreement_counts_votes_and_single_flags():
    masks = {method: np.zeros(4, bool) for method in METHODS}
    for method in METHODS:
        masks[method][0] = True  # all five
    masks["confusion"][1] = True  # alone
    masks["prune_by_class"][2] = masks["confusion"][2] = True  # two
    found = summary.measure_agreement(masks)
    assert found.by_votes.tolist() == [1, 1, 1, 0, 0, 1]
    assert found.by_any == 3
    assert found.unanimous == 1
    assert found.flagged["confusion"] == 3 and found.flagged["both"] == 1
    assert found.alone["confusion"] == 1 and found.alone["prune_by_class"] == 0
    assert found.shared["confusion"] == 1 and found.shared["both"] == 0


def test_margins_at_both_ends_are_counted():
    margins = np.array([-1.0, -0.97, 0.0, 1.0])
    edges, every, flagged = summary.count_margins(margins, np.array([True, False, False, True]))
    assert len(edges) == summary.MARGIN_BINS + 1
    assert every.sum() == 4 and flagged.sum() == 2
    assert every[0] == 2 and flagged[0] == 1 and flagged[-1] == 1


def test_many_classes_show_the_priors_that_differ_most():
    given, latent = np.full(100, 0.01), np.full(100, 0.01)
    latent[[7, 42]] = 0.05, 0.02
    chosen = summary.choose_priors(given, latent)
    assert chosen[:2].tolist() == [7, 42] and len(chosen) == summary.MAX_PRIORS_SHOWN
