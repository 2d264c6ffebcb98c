"""One curator at one queue: which examples it holds, and what identifies all of this.

Nothing here asks Streamlit: a session is made when the page is drawn, and then answers messages.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from curation.core.matrix import IntArray
from curation.dataset import Dataset
from curation.neighbours import Neighbours
from curation.review.audit_queue import BLIND_SCOPES, is_blind
from curation.review.example_status import CODES, DISPUTED, Codes, Status
from curation.review.filter_sentences import describe_filters
from curation.review.handing_out import Recipient, find_taken, hand_out
from curation.review.ledger import Ledger
from curation.review.protocol import BrowserMessage
from curation.review.queue_filters import Filters, QueueSource
from curation.store import Decision, Store
from curation.ui.review.shared_rows import share_rows
from curation.ui.shell.cache import identify, of_analysis, of_dataset
from curation.ui.shell.decision_progress import ledger_of
from curation.ui.shell.neighbour_job import peek_neighbours
from curation.ui.shell.setup import Frame
from curation.ui.widgets.browser_content import Shown, show_many


@dataclass(frozen=True)
class ReviewSession:
    """What one curator reviews: a dataset, a store, and the filters that make up a queue."""

    frame: Frame
    store: Store
    curator: str
    source: QueueSource
    filters: Filters
    status: Status = "undecided"
    everyone: bool = False  # each curator judges every example, without seeing others' decisions
    closed: str | None = None  # why nothing can be decided
    looking: bool = False  # whether that is because the visitor's role only looks here
    title_column: str | None = None  # what examples are called by; None if by their id
    recipient: Recipient | None = None  # who is handed each example once; None: nobody is

    @property
    def dataset(self) -> Dataset:
        return self.frame.dataset

    @property
    def ledger(self) -> Ledger:
        return ledger_of(self.store)

    @property
    def codes(self) -> Codes:
        """Return the status of every example; in a list of disputes, those have their own code."""
        codes = self.ledger.codes(self.curator if self.everyone else None)
        if self.status == "disputed":
            return np.where(self.ledger.disputed(), np.int8(DISPUTED), codes)
        return codes

    @property
    def known(self) -> Codes:
        """Return which labels are known to be right or wrong, by the decisions in `codes`."""
        return self.ledger.known(self.curator if self.everyone else None)

    # ---- the queue

    def find_rows(self) -> IntArray:
        """Return the queue; for a status other than undecided, those that have it now."""
        rows = share_rows(self.source, self.filters)
        if self.status == "disputed":
            return rows[self.ledger.disputed()[rows]]
        return rows if self.status in ("undecided", "all") else self.find_matching(rows)

    def find_matching(self, rows: IntArray, codes: Codes | None = None) -> IntArray:
        """Return those of the rows that have the status asked for now, or by these codes."""
        codes = self.codes if codes is None else codes
        found: IntArray = rows[np.isin(codes[rows], CODES[self.status])]
        return found

    def hand_out(
        self, choose: Callable[[Codes], Iterable[int]], *, is_new_list: bool = False
    ) -> Codes:
        """Return the codes with all that other curators have as TAKEN; see `handing_out`."""
        if self.recipient is None:
            return self.codes
        return hand_out(
            self.ledger, self.recipient, self.codes, self.status, choose, is_new_list=is_new_list
        )

    def split_taken(self, rows: IntArray) -> tuple[IntArray, IntArray]:
        """Return those of the rows that nobody else has in front of them, and the others.

        If each curator judges every example, nobody is in anybody's way.
        """
        taken = rows[:0] if self.everyone else find_taken(self.ledger, self.curator)
        is_taken = np.isin(rows, taken)
        return rows[~is_taken], rows[is_taken]

    def id_of(self, row: int) -> str:
        return str(self.dataset.ids[row])

    def find_row(self, example_id: object) -> int | None:
        return self.dataset.row_of.get(str(example_id)) if example_id else None

    def find_decision(self, row: int) -> Decision | None:
        """Return the decision that gives an example its status in this queue, if there is one."""
        example_id = self.id_of(row)
        curator = self.curator if self.everyone else None
        return self.ledger.current_decision(example_id, curator)

    def show(
        self, rows: Sequence[int], size: int, wait_seconds: float, *, stand_in: bool = False
    ) -> dict[int, Shown]:
        """Return the content of examples, as far as it is ready in time; see `show_many`."""
        return show_many(
            self.dataset, rows, size, wait_seconds, self.title_column, stand_in=stand_in
        )

    def labels_of(self, row: int) -> tuple[int, int]:
        """Return the label an example was given, and the one that is suggested."""
        findings = self.frame.findings
        return int(findings.labels[row]), int(findings.suggested_labels[row])

    @property
    def class_names(self) -> tuple[str, ...]:
        """Return the names of the classes; a merged or renamed one has both of its names."""
        classes = self.ledger.class_map()
        return tuple(
            f"{new} (was {old})" if why else old
            for old, new, why in zip(
                self.frame.class_names, classes.names, classes.why, strict=True
            )
        )

    def describe(self) -> str:
        """Return which examples the queue holds, in which order."""
        new_label = self.filters.new_label
        name = "" if new_label is None else name_new_label(self.ledger, new_label, self.class_names)
        return describe_filters(self.filters, self.class_names, name)

    # ---- keys: equal as long as the browser may keep what it has

    @property
    def key(self) -> str:
        """Return what identifies this queue, equal whenever it is asked for in the same way."""
        asked = (self.frame.source, self.frame.settings, self.filters, self.status)
        return _digest((asked, self.everyone, self.curator, self._audit_name, self.source.merges))

    @property
    def is_flagged(self) -> bool:
        """Return whether the queue holds flagged examples only."""
        return self.filters.scope == "flagged"

    @property
    def is_blind(self) -> bool:
        """Return whether nothing is said that tells an example of the open audit from others."""
        return is_blind(self.filters.scope, self.ledger.audits())

    @property
    def neighbours(self) -> Neighbours | None:
        """Return the neighbours once they are found; never while an audit is judged blindly."""
        return None if self.is_blind else peek_neighbours(self.dataset)

    @property
    def _audit_name(self) -> str | None:
        """Return the audit that the queue is made of, if it is; another one is another queue."""
        if self.filters.scope not in BLIND_SCOPES:
            return None
        names = [entry.op_id for entry in self.ledger.audits() if entry.plan is not None]
        return names[-1] if names else None

    @property
    def store_key(self) -> str:
        """Return what identifies the store and the curator."""
        return _digest((self.store.backend.identity, self.curator))

    @property
    def analysis_key(self) -> str:
        """Return what identifies these examples, classes and suggestions."""
        names = self.ledger.class_map().names
        renamed = "" if names == self.dataset.class_names else _digest(names)
        called = "" if self.title_column is None else f" by {_digest(self.title_column)}"
        blind = " blind" if self.is_blind else ""
        return f"{identify(self.frame.findings)} {renamed}{called}{blind}"

    @property
    def judged_key(self) -> str:
        """Return what identifies what a decision is about: the classes, in order, and the examples.

        Given labels are compared one by one, unless nothing but its row identifies an example. New
        probabilities change nothing that was judged.
        """
        parts = self.dataset.fingerprint_parts
        names = ("ids", "content", "labels") if self.dataset.kind == "index" else ("ids", "content")
        return _digest((self.dataset.class_ids, [parts[name] for name in names]))

    def match_key(self, rows: IntArray) -> str:
        """Return what identifies the examples that match, their labels and suggestions."""
        suggested = self.frame.findings.suggested_labels

        def work() -> str:
            matching = self.find_matching(rows)
            ids = of_dataset(self.dataset, ("hashes of ids",), lambda: _hash_ids(self.dataset))
            given = self.frame.findings.labels[matching]
            said = ids[matching].tobytes() + given.tobytes() + suggested[matching].tobytes()
            return hashlib.sha256(said).hexdigest()[:16]

        state = (identify(self.store), self.ledger.last)
        return of_analysis(self.frame.findings, ("matching examples", self.key, *state), work)

    def is_current(self, message: BrowserMessage) -> bool:
        """Return whether the browser has content of these examples; it may have others'."""
        return message["analysis"] == self.analysis_key


def name_new_label(ledger: Ledger, class_id: str, names: Sequence[str]) -> str:
    """Return the name of a class that examples were given, one of the dataset's or an added one."""
    ids = ledger.store.dataset.class_ids
    if class_id in ids:
        return names[ids.index(class_id)]
    added = {each.id: each.name for each in ledger.added_classes()}
    return added.get(class_id, class_id)


def _hash_ids(dataset: Dataset) -> NDArray[np.uint64]:
    """Return a number for each id that stays the same when the server is started again."""
    ids = (str(each).encode("utf-8", "surrogatepass") for each in dataset.ids)
    digests = b"".join(hashlib.blake2b(each, digest_size=8).digest() for each in ids)
    return np.frombuffer(digests, np.uint64)


def _digest(value: object) -> str:
    return hashlib.sha256(repr(value).encode()).hexdigest()[:16]
