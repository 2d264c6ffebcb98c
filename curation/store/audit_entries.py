"""Audits in the log: one is drawn, people judge its examples, and it is closed.

At most one audit is open at a time. Its plan is stored before anybody judges, and cannot be changed
afterwards: like every entry, it is only added to the log.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from sqlalchemy import Connection, select

from curation.errors import StoreError
from curation.store.actions import AuditAction
from curation.store.draft_checks import check_curator, check_note
from curation.store.entries import AuditEntry
from curation.store.judged_dataset import DatasetLike
from curation.store.log_rows import to_audit_entry
from curation.store.schema import log
from curation.store.transactions import (
    append_unit,
    find_unit,
    number_entries,
    read_head,
    reused_error,
    same_unit,
)


def draft_audit(
    dataset: DatasetLike,
    action: AuditAction,
    *,
    plan: Mapping[str, Any] | None = None,
    target: str | None = None,
    curator: str,
    op_id: str,
    note: str = "",
) -> AuditEntry:
    """Return an entry about an audit as it will be stored, except for its number and time."""
    return AuditEntry(
        seq=0,
        op_id=op_id,
        part=0,
        entry="audit",
        action=action,
        plan=plan,
        fingerprint=dataset.fingerprint,
        note=check_note(note),
        curator=check_curator(curator),
        time="",
        target=target,
    )


def write_audit(connection: Connection, identity: str, draft: AuditEntry) -> AuditEntry:
    """Store an entry about an audit; nobody's decisions or undo stacks change."""
    head = read_head(connection, identity, draft.op_id, draft.curator)
    if head.repeated:
        earlier = find_unit(connection, draft.op_id)
        if not same_unit(earlier, [draft]) or not isinstance(earlier[0], AuditEntry):
            raise reused_error(draft.op_id)
        return earlier[0]
    _check_order(draft, find_open_audit(read_audits(connection)))
    stored = number_entries([draft], head.seq, "audit")
    append_unit(connection, stored)
    return stored[0]


def read_audits(connection: Connection) -> list[AuditEntry]:
    """Return the entries about audits, in order."""
    query = select(log).where(log.c.entry == "audit").order_by(log.c.seq)
    return [to_audit_entry(row) for row in connection.execute(query).all()]


def find_open_audit(entries: Iterable[AuditEntry]) -> AuditEntry | None:
    """Return the audit that was drawn last, unless it is closed."""
    drawn = None
    for entry in entries:
        drawn = entry if entry.action is AuditAction.DRAW else None
    return drawn


def _check_order(draft: AuditEntry, now_open: AuditEntry | None) -> None:
    if draft.action is AuditAction.DRAW and now_open is not None:
        raise StoreError(
            f"NOT drawn: an audit is open, drawn by {now_open.curator!r} on {now_open.time[:10]}.",
            "Close it first, or continue with it.",
        )
    if draft.action is AuditAction.CLOSE and (now_open is None or now_open.op_id != draft.target):
        raise StoreError(
            "NOT closed: this audit is not open.",
            "Somebody may have closed it. Load the page again.",
        )
