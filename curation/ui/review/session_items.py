"""One example as the browser shows it: numbers, words, what was decided, typical examples."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import Future

import numpy as np

from curation.analysis.findings import Findings
from curation.analysis.typical_examples import find_typical_of_all
from curation.core.matrix import IntArray
from curation.review import flag_reasons
from curation.review.example_types import Content, Item, Standing, TypicalExample
from curation.review.operation_answers import describe_answers, describe_decision
from curation.review.review_queue import Step
from curation.ui.review.feature_columns import list_features
from curation.ui.review.review_session import ReviewSession
from curation.ui.server.script_faults import log_fault
from curation.ui.shell.cache import of_analysis
from curation.ui.widgets.browser_content import STAMP_PIXELS, pictures

STAMPS_WAIT_SECONDS = 0.05
MAX_CELL_CHARACTERS = 2_000  # of another column
BLIND = (
    "Judge the label by what you see. While the audit is open, this list does not say how sure the "
    "model is or which methods flag an example."
)
MAX_OTHERS = 4  # curators whose decisions are shown


def make_item(session: ReviewSession, row: int, content: Content) -> Item:
    """Return all that is shown of one example, whatever is decided about it."""
    findings, dataset = session.frame.findings, session.dataset
    given, suggested = session.labels_of(row)
    probabilities = np.asarray(dataset.pred_probs[row : row + 1][0], dtype=np.float64)
    columns, cells = _find_columns(session), dataset.cells(row)
    features = list_features(session, row, columns)
    shown = {each["name"] for each in features}
    likeliest = flag_reasons.rank_classes(probabilities)
    if session.is_blind:  # nothing that tells an example of the audit from a flagged one
        likeliest, probabilities = sorted(likeliest), np.zeros_like(probabilities)
    return {
        "given": given,
        "suggested": suggested,
        "margin": 0.0 if session.is_blind else float(findings.normalized_margin[row]),
        "classes": [
            (each, float(probabilities[each]), _find_threshold(findings, each))
            for each in likeliest
        ],
        "odds": {
            each: (float(probabilities[each]), _find_threshold(findings, each))
            for each in (given, suggested)
        },
        "why": BLIND if session.is_blind else flag_reasons.explain(findings, dataset, row),
        "extras": [(name, _shorten(str(cells[name]))) for name in columns if name not in shown],
        "features": features,
        "content": content,
    }


def _find_columns(session: ReviewSession) -> list[str]:
    """Return the other columns to show: not the probabilities, which the bars show."""
    extras, names = session.dataset.extras, session.dataset.class_names

    def find() -> list[str]:
        bars = {f"p_{each}" for each in names}
        bars = bars if bars <= extras.keys() else set()
        return [name for name in extras if name not in bars]

    return of_analysis(session.frame.findings, ("extra columns",), find)


def _find_threshold(findings: Findings, label: int) -> float | None:
    threshold = float(findings.thresholds[label])
    return threshold if np.isfinite(threshold) else None


def _shorten(cell: str) -> str:
    return cell if len(cell) <= MAX_CELL_CHARACTERS else f"{cell[:MAX_CELL_CHARACTERS]}…"


def find_standing(session: ReviewSession, example_id: str) -> Standing:
    """Return what was decided on one example: by this curator, by others, and what stands."""
    ledger = session.ledger
    state = ledger.state(example_id)
    mine, force = state.by_curator.get(session.curator), ledger.current_decision(example_id)
    is_hidden = session.everyone and mine is None
    answers = [] if session.everyone else describe_answers(ledger, example_id)
    others = [] if is_hidden else [each for each in state.candidates() if each is not mine]
    return {
        "revision": state.revision,
        "mine": describe_decision(mine) if mine else None,
        "force": describe_decision(force) if force and not is_hidden else None,
        "others": [describe_decision(each) for each in others[-MAX_OTHERS:]],
        "disputed": bool(answers),
        "answers": answers,
    }


def make_strips(
    session: ReviewSession, steps: Sequence[Step], present: set[int]
) -> dict[int, list[TypicalExample]]:
    """Return typical examples of the classes on screen that the browser lacks."""
    typical = _find_typical(session.frame.findings)
    if not typical.done() or typical.exception() is not None or session.dataset.kind == "index":
        return {}
    labels = [label for step in steps for label in session.labels_of(step.row)]
    strips: dict[int, list[TypicalExample]] = {}
    for label in dict.fromkeys(labels):
        if label in present:
            continue
        rows = [int(row) for row in typical.result()[label]]
        shown = session.show(rows, STAMP_PIXELS, STAMPS_WAIT_SECONDS) if rows else {}
        if len(shown) == len(rows):
            strips[label] = [{"id": session.id_of(row), "content": shown[row]} for row in rows]
    return strips


def _find_typical(findings: Findings) -> Future[list[IntArray]]:
    """Return the typical examples of every class, once a look at all examples has found them."""

    def start() -> Future[list[IntArray]]:
        future = pictures().pool.submit(find_typical_of_all, findings)
        future.add_done_callback(_log_failure)
        return future

    return of_analysis(findings, ("typical examples",), start)


def _log_failure(future: Future[list[IntArray]]) -> None:
    """Log why there are none: deciding goes on without them."""
    error = future.exception()
    if error is not None:
        log_fault("the typical examples were not found", error)
