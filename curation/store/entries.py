"""What the log holds: decisions about examples and decisions about classes, one entry each."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import asdict, dataclass, fields
from typing import Any, Literal

from curation.errors import StoreError
from curation.store.actions import Action, ClassAction, IssueKind

EntryKind = Literal["decide", "resolve", "conflict", "undo", "redo"]

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
    Entries of one bulk unit share `op_id` and differ in `part`.
    """

    seq: int
    op_id: str
    part: int
    entry: EntryKind
    example_id: str
    content_hash: str
    fingerprint: str
    given: str  # the label that the example had then
    given_id: str
    action: Action
    label: str | None
    label_id: str | None
    labels: tuple[str, ...]
    label_ids: tuple[str, ...]
    kind: IssueKind | None
    note: str
    curator: str
    seconds: float | None
    revision: int | None
    time: str  # UTC; shown to people, never used to order anything
    target: str | None

    @property
    def answer(self) -> Answer:
        """Return the answer, without who gave it, when and why."""
        return answer_of(self.action, self.given_id, self.label_id, self.label_ids)

    @property
    def summary(self) -> str:
        """Return the decision as part of a sentence: `relabel to 'dog'`, `undo of keep`."""
        text = str(self.action)
        if self.label is not None:
            text += f" to {self.label!r}"
        if self.labels:
            text += " between " + ", ".join(map(repr, self.labels))
        return f"{self.entry} of {text}" if self.entry in ("undo", "redo") else text


@dataclass(frozen=True, slots=True, kw_only=True)
class ClassDecision:
    """One entry about one class or a pair of classes.

    `into` is the name of the merged or renamed class, or the parent if one of `given` and `other`
    is a kind of the other. `into_id` is None if the name is new.
    """

    seq: int
    op_id: str
    part: int
    entry: EntryKind
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
    def example_id(self) -> None:
        return None

    @property
    def subject(self) -> frozenset[str]:
        """Return the ids of its classes; a later decision about the same ones replaces this one."""
        return frozenset(each for each in (self.given_id, self.other_id) if each is not None)


Entry = Decision | ClassDecision


class ConflictError(StoreError):
    """The example was decided differently since it was shown; both answers are kept.

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


_FIELDS = {kind: {field.name for field in fields(kind)} for kind in (Decision, ClassDecision)}


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
        kind = Decision if "example_id" in values else ClassDecision
    except (ValueError, TypeError) as error:
        raise _unreadable(number, f"is not a JSON object: {line[:60]!r}") from error
    if set(values) != _FIELDS[kind]:
        odd = ", ".join(sorted(set(values) ^ _FIELDS[kind]))
        raise _unreadable(number, f"has missing or unknown fields: {odd}")
    for name in ("labels", "label_ids"):
        if name in values:
            values[name] = tuple(values[name])
    try:
        values["action"] = (Action if kind is Decision else ClassAction)(values["action"])
        if values.get("kind") is not None:
            values["kind"] = IssueKind(values["kind"])
    except ValueError as error:
        raise _unreadable(number, f"has an unknown action or kind: {error}") from error
    return kind(**values)


def _unreadable(number: int, reason: str) -> StoreError:
    return StoreError(
        f"The decision log, line {number}, {reason}.",
        "Use the audit.jsonl that this version of the program wrote, unchanged.",
    )
