"""The state that a log of decisions amounts to, worked out from the entries alone.

Nothing here knows a database. The store keeps the same state in tables, for speed; it computes
those with the functions below and compares them with a full replay each time it is opened.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Set
from dataclasses import dataclass, field
from typing import Generic, Literal, Protocol, TypeVar

from curation.errors import StoreError
from curation.store.actions import Action
from curation.store.entries import Answer

Policy = Literal["latest", "majority", "agreed only"]
POLICIES: tuple[Policy, ...] = ("latest", "majority", "agreed only")
Status = Literal["active", "undone", "dropped", "other"]
SPEAKING = ("decide", "resolve")


class Step(Protocol):
    """The part of an entry that the state depends on."""

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


class Spoken(Step, Protocol):
    """An entry about an example, with its answer."""

    @property
    def action(self) -> Action: ...
    @property
    def answer(self) -> Answer: ...


S = TypeVar("S", bound=Spoken)


@dataclass
class Settled(Generic[S]):
    """What stands for one example: each curator's word, a lead's resolution, the revision."""

    words: dict[str, S] = field(default_factory=dict)  # the latest of each, in order of seq
    resolution: S | None = None
    last: S | None = None  # the entry that changed something last

    @property
    def revision(self) -> int:
        return self.last.seq if self.last is not None else 0

    def candidates(self) -> list[S]:
        """Return the words that still compete, oldest first.

        A resolution silences every word before it. Skipping is no opinion: skips compete only
        where nobody said anything else.
        """
        if self.resolution is None and len(self.words) == 1:  # nearly always
            return list(self.words.values())
        said = dict(self.words)
        if self.resolution is not None:
            floor = self.resolution.seq
            said = {who: word for who, word in said.items() if word.seq > floor}
            said = {self.resolution.curator: self.resolution} | said
        ordered = sorted(said.values(), key=lambda word: word.seq)
        return [word for word in ordered if word.action.is_opinion] or ordered

    def in_force(self, policy: Policy = "latest") -> S | None:
        """Return the word that counts, or None where there is none or the policy finds none."""
        return choose(self.candidates(), policy)

    @property
    def disputed(self) -> bool:
        candidates = self.candidates()
        return len(candidates) > 1 and len({word.answer for word in candidates}) > 1


def choose(candidates: list[S], policy: Policy) -> S | None:
    """Return the last word that the policy lets count.

    `majority` needs more than half of the curators who spoke; `agreed only` needs all of them.
    """
    if policy == "latest" or len(candidates) < 2:
        return candidates[-1] if candidates else None
    votes: dict[Answer, list[S]] = defaultdict(list)
    for word in candidates:
        votes[word.answer].append(word)
    most = max(votes.values(), key=len)
    needed = len(candidates) if policy == "agreed only" else len(candidates) // 2 + 1
    return most[-1] if len(most) >= needed else None


def settle(steps: Iterable[S], silenced: Set[str]) -> Settled[S]:
    """Return what stands for one example, given its entries in order and the units taken back."""
    settled: Settled[S] = Settled()
    for step in steps:
        if step.entry != "conflict":
            settled.last = step
        if step.entry not in SPEAKING or step.op_id in silenced:
            continue
        if step.entry == "resolve":
            settled.resolution = step
        else:
            settled.words.pop(step.curator, None)
            settled.words[step.curator] = step
    return settled


class Stacks:
    """Each curator's units that can be undone and redone, as the log leaves them."""

    def __init__(self) -> None:
        self.done: dict[str, list[str]] = defaultdict(list)
        self.undone: dict[str, list[str]] = defaultdict(list)
        self.status: dict[str, Status] = {}
        self.first: dict[str, int] = {}  # each unit's first seq
        self.size: dict[str, int] = {}
        self.whose: dict[str, str] = {}

    def add(self, step: Step) -> None:
        """Take in an entry; only the first one of a unit moves anything."""
        self.size[step.op_id] = self.size.get(step.op_id, 0) + 1
        if self.size[step.op_id] > 1:
            return
        self.first[step.op_id], self.whose[step.op_id] = step.seq, step.curator
        self.status[step.op_id] = "active" if step.entry in SPEAKING else "other"
        if step.entry in SPEAKING:
            self._drop_undone(step.curator)
            self.done[step.curator].append(step.op_id)
        elif step.entry == "undo":
            self._move(step, self.done, self.undone, "undone")
        elif step.entry == "redo":
            self._move(step, self.undone, self.done, "active")

    def _drop_undone(self, curator: str) -> None:
        for op_id in self.undone.pop(curator, ()):
            self.status[op_id] = "dropped"

    def _move(
        self, step: Step, source: dict[str, list[str]], to: dict[str, list[str]], status: Status
    ) -> None:
        stack = source[step.curator]
        if not stack or stack[-1] != step.target:
            raise StoreError(
                f"The decision log is damaged: entry {step.seq} takes back or repeats "
                f"{step.target!r}, which is not {step.curator!r}'s last.",
                "Restore the last backup with `curate restore`.",
            )
        to[step.curator].append(stack.pop())
        self.status[step.target] = status

    @property
    def silenced(self) -> set[str]:
        """Return the units that are not in force."""
        return {op for op, status in self.status.items() if status in ("undone", "dropped")}


@dataclass
class State(Generic[S]):
    """Everything the log amounts to."""

    examples: Mapping[str, Settled[S]]
    stacks: Stacks


def replay(entries: Iterable[S]) -> State[S]:
    """Return the state that entries, in order of seq, amount to.

    Two passes: which units stand in the end, then what stands for each example.
    """
    stacks = Stacks()
    histories: dict[str, list[S]] = defaultdict(list)
    for entry in entries:
        stacks.add(entry)
        if entry.example_id is not None:
            histories[entry.example_id].append(entry)
    silenced = stacks.silenced
    examples = {each: settle(steps, silenced) for each, steps in histories.items()}
    return State(examples, stacks)
