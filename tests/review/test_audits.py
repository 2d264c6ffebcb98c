"""Audits in a audited_store: drawn before anybody judges, judged by anybody, ended by a close."""

from __future__ import annotations

import numpy as np
import pytest

from curation.errors import InputError
from curation.review.audits import find_audits, judge_audit
from tests.audited import SIZE


def judged(audited, audited_store):
    return judge_audit(
        find_audits(audited_store.log())[-1], audited.dataset, audited.findings, audited_store.log()
    )


def test_what_was_decided_before_is_known_and_never_drawn(audited, audited_store):
    before = audited.findings.issues()[:10].tolist()
    audited.judge(audited_store, before)
    audit = audited.draw(audited_store, size=SIZE)
    assert audit.stored["known"] == sorted(before)
    assert sorted(audit.rows) == sorted(set(range(SIZE)) - set(before))
    assert audit.stored["ids"] == [str(row) for row in audit.rows]


def test_a_skip_or_a_second_look_is_not_decided_so_it_may_be_drawn(audited, audited_store):
    audited_store.decide("3", "skip", curator="ana")
    audited_store.decide("4", "needs_review", curator="ana")
    assert {3, 4} <= set(audited.draw(audited_store, size=SIZE).rows)


def test_the_audit_is_the_same_when_it_is_read_again(audited, audited_store):
    audit = audited.draw(audited_store)
    again = judged(audited, audited_store)
    assert again.audit == audit and again.plan.rows.tolist() == audit.rows
    assert (audit.seed, audit.method, audit.threshold) == (7, "confident_joint", "mean")


def test_no_decision_says_nothing(audited, audited_store):
    audited.draw(audited_store)
    total = judged(audited, audited_store).quality.total_errors
    assert (total.low, total.high) == (0, SIZE)


def test_judging_narrows_the_interval_around_the_truth(audited, audited_store):
    audit = audited.draw(audited_store)
    widths = []
    for first in (0, 20):
        audited.judge(audited_store, audit.rows[first : first + 20])
        total = judged(audited, audited_store).quality.total_errors
        assert total.low <= audited.num_wrong <= total.high
        widths.append(total.high - total.low)
    assert widths[1] < widths[0] < SIZE


@pytest.mark.parametrize(("action", "found"), [("keep", 0), ("exclude", 40)])
def test_only_keeps_and_only_errors(audited, audited_store, action, found):
    for row in audited.draw(audited_store).rows:
        audited_store.decide(str(row), action, curator="ana")
    quality = judged(audited, audited_store).quality
    assert quality.known_errors == found and quality.judged == 40
    assert quality.total_errors.low >= found
    assert (quality.total_errors.high < SIZE / 3) == (action == "keep")


def test_an_audit_larger_than_what_is_left_takes_all_and_then_is_exact(audited, audited_store):
    audited.judge(audited_store, list(range(SIZE - 12)))
    audit = audited.draw(audited_store, size=500)
    assert len(audit.rows) == 12
    audited.judge(audited_store, audit.rows)
    total = judged(audited, audited_store).quality.total_errors
    assert total.low == total.high == total.estimate == audited.num_wrong


def test_nothing_is_drawn_if_everything_is_decided(audited, audited_store):
    audited.judge(audited_store, list(range(SIZE)))
    with pytest.raises(InputError, match="Every example is decided, so nothing is left to draw"):
        audited.draw(audited_store)


def test_an_audit_that_was_interrupted_is_resumed_by_another_curator(audited, audited_store):
    audit = audited.draw(audited_store, curator="ana")
    audited.judge(audited_store, audit.rows[:15], curator="ana")
    audited_store.close()
    with audited.open() as later:
        audited.judge(later, audit.rows[15:], curator="ben")
        by_two = judged(audited, later).quality
    assert by_two.judged == 40
    assert by_two.known_errors == int((audited.true != audited.dataset.labels)[audit.rows].sum())


def test_decisions_after_the_close_change_nothing_in_the_audit(audited, audited_store):
    audit = audited.draw(audited_store)
    audited.judge(audited_store, audit.rows[:30])
    audited_store.close_audit(audit.name, curator="ana")
    before = judged(audited, audited_store).quality
    for row in audit.rows:
        audited_store.decide(str(row), "exclude", curator="ana")
    assert judged(audited, audited_store).quality == before
    assert judged(audited, audited_store).num_judged == 30


def test_an_undone_verdict_leaves_a_gap_that_ends_the_draws(audited, audited_store):
    audit = audited.draw(audited_store)
    audited.judge(audited_store, audit.rows[:9], curator="ana")
    audited.judge(audited_store, audit.rows[9:10], curator="ben")
    audited.judge(audited_store, audit.rows[10:20], curator="ana")
    assert judged(audited, audited_store).quality.judged == 20
    audited_store.undo(curator="ben")
    assert (
        judged(audited, audited_store).quality.judged == 9
        and judged(audited, audited_store).num_judged == 19
    )


def test_a_dispute_is_read_both_ways_until_it_is_resolved(audited, audited_store):
    audit = audited.draw(audited_store)
    audited.judge(audited_store, audit.rows, curator="ana")
    agreed = judged(audited, audited_store).quality.total_errors
    first = audit.rows[0]
    was_wrong = audited.true[first] != audited.dataset.labels[first]
    audited_store.decide(str(first), "keep" if was_wrong else "exclude", curator="ben")
    disputed = judged(audited, audited_store).quality
    assert disputed.judged == 40
    assert disputed.total_errors.low <= agreed.low and agreed.high <= disputed.total_errors.high
    assert disputed.total_errors != agreed


def test_changed_labels_void_the_audit_and_say_what_changed(audited, audited_store):
    audit = audited.draw(audited_store)
    audited.judge(audited_store, audit.rows)
    audited_store.close()
    labels = np.load(audited.folder / "labels.npy")
    labels[0] = (labels[0] + 1) % 3
    np.save(audited.folder / "labels.npy", labels)
    audited.load()
    with audited.open() as later, pytest.raises(InputError, match="the labels have changed since"):
        judged(audited, later)


def test_added_examples_void_the_audit(audited, audited_store):
    audited.draw(audited_store)
    audited_store.close()
    for name in ("labels", "probs"):
        values = np.load(audited.folder / f"{name}.npy")
        np.save(audited.folder / f"{name}.npy", np.concatenate([values, values[:1]]))
    audited.load()
    with (
        audited.open() as later,
        pytest.raises(InputError, match="from 300 examples, but now .* 301"),
    ):
        judged(audited, later)
