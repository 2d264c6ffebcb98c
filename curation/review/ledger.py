"""The status of every example, kept in memory and brought up to date with the store's log.

The store works out what stands for one example at a time. A queue needs this for all examples at
every key press. So the ledger keeps one number per example, for everybody and for each curator, and
reads only new entries.
"""

from __future__ import annotations

import threading
from collections import defaultdict
from collections.abc import Collection, Mapping
from typing import cast

import numpy as np

from curation.class_names import AddedClass
from curation.core.matrix import BoolArray
from curation.dataset import Dataset
from curation.review.class_map import ClassMap, map_classes
from curation.review.example_status import CODE_OF, KIND_CODE_OF, UNDECIDED, Codes
from curation.review.extended_classes import list_added, names_added
from curation.review.verdicts import Verdict, encode_verdict, find_verdicts, judge_decision
from curation.store import AuditEntry, Decision, Entry, Store
from curation.store.actions import IssueKind
from curation.store.matching import match_class_decisions
from curation.store.replay import ExampleState, UndoStacks, replay_example


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
        self._audits: list[AuditEntry] = []
        self._verdicts: dict[int, Verdict] = {}
        self._class_map: ClassMap | None = None  # None until it is asked for again
        self._added: dict[str, list[Decision]] = {}  # the decisions on an example that add a class
        self._new_label_ids: dict[int, str] = {}  # of the rows that are relabelled
        self._codes: Codes = np.zeros(len(store.dataset.labels), np.int8)
        self._disputed: BoolArray = np.zeros(len(store.dataset.labels), bool)
        self._known: Codes = np.zeros_like(self._codes)
        self._codes_by_curator: dict[str, Codes] = {}
        self._known_by_curator: dict[str, Codes] = {}
        self._kinds: Codes = np.zeros_like(self._codes)
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
                elif isinstance(entry, AuditEntry):
                    self._audits.append(entry)
                else:
                    self._class_map = None
            for example_id in touched:
                self._update(example_id)
            if touched:
                self._update_verdicts(touched)

    def codes(self, curator: str | None = None) -> Codes:
        """Return one code per example: what stands for everybody, or for one curator."""
        with self.lock:
            if curator is None:
                return self._codes
            self._add_curator(curator)
            return self._codes_by_curator[curator]

    def known(self, curator: str | None = None) -> Codes:
        """Return whether each label is known to be right or wrong, by everybody or one curator."""
        with self.lock:
            if curator is None:
                return self._known
            self._add_curator(curator)
            return self._known_by_curator[curator]

    def class_map(self) -> ClassMap:
        """Return what each class becomes after the decisions about classes that count."""
        with self.lock:
            if self._class_map is None:
                dataset = cast(Dataset, self.store.dataset)
                fitting, _ = match_class_decisions(self.store.class_decisions(), dataset)
                self._class_map = map_classes(dataset, fitting)
            return self._class_map

    def added_classes(self) -> tuple[AddedClass, ...]:
        """Return the classes that decisions which stand add to the dataset's."""
        with self.lock:
            naming = [each for some in self._added.values() for each in some]
            return list_added(naming, self.store.dataset)

    def new_label_ids(self) -> dict[int, str]:
        """Return the id of the class that each relabelled row has got."""
        with self.lock:
            return dict(self._new_label_ids)

    def find_kinds(self, kinds: Collection[IssueKind]) -> BoolArray:
        """Return which examples have a decision in force that names one of these kinds of issue."""
        with self.lock:
            return np.isin(self._kinds, [KIND_CODE_OF[each] for each in kinds])

    def list_curators(self) -> list[str]:
        """Return everyone who has ever decided, in order of their names."""
        with self.lock:
            return sorted({each.curator for unit in self._units.values() for each in unit})

    def list_notes(self) -> list[tuple[int, str]]:
        """Return every note on an example, with the example's row."""
        row_of = self.store.dataset.row_of
        with self.lock:
            return [
                (row_of[example_id], each.note)
                for example_id, state in self._states.items()
                if example_id in row_of
                for each in state.candidates()
                if each.note
            ]

    def state(self, example_id: str) -> ExampleState[Decision]:
        """Return everybody's decisions on one example; empty if there are none."""
        return self._states.get(example_id) or ExampleState()

    def states(self) -> dict[str, ExampleState[Decision]]:
        """Return everybody's decisions on every example that has some."""
        with self.lock:
            return dict(self._states)

    def verdicts(self) -> dict[int, Verdict]:
        """Return what the decisions say about the given label of each row that has some."""
        with self.lock:
            return dict(self._verdicts)

    def audits(self) -> list[AuditEntry]:
        """Return the entries about audits, in order."""
        with self.lock:
            return list(self._audits)

    def current_decision(self, example_id: str, curator: str | None = None) -> Decision | None:
        """Return the decision that counts for an example, for everybody or for one curator.

        One that no longer fits the dataset is left out.
        """
        state = self.state(example_id)
        return self._if_fitting(state.current() if curator is None else state.current_for(curator))

    def find_differing(self, example_id: str) -> tuple[Decision, ...]:
        """Return the answers that differ on an example, oldest first; none if it is settled."""
        return self.state(example_id).find_differing()

    def disputed(self) -> BoolArray:
        """Return whether each example is disputed: curators differ, and nobody has settled it."""
        return self._disputed

    def unit(self, op_id: str) -> list[Entry]:
        """Return the entries of an operation; none if it was never stored."""
        return self._units.get(op_id, [])

    def latest_units(self, curator: str, count: int) -> list[list[Entry]]:
        """Return a curator's last units that are not undone, the newest first."""
        return self._top(self._stacks.done, curator, count)

    def undone_units(self, curator: str, count: int) -> list[list[Entry]]:
        """Return the units that a curator can redo, the next one first."""
        return self._top(self._stacks.undone, curator, count)

    def _top(self, stacks: Mapping[str, list[str]], curator: str, count: int) -> list[list[Entry]]:
        with self.lock:
            return [self._units[op_id] for op_id in reversed(stacks.get(curator, [])[-count:])]

    def _update(self, example_id: str) -> None:
        history = self._histories[example_id]
        withdrawn = {each.op_id for each in history if self._stacks.is_withdrawn(each.op_id)}
        self._states[example_id] = replay_example(history, withdrawn)
        current = self.current_decision(example_id)
        self._set_code(self._codes, example_id, current)
        row = self.store.dataset.row_of.get(example_id)
        if row is not None:
            self._disputed[row] = bool(self.find_differing(example_id))
            self._kinds[row] = KIND_CODE_OF.get(current.kind, 0) if current else 0
            self._update_labels(example_id, row, current)
        for curator in self._codes_by_curator:
            self._update_curator(curator, example_id)

    def _update_labels(self, example_id: str, row: int, current: Decision | None) -> None:
        dataset = self.store.dataset
        self._added.pop(example_id, None)
        competing = [self._if_fitting(each) for each in self._states[example_id].candidates()]
        naming = [each for each in competing if each and names_added(each, dataset)]
        if naming:
            self._added[example_id] = naming
        self._new_label_ids.pop(row, None)
        if current is not None and current.label_id is not None:
            self._new_label_ids[row] = current.label_id

    def _update_verdicts(self, example_ids: Collection[str]) -> None:
        dataset = self.store.dataset
        for example_id in example_ids:
            self._verdicts.pop(dataset.row_of.get(example_id, -1), None)
        self._verdicts.update(
            find_verdicts(dataset, {each: self._states[each] for each in example_ids})
        )
        for example_id in example_ids:
            row = dataset.row_of.get(example_id)
            if row is not None:
                self._known[row] = encode_verdict(self._verdicts.get(row))

    def _add_curator(self, curator: str) -> None:
        """Work out what stands for one curator, unless it is there already."""
        if curator in self._codes_by_curator:
            return
        self._codes_by_curator[curator] = np.zeros_like(self._codes)
        self._known_by_curator[curator] = np.zeros_like(self._codes)
        for example_id in self._states:
            self._update_curator(curator, example_id)

    def _update_curator(self, curator: str, example_id: str) -> None:
        decision = self.current_decision(example_id, curator)
        self._set_code(self._codes_by_curator[curator], example_id, decision)
        row = self.store.dataset.row_of.get(example_id)
        if row is not None:
            verdict = None if decision is None else judge_decision(decision)
            self._known_by_curator[curator][row] = encode_verdict(verdict)

    def _set_code(self, codes: Codes, example_id: str, decision: Decision | None) -> None:
        row = self.store.dataset.row_of.get(example_id)
        if row is not None:
            codes[row] = UNDECIDED if decision is None else CODE_OF[decision.action]

    def _if_fitting(self, decision: Decision | None) -> Decision | None:
        return None if decision is None or decision.seq in self._misfits else decision
