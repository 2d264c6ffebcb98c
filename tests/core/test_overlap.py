import numpy as np
import pytest

from curation.core.overlap import (
    Pair,
    count_confident_in_both,
    fold_overlaps,
    is_nearly_one_name,
    rank_overlaps,
    score_agreement,
    suggest_overlap_kind,
)

OWN = (60, 60)  # counted as their own label


def test_pairs_come_largest_first_without_the_diagonal_or_empty_ones():
    joint = np.array([[50, 3, 0], [7, 60, 3], [0, 0, 9]])
    given, true = rank_overlaps(joint)
    assert list(zip(given, true, strict=True)) == [(1, 0), (0, 1), (1, 2)]


def test_both_directions_fold_into_one_pair_with_the_larger_loss_first():
    joint = np.array([[50, 3, 4], [7, 60, 3], [0, 0, 9]])
    pairs = fold_overlaps(joint, np.array([57, 70, 9]))
    assert [(p.a, p.b, p.a_to_b, p.b_to_a, p.size) for p in pairs] == [
        (1, 0, 7, 3, 127),
        (0, 2, 4, 0, 66),
        (1, 2, 3, 0, 79),
    ]


@pytest.mark.parametrize(
    ("pair", "names", "own", "in_both", "kind"),
    [
        (Pair(0, 1, 1, 0, 1000), ("maillot", "Maillot "), (400, 400), 0, "same name"),
        (Pair(0, 1, 4, 0, 20), ("cat", "dog"), (8, 8), 0, "errors"),
        (Pair(0, 1, 15, 4, 1000), ("cat", "dog"), (400, 400), 500, "errors"),
        (Pair(0, 1, 56, 44, 1000), ("tub", "bathtub"), (400, 400), 500, "one way"),
        # 50 of 550 trucks, 9 %, are called cars: too few to be a habit
        (Pair(0, 1, 50, 20, 1000), ("car", "truck"), (400, 500), 0, "look alike"),
        (Pair(0, 1, 55, 45, 1000), ("keyboard", "space bar"), (400, 400), 100, "together"),
        (Pair(0, 1, 55, 45, 1000), ("corn", "ear"), (400, 400), 99, "look alike"),
        (Pair(0, 1, 7, 5, 100), ("corn", "ear"), (40, 40), 0, "look alike"),
        # as many crosswise as not: chance, also where all are confident in both
        (Pair(0, 1, 200, 200, 1000), ("sofa", "couch"), (200, 200), 900, "interchangeable"),
        # one name is given four times as often: 640 x 40 = 160 x 160, chance again
        (Pair(0, 1, 160, 160, 1000), ("sofa", "couch"), (640, 40), 0, "interchangeable"),
        # the paper's Table 4; the diagonal is at most what is left of 1,300 examples each
        (Pair(0, 1, 645, 433, 2600), ("projectile", "missile"), (655, 867), 0, "one way"),
        (Pair(0, 1, 437, 435, 2600), ("green_lizard", "chameleon"), (863, 865), 0, "look alike"),
    ],
)
def test_kind_of_overlap_is_the_first_rule_that_holds(pair, names, own, in_both, kind):
    assert suggest_overlap_kind(pair, *names, own, in_both) == kind


def test_agreement_is_kappa_and_the_same_for_both_orders_of_a_pair():
    # 45 + 35 of 100 agree; by chance .5 x .6 + .5 x .4 = .5 would: (.8 - .5) / (1 - .5) = .6
    assert score_agreement(Pair(0, 1, 5, 15, 100), (45, 35)) == pytest.approx(0.6)
    assert score_agreement(Pair(1, 0, 15, 5, 100), (35, 45)) == pytest.approx(0.6)
    assert score_agreement(Pair(0, 1, 0, 0, 100), (0, 0)) == 1
    assert score_agreement(Pair(0, 1, 0, 0, 100), (7, 0)) == 1
    assert score_agreement(Pair(0, 1, 9, 9, 100), (0, 0)) == -1


@pytest.mark.parametrize(
    ("names", "nearly"),
    [
        (("sunglass", "sunglasses"), True),
        (("Sun glasses", "sunglass"), True),
        (("radio telescope", "radio_telescopes"), True),
        (("747 liner", "747 liners"), True),
        (("mouse", "house"), False),  # a changed letter
        (("barrow", "barow"), False),  # a missing one that is no plural's
        (("bathtub", "tub"), False),
        (("new", "news"), False),  # too short
        (("princes", "princess"), False),  # no plural ends in ss
        (("class 1", "class 2"), False),  # digits tell apart
        (("class 198", "class 198s"), False),
        (("n03710721", "n03710637"), False),
        (("n03710721", "n0371072"), False),
        (("+", "-"), False),  # nothing but punctuation
        (("-1", "1"), False),  # a sign is none
        (("C", "C++"), False),
        (("", "s"), False),
    ],
)
def test_names_are_nearly_the_same_except_for_spelling_and_a_plural(names, nearly):
    assert is_nearly_one_name(*names) == is_nearly_one_name(*names[::-1]) == nearly


def test_one_way_needs_plain_predictions_in_the_same_direction():
    pair = Pair(0, 1, 7, 3, 226)  # the demo's lizards, mislabelled as often either way
    assert suggest_overlap_kind(pair, "green_lizard", "chameleon", OWN, 0, (12, 10)) == "look alike"
    assert suggest_overlap_kind(pair, "keyboard", "space_bar", OWN, 0, (17, 6)) == "one way"


def test_confident_in_both_counts_examples_of_the_two_classes_only():
    labels = np.array([0, 1, 2, 0])
    probs = np.array([[0.5, 0.5, 0], [0.4, 0.6, 0], [0.5, 0.5, 0], [0.9, 0.1, 0]])
    thresholds = np.array([0.4, 0.5, 0.9])
    assert count_confident_in_both(Pair(0, 1, 1, 1, 3), labels, probs, thresholds) == 2
