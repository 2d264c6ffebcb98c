"""The intervals of an audit hold, never widen, and stay within what is possible."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import curation
from curation.quality import estimate_quality, plan_audit
from curation.quality.audit_reading import AuditReading
from curation.quality.betting import schedule_refits
from tests.problems import problems
from tests.quality.audits import (
    every_order,
    holds,
    judge,
    noisy_findings,
    true_figures,
    two_classes,
    whole_plan,
)

COUNTS = ("total_errors", "missed_errors", "flagged_errors", "errors_left")


SHARES = ("precision", "recall", "label_accuracy", "accuracy_after_cleaning")


@pytest.mark.parametrize("wrong", ["0010", "0110", "1001"])
def test_intervals_hold_at_every_look_over_all_orders_of_drawing(wrong):
    # Rows 1 and 2 are flagged. At 60 % the intervals of so few labels are not trivial.
    findings = two_classes(0.95, 0.05, 0.1, 0.9)
    wrong = np.array([each == "1" for each in wrong])
    figures = true_figures(findings, wrong)
    held, certain = dict.fromkeys(figures, 0.0), 0.0
    for plan, chance in every_order(whole_plan(findings)):
        looks = [
            estimate_quality(findings, judge(wrong, plan.rows[:length]), plan, confidence=0.6)
            for length in (1, 2, 3)
        ]
        at_all = [holds(quality, figures) for quality in looks]
        for name in held:
            held[name] += chance * all(each[name] for each in at_all)
        certain += chance
    assert certain == pytest.approx(1)
    assert min(held.values()) >= 0.6


def test_each_draw_is_an_unbiased_figure_of_the_errors():
    # The estimate is a mean over draws of such figures, apart from the model's own share in it.
    findings = two_classes(0.95, 0.05, 0.1, 0.9)
    wrong = np.array([True, False, True, False])
    mean = np.zeros(2)
    for plan, chance in every_order(whole_plan(findings)):
        audit = AuditReading(plan, findings.mask(), np.arange(4), wrong, 0.95)
        draws = audit.draws
        block = np.searchsorted(schedule_refits(4), 2, side="right") - 1
        rate, left = audit.rates[block], draws.remaining[2]
        for stratum in (0, 1):
            mine = plan.bin_flagged == (stratum == 0)
            place = draws.bins[2]
            weight = draws.weights[place] / (left @ draws.weights)
            figure = (draws.wrong[:2] & mine[draws.bins[:2]]).sum() + (left * rate)[mine].sum()
            figure += mine[place] * (draws.wrong[2] - rate[place]) / weight
            mean[stratum] += chance * figure
    assert mean == pytest.approx([1, 1])


def test_intervals_hold_in_simulated_audits():
    findings, wrong = noisy_findings(0, 1500)
    figures = true_figures(findings, wrong)
    held = dict.fromkeys(figures, 0)
    for seed in range(25):
        plan = plan_audit(findings, size=80, seed=seed)
        quality = estimate_quality(findings, judge(wrong, plan.rows), plan)
        for name, each in holds(quality, figures).items():
            held[name] += each
    assert min(held.values()) >= 22


def test_an_interval_never_leaves_an_earlier_one():
    findings, wrong = noisy_findings(11, 1500)
    plan = plan_audit(findings, size=150, seed=0)
    before = estimate_quality(findings, {}, plan)
    for length in range(5, 151, 5):
        quality = estimate_quality(findings, judge(wrong, plan.rows[:length]), plan)
        for name in (*COUNTS[:3], "precision", "recall", "label_accuracy"):
            one, two = getattr(before, name), getattr(quality, name)
            slack = 2 / 512 if name == "recall" else 1e-9  # recall is found on a grid
            assert one.low - slack <= two.low <= two.high <= one.high + slack, (name, length)
        before = quality


def test_an_audit_finds_the_number_of_errors_again():
    findings, wrong = noisy_findings(3, 2000)
    plan = plan_audit(findings, size=400, seed=0)
    quality = estimate_quality(findings, judge(wrong, plan.rows), plan)
    for name, value in true_figures(findings, wrong).items():
        assert getattr(quality, name).estimate == pytest.approx(value, rel=0.2), name
    assert quality.total_errors.high - quality.total_errors.low < 0.5 * wrong.sum()


verdict_lists = st.lists(st.sampled_from([True, False, None]), min_size=25, max_size=25)


@settings(max_examples=40)
@given(problems(), verdict_lists, st.integers(0, 30), st.integers(0, 5), st.integers(0, 99))
def test_intervals_are_ordered_inside_what_is_possible_and_never_widen(
    problem, verdicts, judged, num_known, seed
):
    findings = curation.analyze(*problem)
    n = len(findings.labels)
    plan = plan_audit(findings, size=20, seed=seed, known=range(min(num_known, n)))
    said = dict(zip([*plan.known, *plan.rows[:judged]], verdicts, strict=False))
    before = None
    for length in sorted({0, len(said) // 2, len(said) - 1, len(said)} & set(range(n + 1))):
        facts = {int(row): said[row] for row in list(said)[:length]}
        quality = estimate_quality(findings, facts, plan)
        check_bounds(quality, facts, n)
        if before is not None and None not in facts.values():
            for name in (*COUNTS, *SHARES):
                one, two = getattr(before, name), getattr(quality, name)
                slack = 4 / 512 if name == "recall" else 1e-9  # recall is found on a grid
                assert two.high - two.low <= one.high - one.low + slack, name
        before = quality


def check_bounds(quality, facts, n):
    errors, correct = (sum(value is each for value in facts.values()) for each in (True, False))
    assert (quality.known_errors, quality.known_correct) == (errors, correct)
    for name in (*COUNTS, *SHARES):
        interval = getattr(quality, name)
        assert np.isfinite([interval.low, interval.estimate, interval.high]).all(), name
        assert interval.low <= interval.estimate <= interval.high, name
        assert 0 <= interval.low and interval.high <= (n if name in COUNTS else 1), name
    assert errors <= quality.total_errors.low
    assert quality.total_errors.high <= n - correct


def test_if_every_number_is_rejected_the_last_interval_stays():
    # Verdicts that no fixed labels could have given: all wrong first, then all right.
    findings, _ = noisy_findings(7, 3000)
    plan = plan_audit(findings, size=300, seed=0)
    verdicts = {int(row): place < 100 for place, row in enumerate(plan.rows)}
    quality = estimate_quality(findings, verdicts, plan)
    for name in (*COUNTS, *SHARES):
        interval = getattr(quality, name)
        assert interval.low <= interval.estimate <= interval.high, name
    assert 100 <= quality.total_errors.low <= quality.total_errors.high <= 2800


def test_higher_confidence_gives_wider_intervals():
    findings, wrong = noisy_findings(8)
    plan = plan_audit(findings, size=100, seed=0)
    verdicts = judge(wrong, plan.rows)
    widths = [
        (quality.total_errors.high - quality.total_errors.low)
        for quality in (
            estimate_quality(findings, verdicts, plan, confidence=each) for each in (0.5, 0.9, 0.99)
        )
    ]
    assert widths == sorted(widths) and widths[0] < widths[2]
