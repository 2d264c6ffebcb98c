"""The plan: drawn by a seed, by weight, from what is not known, and verifiable."""

import json
from collections import Counter
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given

import curation
from curation.errors import InputError
from curation.quality import AuditPlan, plan_audit
from curation.quality.audit_plan import NUM_LEVELS, RULE, score_levels, weigh_levels
from tests.problems import noisy_problem, problems
from tests.quality.audits import noisy_findings, two_classes


def test_a_seed_draws_the_same_rows_everywhere():
    # Written down once. A change here breaks every stored audit: name a new rule instead.
    findings = two_classes(*(k / 40 for k in range(41)))
    assert RULE == "odds-1"
    assert plan_audit(findings, size=12, seed=7).rows.tolist() == [
        10,
        3,
        5,
        30,
        23,
        7,
        40,
        8,
        11,
        20,
        21,
        31,
    ]


def test_a_longer_plan_begins_with_the_same_rows():
    findings, _ = noisy_findings(0)
    short, long = (plan_audit(findings, size=size, seed=3).rows for size in (50, 200))
    assert short.tolist() == long[:50].tolist()


def test_every_row_is_drawn_at_most_once_and_all_if_the_plan_is_large():
    findings, _ = noisy_findings(1, 90)
    plan = plan_audit(findings, size=1000, seed=0)
    assert sorted(plan.rows.tolist()) == list(range(90))
    assert plan.size == 1000


def test_known_rows_are_never_drawn():
    findings, _ = noisy_findings(2, 60)
    plan = plan_audit(findings, size=60, seed=0, known=np.array([5, 3, 5, 59]))
    assert plan.known.tolist() == [3, 5, 59]
    assert sorted(plan.rows.tolist()) == sorted(set(range(60)) - {3, 5, 59})
    assert plan.bin_counts.sum() == 57


def test_nothing_is_drawn_when_everything_is_known():
    findings = two_classes(0.9, 0.2, 0.7)
    assert plan_audit(findings, seed=0, known=range(3)).rows.tolist() == []


def test_rows_are_drawn_in_proportion_to_their_weights():
    # Odds 1 : 9, 9 : 1 and 1 : 9 against the label; the middle one has the largest weight.
    findings = two_classes(0.9, 0.1, 0.9)
    plan = plan_audit(findings, size=3, seed=0)
    weight = {
        row: plan.bin_weights[place] for row, place in zip(plan.rows, plan.row_bins, strict=True)
    }
    runs = 1500
    first = Counter(int(plan_audit(findings, size=1, seed=seed).rows[0]) for seed in range(runs))
    for row in range(3):
        chance = weight[row] / sum(weight.values())
        assert first[row] / runs == pytest.approx(chance, abs=4 * np.sqrt(0.25 / runs))
    assert weight[1] > 1.5 * weight[0]


def test_no_example_is_too_sure_to_be_drawn():
    findings = two_classes(1.0, 1.0, 0.0, 0.5)
    assert score_levels(findings).tolist() == [-32, -32, 12, 1]
    weights = weigh_levels(np.arange(-32, 13))
    assert weights.min() >= 17 and weights.max() <= 53
    assert len(weights) == NUM_LEVELS


@given(problems())
def test_levels_bracket_the_odds(problem):
    findings = curation.analyze(*problem)
    other = findings.self_confidence - findings.normalized_margin
    for level, own, rest in zip(
        score_levels(findings), findings.self_confidence, other, strict=True
    ):
        assert level > -32 or rest < own * 2.0**-31
        assert level < 12 or rest >= own * 2.0**11
        if -32 < level < 12:
            assert 2.0 ** (level - 1) <= rest / own < 2.0**level


def test_the_order_of_classes_changes_nothing():
    labels, probs, _ = noisy_problem(np.random.default_rng(4), 300, 5)
    moved = np.array([3, 0, 4, 1, 2])
    plan = plan_audit(curation.analyze(labels, probs, list("abcde")), seed=1)
    other = plan_audit(curation.analyze(moved[labels], probs[:, np.argsort(moved)]), seed=1)
    assert plan.rows.tolist() == other.rows.tolist()


def test_flags_of_another_method_make_other_bins():
    findings, _ = noisy_findings(0)
    plan = plan_audit(findings, seed=1, method="confusion")
    assert plan.method == "confusion"
    flagged = findings.mask("confusion").sum()
    assert plan.bin_counts[plan.bin_flagged].sum() == flagged


def test_a_stored_plan_is_drawn_again():
    findings, _ = noisy_findings(5)
    plan = plan_audit(findings, size=20, seed=11, known=[1, 2])
    again = AuditPlan.from_dict(json.loads(json.dumps(plan.to_dict())), findings)
    assert again.rows.tolist() == plan.rows.tolist()
    assert again.row_bins.tolist() == plan.row_bins.tolist()
    assert again.to_dict() == plan.to_dict()


def test_a_stored_plan_that_was_changed_is_refused():
    findings, _ = noisy_findings(5)
    stored = plan_audit(findings, size=20, seed=11).to_dict()
    with pytest.raises(InputError) as error:
        AuditPlan.from_dict({**stored, "rows": stored["rows"][::-1]}, findings)
    assert str(error.value) == (
        "The stored rows are not the ones that seed 11 draws. The stored plan was changed. "
        "Draw a new audit."
    )
    with pytest.raises(InputError) as error:
        AuditPlan.from_dict({**stored, "rule": "odds-0"}, findings)
    assert str(error.value) == (
        "The audit was drawn by rule 'odds-0', this version knows 'odds-1'. Open it with the "
        "version that drew it, or draw a new audit."
    )


def test_a_stored_plan_of_other_findings_is_refused_and_what_differs_is_named():
    findings, _ = noisy_findings(5)
    stored = plan_audit(findings, size=20, seed=11).to_dict()
    labels = findings.labels.copy()
    labels[0] = (labels[0] + 1) % 6
    with pytest.raises(InputError) as error:
        AuditPlan.from_dict(stored, replace(findings, labels=labels))
    assert error.value.problem.startswith(
        "The audit was drawn for other findings: the labels differ (hash of the labels "
    )
    with pytest.raises(InputError) as error:
        AuditPlan.from_dict(stored, noisy_findings(6)[0])
    assert error.value.problem.startswith(
        "The audit was drawn for other findings: the labels and the scores and the flags differ"
    )


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"size": 0}, "The size is 0. Pass a whole number from 1 up."),
        ({"size": 2.5}, "The size is 2.5. Pass a whole number from 1 up."),
        ({"seed": -1}, "The seed is -1. Pass a whole number from 0 up."),
        (
            {"known": [0, 3]},
            "The known rows hold 3, and there are 3 examples. Rows go from 0 to 2.",
        ),
        ({"known": [-1]}, "The known rows hold -1, and there are 3 examples. Rows go from 0 to 2."),
        ({"known": [True]}, "The known rows hold True, not a row. Pass whole numbers."),
        (
            {"method": "guess"},
            "There is no method 'guess'. Choose one of: confusion, confident_joint, "
            "prune_by_class, prune_by_noise_rate, both.",
        ),
    ],
)
def test_input_that_cannot_be_planned_is_refused_with_a_message(options, words):
    with pytest.raises(InputError) as error:
        plan_audit(two_classes(0.9, 0.2, 0.7), **options)
    assert str(error.value) == words
