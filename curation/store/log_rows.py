"""Conversion of entries to rows of the log and back."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import fields
from typing import Any, NamedTuple, TypeVar

from sqlalchemy import Connection, Row, select

from curation.store.actions import Action
from curation.store.entries import Answer, AuditEntry, ClassDecision, Decision, Entry, answer_of
from curation.store.schema import log

E = TypeVar("E", ClassDecision, AuditEntry)
COLUMNS = [column.name for column in log.columns]
DECISION_FIELDS = len(fields(Decision))
assert COLUMNS[:DECISION_FIELDS] == [field.name for field in fields(Decision)]
BATCH = 10_000  # rows fetched at a time when the whole log is read


def to_row(entry: Entry) -> dict[str, Any]:
    """Return an entry as a row of the log; `into` is stored as the label."""
    row: dict[str, Any] = {name: getattr(entry, name, None) for name in COLUMNS}
    if isinstance(entry, ClassDecision):
        row["label"], row["label_id"] = entry.into, entry.into_id
    elif isinstance(entry, AuditEntry):
        row["plan"] = None if entry.plan is None else json.dumps(dict(entry.plan))
    return row


def to_entry(row: Row[Any]) -> Entry:
    """Return the entry in a row of the log."""
    if row.example_id is not None:
        return to_decision(row)
    return to_audit_entry(row) if row.entry == "audit" else to_class_decision(row)


def to_decision(row: Row[Any]) -> Decision:
    """Return the decision in a row about an example; by position, because that is fast."""
    return Decision(*row[:DECISION_FIELDS])


def to_class_decision(row: Row[Any]) -> ClassDecision:
    return _to(ClassDecision, row, into=row.label, into_id=row.label_id)


def to_audit_entry(row: Row[Any]) -> AuditEntry:
    return _to(AuditEntry, row, plan=None if row.plan is None else json.loads(row.plan))


def _to(kind: type[E], row: Row[Any], **converted: Any) -> E:
    """Return an entry from the columns that have the names of its fields, and these values."""
    names = {field.name for field in fields(kind)} - set(converted)
    return kind(**{name: getattr(row, name) for name in names}, **converted)


class LightEntry(NamedTuple):
    """The fields of an entry that a replay needs, so that a million of them fit in memory."""

    seq: int
    op_id: str
    entry: str
    example_id: str | None
    curator: str
    target: str | None
    action: Action
    given_id: str
    label_id: str | None
    label_ids: tuple[str, ...]

    @property
    def answer(self) -> Answer:
        return answer_of(self.action, self.given_id, self.label_id, self.label_ids)


LIGHT = select(*(log.c[name] for name in LightEntry._fields)).order_by(log.c.seq)


def read_light_entries(connection: Connection) -> Iterator[LightEntry]:
    """Yield the whole log, in order, a batch at a time."""
    for batch in connection.execute(LIGHT.execution_options(yield_per=BATCH)).partitions():
        yield from map(LightEntry._make, batch)
