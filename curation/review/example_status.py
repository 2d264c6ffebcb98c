"""The status of every example as one small integer, and the one place that counts statuses.

The number is 0 for an example without a decision that counts; every action has its own number, so
that a queue can check all examples fast. `docs/glossary.md` defines the words. Everything that
shows how many examples are decided, left, skipped or disputed gets the number from here.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray

from curation.core.matrix import BoolArray, IntArray
from curation.store.actions import Action, IssueKind
from curation.store.entries import Decision

Status = Literal["undecided", "decided", "skipped", "needs_review", "disputed", "all"]
STATUSES: tuple[Status, ...] = get_args(Status)
Codes = NDArray[np.int8]  # one entry per example

UNDECIDED = 0
DISPUTED = len(Action) + 1  # only in a list of disputes: this example is still disputed
CODE_OF: Mapping[Action, int] = {action: code for code, action in enumerate(Action, start=1)}
KIND_CODE_OF: Mapping[IssueKind | None, int] = {
    kind: code for code, kind in enumerate(IssueKind, start=1)
}
FINAL = tuple(code for action, code in CODE_OF.items() if action.is_final)
CODES: Mapping[Status, tuple[int, ...]] = {
    "undecided": (UNDECIDED,),
    "decided": FINAL,
    "skipped": (CODE_OF[Action.SKIP],),
    "needs_review": (CODE_OF[Action.NEEDS_REVIEW],),
    "disputed": (DISPUTED,),
    "all": (UNDECIDED, *CODE_OF.values()),
}


@dataclass(frozen=True)
class StatusCounts:
    """How many examples of a list have each status; every example has exactly one."""

    total: int
    by_action: Mapping[Action, int]

    @property
    def decided(self) -> int:
        """Return how many are kept, relabelled, called both or excluded."""
        return sum(count for action, count in self.by_action.items() if action.is_final)

    @property
    def undecided(self) -> int:
        """Return how many have no decision that counts; among the flagged ones, these are left."""
        return self.total - sum(self.by_action.values())

    @property
    def skipped(self) -> int:
        return self.by_action[Action.SKIP]

    @property
    def second_look(self) -> int:
        return self.by_action[Action.NEEDS_REVIEW]


@dataclass(frozen=True)
class DatasetCounts:
    """The counts of a whole dataset: of its flagged examples, of all, and of disputes."""

    flagged: StatusCounts
    everything: StatusCounts
    disputed: int

    @property
    def left(self) -> int:
        """Return how many flagged examples are undecided."""
        return self.flagged.undecided


def count_statuses(codes: Codes, rows: IntArray | None = None) -> StatusCounts:
    """Return how many examples of a list have each status; of all examples without `rows`.

    >>> counts = count_statuses(np.array([0, 1, 2, 5, 6, 0], np.int8), np.arange(5))
    >>> counts.decided, counts.undecided, counts.skipped, counts.second_look
    (2, 1, 1, 1)
    """
    chosen = codes if rows is None else codes[rows]
    found = np.bincount(chosen, minlength=len(CODES["all"]))
    return StatusCounts(len(chosen), {action: int(found[CODE_OF[action]]) for action in Action})


def count_dataset(codes: Codes, flagged: IntArray, disputed: BoolArray) -> DatasetCounts:
    """Return the counts of a dataset: `flagged` are rows, the others have one entry per example."""
    everything = count_statuses(codes)
    return DatasetCounts(count_statuses(codes, flagged), everything, int(disputed.sum()))


def encode_decisions(by_row: Mapping[int, Decision], num_examples: int) -> Codes:
    """Return one code per example, from the decisions that count."""
    codes = np.zeros(num_examples, np.int8)
    for row, decision in by_row.items():
        codes[row] = CODE_OF[decision.action]
    return codes
