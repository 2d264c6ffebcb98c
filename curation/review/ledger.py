"""The status of every example, kept in memory and brought up to date with the store's log.

The store finds what stands for one example at a time. A queue needs it for all of them at every
key press. So the ledger keeps one number per example, for everybody and for each curator, and reads
only new entries.
"""

from __future__ import annotations

import threading
from collections import defaultdict

import numpy as np

from curation.review.example_status import CODE_OF, UNDECIDED, Codes
from curation.store import Decision, Entry, Store
from curation.store.replay import (
    ExampleState,
    UndoStacks,
    differ,
    find_open_attempts,
    replay_example,
)


class Ledger:
    """What stands for every example of one store. Safe to share between threads."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self.lock = threading.RLock()
        self.last = 0  # the number of the last entry read
        self.time = ""  # when it was made, in UTC
        self._stacks = UndoStacks()
        self._histories: dict[str, list[Decision]] = defaultdict(list)
        self._states: dict[str, ExampleState[Decision]] = {}
        self._units: dict[str, list[Entry]] = defaultdict(list)
        self._codes: Codes = np.zeros(len(store.dataset.labels), np.int8)
        self._codes_by_curator: dict[str, Codes] = {}
        self._misfits = {misfit.decision.seq for misfit in store.misfits()}
        self.catch_up()

    def catch_up(self) -> None:
        """Read the entries that were added since the last time, by anybody, here or elsewhere."""
        with self.lock:
            touched: set[str] = set()
            for entry in self.store.log(after=self.last):
                self.last, self.time = entry.seq, entry.time
                self._stacks.add(entry)
                self._units[entry.op_id].append(entry)
                if isinstance(entry, Decision):
                    self._histories[entry.example_id].append(entry)
                    touched.add(entry.example_id)
            for example_id in touched:
                self._update(example_id)

    def codes(self, curator: str | None = None) -> Codes:
        """Return one code per example: what stands for everybody, or for one curator."""
        with self.lock:
            if curator is None:
                return self._codes
            if curator not in self._codes_by_curator:
                self._codes_by_curator[curator] = np.zeros_like(self._codes)
                for example_id in self._states:
                    self._update_curator(curator, example_id)
            return self._codes_by_curator[curator]

    def state(self, example_id: str) -> ExampleState[Decision]:
        """Return everybody's decisions on one example; empty if there are none."""
        return self._states.get(example_id) or ExampleState()

    def current_decision(self, example_id: str) -> Decision | None:
        """Return the decision that counts for an example, if it still fits the dataset."""
        return self._if_fitting(self.state(example_id).current())

    def is_disputed(self, example_id: str) -> bool:
        """Return whether curators differ on an example and nobody has resolved it."""
        state = self.state(example_id)
        attempts = find_open_attempts(self._histories.get(example_id, ()), state)
        return differ((*state.candidates(), *attempts))

    def unit(self, op_id: str) -> list[Entry]:
        """Return the entries of an operation; none if it was never stored."""
        return self._units.get(op_id, [])

    def next_undo(self, curator: str) -> str | None:
        """Return the operation that this curator's next undo would withdraw."""
        with self.lock:
            done = self._stacks.done.get(curator)
            return done[-1] if done else None

    def latest_units(self, curator: str, count: int) -> list[list[Entry]]:
        """Return a curator's last units that are not undone, the newest first."""
        with self.lock:
            done = self._stacks.done.get(curator, [])
            return [self._units[op_id] for op_id in reversed(done[-count:])]

    def _update(self, example_id: str) -> None:
        history = self._histories[example_id]
        withdrawn = {each.op_id for each in history if self._stacks.is_withdrawn(each.op_id)}
        self._states[example_id] = replay_example(history, withdrawn)
        self._set_code(self._codes, example_id, self.current_decision(example_id))
        for curator in self._codes_by_curator:
            self._update_curator(curator, example_id)

    def _update_curator(self, curator: str, example_id: str) -> None:
        decision = self._if_fitting(self._states[example_id].current_for(curator))
        self._set_code(self._codes_by_curator[curator], example_id, decision)

    def _set_code(self, codes: Codes, example_id: str, decision: Decision | None) -> None:
        row = self.store.dataset.row_of.get(example_id)
        if row is not None:
            codes[row] = UNDECIDED if decision is None else CODE_OF[decision.action]

    def _if_fitting(self, decision: Decision | None) -> Decision | None:
        return None if decision is None or decision.seq in self._misfits else decision
