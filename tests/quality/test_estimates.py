"""What verdicts say about all labels: facts that count, odd cases, and input that is refused."""

from dataclasses import replace

import numpy as np
import pytest

import curation
from curation.errors import InputError
from curation.quality import Interval, Quality, estimate_quality, plan_audit
from tests import shared_data
from tests.problems import noisy_problem
from tests.quality.audits import (
    holds,
    judge,
    noisy_findings,
    true_figures,
    two_classes,
    whole_plan,
)


def test_without_verdicts_everything_is_possible():
    findings, _ = noisy_findings(0, 50)
    flagged = int(findings.mask().sum())
    quality = estimate_quality(findings, {}, plan_audit(findings, seed=0))
    assert (quality.total_errors.low, quality.total_errors.high) == (0, 50)
    assert (quality.missed_errors.low, quality.missed_errors.high) == (0, 50 - flagged)
    for name in ("precision", "recall", "label_accuracy"):
        assert (getattr(quality, name).low, getattr(quality, name).high) == (0, 1)
    assert quality.judged == 0 and quality.planned == 50


def test_known_verdicts_alone_give_the_trivial_interval():
    findings, _ = noisy_findings(0, 50)
    plan = plan_audit(findings, seed=0, known=[1, 2, 3])
    quality = estimate_quality(findings, {1: True, 2: False, 3: False}, plan)
    assert (quality.total_errors.low, quality.total_errors.high) == (1, 48)
    assert (quality.errors_left.low, quality.errors_left.high) == (0, 47)


@pytest.mark.parametrize("verdict", [True, False])
def test_the_same_verdict_on_everything_is_bounded_by_what_is_left(verdict):
    findings, _ = noisy_findings(1, 500)
    plan = plan_audit(findings, size=150, seed=0)
    quality = estimate_quality(findings, dict.fromkeys(plan.rows.tolist(), verdict), plan)
    total = quality.total_errors
    if verdict:
        assert 150 < total.low < total.high == 500
    else:
        assert 0 == total.low < total.high < 40


def test_when_everything_is_decided_every_interval_is_a_point():
    findings, wrong = noisy_findings(2, 120)
    plan = plan_audit(findings, size=100, seed=0, known=range(0, 120, 2))
    quality = estimate_quality(findings, judge(wrong, range(120)), plan)
    for name, value in true_figures(findings, wrong).items():
        interval = getattr(quality, name)
        assert interval.low == interval.high == interval.estimate == pytest.approx(value), name
    assert quality.errors_left == Interval(0, 0, 0)
    assert quality.accuracy_after_cleaning == Interval(1, 1, 1)


def test_when_all_labels_are_right_nothing_was_missed():
    findings = two_classes(0.9, 0.2, 0.8)
    plan = whole_plan(findings)
    quality = estimate_quality(findings, dict.fromkeys(range(3), False), plan)
    assert quality.recall == Interval(1, 1, 1)
    assert quality.precision == Interval(0, 0, 0)


def test_one_example_is_enough_to_ask():
    findings = curation.analyze([0], [[0.3, 0.7]])
    plan = plan_audit(findings, seed=0)
    assert estimate_quality(findings, {}, plan).total_errors == Interval(
        estimate_quality(findings, {}, plan).total_errors.estimate, 0, 1
    )
    assert estimate_quality(findings, {0: True}, plan).total_errors == Interval(1, 1, 1)


def test_sure_probabilities_and_ties_are_audited_like_others():
    labels = np.array([0, 1] * 100)
    probs = np.where(labels[:, None] == [0, 1], 1.0, 0.0)
    findings = curation.analyze(labels, probs)
    plan = plan_audit(findings, size=100, seed=0)
    quality = estimate_quality(findings, dict.fromkeys(plan.rows.tolist(), False), plan)
    assert quality.total_errors.low == 0
    assert 0 < quality.total_errors.high < 20
    assert quality.precision == Interval(1, 0, 1)  # nothing is flagged


def test_a_row_judged_before_its_turn_is_a_fact_and_not_a_draw():
    findings, wrong = noisy_findings(4)
    plan = plan_audit(findings, size=40, seed=1)
    first = judge(wrong, plan.rows[:20])
    gap = {**first, **judge(wrong, plan.rows[21:40])}  # row 20 is not judged yet
    quality = estimate_quality(findings, gap, plan)
    assert quality.judged == 20
    alone = estimate_quality(findings, first, plan)
    known_errors, known_correct = sum(gap.values()), len(gap) - sum(gap.values())
    assert quality.total_errors.low == max(alone.total_errors.low, known_errors)
    assert quality.total_errors.high == min(alone.total_errors.high, 400 - known_correct)
    # When its turn comes it is a draw like any other.
    whole = {**gap, int(plan.rows[20]): bool(wrong[plan.rows[20]])}
    assert estimate_quality(findings, whole, plan).judged == 40


def test_verdicts_outside_the_plan_only_move_the_limits_of_what_is_possible():
    findings, wrong = noisy_findings(4)
    plan = plan_audit(findings, size=30, seed=1)
    drawn = judge(wrong, plan.rows)
    others = [row for row in range(400) if row not in drawn]
    alone = estimate_quality(findings, drawn, plan)
    few = estimate_quality(findings, {**drawn, **judge(wrong, others[:10])}, plan)
    assert few.total_errors == alone.total_errors
    all_errors = [row for row in others if wrong[row]]
    many = estimate_quality(findings, {**drawn, **judge(wrong, all_errors)}, plan)
    assert many.total_errors.low == max(alone.total_errors.low, wrong.sum())


def test_known_rows_shift_the_figures_by_exactly_what_they_hold():
    findings, wrong = noisy_findings(5)
    known = np.flatnonzero(findings.mask())[:40]
    plan = plan_audit(findings, size=30, seed=1, known=known)
    drawn = judge(wrong, plan.rows)
    all_right, all_wrong = (
        estimate_quality(findings, {**drawn, **dict.fromkeys(known.tolist(), verdict)}, plan)
        for verdict in (False, True)
    )
    assert all_wrong.total_errors.low == all_right.total_errors.low + 40
    assert all_wrong.total_errors.high == all_right.total_errors.high + 40
    assert all_wrong.missed_errors == all_right.missed_errors


def test_a_known_row_without_a_verdict_may_be_either():
    findings, wrong = noisy_findings(5)
    known = [0, 1, 2]
    plan = plan_audit(findings, size=30, seed=1, known=known)
    drawn = judge(wrong, plan.rows)
    right, either = (
        estimate_quality(findings, {**drawn, **facts}, plan)
        for facts in (dict.fromkeys(known, False), {})
    )
    assert either.total_errors.low == right.total_errors.low
    assert either.total_errors.high == right.total_errors.high + 3
    # Another way of testing, so that one end may move inwards.
    assert either.recall.high - either.recall.low > right.recall.high - right.recall.low


def test_labels_that_nobody_can_tell_are_read_both_ways():
    findings, wrong = noisy_findings(6)
    plan = plan_audit(findings, size=30, seed=1)
    verdicts = judge(wrong, plan.rows)
    unclear = plan.rows[[3, 8]].tolist()
    readings = [
        estimate_quality(findings, {**verdicts, **dict.fromkeys(unclear, value)}, plan)
        for value in (False, True)
    ]
    both = estimate_quality(findings, {**verdicts, **dict.fromkeys(unclear)}, plan)
    for name in ("total_errors", "recall", "label_accuracy"):
        intervals = [getattr(each, name) for each in readings]
        assert getattr(both, name).low == min(each.low for each in intervals)
        assert getattr(both, name).high == max(each.high for each in intervals)
    assert both.known_errors + both.known_correct == 28


def test_the_order_of_classes_and_of_verdicts_changes_nothing():
    labels, probs, true = noisy_problem(np.random.default_rng(4), 300, 5)
    moved = np.array([3, 0, 4, 1, 2])
    findings = curation.analyze(labels, probs)
    other = curation.analyze(moved[labels], probs[:, np.argsort(moved)])
    plan, other_plan = (plan_audit(each, size=60, seed=1) for each in (findings, other))
    verdicts = judge(labels != true, plan.rows)
    backwards = dict(reversed(verdicts.items()))
    assert estimate_quality(findings, verdicts, plan) == estimate_quality(
        other, backwards, other_plan
    )


def test_an_audit_counts_the_flags_of_its_method():
    findings, wrong = noisy_findings(9)
    plan = plan_audit(findings, size=400, seed=0, method="confusion")
    quality = estimate_quality(findings, judge(wrong, range(400)), plan)
    assert quality.method == "confusion"
    assert quality.missed_errors.low == (wrong & ~findings.mask("confusion")).sum()


@pytest.mark.parametrize(
    ("verdicts", "confidence", "words"),
    [
        ({3: True}, 0.95, "The verdicts hold 3, and there are 3 examples. Rows go from 0 to 2."),
        ({"a": True}, 0.95, "The verdicts hold 'a', not a row. Pass whole numbers."),
        (
            {0: "wrong"},
            0.95,
            "The verdict on row 0 is 'wrong'. Pass True if the given label is wrong, False if it "
            "is right, None if nobody can tell.",
        ),
        (
            [True],
            0.95,
            "The verdicts are a list. Pass a dictionary: row -> True if its given label is wrong.",
        ),
        ({}, 1, "The confidence is 1. Pass a number between 0 and 1, such as 0.95."),
        ({}, 0.0, "The confidence is 0.0. Pass a number between 0 and 1, such as 0.95."),
        ({}, "95 %", "The confidence is '95 %'. Pass a number between 0 and 1, such as 0.95."),
    ],
)
def test_input_that_cannot_be_estimated_is_refused_with_a_message(verdicts, confidence, words):
    findings = two_classes(0.9, 0.2, 0.7)
    with pytest.raises(InputError) as error:
        estimate_quality(findings, verdicts, whole_plan(findings), confidence=confidence)
    assert str(error.value) == words


def test_a_plan_of_other_findings_is_refused():
    findings = two_classes(0.9, 0.2, 0.7)
    plan = whole_plan(findings)
    with pytest.raises(InputError) as error:
        estimate_quality(two_classes(0.9, 0.2), {}, plan)
    assert str(error.value) == (
        "The audit was drawn from 3 examples, the findings are about 2. Pass the findings that "
        "the audit was drawn from, or draw a new audit."
    )
    with pytest.raises(InputError) as error:
        estimate_quality(two_classes(0.9, 0.2, 0.6), {}, plan)
    assert error.value.problem.startswith(
        "The audit was drawn for other findings: the scores differ (hash of the scores "
    )
    labels = np.array([0, 1, 1])
    with pytest.raises(InputError) as error:
        estimate_quality(replace(findings, labels=labels), {}, plan)
    assert error.value.problem.startswith(
        "The audit was drawn for other findings: the labels differ"
    )


def test_two_hundred_human_labels_bound_the_missed_errors():
    path = shared_data.find("real/cifar10n_agg__resnet18.npz")
    with np.load(path, allow_pickle=False) as arrays:
        labels, true = (arrays[name].astype(int) for name in ("noisy_labels", "true_labels"))
        findings = curation.analyze(labels, arrays["pred_probs"])
    plan = plan_audit(findings, size=200, seed=7)
    quality = estimate_quality(findings, judge(labels != true, plan.rows), plan)
    assert isinstance(quality, Quality)
    assert all(holds(quality, true_figures(findings, labels != true)).values())
    assert quality.missed_errors.high - quality.missed_errors.low < 3500


def test_an_audit_is_reached_from_the_package():
    assert curation.plan_audit is plan_audit
    assert curation.estimate_quality is estimate_quality
    assert {"plan_audit", "estimate_quality"} <= set(curation.__all__)
