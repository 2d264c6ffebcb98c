"""The review page: the filters, and the component that goes through the queue they ask for."""

from __future__ import annotations

from contextlib import suppress
from urllib.parse import urlencode

import streamlit as st

from curation.core.matrix import IntArray
from curation.errors import StoreError
from curation.paths import find_dashboard
from curation.review.protocol import ServerAnswer
from curation.ui.review import component
from curation.ui.review.curators_table import show_curators
from curation.ui.review.review_filters import FilterChoice, show_filters
from curation.ui.review.review_session import ReviewSession
from curation.ui.review.session_answer import make_answer, make_grid
from curation.ui.review.session_decisions import carry_out_all
from curation.ui.review.session_window import make_window
from curation.ui.shell import curator_name, page_store
from curation.ui.shell.setup import Frame
from curation.ui.widgets.literal_text import show_error

ANSWERS, SNAPSHOT = "review.answers", "review.snapshot"


def show(frame: Frame) -> None:
    """Show the filters and, below them, the queue they ask for."""
    with st.sidebar:  # where the store's notices do not push the example down
        store = page_store.current_store(frame)
    curator = curator_name.current_curator()
    if store is None:
        st.stop()
    choice = show_filters(frame)
    session = ReviewSession(
        frame=frame,
        store=store,
        curator=curator,
        filters=choice.filters,
        search=choice.search,
        status=choice.status,
        everyone=choice.everyone,
        first=st.query_params.get("id"),
        closed=page_store.why_not(store),
    )
    # Pressed by the browser: a server that was started again knows no fragment to run.
    st.button("Wake", key=component.WAKE)
    _show_queue(session, choice)
    if choice.curators:
        show_curators(frame, store)


@st.fragment
def _show_queue(session: ReviewSession, choice: FilterChoice) -> None:
    """Answer the browser's last message; runs again, alone, at each message."""
    try:
        rows = _keep_rows(session)
        _save(session, rows)  # after a reconnection no callback runs, but the message is there
        answer = _answer(session, choice, rows)
    except StoreError as error:
        show_error(error)
        st.caption("What is not saved yet is kept in this tab and saved once this works again.")
        if st.button("Try again", key="review-again"):
            st.rerun(scope="app")  # the store may have to be opened again
        return

    def save() -> None:
        # A callback: nothing of Streamlit's is shown before everything is written.
        with suppress(StoreError):  # the run that follows meets it again, and says so
            _save(session, rows)

    component.show(answer, save)


def _save(session: ReviewSession, rows: IntArray) -> None:
    message = component.last_message()
    if message["store"] != session.store_key:  # decided in another store, or under another name
        return
    known = st.session_state.get(ANSWERS, {})
    st.session_state[ANSWERS] = carry_out_all(session, message["operations"], known, rows)


def _answer(session: ReviewSession, choice: FilterChoice, rows: IntArray) -> ServerAnswer:
    message = component.last_message()
    if message["queue"] != session.key or message["page"] is None:  # not a page of this queue
        message["page"] = _find_linked_page()
    answers = st.session_state.get(ANSWERS, {})
    answer = make_answer(session, message, answers, rows, _find_export_link(session.frame))
    if choice.view == "grid":
        return {**answer, **make_grid(session, message, rows, choice.size)}
    return {**answer, **make_window(session, message, rows, st.query_params.get("at"))}


def _find_linked_page() -> int:
    """Return the page of the grid that the link names; links count from 1."""
    text = st.query_params.get("page", "")
    return int(text) - 1 if text.isascii() and text.isdigit() and len(text) < 10 else 0


def _find_export_link(frame: Frame) -> str | None:
    pages = list((find_dashboard() / "pages").glob("*_Export.py"))
    return f"Export?{urlencode(frame.link())}" if pages else None


def _keep_rows(session: ReviewSession) -> IntArray:
    """Return the queue's rows; those with a certain status stay listed while they are decided."""
    kept = st.session_state.get(SNAPSHOT)
    if kept is None or kept[0] != session.key or kept[1] is not session.frame.findings:
        kept = (session.key, session.frame.findings, session.find_rows())
        st.session_state[SNAPSHOT] = kept
    rows: IntArray = kept[2]
    return rows
