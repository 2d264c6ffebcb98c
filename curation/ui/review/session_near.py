"""The examples most like the one on screen, and like the next ones."""

from __future__ import annotations

from collections.abc import Sequence

from curation.review.example_types import NearExamples
from curation.review.neighbour_reasons import explain_neighbours
from curation.ui.review.review_session import ReviewSession
from curation.ui.widgets.browser_content import STAMP_PIXELS

AHEAD = 3  # examples whose nearest are sent with one answer
WAIT_SECONDS = 0.05


def find_near(
    session: ReviewSession, rows: Sequence[int], present: set[str]
) -> dict[str, NearExamples]:
    """Return the nearest examples of those that come first, as far as they are ready."""
    neighbours, findings = session.neighbours, session.frame.findings
    if neighbours is None:
        return {}
    found: dict[str, NearExamples] = {}
    for row in rows[:AHEAD]:
        near = [int(each) for each in neighbours.nearest[row] if each >= 0]
        if session.id_of(row) in present:
            continue
        shown = session.show(near, STAMP_PIXELS, WAIT_SECONDS) if near else {}
        if len(shown) < len(near):
            break  # the browser asks again
        found[session.id_of(row)] = {
            "words": explain_neighbours(neighbours, findings, session.dataset, row),
            "source": neighbours.source,
            "examples": [
                {
                    "id": session.id_of(each),
                    "given": int(findings.labels[each]),
                    "content": shown[each],
                }
                for each in near
            ],
        }
    return found
