"""What the decisions so far say about the flags."""

from __future__ import annotations

import pytest
from scipy.stats import beta

from curation.quality.measured_precision import (
    Precision,
    measure_along_rank,
    measure_methods,
    measure_pairs,
)
from tests.quality.audits import noisy_findings, two_classes
from tests.quality.test_estimates import judge


@pytest.fixture(scope="module")
def noisy():
    return noisy_findings(5, n=2_000)


def test_along_the_rank_every_flag_is_in_one_block(noisy):
    findings, wrong = noisy
    issues = findings.issues()
    blocks = measure_along_rank(findings, judge(wrong, issues[:60]))
    assert blocks[0].first == 1 and blocks[-1].last == len(issues)
    assert all(one.last + 1 == two.first for one, two in zip(blocks, blocks[1:], strict=False))
    assert sum(each.precision.judged for each in blocks) == 60
    assert blocks[-1].precision == Precision(0, 0) and blocks[-1].precision.share is None
    first = issues[: blocks[0].last]
    judged = blocks[0].precision
    assert (judged.judged, judged.wrong) == (min(60, len(first)), wrong[first[:60]].sum())


def test_pairs_are_those_of_judged_flags_by_hand():
    # Rows 1 (given 1) and 2 (given 0) are flagged: 1 is probably 0, and 2 probably 1.
    findings = two_classes(0.95, 0.05, 0.1, 0.9)
    found = measure_pairs(findings, {0: True, 2: False})
    (pair,) = found
    assert (pair.given, pair.suggested, pair.flagged) == (0, 1, 1)
    assert pair.precision == Precision(judged=1, wrong=0)


def test_methods_by_hand():
    findings = two_classes(0.95, 0.05, 0.1, 0.9)
    by_method = {each.method: each for each in measure_methods(findings, {0: True, 1: True})}
    confusion = by_method["confusion"]
    assert confusion.flagged == 2 and confusion.precision == Precision(1, 1)
    assert confusion.errors_found == 2 and confusion.share_found == 0.5


def test_no_decisions_measure_nothing(noisy):
    findings, _ = noisy
    assert measure_pairs(findings, {}) == []
    assert all(each.precision.judged == 0 for each in measure_along_rank(findings, {}))
    assert all(each.share_found is None for each in measure_methods(findings, {}))


def test_the_interval_is_jeffreys_and_reaches_the_ends():
    low, high = Precision(20, 5).interval
    assert (low, high) == pytest.approx(beta(5.5, 15.5).ppf([0.025, 0.975]))
    assert Precision(20, 0).interval[0] == 0 and Precision(20, 20).interval[1] == 1


def test_without_flags_there_are_no_blocks():
    assert measure_along_rank(two_classes(0.9, 0.9, 0.9, 0.9), {0: True}) == []
