"""What stands: the state that follows from the entries of a decision log.

Every rule about which decision counts is in this module. It does not know about databases. The
store keeps the same state in tables, for speed: it fills them with the functions below and compares
them with a full replay each time it is opened. Exports and pages use the same functions.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Set
from dataclasses import dataclass, field
from typing import Generic, Literal, Protocol, TypeVar

from curation.errors import StoreError
from curation.store.actions import Action
from curation.store.entries import Answer, ClassDecision, Entry

Policy = Literal["latest", "majority", "agreed only"]
POLICIES: tuple[Policy, ...] = ("latest", "majority", "agreed only")
UnitStatus = Literal["active", "undone", "dropped", "other"]
STATEMENTS = ("decide", "resolve")  # the entries that decide something
WITHDRAWN = ("undone", "dropped")  # the statuses of units that no longer count


class LoggedEntry(Protocol):
    """The part of an entry that undo and redo depend on."""

    @property
    def seq(self) -> int: ...
    @property
    def op_id(self) -> str: ...
    @property
    def entry(self) -> str: ...
    @property
    def example_id(self) -> str | None: ...
    @property
    def curator(self) -> str: ...
    @property
    def target(self) -> str | None: ...


class LoggedDecision(LoggedEntry, Protocol):
    """The part of an entry about an example that its state depends on."""

    @property
    def action(self) -> Action: ...
    @property
    def answer(self) -> Answer: ...


D = TypeVar("D", bound=LoggedDecision)


@dataclass
class ExampleState(Generic[D]):
    """What stands for one example: each curator's decision, a lead's resolution, the revision."""

    by_curator: dict[str, D] = field(default_factory=dict)  # the latest of each, in order of seq
    resolution: D | None = None
    attempts: dict[str, D] = field(default_factory=dict)  # each curator's open late attempt
    last: D | None = None  # the last entry that changed something

    @property
    def revision(self) -> int:
        return self.last.seq if self.last is not None else 0

    def candidates(self) -> list[D]:
        """Return the decisions that still compete, oldest first.

        A resolution overrides every decision before it. A skip is not an opinion: skips compete
        only if nobody gave another answer.
        """
        if self.resolution is None and len(self.by_curator) == 1:  # nearly always
            return list(self.by_curator.values())
        competing = dict(self.by_curator)
        if self.resolution is not None:
            resolved = self.resolution.seq
            competing = {who: each for who, each in competing.items() if each.seq > resolved}
            competing = {self.resolution.curator: self.resolution} | competing
        ordered = sorted(competing.values(), key=lambda each: each.seq)
        return [each for each in ordered if each.action.is_opinion] or ordered

    def current(self, policy: Policy = "latest") -> D | None:
        """Return the decision that counts; None if there is none or the policy counts none."""
        return choose(self.candidates(), policy)

    def current_for(self, curator: str) -> D | None:
        """Return the decision that leaves a curator nothing to do: their own, or a lead's.

        Once a lead has resolved an example, nobody else needs to decide it.
        """
        own = self.by_curator.get(curator)
        if self.resolution is None or (own is not None and own.seq > self.resolution.seq):
            return own
        return self.resolution

    @property
    def disputed(self) -> bool:
        return differ(self.candidates())

    def find_differing(self) -> tuple[D, ...]:
        """Return the answers that differ on a disputed example, oldest first; none if settled.

        They are the decisions that compete, and late attempts that are still open. A late skip
        disputes nothing: it is not an opinion.
        """
        opinions = (each for each in self.attempts.values() if each.action.is_opinion)
        answers = (*self.candidates(), *opinions)
        return answers if differ(answers) else ()


def choose(candidates: list[D], policy: Policy) -> D | None:
    """Return the last decision that the policy counts.

    `majority` needs more than half of the curators who decided; `agreed only` needs all of them.
    """
    if policy == "latest" or len(candidates) < 2:
        return candidates[-1] if candidates else None
    votes: dict[Answer, list[D]] = defaultdict(list)
    for each in candidates:
        votes[each.answer].append(each)
    most = max(votes.values(), key=len)
    needed = len(candidates) if policy == "agreed only" else len(candidates) // 2 + 1
    return most[-1] if len(most) >= needed else None


def differ(decisions: Iterable[LoggedDecision]) -> bool:
    """Return whether decisions have more than one answer."""
    return len({each.answer for each in decisions}) > 1


def replay_example(entries: Iterable[D], withdrawn: Set[str]) -> ExampleState[D]:
    """Return what stands for one example.

    `entries` are all entries about it, in order; `withdrawn` are the op_ids of undone units. A late
    attempt is closed by a later decision of the same curator, or by a later resolution, as long as
    that is not undone.
    """
    state: ExampleState[D] = ExampleState()
    for entry in entries:
        if entry.entry == "conflict":
            state.attempts.pop(entry.curator, None)
            state.attempts[entry.curator] = entry
            continue
        state.last = entry
        if entry.entry not in STATEMENTS or entry.op_id in withdrawn:
            continue
        if entry.entry == "resolve":
            state.resolution = entry
            state.attempts.clear()
        else:
            state.by_curator.pop(entry.curator, None)
            state.by_curator[entry.curator] = entry
            state.attempts.pop(entry.curator, None)
    return state


def find_latest_class_decisions(statements: Iterable[ClassDecision]) -> list[ClassDecision]:
    """Return the last decision on each class or pair of classes, in the order they were made."""
    latest: dict[frozenset[str], ClassDecision] = {}
    for decision in statements:
        latest.pop(decision.subject, None)
        latest[decision.subject] = decision
    return list(latest.values())


class UndoStacks:
    """The units that each curator can undo and redo after all entries so far."""

    def __init__(self) -> None:
        self.done: dict[str, list[str]] = defaultdict(list)
        self.undone: dict[str, list[str]] = defaultdict(list)
        self.status: dict[str, UnitStatus] = {}
        self.first_seq: dict[str, int] = {}
        self.size: dict[str, int] = {}
        self.curator: dict[str, str] = {}

    def add(self, entry: LoggedEntry) -> None:
        """Add an entry; only the first one of a unit changes the stacks."""
        self.size[entry.op_id] = self.size.get(entry.op_id, 0) + 1
        if self.size[entry.op_id] > 1:
            return
        self.first_seq[entry.op_id], self.curator[entry.op_id] = entry.seq, entry.curator
        self.status[entry.op_id] = "active" if entry.entry in STATEMENTS else "other"
        if entry.entry in STATEMENTS:
            self._drop_undone(entry.curator)
            self.done[entry.curator].append(entry.op_id)
        elif entry.entry == "undo":
            self._move(entry, self.done, self.undone, "undone")
        elif entry.entry == "redo":
            self._move(entry, self.undone, self.done, "active")

    def _drop_undone(self, curator: str) -> None:
        for op_id in self.undone.pop(curator, ()):
            self.status[op_id] = "dropped"

    def _move(
        self,
        entry: LoggedEntry,
        source: dict[str, list[str]],
        to: dict[str, list[str]],
        status: UnitStatus,
    ) -> None:
        stack = source[entry.curator]
        if not stack or stack[-1] != entry.target:
            raise StoreError(
                f"The decision log is damaged: entry {entry.seq} undoes or redoes "
                f"{entry.target!r}, which is not {entry.curator!r}'s last.",
                "Restore the last backup with `curate restore`.",
            )
        to[entry.curator].append(stack.pop())
        self.status[entry.target] = status

    def is_withdrawn(self, op_id: str) -> bool:
        """Return whether a unit was undone, so that it does not count."""
        return self.status.get(op_id) in WITHDRAWN

    @property
    def withdrawn(self) -> set[str]:
        """Return the units that do not count."""
        return {op_id for op_id, status in self.status.items() if status in WITHDRAWN}


@dataclass
class LogState(Generic[D]):
    """The state that a log leads to."""

    examples: Mapping[str, ExampleState[D]]
    stacks: UndoStacks

    def class_decisions(self, log: Iterable[Entry]) -> list[ClassDecision]:
        """Return the decisions about classes in this log that count."""
        return find_latest_class_decisions(
            entry
            for entry in log
            if isinstance(entry, ClassDecision)
            and entry.entry in STATEMENTS
            and not self.stacks.is_withdrawn(entry.op_id)
        )


def replay(entries: Iterable[D]) -> LogState[D]:
    """Return the state that entries, in order of seq, lead to.

    Two passes: which units count in the end, then what stands for each example.
    """
    stacks = UndoStacks()
    histories: dict[str, list[D]] = defaultdict(list)
    for entry in entries:
        stacks.add(entry)
        if entry.example_id is not None:
            histories[entry.example_id].append(entry)
    withdrawn = stacks.withdrawn
    examples = {each: replay_example(steps, withdrawn) for each, steps in histories.items()}
    return LogState(examples, stacks)
