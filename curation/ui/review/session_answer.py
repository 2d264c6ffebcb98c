"""What the server answers to the browser: what every answer says, and one page of the grid."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from curation import wording
from curation.core.matrix import IntArray
from curation.review.audit_queue import BLIND_SCOPES
from curation.review.example_status import Codes, count_statuses
from curation.review.example_types import Tile
from curation.review.extended_classes import describe_adding
from curation.review.operation_answers import describe_decision, describe_dispute
from curation.review.operation_types import OperationAnswer
from curation.review.protocol import (
    AddingRules,
    AnswerFields,
    BrowserMessage,
    Counts,
    GridFields,
    LatestDecision,
)
from curation.review.verdicts import KNOWN_WRONG
from curation.store import Action, ClassDecision, Entry
from curation.store.entries import label_of
from curation.ui.review.review_session import ReviewSession
from curation.ui.widgets.browser_content import THUMBNAIL_PIXELS, Shown
from curation.ui.widgets.class_cells import name_cells

GRID_WAIT_SECONDS = 0.5  # for pictures; the rest comes with the next answer
LATEST_DECISIONS = 12
CAPTION_PIXELS = 120  # for names on a tile, as `name_cells` counts; its letters are small


@dataclass(frozen=True)
class PageLinks:
    """The addresses of other pages, with the dataset and its settings; None if there is no page."""

    export: str | None
    quality: str | None
    disputes: str


def make_answer(
    session: ReviewSession,
    message: BrowserMessage,
    answers: Mapping[str, OperationAnswer],
    rows: IntArray,
    links: PageLinks,
) -> AnswerFields:
    """Return what every answer says, with the class names if the browser lacks them."""
    ledger, dataset = session.ledger, session.dataset
    ledger.catch_up()
    answer: AnswerFields = {
        "queue": session.key,
        "store": session.store_key,
        "analysis": session.analysis_key,
        "judged": session.judged_key,
        "answered": message["number"],
        "answers": dict(answers),
        "curator": session.curator,
        "dataset": dataset.name,
        "kind": dataset.kind,
        "title": session.describe(),
        "typical": wording.typical_for(session.frame.findings.threshold).removeprefix("the "),
        "status": session.status,
        "last": ledger.last,
        "closed": session.closed,
        "looking": session.looking,
        "blind": session.is_blind,
        "nearby": session.neighbours is not None,
        "counts": _count(session, rows),
        "latest": [
            _summarize(unit) for unit in ledger.latest_units(session.curator, LATEST_DECISIONS)
        ],
        "undone": [
            _summarize(unit) for unit in ledger.undone_units(session.curator, LATEST_DECISIONS)
        ],
        "conflicts": {
            example_id: describe_dispute(ledger, example_id) for example_id in message["conflicts"]
        },
        "disputed": 0 if session.everyone else int(ledger.disputed().sum()),
        "disputes": None if session.status == "disputed" else links.disputes,
        "live": False,
        "export": links.export,
        "added": [each.name for each in ledger.added_classes()],
        "adding": _describe_adding(session),
        "quality": links.quality if session.filters.scope in BLIND_SCOPES else None,
    }
    if not session.is_current(message) or not message["names"]:
        answer["names"] = list(session.class_names)
        answer["short_names"] = name_cells(answer["names"], CAPTION_PIXELS)
    return answer


def _describe_adding(session: ReviewSession) -> AddingRules:
    note, closed = describe_adding(session.dataset, session.ledger.added_classes())
    return {"note": note, "closed": closed}


def _count(session: ReviewSession, rows: IntArray) -> Counts:
    counts = count_statuses(session.codes, rows)
    known = session.known[rows] if session.is_flagged else session.known[:0]
    return {
        "all": counts.total,
        "undecided": counts.undecided,
        "decided": counts.decided,
        "kept": counts.by_action[Action.KEEP],
        "judged": int(np.count_nonzero(known)),
        "real": int(np.count_nonzero(known == KNOWN_WRONG)),
        "skipped": counts.skipped,
        "needs_review": counts.second_look,
    }


def _summarize(unit: list[Entry]) -> LatestDecision:
    """Return one line of the list of latest decisions."""
    first = unit[0]
    return {
        "op": first.op_id,
        "count": len(unit),
        "id": first.example_id,
        "action": _name_action(unit),
        "label": _name_labels(unit),
        "classes": _name_classes(first),
    }


def _name_action(unit: list[Entry]) -> str:
    """Return what an operation did; "decided" where it did not do the same to all examples."""
    actions = {str(each.action) for each in unit}
    return actions.pop() if len(actions) == 1 else "decided"


def _name_classes(entry: Entry) -> list[str]:
    """Return the classes that a decision is about; none if it is about an example."""
    if not isinstance(entry, ClassDecision):
        return []
    return [each for each in (entry.given, entry.other) if each is not None]


def _name_labels(unit: list[Entry]) -> str | None:
    """Return the labels that an operation gave: a bulk may give each pair of classes its own."""
    labels = [label for each in unit if (label := label_of(each)) is not None]
    several = list(dict.fromkeys(map(wording.isolate, labels)))
    if len(several) <= 2:
        return " and ".join(several) or None
    return f"{several[0]}, {several[1]} and {len(several) - 2:,} more"


# ---- the grid


def make_grid(
    session: ReviewSession, message: BrowserMessage, rows: IntArray, size: int
) -> GridFields:
    """Return one page of small pictures, with how many there are in all."""
    matching = session.find_matching(rows)

    def choose(codes: Codes) -> tuple[int, int, list[int]]:
        free = session.find_matching(matching, codes)
        pages = max(1, -(-len(free) // size))
        page = min(max(message["page"] or 0, 0), pages - 1)
        return page, pages, [int(row) for row in free[page * size : (page + 1) * size]]

    codes = session.hand_out(lambda codes: choose(codes)[2], is_new_list=True)
    page, pages, here = choose(codes)
    present = set(message["tiles"]) if session.is_current(message) else set()
    lacking = [row for row in here if session.id_of(row) not in present]
    shown = session.show(lacking, THUMBNAIL_PIXELS, GRID_WAIT_SECONDS, stand_in=True)
    return {
        "view": "grid",
        "total": len(matching),
        "taken": len(session.split_taken(matching)[1]),
        "match": session.match_key(rows),
        "page": page,
        "pages": pages,
        "tiles": [_make_tile(session, row, shown.get(row)) for row in here],
    }


def _make_tile(session: ReviewSession, row: int, content: Shown | None) -> Tile:
    given, suggested = session.labels_of(row)
    decision = session.find_decision(row)
    return {
        "id": session.id_of(row),
        "given": given,
        "suggested": suggested,
        "margin": 0.0 if session.is_blind else float(session.frame.findings.normalized_margin[row]),
        "revision": session.ledger.state(session.id_of(row)).revision,
        "force": None if decision is None else describe_decision(decision),
        "content": content,
    }
