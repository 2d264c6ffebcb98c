"""One curator at one queue: which examples it holds, and what identifies all of this."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

import numpy as np

from curation import wording
from curation.core.matrix import IntArray
from curation.dataset import Dataset
from curation.review import review_queue
from curation.review.example_status import CODES, Codes, Status
from curation.review.ledger import Ledger
from curation.review.protocol import BrowserMessage
from curation.review.review_queue import Filters
from curation.store import Store
from curation.ui.shell.cache import identify, of_analysis
from curation.ui.shell.decision_progress import ledger_of
from curation.ui.shell.setup import Frame


@dataclass(frozen=True)
class ReviewSession:
    """What one curator reviews: a dataset, a store, and the filters that make up a queue."""

    frame: Frame
    store: Store
    curator: str
    filters: Filters
    search: str = ""
    status: Status = "undecided"
    everyone: bool = False  # each curator judges every example, without seeing others' decisions
    first: str | None = None  # an example that a link names, shown first wherever it stands
    closed: str | None = None  # why nothing can be decided

    @property
    def dataset(self) -> Dataset:
        return self.frame.dataset

    @property
    def ledger(self) -> Ledger:
        return ledger_of(self.store)

    @property
    def codes(self) -> Codes:
        return self.ledger.codes(self.curator if self.everyone else None)

    # ---- the queue

    def find_rows(self) -> IntArray:
        """Return the queue; for a status other than undecided, those that have it now."""
        findings, filters = self.frame.findings, self.filters
        rows = of_analysis(
            findings,
            ("queue rows", filters),
            lambda: review_queue.find_rows(findings, filters),
        )
        rows = review_queue.search_rows(self.dataset, rows, self.search)
        if self.status not in ("undecided", "all"):
            rows = self.find_matching(rows)
        first = self.find_row(self.first)
        if first is not None:
            rows = np.concatenate([[first], rows[rows != first]])
        return rows

    def find_matching(self, rows: IntArray) -> IntArray:
        """Return those of the rows that have the status asked for now."""
        found: IntArray = rows[np.isin(self.codes[rows], CODES[self.status])]
        return found

    def id_of(self, row: int) -> str:
        return str(self.dataset.ids[row])

    def find_row(self, example_id: object) -> int | None:
        return self.dataset.row_of.get(str(example_id)) if example_id else None

    def labels_of(self, row: int) -> tuple[int, int]:
        """Return the label an example was given, and the one that is suggested."""
        findings = self.frame.findings
        return int(findings.labels[row]), int(findings.suggested_labels[row])

    def describe(self) -> str:
        """Return which examples the queue holds, in which order."""
        names, filters = self.frame.class_names, self.filters
        given = "any" if filters.given is None else names[filters.given]
        suggested = "any" if filters.suggested is None else names[filters.suggested]
        whole = filters.given is None and filters.suggested is None
        pair = "all classes" if whole else wording.from_to(given, suggested)
        searched = f" · “{wording.isolate(self.search.strip())}”" if self.search.strip() else ""
        return f"{pair}{searched} · ordered by {filters.order.replace('_', ' ')}"

    # ---- keys: equal as long as the browser may keep what it has

    @property
    def key(self) -> str:
        """Return what identifies this queue, equal whenever it is asked for in the same way."""
        asked = (self.frame.source, self.frame.settings, self.filters, self.search, self.status)
        return _digest((asked, self.everyone, self.first, self.curator))

    @property
    def store_key(self) -> str:
        """Return what identifies the store and the curator."""
        return _digest((self.store.backend.identity, self.curator))

    @property
    def analysis_key(self) -> str:
        """Return what identifies these examples, classes and suggestions."""
        return identify(self.frame.findings)

    @property
    def classes_key(self) -> str:
        """Return what identifies these classes, in this order."""
        return _digest(self.dataset.class_ids)

    def match_key(self, rows: IntArray) -> str:
        """Return what identifies the examples that match, and their suggestions."""
        suggested = self.frame.findings.suggested_labels

        def work() -> str:
            matching = self.find_matching(rows)
            ids = "\n".join(map(self.id_of, matching))
            return hashlib.sha256(ids.encode() + suggested[matching].tobytes()).hexdigest()[:16]

        last = self.ledger.last
        return of_analysis(self.frame.findings, ("matching examples", self.key, last), work)

    def is_current(self, message: BrowserMessage) -> bool:
        """Return whether the browser has content of these examples; it may have others'."""
        return message["analysis"] == self.analysis_key


def _digest(value: object) -> str:
    return hashlib.sha256(repr(value).encode()).hexdigest()[:16]
