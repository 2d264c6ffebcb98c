"""How each example stands, kept in memory and brought up to the store's log when asked.

The store can tell what is in force, one example at a time. A queue needs it of all of them at
once, at every key: so this keeps one small number an example, for everybody and for each
curator, and reads only the entries that are new.
"""

from __future__ import annotations

import threading
from collections import defaultdict

import numpy as np

from curation.review.example_status import CODE_OF, UNDECIDED, Codes
from curation.store import Decision, Entry, Store
from curation.store.queries import open_attempts
from curation.store.replay import Settled, Stacks, settle

SILENCED = ("undone", "dropped")


class Ledger:
    """What stands for every example of one store. Safe to share between threads."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self.lock = threading.RLock()
        self.last = 0  # the number of the last entry taken in
        self.time = ""  # and when it was made, in UTC
        self._stacks = Stacks()
        self._steps: dict[str, list[Decision]] = defaultdict(list)
        self._settled: dict[str, Settled[Decision]] = {}
        self._units: dict[str, list[Entry]] = defaultdict(list)
        self._everyone: Codes = np.zeros(len(store.dataset.labels), np.int8)
        self._own: dict[str, Codes] = {}
        self._misfits = {misfit.decision.seq for misfit in store.misfits()}
        self.catch_up()

    def catch_up(self) -> None:
        """Take in what was said since the last time, by anybody, here or elsewhere."""
        with self.lock:
            touched: set[str] = set()
            for entry in self.store.log(after=self.last):
                self.last, self.time = entry.seq, entry.time
                self._stacks.add(entry)
                self._units[entry.op_id].append(entry)
                if isinstance(entry, Decision):
                    self._steps[entry.example_id].append(entry)
                    touched.add(entry.example_id)
            for example_id in touched:
                self._settle(example_id)

    def codes(self, curator: str | None = None) -> Codes:
        """Return one code an example: what is in force, or what this curator said of it."""
        with self.lock:
            if curator is None:
                return self._everyone
            if curator not in self._own:
                self._own[curator] = np.zeros_like(self._everyone)
                for example_id in self._settled:
                    self._mark_own(curator, example_id)
            return self._own[curator]

    def settled(self, example_id: str) -> Settled[Decision]:
        """Return everybody's words on one example; empty if nobody said anything."""
        return self._settled.get(example_id) or Settled()

    def standing(self, example_id: str) -> Decision | None:
        """Return the decision in force on an example, if it still fits the dataset."""
        decision = self.settled(example_id).in_force()
        return None if decision is None or decision.seq in self._misfits else decision

    def is_disputed(self, example_id: str) -> bool:
        """Tell whether curators differ on an example and nobody has settled it."""
        settled = self.settled(example_id)
        late = open_attempts(self._steps.get(example_id, ()), settled)
        return len({each.answer for each in (*settled.candidates(), *late)}) > 1

    def unit(self, op_id: str) -> list[Entry]:
        """Return the entries of an operation, none if it was never stored."""
        return self._units.get(op_id, [])

    def top(self, curator: str) -> str | None:
        """Return the operation that this curator's next undo would take back."""
        with self.lock:
            done = self._stacks.done.get(curator)
            return done[-1] if done else None

    def latest(self, curator: str, count: int) -> list[list[Entry]]:
        """Return a curator's last units that are not undone, the newest first."""
        with self.lock:
            done = self._stacks.done.get(curator, [])
            return [self._units[op_id] for op_id in reversed(done[-count:])]

    def _settle(self, example_id: str) -> None:
        steps = self._steps[example_id]
        status = self._stacks.status
        silenced = {step.op_id for step in steps if status.get(step.op_id) in SILENCED}
        self._settled[example_id] = settle(steps, silenced)
        row = self.store.dataset.row_of.get(example_id)
        if row is not None:
            standing = self.standing(example_id)
            self._everyone[row] = CODE_OF[standing.action] if standing else UNDECIDED
        for curator in self._own:
            self._mark_own(curator, example_id)

    def _mark_own(self, curator: str, example_id: str) -> None:
        row = self.store.dataset.row_of.get(example_id)
        settled = self._settled[example_id]
        word = settled.words.get(curator)
        if settled.resolution is not None:  # a lead has settled it: nobody has to any more
            word = word if word and word.seq > settled.resolution.seq else settled.resolution
        if row is not None:
            fits = word is not None and word.seq not in self._misfits
            self._own[curator][row] = CODE_OF[word.action] if word and fits else UNDECIDED
