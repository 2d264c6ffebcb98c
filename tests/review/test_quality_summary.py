"""What is known about the labels, put together for the Quality page."""

from __future__ import annotations

from curation.quality import Interval
from curation.review.audits import read_log, read_plan
from curation.review.ledger import Ledger
from curation.review.quality_summary import compare_with_estimate, summarize_quality
from tests.audited import SIZE


def summarize(audited, audited_store, collisions="argmax"):
    log = audited_store.log()
    return summarize_quality(
        audited.dataset, audited.findings, collisions, Ledger(audited_store),
        lambda until: read_log(audited.dataset, log, until),
        lambda audit: read_plan(audit, audited.dataset, audited.findings),
    )  # fmt: skip


def test_without_decisions_nothing_is_known(audited, audited_store):
    found = summarize(audited, audited_store)
    assert (found.errors_found, found.audit, found.errors_left, found.comparison) == (0,) + 3 * (
        None,
    )


def test_errors_are_counted_in_the_order_they_were_found(audited, audited_store):
    wrong = audited.true != audited.dataset.labels
    bad, good = (int(each) for each in (wrong.argmax(), (~wrong).argmax()))
    audited.judge(audited_store, [good, bad])
    audited_store.decide(str(SIZE - 1), "skip", curator="ana")
    found = summarize(audited, audited_store)
    assert found.history.tolist() == [0, 1] and found.known == {good: False, bad: True}


def test_what_is_left_is_the_audits_total_less_all_that_was_found(audited, audited_store):
    audit = audited.draw(audited_store)
    audited.judge(audited_store, audit.rows)
    audited_store.close_audit(audit.name, curator="ana")
    before = summarize(audited, audited_store)
    others = sorted(set(range(SIZE)) - set(audit.rows))[:50]
    audited.judge(audited_store, others)
    after = summarize(audited, audited_store)
    more = after.errors_found - before.errors_found
    assert more > 0 and after.judged.quality == before.judged.quality
    assert after.errors_left.high == before.errors_left.high - more


def test_an_audit_with_other_settings_is_not_judged(audited, audited_store):
    audited.draw(audited_store)
    found = summarize(audited, audited_store, collisions="confident")
    assert found.judged is None and "other settings are chosen now" in found.problem.problem


def test_an_estimate_inside_a_wide_interval_is_not_said_to_be_right(audited, audited_store):
    audit = audited.draw(audited_store)
    audited.judge(audited_store, audit.rows[:3])
    found = summarize(audited, audited_store)
    total = found.judged.quality.total_errors
    assert compare_with_estimate(audited.findings, found.judged).endswith(
        f"The audit, {total.low:,.0f} to {total.high:,.0f}, does not contradict it."
    )


def test_the_estimate_is_compared_with_the_audit(audited, audited_store):
    audit = audited.draw(audited_store)
    nothing = summarize(audited, audited_store)
    assert compare_with_estimate(audited.findings, nothing.judged).endswith("how far off that is.")
    for row in audit.rows:
        audited_store.decide(str(row), "exclude", curator="ana")
    found = summarize(audited, audited_store)
    total: Interval = found.judged.quality.total_errors
    assert audited.findings.estimated_errors < total.low
    assert compare_with_estimate(audited.findings, found.judged).endswith(
        f"That is too few: the audit says that {total.low:,.0f} to {total.high:,.0f} are wrong."
    )
