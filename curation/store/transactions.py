"""Writing units: one operation, one transaction, all of its entries or none.

Each function runs inside a transaction in which nobody else writes, and may run again after a
failure: a unit that is already in the log is returned and not written twice.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from datetime import UTC, datetime
from typing import Any, TypeVar

from sqlalchemy import Connection, Row, bindparam, exists, func, insert, select, update

from curation.errors import NotSavedError, StoreError
from curation.store import migrations
from curation.store.derived_tables import (
    Histories,
    chunks,
    delete_states,
    insert_states,
    load_histories,
    rebuild,
)
from curation.store.entries import Decision, Entry, EntryKind
from curation.store.log_rows import to_entry, to_row
from curation.store.replay import STATEMENTS, ExampleState
from curation.store.schema import datasets, log, meta, units

E = TypeVar("E", bound=Entry)
# The fields that may differ between two calls of the same operation.
_INCIDENTAL = {"seq", "entry", "seconds", "revision", "time", "content_hash", "fingerprint"}

_HEAD = select(
    select(meta.c.value).where(meta.c.key == "uuid").scalar_subquery().label("identity"),
    select(meta.c.value).where(meta.c.key == "schema").scalar_subquery().label("version"),
    func.coalesce(select(func.max(log.c.seq)).scalar_subquery(), 0).label("seq"),
    exists().where(units.c.op_id == bindparam("op_id")).label("repeated"),
    exists()
    .where(units.c.curator == bindparam("curator"), units.c.status == "undone")
    .label("can_redo"),
)
_UNIT = (
    select(log)
    .join(units, log.c.seq.between(units.c.seq, units.c.seq + units.c.size - 1))
    .where(units.c.op_id == bindparam("op_id"))
    .order_by(log.c.seq)
)
_ADD_UNIT, _ADD_ENTRIES = insert(units), insert(log)
_DROP_UNDONE = (
    update(units)
    .where(units.c.curator == bindparam("who"), units.c.status == "undone")
    .values(status="dropped")
)


@dataclass(frozen=True)
class Conflict:
    """A unit that came too late: the decision that counts, the attempt, the current revision."""

    stored: Decision
    attempted: Decision
    revision: int


def now() -> str:
    """Return the time in UTC, for people to read."""
    return datetime.now(UTC).isoformat()


def read_head(connection: Connection, identity: str, op_id: str, curator: str) -> Row[Any]:
    """Return the end of the log and what is known about an op_id; refuse another store."""
    head = connection.execute(_HEAD, {"op_id": op_id, "curator": curator}).one()
    if head.identity != identity:
        raise NotSavedError(
            "NOT saved: the store was replaced by another one while it was open.",
            "Open the dataset again to see what it holds now.",
        )
    if int(head.version) > migrations.HEAD:
        raise NotSavedError(
            f"NOT saved: the store was upgraded while it was open (to schema {head.version}; this "
            f"program knows up to {migrations.HEAD}).",
            "Update this program as well, and start it again: pip install --upgrade "
            "confident-curation.",
        )
    return head


def find_unit(connection: Connection, op_id: str) -> list[Entry]:
    """Return the entries of an operation; none if it is new."""
    return [to_entry(row) for row in connection.execute(_UNIT, {"op_id": op_id})]


def same_unit(stored: Sequence[Entry], drafts: Sequence[Entry]) -> bool:
    """Return whether two calls with the same op_id asked for the same thing."""
    return len(stored) == len(drafts) and all(map(_same_entry, stored, drafts))


def _same_entry(stored: Entry, draft: Entry) -> bool:
    names = {field.name for field in fields(stored)} - _INCIDENTAL
    return type(stored) is type(draft) and all(
        getattr(stored, name) == getattr(draft, name) for name in names
    )


def reused_error(op_id: str) -> StoreError:
    return StoreError(
        f"NOT saved: the op_id {op_id!r} was already used for something else.",
        "Give each operation its own op_id; only a repeated call may use it again.",
    )


def write_unit(
    connection: Connection, identity: str, drafts: Sequence[E], *, record_late: bool = True
) -> Sequence[E] | Conflict:
    """Store a unit of decisions; one that came too late is a conflict, recorded on request."""
    head = read_head(connection, identity, drafts[0].op_id, drafts[0].curator)
    if head.repeated:
        return _repeat(connection, find_unit(connection, drafts[0].op_id), drafts)
    histories = load_histories(connection, _example_ids(drafts))
    late = _find_conflict(drafts, histories.states())
    if isinstance(late, Decision):
        return [late]  # type: ignore[list-item]  # a decision answers a decision
    if late and not record_late:
        return late
    stored = number_entries(drafts, head.seq, "conflict" if late else drafts[0].entry)
    if head.can_redo and not late:
        connection.execute(_DROP_UNDONE, {"who": stored[0].curator})
    append_unit(connection, stored)
    _update_derived(connection, stored, histories)
    if late:
        return replace(late, attempted=stored[late.attempted.part])  # type: ignore[arg-type]
    return stored


def _repeat(
    connection: Connection, earlier: list[Entry], drafts: Sequence[E]
) -> Sequence[E] | Conflict:
    kind = earlier[0].entry
    if not same_unit(earlier, drafts) or kind not in (drafts[0].entry, "conflict"):
        raise reused_error(drafts[0].op_id)
    if kind != "conflict":
        return earlier  # type: ignore[return-value]  # checked entry by entry above
    before = load_histories(connection, _example_ids(drafts)).states()
    for attempted in earlier:
        if not isinstance(attempted, Decision):
            continue
        state = before[attempted.example_id]
        if stored := _find_stored(state):
            return Conflict(stored, attempted, state.revision)
    raise reused_error(drafts[0].op_id)


def _find_conflict(
    drafts: Sequence[Entry], before: Mapping[str, ExampleState[Decision]]
) -> Conflict | Decision | None:
    """Return the conflict of an outdated draft, or its curator's earlier identical decision."""
    for draft in drafts:
        if not isinstance(draft, Decision) or draft.revision is None:
            continue
        state = before[draft.example_id]
        stored = _find_stored(state)
        if stored is None or draft.revision == state.revision:
            continue
        if stored.entry not in STATEMENTS or stored.answer != draft.answer:
            return Conflict(stored, draft, state.revision)
        own = state.by_curator.get(draft.curator)
        if own and len(drafts) == 1 and _is_repetition(draft, own):
            return own
    return None


def _is_repetition(draft: Decision, own: Decision) -> bool:
    same = (draft.entry, draft.kind, draft.note) == (own.entry, own.kind, own.note)
    return same and own.answer == draft.answer


def _find_stored(state: ExampleState[Decision]) -> Decision | None:
    """Return the decision that counts; if there is none, the last entry, which withdrew it."""
    return state.current() or state.last


def number_entries(drafts: Sequence[E], seq: int, entry: EntryKind) -> list[E]:
    """Return drafts with their numbers after `seq`, their kind of entry, and the time."""
    time = now()
    return [
        replace(draft, seq=seq + place, part=place - 1, entry=entry, time=time)
        for place, draft in enumerate(drafts, start=1)
    ]


def append_unit(connection: Connection, stored: Sequence[Entry]) -> None:
    """Add the numbered entries of one unit to the log."""
    first = stored[0]
    status = "active" if first.entry in STATEMENTS else "other"
    unit = {"op_id": first.op_id, "seq": first.seq, "size": len(stored)}
    connection.execute(_ADD_UNIT, {**unit, "curator": first.curator, "status": status})
    for some in chunks(stored):
        connection.execute(_ADD_ENTRIES, [to_row(entry) for entry in some])


def _update_derived(connection: Connection, stored: Sequence[Entry], histories: Histories) -> None:
    """Update the derived tables with entries that were just added."""
    delete_states(connection, [each for each, entries in histories.entries.items() if entries])
    for entry in stored:
        if isinstance(entry, Decision):
            histories.entries[entry.example_id].append(entry)
    insert_states(connection, histories.states())


def _example_ids(entries: Sequence[Entry]) -> list[str]:
    return [entry.example_id for entry in entries if entry.example_id is not None]


def undo_or_redo(
    connection: Connection,
    identity: str,
    curator: str,
    op_id: str,
    entry: EntryKind,
    expect: str | None = None,
    *,
    check: Callable[[Sequence[Entry]], None],
) -> tuple[Sequence[Entry], Sequence[Entry]]:
    """Undo a curator's last unit, or redo the last undone; return it and the new entries.

    Both are empty if there is nothing to undo or redo. With `expect`, it is an error if another
    unit is the last one. `check` raises an error if the unit must not be changed.
    """
    head = read_head(connection, identity, op_id, curator)
    if head.repeated:
        earlier = find_unit(connection, op_id)
        if (earlier[0].entry, earlier[0].curator) != (entry, curator):
            raise reused_error(op_id)
        return find_unit(connection, earlier[0].target or ""), earlier
    target = _find_next_unit(connection, curator, entry)
    if expect is not None and target != expect:
        raise _unexpected(entry)
    if target is None:
        return (), ()
    unit = find_unit(connection, target)
    check(unit)
    status = "undone" if entry == "undo" else "active"
    connection.execute(update(units).where(units.c.op_id == target).values(status=status))
    stored = number_entries([_copy_for(each, op_id, target) for each in unit], head.seq, entry)
    histories = load_histories(connection, _example_ids(unit))
    append_unit(connection, stored)
    _update_derived(connection, stored, histories)
    return unit, stored


def _unexpected(entry: EntryKind) -> StoreError:
    if entry == "undo":
        return StoreError(
            "NOT undone: this is no longer your latest decision.",
            "The list of your latest decisions is up to date now; undo again.",
        )
    return StoreError(
        "NOT redone: this is no longer what you took back last.",
        "A new decision ends what can be redone. Decide the example again.",
    )


def _find_next_unit(connection: Connection, curator: str, entry: EntryKind) -> str | None:
    """Return the unit to undo or redo; undone units are always the curator's last ones."""
    status, pick = ("active", func.max) if entry == "undo" else ("undone", func.min)
    mine = (units.c.curator == curator) & (units.c.status == status)
    seq = select(pick(units.c.seq)).where(mine).scalar_subquery()
    return connection.scalar(select(units.c.op_id).where(mine, units.c.seq == seq))


def _copy_for(entry: Entry, op_id: str, target: str) -> Entry:
    """Return a copy of an entry for the operation that undoes or redoes it."""
    if isinstance(entry, Decision):
        entry = replace(entry, seconds=None, revision=None)
    return replace(entry, op_id=op_id, target=target, note="")


def note_fingerprint(connection: Connection, fingerprint: str, parts: Mapping[str, str]) -> None:
    """Store the parts of a fingerprint, to find out later which of them changed."""
    known = select(datasets.c.fingerprint).where(datasets.c.fingerprint == fingerprint)
    if connection.scalar(known) is None:
        row = {"fingerprint": fingerprint, "parts": json.dumps(dict(parts), sort_keys=True)}
        connection.execute(insert(datasets), row)


def import_entries(connection: Connection, entries: Sequence[Entry]) -> None:
    """Fill an empty log with entries, unchanged, and derive the other tables from them."""
    if connection.scalar(select(func.count()).select_from(log)):
        raise StoreError("NOT imported: the store already holds decisions.", "Use an empty one.")
    for some in chunks(entries):
        connection.execute(insert(log), [to_row(entry) for entry in some])
    rebuild(connection)
