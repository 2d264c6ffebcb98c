"""The review page's side of the conversation with the browser.

The browser keeps what was decided and not yet answered, and sends all of it, with what it shows
and what it already has. The answer says what became of each operation, how the examples around
the one on screen stand now, and brings the content that the browser lacks. Nothing depends on
an earlier message having arrived.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from concurrent.futures import Future, wait
from dataclasses import dataclass
from typing import Any

import numpy as np

from curation import wording
from curation.analysis.findings import Findings
from curation.analysis.typical_examples import find_typical_of_all
from curation.core.matrix import IntArray
from curation.dataset import Dataset
from curation.errors import StoreError
from curation.review import flag_reasons, review_queue
from curation.review.example_status import CODES, Codes, Status
from curation.review.forecast import forecast
from curation.review.ledger import Ledger
from curation.review.operations import Operation, carry_out, describe_decision
from curation.review.review_queue import Filters
from curation.store import Action, Decision, Entry, Store
from curation.ui.shell.cache import identify, of_analysis
from curation.ui.shell.decision_progress import ledger_of
from curation.ui.shell.setup import Frame
from curation.ui.widgets.browser_content import LARGE, SCREEN, STAMP, THUMBNAIL, pictures, show_many

PATIENCE = 0.25  # seconds an answer waits for pictures; the rest comes with the next one
LATEST = 12  # decisions in the list of latest ones
EXTRA = 2_000  # characters of another column's cell
Data = dict[str, Any]


@dataclass(frozen=True)
class Desk:
    """One curator at one queue: what they see, and what becomes of what they decide."""

    frame: Frame
    store: Store
    curator: str
    filters: Filters
    search: str = ""
    status: Status = "undecided"
    everyone: bool = False  # each curator judges every example, without seeing the others' words
    first: str | None = None  # an example that a link names, shown first wherever it stands
    closed: str | None = None  # why nothing can be decided

    # ---- what the queue holds

    @property
    def ledger(self) -> Ledger:
        return ledger_of(self.store)

    @property
    def codes(self) -> Codes:
        return self.ledger.codes(self.curator if self.everyone else None)

    @property
    def dataset(self) -> Dataset:
        return self.frame.dataset

    def rows(self) -> IntArray:
        """Return the queue; for a status other than undecided, those that have it now."""
        findings, filters = self.frame.findings, self.filters
        rows = of_analysis(
            findings,
            ("queue rows", filters),
            lambda: review_queue.find_rows(findings, filters),
        )
        rows = review_queue.search_rows(self.dataset, rows, self.search)
        if self.status not in ("undecided", "all"):
            rows = rows[np.isin(self.codes[rows], CODES[self.status])]
        first = self.dataset.row_of.get(self.first) if self.first else None
        if first is not None:
            rows = np.concatenate([[first], rows[rows != first]])
        return rows

    @property
    def key(self) -> str:
        """Return a name for this queue, the same whenever it is asked for in the same way."""
        asked = (self.frame.source, self.frame.settings, self.filters, self.search, self.status)
        whole = repr((asked, self.everyone, self.first, self.curator))
        return hashlib.sha256(whole.encode()).hexdigest()[:16]

    # ---- taking in

    def take(
        self, operations: Sequence[Operation], known: Mapping[str, Data], rows: IntArray
    ) -> dict[str, Data]:
        """Carry out what the browser asks; see `answering`."""
        return carry_out(
            self.ledger,
            operations,
            curator=self.curator,
            match=lambda operation: self._match(operation, rows),
            known=known,
            classes=self.classes_key,
            blind=self.everyone,
        )

    def _match(self, operation: Operation, rows: IntArray) -> list[dict[str, Any]]:
        """Return the decisions that one bulk action stands for."""
        revisions: Mapping[str, int] = operation.get("revisions") or {}
        if operation.get("all"):
            if operation.get("match") != self._match_key(rows):
                raise StoreError(
                    "NOT saved: the list changed before all that match could be decided.",
                    "Look at the list again, then confirm the new number.",
                )
            ids = [str(self.dataset.ids[row]) for row in self._matching(rows)]
            # What was said since the question was asked is a conflict.
            last = int(operation["last"])
            revisions = {each: min(self.ledger.state(each).revision, last) for each in ids}
        else:
            ids = [str(each) for each in operation["ids"]]
        return [self._one(operation, each) | {"revision": revisions.get(each, 0)} for each in ids]

    def _one(self, operation: Operation, example_id: str) -> dict[str, Any]:
        said: dict[str, Any] = {
            "example_id": example_id,
            "action": operation["action"],
            "note": operation.get("note") or "",
            "kind": operation.get("kind"),
        }
        if operation["action"] in (Action.RELABEL, Action.AMBIGUOUS):
            given, suggested = self._labels(self.dataset.row_of[example_id])
            # As it was shown when the question was asked, whatever the settings are by now.
            suggested = int((operation.get("suggested") or {}).get(example_id, suggested))
            if operation["action"] == Action.AMBIGUOUS:
                said["labels"] = [given, suggested]
            else:
                said["label"] = suggested
        return said

    def _labels(self, row: int) -> tuple[int, int]:
        """Return the label an example was given, and the one that is suggested."""
        findings = self.frame.findings
        return int(findings.labels[row]), int(findings.suggested_labels[row])

    # ---- answering

    def answer(self, sent: Mapping[str, Any], answers: Mapping[str, Data], rows: IntArray) -> Data:
        """Return all that the browser needs now and has not got."""
        self.ledger.catch_up()
        counts = review_queue.count_states(rows, self.codes)
        data: Data = {
            "queue": self.key,
            "store": self.store_key,
            "of": self.of,
            "classes": self.classes_key,
            "curator": self.curator,
            "last": self.ledger.last,
            "closed": self.closed,
            "answers": dict(answers),
            "counts": counts,
            "status": self.status,
            "seen": sent.get("n", 0),
            "latest": [_summary(unit) for unit in self.ledger.latest_units(self.curator, LATEST)],
            "kind": self.dataset.kind,
            "dataset": self.dataset.name,
            "title": self._title(),
            "typical": wording.typical_for(self.frame.findings.threshold).removeprefix("the "),
        }
        if sent.get("of") != self.of or not sent.get("names"):
            data["names"] = list(self.frame.class_names)
        return data

    @property
    def store_key(self) -> str:
        """Return what tells this store and curator from all others, for the browser's memory."""
        whole = repr((self.store.backend.identity, self.curator))
        return hashlib.sha256(whole.encode()).hexdigest()[:16]

    def _had(self, sent: Mapping[str, Any], what: str) -> set[Any]:
        """Return what the browser has of these examples; it may still have others of before."""
        return set(sent.get(what) or ()) if sent.get("of") == self.of else set()

    @property
    def of(self) -> str:
        """Return what tells these examples, classes and suggestions from any read before."""
        return identify(self.frame.findings)

    @property
    def classes_key(self) -> str:
        """Return what tells these classes, in this order, from others."""
        return hashlib.sha256(repr(self.dataset.class_ids).encode()).hexdigest()[:16]

    def _title(self) -> str:
        names, filters = self.frame.class_names, self.filters
        given = "any" if filters.given is None else names[filters.given]
        suggested = "any" if filters.suggested is None else names[filters.suggested]
        whole = filters.given is None and filters.suggested is None
        pair = "all classes" if whole else wording.from_to(given, suggested)
        searched = f" · “{wording.isolate(self.search.strip())}”" if self.search.strip() else ""
        return f"{pair}{searched} · ordered by {filters.order.replace('_', ' ')}"

    def around(self, sent: Mapping[str, Any], rows: IntArray) -> Data:
        """Return the steps around the example on screen, how they stand, and new content."""
        start = self._start(sent, rows) if len(rows) else None
        if start is None:
            return {"steps": [], "items": {}, "whole": True, "start": None, "forecast": None}
        steps = review_queue.find_window(rows, self.codes, CODES[self.status], start)
        whole = sum(step.todo for step in steps) < review_queue.AHEAD
        here, outside = int(rows[start]), self._outside(sent, rows)
        if outside is not None:  # reopened, but not in this queue: shown beside it
            here = outside
            steps.insert(0, review_queue.Step(-1, outside, False))
        have = self._had(sent, "have")
        lacking = [step.row for step in steps if str(self.dataset.ids[step.row]) not in have]
        # What is on screen first, then what comes next, then what lies behind.
        place = [step.row for step in steps].index(here)
        order = {step.row: rank for rank, step in enumerate(steps[place:] + steps[:place])}
        lacking.sort(key=lambda row: order[row])
        # The first answer brings one example, at once; the browser asks on by itself.
        shown = show_many(self.dataset, lacking, SCREEN, PATIENCE if have else 0.0)
        return {
            "start": str(self.dataset.ids[here]),
            "whole": whole,
            "steps": [[str(self.dataset.ids[s.row]), s.place, s.todo] for s in steps],
            "items": {str(self.dataset.ids[row]): self._item(row, shown[row]) for row in shown},
            "standing": {
                str(self.dataset.ids[step.row]): self._standing(str(self.dataset.ids[step.row]))
                for step in steps
            },
            "strips": self._strips(steps, self._had(sent, "strips")) if have else {},
            "forecast": self._forecast(rows, start),
            "large": self._large(sent.get("large")),
        }

    def _large(self, asked: object) -> Data | None:
        """Return the picture that is being enlarged, if it is ready in a moment."""
        row = self.dataset.row_of.get(str(asked)) if asked else None
        if row is None or self.dataset.kind != "image":
            return None
        future = pictures().get(self.dataset, row, LARGE)
        wait([future], PATIENCE)
        return {"id": str(asked), "content": future.result()} if future.done() else None

    def _forecast(self, rows: IntArray, start: int) -> Data | None:
        """Return how many of the next ones are likely real, in words and with the reason."""
        found = forecast(rows, self.codes, start) if self.status == "undecided" else None
        return None if found is None else {"words": found.summary, "why": found.why}

    def _outside(self, sent: Mapping[str, Any], rows: IntArray) -> int | None:
        asked = sent.get("at") if sent.get("queue") == self.key else None
        row = self.dataset.row_of.get(str(asked)) if asked else None
        return row if row is not None and review_queue.find_place(rows, row) is None else None

    def _start(self, sent: Mapping[str, Any], rows: IntArray) -> int | None:
        """Return the place to show: where the browser is, else where the link says, else next.

        None where nothing is left and nobody asked for a certain example.
        """
        for said in (sent.get("at") if sent.get("queue") == self.key else None, sent.get("link")):
            row = self.dataset.row_of.get(str(said)) if said else None
            place = (
                None if row is None else review_queue.find_place(rows, row, sent.get("place", -1))
            )
            if place is not None:
                return place
        if sent.get("queue") == self.key and 0 <= sent.get("place", -1) < len(rows):
            return int(sent["place"])
        if self.first in self.dataset.row_of:
            return 0
        ahead = review_queue.find_ahead(rows, self.codes, CODES[self.status], -1, 1)
        if ahead:
            return ahead[0]
        return 0 if self._outside(sent, rows) is not None else None

    def _item(self, row: int, content: Data) -> Data:
        findings, dataset = self.frame.findings, self.dataset
        given, suggested = self._labels(row)
        probabilities = np.asarray(dataset.pred_probs[row : row + 1][0], dtype=np.float64)
        return {
            "given": given,
            "suggested": suggested,
            "margin": float(findings.normalized_margin[row]),
            "classes": [
                [each, float(probabilities[each]), self._threshold(each)]
                for each in flag_reasons.rank_classes(probabilities)
            ],
            "odds": {
                each: [float(probabilities[each]), self._threshold(each)]
                for each in (given, suggested)
            },
            "why": flag_reasons.explain(findings, dataset, row),
            "extras": [[name, _cut(str(dataset.extras[name][row]))] for name in self._columns()],
            "content": content,
        }

    def _columns(self) -> list[str]:
        """Return the other columns to show: not the probabilities, which the bars show."""
        extras, names = self.dataset.extras, self.dataset.class_names

        def find() -> list[str]:
            bars = {f"p_{each}" for each in names}
            bars = bars if bars <= extras.keys() else set()
            return [name for name in extras if name not in bars]

        return of_analysis(self.frame.findings, ("extra columns",), find)

    def _threshold(self, label: int) -> float | None:
        threshold = float(self.frame.findings.thresholds[label])
        return threshold if np.isfinite(threshold) else None

    def _standing(self, example_id: str) -> Data:
        """Return how one example stands: its revision, my word, the word in force."""
        state = self.ledger.state(example_id)
        mine, force = state.by_curator.get(self.curator), self.ledger.current_decision(example_id)
        hidden = self.everyone and mine is None
        others = [] if hidden else [each for each in state.candidates() if each is not mine]
        return {
            "revision": state.revision,
            "mine": describe_decision(mine) if mine else None,
            "force": describe_decision(force) if force and not hidden else None,
            "others": [describe_decision(each) for each in others[-4:]],
            "disputed": not self.everyone and self.ledger.is_disputed(example_id),
        }

    # ---- typical examples

    def _strips(self, steps: Sequence[review_queue.Step], have: set[int]) -> Data:
        """Return typical examples of the classes on screen that the browser lacks."""
        findings = self.frame.findings
        typical = _typical(findings)
        if not typical.done() or self.dataset.kind == "index":
            return {}
        labels = [
            int(label)
            for step in steps
            for label in (findings.labels[step.row], findings.suggested_labels[step.row])
            if int(label) not in have
        ]
        strips: Data = {}
        for label in dict.fromkeys(labels):
            rows = [int(row) for row in typical.result()[label]]
            shown = show_many(self.dataset, rows, STAMP, 0.05) if rows else {}
            if len(shown) == len(rows):
                strips[str(label)] = [
                    {"id": str(self.dataset.ids[row]), "content": shown[row]} for row in rows
                ]
        return strips

    # ---- the grid

    def _matching(self, rows: IntArray) -> IntArray:
        found: IntArray = rows[np.isin(self.codes[rows], CODES[self.status])]
        return found

    def _match_key(self, rows: IntArray) -> str:
        """Return what tells the examples that match, and their suggestions, from any others."""
        ledger, suggested = self.ledger, self.frame.findings.suggested_labels

        def work() -> str:
            matching = self._matching(rows)
            ids = "\n".join(str(self.dataset.ids[row]) for row in matching)
            return hashlib.sha256(ids.encode() + suggested[matching].tobytes()).hexdigest()[:16]

        return of_analysis(self.frame.findings, ("matching examples", self.key, ledger.last), work)

    def grid(self, sent: Mapping[str, Any], rows: IntArray, size: int) -> Data:
        """Return one page of small pictures, with how many there are in all."""
        matching = self._matching(rows)
        pages = max(1, -(-len(matching) // size))
        page = min(max(int(sent.get("page") or 0), 0), pages - 1)
        here = [int(row) for row in matching[page * size : (page + 1) * size]]
        have = self._had(sent, "tiles")
        lacking = [row for row in here if str(self.dataset.ids[row]) not in have]
        shown = show_many(self.dataset, lacking, THUMBNAIL, 2 * PATIENCE) if lacking else {}
        findings = self.frame.findings
        return {
            "total": len(matching),
            "match": self._match_key(rows),
            "page": page,
            "pages": pages,
            "tiles": [
                {
                    "id": str(self.dataset.ids[row]),
                    "given": int(findings.labels[row]),
                    "suggested": int(findings.suggested_labels[row]),
                    "margin": float(findings.normalized_margin[row]),
                    "revision": self.ledger.state(str(self.dataset.ids[row])).revision,
                    "content": shown.get(row),
                }
                for row in here
            ],
        }


def _cut(cell: str) -> str:
    return cell if len(cell) <= EXTRA else f"{cell[:EXTRA]}…"


def _typical(findings: Findings) -> Future[list[IntArray]]:
    """Return the typical examples of every class, or what will be: it takes a look at all."""
    return of_analysis(
        findings,
        ("typical examples",),
        lambda: pictures().pool.submit(find_typical_of_all, findings),
    )


def _summary(unit: list[Entry]) -> Data:
    """Return one line of the list of latest decisions."""
    first = unit[0]
    said: Data = {"op": first.op_id, "count": len(unit), "id": first.example_id}
    if isinstance(first, Decision):
        said |= describe_decision(first)
    else:
        said |= {"action": first.action, "label": first.into, "class_pair": first.given}
    if len(unit) > 1:
        said["words"] = wording.count_of(len(unit), "example")
    return said
