from pathlib import Path

import numpy as np
import pytest

import curation
from curation.analysis.class_pairs import (
    describe_pairs,
    find_doubtful,
    find_kind,
    list_pairs,
    list_vanished,
    make_pair,
    rank_compared,
    suggest,
)
from curation.analysis.typical_examples import find_typical
from curation.class_names import distinct_names
from tests import shared_data
from tests.overlap_data import write_overlaps

DEMO = Path(__file__).parents[2] / "demo_data" / "objects"


def open_dataset(folder):
    dataset = curation.load(folder)
    names = distinct_names(dataset.class_names, dataset.class_ids)
    return dataset, curation.analyze(dataset.labels, dataset.pred_probs, names)


@pytest.fixture(scope="module")
def demo():
    return open_dataset(DEMO)


@pytest.mark.parametrize(
    ("names", "kind"),
    [
        (("projectile", "missile"), "one way"),  # a missile is a projectile
        (("tub", "bathtub"), "one way"),
        (("breastplate", "cuirass"), "one way"),  # a part of it
        (("horned_viper", "sidewinder"), "one way"),  # 11 to 2: errors made that way, two species
        (("corn", "ear"), "one way"),
        (("keyboard", "space_bar"), "one way"),
        (("green_lizard", "chameleon"), "look alike"),  # 10 % either way
        (("maillot", "maillot"), "same name"),  # one class twice
        (("ear", "green_lizard"), "errors"),  # unrelated
        (("tub", "missile"), "errors"),
    ],
)
def test_known_pairs_of_the_demo_look_like_what_they_are(demo, names, kind):
    dataset, findings = demo
    a = dataset.class_names.index(names[0])
    b = len(dataset.class_names) - 1 - dataset.class_names[::-1].index(names[1])
    pair = make_pair(findings, a, b)
    found = suggest(pair, dataset.class_names, findings, dataset.pred_probs)
    assert found.kind == kind
    if kind == "one way":
        assert dataset.class_names[pair.a] == names[0]
        assert found.reason.endswith(f"so {names[1]} would be the narrower class")


def test_reasons_say_the_numbers(tmp_path):
    dataset, findings = open_dataset(write_overlaps(tmp_path))

    def reason(a: int, b: int) -> str:
        pair = make_pair(findings, a, b)
        return suggest(pair, dataset.class_names, findings, dataset.pred_probs).reason

    assert reason(0, 1) == (
        "12 labelled projectile are probably missile, 3 the other way, "
        "so missile would be the narrower class"
    )
    assert reason(3, 2) == (  # 6 + 6 crosswise, 40 + 40 not: (.87 - .5) / .5
        "6 labelled tub are probably bathtub, 6 the other way, but the model tells most of them "
        "apart (kappa 0.74, where 0 is chance and 1 is full agreement)"
    )
    assert reason(0, 2) == "only 1 of the 99 with either label is in doubt (1 %)"


def simulate(rng, *, apart: float, switched: tuple[float, float], size: int = 400):
    """Return labels and out-of-sample probabilities of six classes, the first two overlapping.

    Their centres are `apart` noise widths apart. `switched` is the share of the true second that
    is given the first label, and the share of the true first that is given the second. The
    probabilities are Bayes', from the true densities and the shares, so nothing is fitted.
    """
    true = np.repeat(np.arange(6), size)
    centres = 12.0 * np.arange(6)
    centres[1] = centres[0] + apart
    points = centres[true] + rng.normal(size=len(true))
    given = np.eye(6)  # p(given | true), [true, given]
    given[1, :2], given[0, :2] = (switched[0], 1 - switched[0]), (1 - switched[1], switched[1])
    density = np.exp(-0.5 * (points[:, None] - centres) ** 2) + 1e-9
    probs = density @ given
    probs *= np.exp(rng.normal(scale=0.3, size=probs.shape))  # a model is never exact
    labels = (rng.random(len(true))[:, None] > given[true].cumsum(axis=1)).sum(axis=1)
    return labels, probs / probs.sum(axis=1, keepdims=True)


@pytest.mark.parametrize("size", [100, 400])
@pytest.mark.parametrize(
    ("apart", "switched", "kind"),
    [
        (0.0, (0.5, 0.5), "interchangeable"),  # two names for one thing, by the toss of a coin
        (0.0, (0.7, 0.3), "interchangeable"),  # one of the names is commoner
        (6.0, (0.5, 0.5), "interchangeable"),  # two things, and nobody cares which is which
        (6.0, (0.3, 0.0), "one way"),  # 30 % of the narrower class have the wider label
        (6.0, (0.04, 0.04), "look alike"),  # slips
        (3.0, (0.04, 0.04), "look alike"),
        (2.0, (0.0, 0.0), "look alike"),  # hardly a wrong label; the model errs
    ],
)
def test_simulated_overlaps_look_like_what_they_are(apart, switched, kind, size):
    for seed in range(5):
        rng = np.random.default_rng(seed)
        labels, probs = simulate(rng, apart=apart, switched=switched, size=size)
        findings = curation.analyze(labels, probs)
        pair = make_pair(findings, 0, 1)
        assert find_kind(pair, tuple("abcdef"), findings, probs) == kind, (seed, pair)


def test_cat_and_dog_of_cifar_10n_are_two_classes_that_are_easily_confused():
    data = np.load(shared_data.find("real/cifar10n_agg__resnet18.npz"))
    names = (
        "airplane", "automobile", "bird", "cat", "deer", "dog", "frog", "horse", "ship", "truck",
    )  # fmt: skip
    findings = curation.analyze(data["noisy_labels"], data["pred_probs"], names)
    for pair in list_pairs(findings):
        kind = find_kind(pair, names, findings, data["pred_probs"])
        assert kind in ("look alike", "errors"), (names[pair.a], names[pair.b])
    dog_and_cat = suggest(make_pair(findings, 5, 3), names, findings, data["pred_probs"])
    assert dog_and_cat.words == "two classes that are easily confused"
    assert dog_and_cat.reason.endswith("(kappa 0.92, where 0 is chance and 1 is full agreement)")


def test_many_examples_confident_in_both_give_the_kind_together(tmp_path):
    labels = np.repeat([0, 1, 2], 20)
    probs = np.full((60, 3), 0.1)
    probs[:20, :2], probs[20:40, :2], probs[40:, 2] = (0.46, 0.44), (0.44, 0.46), 0.8
    probs[:6, :2], probs[20:26, :2] = (0.44, 0.46), (0.46, 0.44)
    probs[:, 2] = 1 - probs[:, :2].sum(axis=1)
    findings = curation.analyze(labels, probs, ["dining table", "plate", "sky"], threshold=0)
    pair = make_pair(findings, 0, 1)
    found = suggest(pair, findings.class_names, findings, probs)
    assert found.kind == "together"
    assert found.reason == "40 of the 40 with either label are confidently both (100 %)"


def test_a_pair_by_name_is_the_pair_of_the_table(demo):
    _, findings = demo
    for pair in list_pairs(findings):
        assert make_pair(findings, pair.b, pair.a) == pair == make_pair(findings, pair.a, pair.b)


def test_typical_and_doubtful_examples_are_the_extremes(demo):
    _, findings = demo
    typical = find_typical(findings, 0, 4)
    assert (findings.labels[typical] == 0).all() and (findings.predicted_labels[typical] == 0).all()
    assert (np.diff(findings.self_confidence[typical]) <= 0).all()
    doubtful = find_doubtful(findings, 0, 1)
    assert len(doubtful) == findings.confident_joint[0, 1]
    assert (np.diff(findings.normalized_margin[doubtful]) >= 0).all()


def test_emptied_pairs_come_last_with_nothing_between_them(tmp_path):
    folder = write_overlaps(tmp_path / "data")
    dataset = curation.load(folder)
    before = curation.analyze(dataset.labels, dataset.pred_probs)
    labels = dataset.labels.copy()
    moved = before.mask() & (labels == 4)  # eight ears, labelled otherwise
    labels[moved] = 5
    now = curation.analyze(labels, dataset.pred_probs)
    assert [(each.a, each.b, each.total, each.size) for each in list_vanished(now, before)] == [
        (4, 5, 0, 88)
    ]
    assert list_vanished(before, before) == []
    given, true = rank_compared(now.confident_joint, before.confident_joint)
    assert (given[-1], true[-1]) == (4, 5) and len(given) == 6


def test_row_of_a_pair_says_what_each_matrix_holds_and_how_it_changed():
    # Given 0: one sure of 0, one sure of 1. Given 1: two sure of 1. Thresholds: .5 and .9.
    pred_probs = np.array([[0.9, 0.1], [0.1, 0.9], [0.1, 0.9], [0.1, 0.9]])
    now = curation.analyze(np.array([0, 0, 1, 1]), pred_probs, ("cat", "dog"))
    before = curation.analyze(np.array([0, 0, 0, 1]), pred_probs, ("cat", "dog"))
    (row,) = describe_pairs(now, np.array([0]), np.array([1]), before)
    assert (row.given, row.true, row.counted, row.confusion) == (0, 1, 1, 1)
    assert row.change == -1  # before, two of the examples given 0 were counted as 1
    assert (row.estimated, row.joint) == pytest.approx((1, 1 / 4))
    assert row.share_of_given == pytest.approx(1 / 2)  # one of two examples given 0
    assert row.share_of_true == pytest.approx(1 / 3)  # one of three examples that truly are 1
    (alone,) = describe_pairs(now, np.array([0]), np.array([1]))
    assert alone.change == 0
