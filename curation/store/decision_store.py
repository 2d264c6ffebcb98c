"""The store as the rest of the program uses it."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from types import TracebackType
from typing import Any, TypeVar, Unpack

from sqlalchemy import Connection

from curation.errors import StoreError
from curation.roles import Actor, Right, find_owner
from curation.store import audit_entries, derived_tables, transactions
from curation.store.actions import Action, AuditAction, ClassAction
from curation.store.backend import Backend
from curation.store.class_lookup import LabelLike
from curation.store.decision_reader import DecisionReader
from curation.store.draft_checks import DecisionDetails, check_curator, check_keys, check_op_id
from curation.store.drafts import draft_class_decision, draft_decision
from curation.store.entries import (
    AuditEntry,
    ClassDecision,
    ConflictError,
    Decision,
    Entry,
    EntryKind,
    label_of,
    right_of,
)
from curation.store.judged_dataset import DatasetLike

E = TypeVar("E", bound=Entry)
R = TypeVar("R")


@dataclass(frozen=True)
class UndoResult:
    """A unit that was undone or redone, and the new entries in the log that record this."""

    unit: tuple[Entry, ...]
    entries: tuple[Entry, ...]

    @property
    def example_id(self) -> str | None:
        """Return the example to show; the first one of a bulk unit, None for classes."""
        return self.unit[0].example_id

    @property
    def action(self) -> Action | ClassAction | AuditAction:
        return self.unit[0].action

    @property
    def label(self) -> str | None:
        return label_of(self.unit[0])


class Store(DecisionReader):
    """The decisions of one dataset, in one database. Safe to share between threads.

    Every write is checked against the rights of whoever acts at that moment.
    """

    read_only: bool  # whether decisions can be read but not stored
    notices: tuple[str, ...]  # what a person should know about the database, in sentences
    find_actor: Callable[[], Actor]  # who acts now; by default the owner, who may do everything

    def __init__(
        self,
        dataset: DatasetLike,
        backend: Backend,
        find_actor: Callable[[], Actor] = find_owner,
    ) -> None:
        super().__init__(dataset, backend)
        self.find_actor = find_actor
        self.read_only = backend.read_only
        self.notices = backend.notices
        self._noted: set[str] = set()  # fingerprints known to be in the database
        self._check_derived()

    # ---- deciding

    def decide(
        self,
        example_id: object,
        action: str,
        *,
        curator: str,
        op_id: str | None = None,
        **details: Unpack[DecisionDetails],
    ) -> Decision:
        """Store one decision and return it; once this returns, it is on disk.

        With the `revision` that was on screen, a decision on an outdated state raises a
        ConflictError with both answers. With an `op_id`, a repeated call stores nothing new.

            store.decide("img_7.png", "relabel", label="dog", curator="ana")
        """
        asked = {"example_id": example_id, "action": action, **details}
        return self._decide([asked], curator, op_id, "decide")[0]

    def resolve(
        self,
        example_id: object,
        action: str,
        *,
        curator: str,
        op_id: str | None = None,
        record_late: bool = True,
        **details: Unpack[DecisionDetails],
    ) -> Decision:
        """Settle an example as a lead: this overrides all earlier decisions on it.

        Takes the same arguments as `decide`. Without `record_late`, an answer that comes too late
        is not logged: someone who only accepts what another said has no answer of their own.
        """
        asked = {"example_id": example_id, "action": action, **details}
        return self._decide([asked], curator, op_id, "resolve", record_late)[0]

    def decide_many(
        self, decisions: Iterable[Mapping[str, Any]], *, curator: str, op_id: str | None = None
    ) -> list[Decision]:
        """Store many decisions as one unit: all or none, and one undo undoes all of them.

        Each is a mapping of `example_id`, `action` and the other arguments of `decide`.
        """
        asked = list(decisions)
        for each in asked:
            check_keys(each)
        ids = [str(each.get("example_id")) for each in asked]
        if len(set(ids)) < len(ids):
            twice = next(each for each in ids if ids.count(each) > 1)
            raise StoreError(
                f"NOT saved: example {twice!r} is in the list twice.",
                "Decide each example once; nothing in the list was stored.",
            )
        return self._decide(asked, curator, op_id, "decide") if asked else []

    def decide_classes(
        self,
        action: str,
        given: LabelLike,
        other: LabelLike | None = None,
        *,
        curator: str,
        into: LabelLike | None = None,
        note: str = "",
        op_id: str | None = None,
    ) -> ClassDecision:
        """Store a decision about classes: merge, is_a, distinct, or rename.

        `into` is the name of the merged or renamed class: a new one, or one of the dataset's. For
        `is_a` it is the parent, by default `other`: `given` is a kind of `other`.
        """
        draft = draft_class_decision(
            self.dataset,
            action,
            given,
            other,
            into,
            note=note,
            curator=curator,
            op_id=_check_or_make_op_id(op_id),
        )
        stored = self._write([draft])
        return stored[0]

    def undo(
        self, *, curator: str, op_id: str | None = None, expect: str | None = None
    ) -> UndoResult | None:
        """Undo this curator's last unit and return it; None if nothing is left to undo.

        With `expect`, the op_id of the unit that is meant, it is an error if another one is last.
        """
        return self._undo_or_redo(curator, op_id, "undo", expect)

    def redo(
        self, *, curator: str, op_id: str | None = None, expect: str | None = None
    ) -> UndoResult | None:
        """Redo what this curator undid last; None if nothing is left or they decided since.

        With `expect`, the op_id of the unit that is meant, it is an error if another one is next.
        """
        return self._undo_or_redo(curator, op_id, "redo", expect)

    # ---- auditing

    def draw_audit(
        self, plan: Mapping[str, Any], *, curator: str, note: str = "", op_id: str | None = None
    ) -> AuditEntry:
        """Store the plan of an audit before anybody judges it, and return its entry.

        `plan` is what `AuditPlan.to_dict` returns, and anything else to keep with it as JSON.
        """
        name = _check_or_make_op_id(op_id)
        draw = AuditAction.DRAW
        draft = audit_entries.draft_audit(
            self.dataset, draw, plan=plan, curator=curator, op_id=name, note=note
        )
        return self._write_audit(draft)

    def close_audit(
        self, audit: str, *, curator: str, note: str = "", op_id: str | None = None
    ) -> AuditEntry:
        """Close the audit with this `op_id`: no later decision counts as one of its verdicts."""
        name = _check_or_make_op_id(op_id)
        close = AuditAction.CLOSE
        draft = audit_entries.draft_audit(
            self.dataset, close, target=audit, curator=curator, op_id=name, note=note
        )
        return self._write_audit(draft)

    # ---- moving and closing

    def import_log(self, entries: Iterable[Entry]) -> None:
        """Fill an empty store with the entries of a log, unchanged."""
        self.find_actor().check(Right.IMPORT)
        numbered = list(entries)
        self.backend.write(lambda connection: transactions.import_entries(connection, numbered))

    def close(self) -> None:
        """Close the database."""
        self.backend.close()

    def __enter__(self) -> Store:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    # ---- private

    def _decide(
        self,
        asked: list[Mapping[str, Any]],
        curator: str,
        op_id: str | None,
        entry: EntryKind,
        record_late: bool = True,
    ) -> list[Decision]:
        name = _check_or_make_op_id(op_id)
        drafts = [
            draft_decision(
                self.dataset, **each, curator=curator, op_id=name, part=part, entry=entry
            )
            for part, each in enumerate(asked)
        ]
        return self._write(drafts, record_late)

    def _write(self, drafts: list[E], record_late: bool = True) -> list[E]:
        check_rights(self.find_actor(), drafts)
        outcome = self._write_noted(
            drafts[0].fingerprint,
            lambda connection: transactions.write_unit(
                connection, self.backend.identity, drafts, record_late=record_late
            ),
        )
        if isinstance(outcome, transactions.Conflict):
            raise ConflictError(outcome.stored, outcome.attempted, outcome.revision)
        return list(outcome)

    def _write_audit(self, draft: AuditEntry) -> AuditEntry:
        check_rights(self.find_actor(), [draft])
        return self._write_noted(
            draft.fingerprint,
            lambda connection: audit_entries.write_audit(connection, self.backend.identity, draft),
        )

    def _write_noted(self, fingerprint: str, write: Callable[[Connection], R]) -> R:
        """Write in one transaction, with the parts of a fingerprint that the store lacks."""

        def work(connection: Connection) -> R:
            if fingerprint not in self._noted:
                parts = self.dataset.fingerprint_parts
                transactions.note_fingerprint(connection, fingerprint, parts)
            return write(connection)

        outcome = self.backend.write(work)
        self._noted.add(fingerprint)
        return outcome

    def _undo_or_redo(
        self, curator: str, op_id: str | None, entry: EntryKind, expect: str | None = None
    ) -> UndoResult | None:
        name, who = _check_or_make_op_id(op_id), check_curator(curator)
        actor = self.find_actor()
        actor.check(Right.DECIDE, who)
        unit, entries = self.backend.write(
            lambda connection: transactions.undo_or_redo(
                connection,
                self.backend.identity,
                who,
                name,
                entry,
                expect,
                check=lambda found: check_rights(actor, found),
            )
        )
        return UndoResult(tuple(unit), tuple(entries)) if entries else None

    def _check_derived(self) -> None:
        """Compare the derived tables with the log, and rebuild them from it if they differ."""
        with self.backend.read() as connection:
            wrong = derived_tables.find_differences(connection)
        if not wrong:
            return
        problem = f"The stored state ({', '.join(wrong)}) did not agree with the log of decisions"
        if self.read_only:
            self.notices += (f"{problem}, and cannot be rebuilt in a read-only store.",)
            return
        self.backend.write(derived_tables.rebuild)
        self.notices += (f"{problem}; it was rebuilt from the log.",)


def check_rights(actor: Actor, entries: Iterable[Entry]) -> None:
    """Refuse entries that this person may not write, or not under that name."""
    for right, curator in {(right_of(entry), entry.curator) for entry in entries}:
        actor.check(right, curator)


def _check_or_make_op_id(op_id: str | None) -> str:
    """Return the id of an operation; a new one if the caller gave none."""
    return check_op_id(op_id) if op_id is not None else uuid.uuid4().hex
