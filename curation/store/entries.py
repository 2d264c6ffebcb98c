"""What the log holds: decisions about examples and about classes, and audits, one entry each."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, fields
from typing import Any, Literal

from curation.errors import StoreError
from curation.roles import Right
from curation.store.actions import Action, AuditAction, ClassAction, IssueKind

EntryKind = Literal["decide", "resolve", "conflict", "undo", "redo", "audit"]

Answer = tuple[Action, str | None, tuple[str, ...]]


def answer_of(
    action: Action, given_id: str, label_id: str | None, label_ids: tuple[str, ...]
) -> Answer:
    """Return the answer, without who gave it, when and why; equal answers agree.

    Relabelling an example to the label it already has is the same as keeping it.
    """
    if action == Action.RELABEL and label_id == given_id:
        return (Action.KEEP, None, ())
    return (action, label_id, tuple(sorted(label_ids)))


@dataclass(frozen=True, slots=True)
class Decision:
    """One entry about one example, as it is stored.

    `entry` is its kind: `decide` and `resolve` are decisions, `undo` and `redo` withdraw and
    restore the unit `target`, `conflict` is an attempt that came too late and does not count. An
    undo or redo repeats the decision it is about, so that each line can be read on its own.
    A unit is what one call stored; all of its entries are undone together.
    """

    seq: int  # its number in the log, from 1; it orders all entries
    op_id: str  # the id of its unit; the same id is never stored twice
    part: int  # its place in the unit, from 0
    entry: EntryKind  # decide, resolve, conflict, undo or redo
    example_id: str  # the example it is about
    content_hash: str  # the hash of the example's content at that time
    fingerprint: str  # the fingerprint of the dataset at that time
    given: str  # the name of the label that the example had then
    given_id: str  # the class id of that label
    action: Action  # keep, relabel, ambiguous, exclude, skip or needs_review
    label: str | None  # the name of the new label, if it was relabelled
    label_id: str | None  # the class id of the new label
    labels: tuple[str, ...]  # the names of both classes, if the action is `both`
    label_ids: tuple[str, ...]  # the class ids of those
    kind: IssueKind | None  # the kind of label issue, if the curator named one
    note: str  # the curator's note; empty if there is none
    curator: str  # who decided
    seconds: float | None  # how long the curator took, if known
    revision: int | None  # the revision that the curator saw, if known
    time: str  # when it was stored, in UTC; never used to order entries
    target: str | None  # for an undo or redo, the `op_id` of the unit it is about

    @property
    def answer(self) -> Answer:
        """Return the answer, without who gave it, when and why."""
        return answer_of(self.action, self.given_id, self.label_id, self.label_ids)

    @property
    def summary(self) -> str:
        """Return the decision as part of a sentence: `relabel to 'dog'`, `undo of keep`."""
        text = self.action.word
        if self.label is not None:
            text += f" to {self.label!r}"
        if self.labels:
            text += " " + " and ".join(map(repr, self.labels))
        return f"{self.entry} of {text}" if self.entry in ("undo", "redo") else text


@dataclass(frozen=True, slots=True, kw_only=True)
class _EntryWithoutExample:
    """What entries about classes and audits begin with."""

    seq: int
    op_id: str
    part: int
    entry: EntryKind

    @property
    def example_id(self) -> None:
        return None


@dataclass(frozen=True, slots=True, kw_only=True)
class ClassDecision(_EntryWithoutExample):
    """One entry about one class or a pair of classes.

    `into` is the name of the merged or renamed class, or the parent if one of `given` and `other`
    is a kind of the other. `into_id` is None if the name is new.
    """

    action: ClassAction
    given: str
    given_id: str
    other: str | None
    other_id: str | None
    into: str | None
    into_id: str | None
    fingerprint: str
    note: str
    curator: str
    time: str
    target: str | None

    @property
    def subject(self) -> frozenset[str]:
        """Return the ids of its classes; a later decision about the same ones replaces this one."""
        return frozenset(each for each in (self.given_id, self.other_id) if each is not None)


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditEntry(_EntryWithoutExample):
    """One entry about an audit: it was drawn, or closed.

    A drawn audit carries its plan, and its `op_id` is the name of the audit. The entry that closes
    it has that name as its `target`, and no plan. Its place in the log says which decisions were
    made before the audit was drawn.
    """

    action: AuditAction
    plan: Mapping[str, Any] | None
    fingerprint: str
    note: str
    curator: str
    time: str
    target: str | None


Entry = Decision | ClassDecision | AuditEntry


def right_of(entry: Entry) -> Right:
    """Return the right that a person needs to write an entry, or to undo it."""
    if isinstance(entry, Decision):
        return Right.SETTLE if entry.entry == "resolve" else Right.DECIDE
    return Right.AUDIT if isinstance(entry, AuditEntry) else Right.CLASSES


def label_of(entry: Entry) -> str | None:
    """Return the label that a decision chose, or the class that others become."""
    if isinstance(entry, Decision):
        return entry.label
    return entry.into if isinstance(entry, ClassDecision) else None


class ConflictError(StoreError):
    """Someone decided the example differently since it was shown; both answers are kept.

    `stored` is the decision that counts, `attempted` the refused one, which is also in the log, and
    `revision` the one to pass when deciding again after seeing both.
    """

    def __init__(self, stored: Decision, attempted: Decision, revision: int) -> None:
        super().__init__(
            f"Example {attempted.example_id!r} changed since it was shown: {stored.curator!r} "
            f"said {stored.summary}, {attempted.curator!r} says {attempted.summary}.",
            "Both are recorded, and the first one counts. Look at it again and decide.",
        )
        self.stored = stored
        self.attempted = attempted
        self.revision = revision


_KINDS: tuple[type[Entry], ...] = (Decision, ClassDecision, AuditEntry)
_FIELDS = {kind: {field.name for field in fields(kind)} for kind in _KINDS}
_ACTIONS = {Decision: Action, ClassDecision: ClassAction, AuditEntry: AuditAction}


def to_jsonl(entries: Iterable[Entry]) -> str:
    """Return entries as one JSON object per line, in plain ASCII."""
    return "".join(json.dumps(asdict(entry), allow_nan=False) + "\n" for entry in entries)


def from_jsonl(text: str) -> list[Entry]:
    """Return the entries that `to_jsonl` wrote, exactly as they were.

    >>> from_jsonl("")
    []
    """
    lines = text.split("\n")
    return [_entry(line, number) for number, line in enumerate(lines, start=1) if line.strip()]


def _entry(line: str, number: int) -> Entry:
    try:
        values: dict[str, Any] = json.loads(line)
        kind = _kind_of(values)
    except (ValueError, TypeError) as error:
        raise _unreadable(number, f"is not a JSON object: {line[:60]!r}") from error
    if set(values) != _FIELDS[kind]:
        odd = ", ".join(sorted(set(values) ^ _FIELDS[kind]))
        raise _unreadable(number, f"has missing or unknown fields: {odd}")
    for name in ("labels", "label_ids"):
        if name in values:
            values[name] = tuple(values[name])
    try:
        values["action"] = _ACTIONS[kind](values["action"])
        if values.get("kind") is not None:
            values["kind"] = IssueKind(values["kind"])
    except ValueError as error:
        raise _unreadable(number, f"has an unknown action or kind: {error}") from error
    return kind(**values)


def _kind_of(values: Mapping[str, Any]) -> type[Entry]:
    if "example_id" in values:
        return Decision
    return AuditEntry if "plan" in values else ClassDecision


def _unreadable(number: int, reason: str) -> StoreError:
    return StoreError(
        f"The decision log, line {number}, {reason}.",
        "Use the audit.jsonl that this version of the program wrote, unchanged.",
    )
