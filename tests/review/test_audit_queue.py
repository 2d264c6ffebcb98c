"""The audit as a queue: its own order, or mixed so that nobody can tell."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from curation.review.audit_queue import find_audit_rows, is_blind, mix, mix_audit_rows


def test_the_audit_comes_in_the_order_it_was_drawn(audited, audited_store):
    assert len(find_audit_rows(audited_store.audits(), audited.dataset)) == 0
    audit = audited.draw(audited_store)
    assert find_audit_rows(audited_store.audits(), audited.dataset).tolist() == audit.rows


def test_an_audit_of_another_dataset_gives_no_rows(audited, audited_store, tmp_path):
    audited.draw(audited_store)
    entries = audited_store.audits()
    ids = list(entries[0].plan["ids"])
    entries[0].plan["ids"][0] = "somebody else"
    assert len(find_audit_rows(entries, audited.dataset)) == 0
    entries[0].plan["ids"][:] = ids
    entries[0].plan["rows"][0] = 100_000
    assert len(find_audit_rows(entries, audited.dataset)) == 0


def test_mixed_holds_every_flagged_and_every_drawn_example_once(audited, audited_store):
    audit, flagged = audited.draw(audited_store), audited.findings.issues()
    mixed = mix_audit_rows(audited_store.audits(), audited.dataset, flagged).tolist()
    assert sorted(mixed) == sorted({*audit.rows, *flagged.tolist()})
    assert [row for row in mixed if row in set(audit.rows)] == audit.rows
    others = [row for row in flagged.tolist() if row not in set(audit.rows)]
    assert [row for row in mixed if row not in set(audit.rows)] == others
    assert mixed[: len(others)] != others and mixed[:40] != audit.rows


def test_the_same_for_everybody_and_different_for_another_seed():
    one, other = np.arange(40), np.arange(100, 140)
    assert mix(one, other, 7).tolist() == mix(one, other, 7).tolist()
    assert mix(one, other, 7).tolist() != mix(one, other, 8).tolist()


@given(st.integers(0, 30), st.integers(0, 30), st.integers(0, 2**32))
def test_mixing_keeps_both_orders_and_loses_nothing(first, second, seed):
    one, other = np.arange(first), 100 + np.arange(second)
    mixed = mix(one, other, seed)
    assert mixed[mixed < 100].tolist() == one.tolist()
    assert mixed[mixed >= 100].tolist() == other.tolist()


def test_a_queue_is_blind_until_the_audit_is_closed(audited, audited_store):
    assert not is_blind("audit", audited_store.audits())
    audit = audited.draw(audited_store)
    assert is_blind("audit", audited_store.audits()) and is_blind("mixed", audited_store.audits())
    assert not is_blind("flagged", audited_store.audits())
    audited_store.close_audit(audit.name, curator="ana")
    assert not is_blind("audit", audited_store.audits())
