"""What the browser asks to be stored, and what became of it; part of the `protocol`."""

from __future__ import annotations

from typing import Literal, NotRequired, TypeAlias, TypedDict

from curation.store.actions import Action, IssueKind


class OperationOrigin(TypedDict):
    """What every operation says: its own id, and who said it of which dataset."""

    op_id: str  # made by the browser, never used twice
    curator: str
    dataset: str


class DecideFields(TypedDict):
    """One decision; `resolve` settles a disagreement for everybody."""

    do: Literal["decide", "resolve"]
    id: str
    action: Action
    label: NotRequired[int]
    new_class: NotRequired[str]  # in place of a label, or one of both: one that the dataset lacks
    labels: NotRequired[list[int]]
    kind: IssueKind | None
    note: str
    seconds: float  # for which the example was on screen
    judged: str  # the `judged` of the answer that was on screen
    given: NotRequired[int]  # the label that the example had there
    revision: int  # the last revision of the example that the curator saw
    base: NotRequired[str]  # the op_id of what they said before and had not seen answered
    accepts: NotRequired[bool]  # they leave it at what somebody else said


class BulkFields(TypedDict):
    """The same decision for many examples: those listed, or all that match."""

    do: Literal["many"]
    action: Action
    count: int  # as confirmed by the curator; of all that match, fewer may be free by then
    judged: str
    ids: NotRequired[list[str]]
    given: NotRequired[dict[str, int]]  # the labels that were on screen
    revisions: NotRequired[dict[str, int]]
    suggested: NotRequired[dict[str, int]]  # the suggestions that were on screen
    label: NotRequired[int]  # the class to set, in place of the suggestions
    new_class: NotRequired[str]  # or a class that the dataset lacks
    kind: NotRequired[IssueKind | None]
    note: NotRequired[str]
    all: NotRequired[bool]
    match: NotRequired[str]  # the `match` of the answer that was on screen
    last: NotRequired[int]  # and its `last`
    taken: NotRequired[int]  # and its `taken`, which the curator was told are left out


class UndoFields(TypedDict):
    """Take back the last decision, or restore the last taken back, if it is the one expected."""

    do: Literal["undo", "redo"]
    expect: str  # the op_id of that decision
    id: str | None


class DecideOperation(OperationOrigin, DecideFields): ...


class BulkOperation(OperationOrigin, BulkFields): ...


class UndoOperation(OperationOrigin, UndoFields): ...


Operation: TypeAlias = DecideOperation | BulkOperation | UndoOperation

# ---- what became of an operation


class DecisionSummary(TypedDict):
    """A decision, in the few words that the page shows."""

    id: str
    action: Action
    label: str | None
    labels: list[str]
    kind: IssueKind | None
    note: str
    curator: str
    time: str
    taken_back: bool


class RepeatedDecision(TypedDict):
    """What to send to say the same as somebody else did."""

    action: Action
    label: int | None
    new_class: str | None
    labels: list[int] | None


class RepeatFields(TypedDict):
    """How to say the same; null where one of the classes is gone."""

    again: RepeatedDecision | None


class OtherDecision(DecisionSummary, RepeatFields): ...


class SavedAnswer(TypedDict):
    """It is in the store."""

    status: Literal["saved", "undone"]
    id: str | None  # null where it was about classes
    count: int
    revision: int
    time: str
    op: str


class FailedAnswer(TypedDict):
    """It could not be saved now, and is tried again."""

    status: Literal["failed"]
    problem: str
    remedy: str
    at: float  # when, on the server's own clock


class RefusedAnswer(TypedDict):
    """It is never going to be saved."""

    status: Literal["refused"]
    problem: str
    remedy: str


class ConflictAnswer(TypedDict):
    """Somebody decided the example first. Both answers are on record, theirs stands."""

    status: Literal["conflict"]
    id: str
    theirs: OtherDecision
    mine: DecisionSummary
    revision: int
    settles: bool  # whether the next answer of this person settles it
    problem: str
    remedy: str


OperationAnswer: TypeAlias = SavedAnswer | FailedAnswer | RefusedAnswer | ConflictAnswer
