"""What the server answers to the browser: what every answer says, and one page of the grid."""

from __future__ import annotations

from collections.abc import Mapping

from curation import wording
from curation.core.matrix import IntArray
from curation.review import review_queue
from curation.review.protocol import (
    AnswerFields,
    BrowserMessage,
    Counts,
    GridFields,
    LatestDecision,
    OperationAnswer,
    Tile,
)
from curation.store import Decision, Entry
from curation.ui.review.review_session import ReviewSession
from curation.ui.widgets.browser_content import THUMBNAIL_PIXELS, Shown, show_many

GRID_WAIT_SECONDS = 0.5  # for pictures; the rest comes with the next answer
LATEST_DECISIONS = 12


def make_answer(
    session: ReviewSession,
    message: BrowserMessage,
    answers: Mapping[str, OperationAnswer],
    rows: IntArray,
    export: str | None,
) -> AnswerFields:
    """Return what every answer says, with the class names if the browser lacks them."""
    ledger, dataset = session.ledger, session.dataset
    ledger.catch_up()
    answer: AnswerFields = {
        "queue": session.key,
        "store": session.store_key,
        "analysis": session.analysis_key,
        "classes": session.classes_key,
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
        "counts": _count(session, rows),
        "latest": [
            _summarize(unit) for unit in ledger.latest_units(session.curator, LATEST_DECISIONS)
        ],
        "export": export,
    }
    if not session.is_current(message) or not message["names"]:
        answer["names"] = list(session.frame.class_names)
    return answer


def _count(session: ReviewSession, rows: IntArray) -> Counts:
    counts = review_queue.count_states(rows, session.codes)
    return {
        "all": counts["all"],
        "undecided": counts["undecided"],
        "decided": counts["decided"],
        "kept": counts["kept"],
        "skipped": counts["skipped"],
        "needs_review": counts["needs_review"],
    }


def _summarize(unit: list[Entry]) -> LatestDecision:
    """Return one line of the list of latest decisions."""
    first = unit[0]
    return {
        "op": first.op_id,
        "count": len(unit),
        "id": first.example_id,
        "action": str(first.action),
        "label": first.label if isinstance(first, Decision) else first.into,
    }


# ---- the grid


def make_grid(
    session: ReviewSession, message: BrowserMessage, rows: IntArray, size: int
) -> GridFields:
    """Return one page of small pictures, with how many there are in all."""
    matching = session.find_matching(rows)
    pages = max(1, -(-len(matching) // size))
    page = min(max(message["page"] or 0, 0), pages - 1)
    here = [int(row) for row in matching[page * size : (page + 1) * size]]
    present = set(message["tiles"]) if session.is_current(message) else set()
    lacking = [row for row in here if session.id_of(row) not in present]
    shown = (
        show_many(session.dataset, lacking, THUMBNAIL_PIXELS, GRID_WAIT_SECONDS) if lacking else {}
    )
    return {
        "view": "grid",
        "total": len(matching),
        "match": session.match_key(rows),
        "page": page,
        "pages": pages,
        "tiles": [_make_tile(session, row, shown.get(row)) for row in here],
    }


def _make_tile(session: ReviewSession, row: int, content: Shown | None) -> Tile:
    given, suggested = session.labels_of(row)
    return {
        "id": session.id_of(row),
        "given": given,
        "suggested": suggested,
        "margin": float(session.frame.findings.normalized_margin[row]),
        "revision": session.ledger.state(session.id_of(row)).revision,
        "content": content,
    }
