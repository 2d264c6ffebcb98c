"""The examples around the one on screen: which they are, how they stand, and what is new."""

from __future__ import annotations

from concurrent.futures import wait

from curation.core.matrix import IntArray
from curation.review import review_queue
from curation.review.example_status import CODES, Codes
from curation.review.forecast import forecast
from curation.review.handing_out import count_taken, find_share
from curation.review.protocol import BrowserMessage, EnlargedPicture, Forecast, OneFields
from curation.review.review_queue import Step
from curation.ui.review.review_session import ReviewSession
from curation.ui.review.session_items import find_standing, make_item, make_strips
from curation.ui.review.session_near import find_near
from curation.ui.widgets.browser_content import ENLARGED_PIXELS, SCREEN_PIXELS, pictures

WAIT_SECONDS = 0.25  # for pictures; the rest comes with the next answer


def make_window(
    session: ReviewSession, message: BrowserMessage, rows: IntArray, linked: str | None
) -> OneFields:
    """Return the steps around the example on screen, how they stand, and new content.

    `linked` is the example that the page's address names.
    """
    outside = _find_outside(session, message, rows, linked)

    def choose(codes: Codes) -> tuple[int | None, list[Step], bool]:
        start = _find_start(session, message, rows, linked, codes) if len(rows) else None
        if start is None:
            return None, [], True
        ahead, whole = find_share(rows, codes, session.status, start)
        wanted = CODES[session.status]
        return start, review_queue.find_window(rows, codes, wanted, start, ahead=ahead), whole

    codes = session.hand_out(
        lambda codes: [step.row for step in choose(codes)[1]],
        is_new_list=message["queue"] != session.key,
    )
    start, steps, whole = choose(codes)
    if outside is not None:  # not in this queue: shown beside it
        steps = [Step(-1, outside, False), *steps]
    window = _make_empty(whole=whole, taken=count_taken(codes, rows) if whole else 0)
    if start is None and outside is None:
        return window
    here = steps[0].row if outside is not None or start is None else int(rows[start])
    ids = {step.row: session.id_of(step.row) for step in steps}
    window["start"] = ids[here]
    window["steps"] = [(ids[step.row], step.place, step.todo) for step in steps]
    window["standing"] = {each: find_standing(session, each) for each in ids.values()}
    window["forecast"] = None if start is None else _forecast(session, rows, start)
    window["large"] = _enlarge(session, message["large"])
    _add_content(session, message, window, steps, here)
    return window


def _make_empty(*, whole: bool, taken: int) -> OneFields:
    return {
        "view": "one",
        "start": None,
        "whole": whole,
        "taken": taken,
        "steps": [],
        "items": {},
        "standing": {},
        "strips": {},
        "near": {},
        "forecast": None,
        "large": None,
    }


def _add_content(
    session: ReviewSession,
    message: BrowserMessage,
    window: OneFields,
    steps: list[Step],
    here: int,
) -> None:
    """Add the content that the browser lacks, as far as it is ready."""
    is_current = session.is_current(message)
    present = set(message["items"]) if is_current else set()
    # What is on screen first, then what comes next, then what was before.
    around = [step.row for step in steps]
    place = around.index(here)
    lacking = [row for row in around[place:] + around[:place] if session.id_of(row) not in present]
    # The first answer brings one example, at once; the browser asks for more by itself.
    shown = session.show(
        lacking,
        SCREEN_PIXELS,
        WAIT_SECONDS if present else 0.0,
        stand_in=bool(lacking) and lacking[0] == here,
    )
    window["items"] = {
        session.id_of(row): make_item(session, row, content) for row, content in shown.items()
    }
    if present:
        window["strips"] = make_strips(session, steps, set(message["strips"]))
        window["near"] = find_near(session, around[place:], set(message["near"]))


def _enlarge(session: ReviewSession, example_id: str | None) -> EnlargedPicture | None:
    """Return the picture that is being enlarged, if it is ready in a moment."""
    row = session.find_row(example_id)
    if example_id is None or row is None or session.dataset.kind != "image":
        return None
    future = pictures().get(session.dataset, row, ENLARGED_PIXELS)
    wait([future], WAIT_SECONDS)
    if not future.done() or future.result()["kind"] == "waiting":
        return None
    return {"id": example_id, "content": future.result()}


def _forecast(session: ReviewSession, rows: IntArray, start: int) -> Forecast | None:
    """Return how many of the next examples are likely real errors, with the reason."""
    if session.status != "undecided" or not session.is_flagged:
        return None
    found = forecast(rows, session.codes, session.known, start)
    return None if found is None else {"words": found.summary, "why": found.why}


def _find_outside(
    session: ReviewSession, message: BrowserMessage, rows: IntArray, linked: str | None
) -> int | None:
    """Return the row on screen, or the one that the link names, if it is not in the queue."""
    is_here = message["queue"] == session.key and message["cursor"] is not None
    row = session.find_row(message["cursor"] if is_here else linked)
    return row if row is not None and review_queue.find_place(rows, row) is None else None


def _find_start(
    session: ReviewSession,
    message: BrowserMessage,
    rows: IntArray,
    linked: str | None,
    codes: Codes,
) -> int | None:
    """Return the place to show: where the browser is, else where the link says, else the next.

    None where nothing is left and nobody asked for a certain example.
    """
    is_same_queue = message["queue"] == session.key
    for example_id in (message["cursor"] if is_same_queue else None, linked):
        row = session.find_row(example_id)
        if row is not None:
            place = review_queue.find_place(rows, row, message["place"])
            if place is not None:
                return place
    if is_same_queue and 0 <= message["place"] < len(rows):
        return message["place"]
    ahead = review_queue.find_ahead(rows, codes, CODES[session.status], -1, 1)
    if ahead:
        return ahead[0]
    return None
