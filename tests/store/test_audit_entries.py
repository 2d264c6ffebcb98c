"""Audits in the log: stored before anybody judges, never changed, carried everywhere."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import text
from sqlalchemy.exc import DBAPIError

from curation.errors import StoreError
from curation.store import AuditAction, AuditEntry, Store, backup, from_jsonl, to_jsonl
from devtools.store_dataset import StoreDataset

Opener = Callable[..., Store]
PLAN: dict[str, Any] = {"seed": 7, "rows": [2, 0], "known": [1], "names": {"method": "caf\u00e9"}}


def test_a_drawn_audit_is_read_back_as_it_was_stored(
    store: Store, dataset: StoreDataset, url: str, opened: Opener
) -> None:
    store.decide("e1", "keep", curator="ana")
    drawn = store.draw_audit(PLAN, curator="ana", note="before the release")
    assert (drawn.seq, drawn.action, drawn.curator) == (2, AuditAction.DRAW, "ana")
    assert drawn.plan == PLAN and drawn.fingerprint == dataset.fingerprint
    store.close()
    again = opened(dataset, url)
    assert again.audits() == [drawn] and again.log()[-1] == drawn
    assert not any("did not agree" in notice for notice in again.notices)


def test_an_audit_is_closed_by_anybody_and_then_another_can_be_drawn(store: Store) -> None:
    drawn = store.draw_audit(PLAN, curator="ana")
    closed = store.close_audit(drawn.op_id, curator="ben", note="enough")
    assert (closed.action, closed.target, closed.plan) == (AuditAction.CLOSE, drawn.op_id, None)
    again = store.draw_audit(PLAN, curator="ana")
    assert [each.seq for each in store.audits()] == [drawn.seq, closed.seq, again.seq]


def test_only_one_audit_is_open_at_a_time(store: Store) -> None:
    drawn = store.draw_audit(PLAN, curator="ana")
    with pytest.raises(StoreError, match="NOT drawn: an audit is open, drawn by 'ana' on 20"):
        store.draw_audit(PLAN, curator="ben")
    store.close_audit(drawn.op_id, curator="ana")
    with pytest.raises(StoreError, match="NOT closed: this audit is not open"):
        store.close_audit(drawn.op_id, curator="ana")
    assert len(store.log()) == 2


def test_the_same_message_twice_is_one_audit(store: Store) -> None:
    drawn = store.draw_audit(PLAN, curator="ana", op_id="draw-1")
    assert store.draw_audit(PLAN, curator="ana", op_id="draw-1") == drawn
    with pytest.raises(StoreError, match="the op_id 'draw-1' was already used"):
        store.draw_audit({**PLAN, "seed": 8}, curator="ana", op_id="draw-1")
    store.decide("e0", "keep", curator="ana", op_id="op")
    with pytest.raises(StoreError, match="the op_id 'op' was already used"):
        store.draw_audit(PLAN, curator="ana", op_id="op")
    assert len(store.audits()) == 1


def test_a_stored_plan_cannot_be_changed(store: Store) -> None:
    store.draw_audit(PLAN, curator="ana")
    with pytest.raises(DBAPIError, match="append-only"), store.backend.writer.begin() as connection:
        connection.execute(text("UPDATE log SET plan = '{}'"))
    assert store.audits()[0].plan == PLAN


def test_drawing_and_closing_change_nobodys_decisions_undo_or_redo(store: Store) -> None:
    store.decide("e0", "keep", curator="ana", op_id="one")
    store.decide("e1", "keep", curator="ana", op_id="two")
    store.undo(curator="ana")
    drawn = store.draw_audit(PLAN, curator="ana")
    redone = store.redo(curator="ana")
    assert redone is not None and redone.unit[0].op_id == "two"
    store.close_audit(drawn.op_id, curator="ana")
    undone = store.undo(curator="ana")
    assert undone is not None and undone.unit[0].op_id == "two"
    assert [each.example_id for each in store.current()] == ["e0"]


def test_a_log_with_an_audit_is_written_and_read_again(
    store: Store, dataset: StoreDataset, opened: Opener, tmp_path: Path
) -> None:
    store.decide("e0", "keep", curator="ana")
    drawn = store.draw_audit(PLAN, curator="ana", note="\x00 and \ud800")
    store.decide("e2", "exclude", curator="ben")
    store.close_audit(drawn.op_id, curator="ben")
    log = from_jsonl(to_jsonl(store.log()))
    assert log == store.log() and isinstance(log[1], AuditEntry)
    copy = opened(dataset, tmp_path / "copy.db")
    copy.import_log(log)
    assert copy.log() == log and copy.audits() == store.audits()


def test_a_backup_and_its_restoration_carry_the_audit(
    store: Store, dataset: StoreDataset, url: str, opened: Opener, tmp_path: Path
) -> None:
    drawn = store.draw_audit(PLAN, curator="ana")
    out = tmp_path / "kept.db"
    if url.startswith("sqlite"):
        backup.back_up(tmp_path / "decisions.db", out)
        backup.restore(out, tmp_path / "again.db")
        assert opened(dataset, tmp_path / "again.db").audits() == [drawn]
    else:
        backup.back_up_postgres(url, out)
        assert opened(dataset, out).audits() == [drawn]


def test_a_backup_is_restored_to_postgresql_with_its_audit(
    local_store: Store,
    dataset: StoreDataset,
    opened: Opener,
    tmp_path: Path,
    request: pytest.FixtureRequest,
) -> None:
    drawn = local_store.draw_audit(PLAN, curator="ana")
    home = request.getfixturevalue("postgres").make_home()
    backup.restore_postgres(tmp_path / "local.db", home)
    assert opened(dataset, home).audits() == [drawn]


def test_a_line_with_an_unknown_action_is_refused() -> None:
    line = '{"seq": 1, "plan": null, "action": "draw"}\n'
    with pytest.raises(StoreError, match="line 1, has missing or unknown fields"):
        from_jsonl(line)
