"""Which examples a queue holds, and in which order: the filters of a link, and what they find.

A filter is a mask over all examples. The queue holds the examples that pass every mask, in the
order that the filters name. All of this is worked out once per queue.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from curation.analysis.findings import ORDERS, Findings, Method
from curation.core.matrix import BoolArray, FloatArray, IntArray
from curation.dataset import Dataset
from curation.neighbours.map_area import read_area
from curation.neighbours.neighbour_order import NEIGHBOUR_ORDER, score_neighbours
from curation.neighbours.neighbour_search import Neighbours
from curation.review.audit_queue import AUDIT, BLIND_SCOPES, MIXED, find_audit_rows, mix_audit_rows
from curation.review.example_search import Search, find_matches, normalize
from curation.review.example_status import CODE_OF
from curation.review.flagged_examples import find_flagged, mark_flagged
from curation.review.ledger import Ledger
from curation.review.neighbour_reasons import find_splits
from curation.store.actions import Action, IssueKind
from curation.store.entries import AuditEntry

TAG = re.compile(r"(?<!\w)#([\w-]+)")
RANDOM, AS_IN_FILE = "random", "file"
QUEUE_ORDERS = (*ORDERS, NEIGHBOUR_ORDER, RANDOM, AS_IN_FILE)


@dataclass(frozen=True)
class Filters:
    """Which examples to review, in which order; part of a link.

    An empty filter lets every example pass. Of several classes, actions or kinds, one has to fit.
    """

    method: Method = "confident_joint"
    scope: str = "flagged"  # a key of SCOPES
    order: str = "normalized_margin"  # one of QUEUE_ORDERS
    seed: int = 0  # of the random order
    given: tuple[int, ...] = ()
    suggested: tuple[int, ...] = ()
    pair: tuple[int, int] | None = None  # one of them given and the other suggested
    margin: tuple[float, float] | None = None  # the lowest and the highest normalized margin
    column: str | None = None  # another column of the table
    value: str | None = None  # that its cell equals
    cell: str = ""  # or contains, ignoring case
    search: str = ""  # in the id, text, path, class names, other columns and notes
    actions: tuple[Action, ...] = ()  # of the decision that counts
    kinds: tuple[IssueKind, ...] = ()
    new_label: str | None = None  # the id of the class that it was given
    curator: str | None = None  # who has decided
    note: str = ""
    tags: tuple[str, ...] = ()  # of a note, without the #
    area: str = ""  # a part of the map, as `Area.write` writes it

    @property
    def needs_neighbours(self) -> bool:
        """Return whether the queue cannot be made before the neighbours are found."""
        return self.scope in FOUND_BY_NEIGHBOURS or self.order == NEIGHBOUR_ORDER or bool(self.area)

    @property
    def sees_decisions(self) -> bool:
        """Return whether the queue holds other examples once something was decided or audited."""
        said = (self.actions, self.kinds, self.new_label, self.curator, self.note, self.tags)
        return any(said) or self.scope in BLIND_SCOPES or bool(self.search.strip())

    @property
    def text_search(self) -> Search | None:
        return Search(self.search.strip()) if self.search.strip() else None

    @property
    def column_search(self) -> Search | None:
        if self.column is None or (self.value is None and not self.cell.strip()):
            return None
        if self.value is not None:
            return Search(self.value, self.column, is_whole=True)
        return Search(self.cell.strip(), self.column)


@dataclass(frozen=True, eq=False)
class QueueSource:
    """What a queue is made from. Without a ledger, nothing is decided.

    With a `curator`, only that person's decisions are seen, because everyone judges alone.
    `search` finds the examples that hold a text; the pages pass one that worked in the background.
    """

    dataset: Dataset
    findings: Findings
    ledger: Ledger | None = None
    curator: str | None = None
    search: Callable[[Search], BoolArray] | None = None
    merges: tuple[int, ...] | None = None  # what each class becomes, if classes were merged
    neighbours: Neighbours | None = None  # once they are found

    def find_matches(self, search: Search) -> BoolArray:
        return self.search(search) if self.search else find_matches(self.dataset, search)


@dataclass(frozen=True)
class Scope:
    """The examples that a queue is chosen from, before any other filter.

    `find` returns their rows. If `is_ordered`, the queue keeps the order of these rows.
    """

    find: Callable[[QueueSource, Filters], IntArray]
    is_ordered: bool = False


SCOPES: dict[str, Scope] = {
    "flagged": Scope(
        lambda source, by: np.flatnonzero(mark_flagged(source.findings, by.method, source.merges))
    ),
    "all": Scope(lambda source, by: np.arange(len(source.findings.labels))),
    AUDIT: Scope(lambda source, by: find_audit_rows(_audits(source), source.dataset), True),
    MIXED: Scope(lambda source, by: _mix(source, by), True),
    "near_duplicates": Scope(lambda source, by: find_near_duplicates(source), True),
    "outliers": Scope(lambda source, by: find_outliers(source), True),
    "picture_quality": Scope(lambda source, by: find_poor_pictures(source), True),
}
FOUND_BY_NEIGHBOURS = ("near_duplicates", "outliers", "picture_quality")
NOTHING = np.zeros(0, np.int64)


def find_near_duplicates(source: QueueSource) -> IntArray:
    """Return the near-duplicates, group by group: see `SimilarGroups.order`."""
    if source.neighbours is None:
        return NOTHING
    return source.neighbours.similar.order(source.findings.labels, find_splits(source.dataset))


def find_outliers(source: QueueSource) -> IntArray:
    """Return the examples that are unlike all others, the farthest first."""
    return NOTHING if source.neighbours is None else source.neighbours.outliers


def find_poor_pictures(source: QueueSource) -> IntArray:
    """Return the pictures that are dark, blurry or odd, the worst first."""
    pictures = source.neighbours.pictures if source.neighbours else None
    return NOTHING if pictures is None else pictures.rows


def _audits(source: QueueSource) -> list[AuditEntry]:
    return source.ledger.audits() if source.ledger else []


def _mix(source: QueueSource, by: Filters) -> IntArray:
    order = next((each for each in ORDERS if each == by.order), ORDERS[0])
    flagged = find_flagged(source.findings, by.method, source.merges, order)
    return mix_audit_rows(_audits(source), source.dataset, flagged)


def find_rows(source: QueueSource, filters: Filters) -> IntArray:
    """Return the rows of a queue, in its order."""
    return FilterMasks(source, filters).find_rows()


class FilterMasks:
    """What each filter lets pass, so that a choice can be counted with all the others in force."""

    def __init__(self, source: QueueSource, filters: Filters) -> None:
        self.source = source
        self.filters = filters
        self._masks = {name: mask for name, mask in self._list_masks() if mask is not None}

    def find_rows(self) -> IntArray:
        """Return the rows that pass every filter, in the order of the queue."""
        rows = self.scope_rows[self.passing()[self.scope_rows]]
        return rows if SCOPES[self.filters.scope].is_ordered else self._sort(rows)

    def passing(self, *, without: str | None = None) -> BoolArray:
        """Return which examples pass all filters; one filter can be left out."""
        masks = [self._in_scope, *(mask for name, mask in self._masks.items() if name != without)]
        passing: BoolArray = np.logical_and.reduce(masks)
        return passing

    @cached_property
    def scope_rows(self) -> IntArray:
        return SCOPES[self.filters.scope].find(self.source, self.filters)

    @cached_property
    def _in_scope(self) -> BoolArray:
        mask = np.zeros(len(self.source.findings.labels), bool)
        mask[self.scope_rows] = True
        return mask

    def _sort(self, rows: IntArray) -> IntArray:
        order = self.filters.order
        if order == AS_IN_FILE:
            return np.sort(rows)
        scores = self._score()
        return rows[np.argsort(scores[rows], kind="stable")]

    def _score(self) -> FloatArray | IntArray:
        """Return the number by which examples are sorted, the lowest first."""
        order, findings = self.filters.order, self.source.findings
        if order == RANDOM:  # a place for every example, so that other filters do not change it
            rng = np.random.default_rng(self.filters.seed)
            return rng.permutation(len(findings.labels))
        if order != NEIGHBOUR_ORDER:
            scores: FloatArray = getattr(findings, order)
            return scores
        if self.source.neighbours is None:
            return findings.normalized_margin
        return score_neighbours(findings, self.source.neighbours)

    def _list_masks(self) -> list[tuple[str, BoolArray | None]]:
        findings, by = self.source.findings, self.filters
        given, suggested = findings.labels, findings.suggested_labels
        return [
            ("given", np.isin(given, by.given) if by.given else None),
            ("suggested", np.isin(suggested, by.suggested) if by.suggested else None),
            ("pair", _join_pair(given, suggested, *by.pair) if by.pair else None),
            ("margin", _within(findings.normalized_margin, by.margin)),
            ("column", self._search_column()),
            ("search", self._search()),
            ("area", self._find_area()),
            *self._list_decision_masks(),
        ]

    def _list_decision_masks(self) -> list[tuple[str, BoolArray | None]]:
        by, ledger = self.filters, self.source.ledger
        nothing = np.zeros(len(self.source.findings.labels), bool)
        is_alone = self.source.curator is not None
        codes = None if ledger is None else ledger.codes(self.source.curator)
        actions = [CODE_OF[each] for each in by.actions]
        found: list[tuple[str, BoolArray | None]] = []
        if actions:
            found.append(("actions", nothing if codes is None else np.isin(codes, actions)))
        if is_alone:  # the rest would show what others have decided
            return found
        if by.kinds:
            found.append(("kinds", nothing if ledger is None else ledger.find_kinds(by.kinds)))
        if by.new_label is not None:
            new = ledger.new_label_ids() if ledger else {}
            rows = [row for row, each in new.items() if each == by.new_label]
            found.append(("new_label", _mark(rows, len(nothing))))
        if by.curator is not None:
            found.append(("curator", nothing if ledger is None else ledger.codes(by.curator) != 0))
        if by.note.strip():
            found.append(("note", self._search_notes(by.note)))
        if by.tags:
            rows = [row for row, tags in list_tags(self.source) if tags & set(by.tags)]
            found.append(("tags", _mark(rows, len(nothing))))
        return found

    def _find_area(self) -> BoolArray | None:
        area = read_area(self.filters.area)
        if area is None:
            return None
        if self.source.neighbours is None:
            return np.zeros(len(self.source.findings.labels), bool)
        return area.find_inside(self.source.neighbours)

    def _search_column(self) -> BoolArray | None:
        search = self.filters.column_search
        return None if search is None else self.source.find_matches(search)

    def _search(self) -> BoolArray | None:
        search = self.filters.text_search
        if search is None:
            return None
        found = self.source.find_matches(search)
        return found if self.source.curator is not None else found | self._search_notes(search.text)

    def _search_notes(self, text: str) -> BoolArray:
        """Return which examples have a note that holds a text."""
        found = np.zeros(len(self.source.findings.labels), bool)
        wanted = normalize(text)
        notes = self.source.ledger.list_notes() if self.source.ledger else []
        found[[row for row, note in notes if wanted in normalize(note)]] = True
        return found


def find_tags(note: str) -> set[str]:
    """Return the tags in a note: words after a #.

    >>> sorted(find_tags("dark, #blurry #two-dogs ##3 a#b"))
    ['3', 'blurry', 'two-dogs']
    """
    return set(TAG.findall(note))


def list_tags(source: QueueSource) -> list[tuple[int, set[str]]]:
    """Return the tags of every note that has some, with the row of its example."""
    notes = source.ledger.list_notes() if source.ledger else []
    return [(row, tags) for row, note in notes if (tags := find_tags(note))]


def _mark(rows: list[int], size: int) -> BoolArray:
    marked = np.zeros(size, bool)
    marked[rows] = True
    return marked


def _join_pair(given: IntArray, suggested: IntArray, one: int, other: int) -> BoolArray:
    joined: BoolArray = (given == one) & (suggested == other)
    joined |= (given == other) & (suggested == one)
    return joined


def _within(scores: FloatArray, limits: tuple[float, float] | None) -> BoolArray | None:
    if limits is None:
        return None
    low, high = limits
    inside: BoolArray = (scores >= low) & (scores <= high)
    return inside


def count_classes(masks: FilterMasks, which: str) -> IntArray:
    """Return how many examples each class would bring, as "given" or as "suggested" label."""
    findings = masks.source.findings
    labels = findings.labels if which == "given" else findings.suggested_labels
    counts: IntArray = np.bincount(
        labels[masks.passing(without=which)], minlength=len(findings.class_names)
    )
    return counts
