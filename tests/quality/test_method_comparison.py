"""The five methods, measured by one audit."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from curation.analysis.findings import METHODS
from curation.quality import Interval, estimate_quality, plan_audit
from curation.quality.audit_plan import view_by_method
from curation.quality.method_comparison import compare_methods
from tests.quality.audits import every_order, noisy_findings, two_classes, whole_plan
from tests.quality.test_estimates import judge


@pytest.fixture(scope="module")
def audited():
    findings, wrong = noisy_findings(5, n=3_000)
    plan = plan_audit(findings, size=400, seed=1)
    return findings, wrong, plan


def test_the_view_by_its_own_method_is_the_plan_itself(audited):
    findings, wrong, plan = audited
    view = view_by_method(plan, findings, plan.method)
    verdicts = judge(wrong, plan.rows)
    assert estimate_quality(findings, verdicts, view) == estimate_quality(findings, verdicts, plan)


@pytest.mark.parametrize("method", METHODS)
def test_the_view_by_a_method_is_the_plan_drawn_for_it(audited, method):
    findings, _, plan = audited
    view = view_by_method(plan, findings, method)
    drawn = plan_audit(findings, size=400, seed=1, method=method)
    for name in ("bin_levels", "bin_flagged", "bin_counts", "bin_weights"):
        assert getattr(view, name).tolist() == getattr(drawn, name).tolist()
    assert view.rows.tolist() == plan.rows.tolist() and view.digests == drawn.digests
    assert (view.bin_flagged[view.row_bins] == findings.mask(method)[view.rows]).all()


def test_intervals_of_another_method_hold_over_all_orders_of_drawing():
    findings = two_classes(0.95, 0.05, 0.1, 0.9)
    wrong = np.array([True, False, True, False])
    hits = int((wrong & findings.mask("confusion")).sum())
    held = 0.0
    for plan, chance in every_order(whole_plan(findings)):
        view = view_by_method(plan, findings, "confusion")
        looks = [
            estimate_quality(findings, judge(wrong, plan.rows[:k]), view, confidence=0.6)
            for k in (1, 2, 3)
        ]
        held += chance * all(q.flagged_errors.low <= hits <= q.flagged_errors.high for q in looks)
    assert held >= 0.6


def test_every_method_is_measured_and_all_intervals_hold(audited):
    findings, wrong, plan = audited
    found = compare_methods(findings, judge(wrong, plan.rows), plan)
    assert [each.method for each in found.methods] == list(METHODS)
    for each in found.methods:
        flagged = findings.mask(each.method)
        hits = int((wrong & flagged).sum())
        assert each.num_flagged == flagged.sum()
        assert each.precision.low <= hits / flagged.sum() <= each.precision.high
        assert each.recall.low <= hits / wrong.sum() <= each.recall.high


def test_too_few_verdicts_compare_nothing(audited):
    findings, wrong, plan = audited
    assert compare_methods(findings, judge(wrong, plan.rows[:19]), plan) is None
    assert compare_methods(findings, judge(wrong, plan.rows[:20]), plan) is not None


def test_a_method_is_recommended_only_where_its_interval_lies_above_all_others(audited):
    findings, wrong, plan = audited
    found = compare_methods(findings, judge(wrong, plan.rows[:30]), plan)
    assert found.finds_most is None and found.advice.startswith("No recommendation")
    clear = replace(found, finds_most="both", most_precise="both")
    assert clear.advice.startswith("Both prunings suits this dataset best")
    split = replace(found, finds_most="confusion", most_precise="both")
    assert split.advice == (
        "Confusion baseline finds the largest share of the errors. "
        "Both prunings has the largest share of wrong labels."
    )


def test_the_best_is_the_one_above_the_others_even_if_it_is_not_the_first():
    from curation.quality.method_comparison import MeasuredMethod, _find_best

    low, high = Interval(0.2, 0.1, 0.3), Interval(0.5, 0.4, 0.6)
    methods = [MeasuredMethod(m, 5, low, high if m == "both" else low) for m in METHODS]
    assert _find_best(methods, lambda each: each.recall) == "both"
    assert _find_best(methods, lambda each: each.precision) is None
