"""The review page: the filters, and the component that goes through the queue they ask for."""

from __future__ import annotations

from contextlib import suppress
from urllib.parse import urlencode

import streamlit as st

from curation.core.matrix import IntArray
from curation.errors import FileChangedError, StoreError
from curation.paths import find_dashboard
from curation.review.handing_out import HANDED_OUT, Recipient
from curation.review.protocol import ServerAnswer
from curation.roles import Right
from curation.store import Store
from curation.ui.review import component
from curation.ui.review.curators_table import show_curators
from curation.ui.review.feature_columns import find_waiting
from curation.ui.review.review_filters import FilterChoice, read_link, show_filters
from curation.ui.review.review_session import ReviewSession
from curation.ui.review.session_answer import make_answer, make_grid
from curation.ui.review.session_decisions import carry_out_all
from curation.ui.review.session_window import make_window
from curation.ui.shell import curator_name, page_store
from curation.ui.shell.claimed_examples import note_recipient, release_noted
from curation.ui.shell.decision_progress import ledger_of
from curation.ui.shell.jobs import Job
from curation.ui.shell.polling import show_progress
from curation.ui.shell.setup import Frame
from curation.ui.shell.unavailable_page import show_changed
from curation.ui.widgets.literal_text import show_error

ANSWERS, SNAPSHOT = "review.answers", "review.snapshot"


def show(frame: Frame) -> None:
    """Show the filters and, below them, the queue they ask for."""
    with st.sidebar:  # where the store's notices do not push the example down
        store = page_store.current_store(frame)
    if store is None or not curator_name.ask_curator():
        st.stop()
    curator = curator_name.current_curator()
    ledger = ledger_of(store)
    ledger.catch_up()  # an audit may have been drawn since, or examples decided
    choice = show_filters(frame, ledger, curator)
    if isinstance(choice, Job):
        show_progress(choice)
    if not isinstance(choice, FilterChoice):
        return
    waiting = find_waiting(frame.dataset)
    if waiting is not None:
        show_progress(waiting)
        return
    closed = page_store.why_not(store, _needed_right(choice))
    session = ReviewSession(
        frame=frame,
        store=store,
        curator=curator,
        source=choice.source,
        filters=choice.filters,
        status=choice.status,
        everyone=choice.everyone and choice.status != "disputed",  # which nobody settles alone
        closed=closed,
        recipient=_find_recipient(store, curator, choice) if closed is None else None,
    )
    # Pressed by the browser: a server that was started again knows no fragment to run.
    st.button("Wake", key=component.WAKE)
    _show_queue(session, choice)


def _needed_right(choice: FilterChoice) -> Right:
    """Return the right that deciding in a queue needs: in a list of disputes, each is settled."""
    return Right.SETTLE if choice.status == "disputed" else Right.DECIDE


def _find_recipient(store: Store, curator: str, choice: FilterChoice) -> Recipient | None:
    """Return whom the list is handed out to, if each example of it goes to one curator."""
    if choice.everyone or choice.status not in HANDED_OUT:
        release_noted()
        return None
    return note_recipient(store, curator)


@st.fragment
def _show_queue(session: ReviewSession, choice: FilterChoice) -> None:
    """Answer the browser's last message; runs again, alone, at each message."""
    try:
        rows = _keep_rows(session)
        _save(session, rows)  # after a reconnection no callback runs, but the message is there
        session.dataset.check_unchanged()
        answer = _answer(session, choice, rows)
    except FileChangedError as error:
        show_changed(error, session.frame.source)
        st.caption("What is not saved yet is kept in this tab and saved once this works again.")
        return
    except StoreError as error:
        show_error(error)
        st.caption("What is not saved yet is kept in this tab and saved once this works again.")
        if st.button("Try again", key="review-again"):
            st.rerun(scope="app")  # the store may have to be opened again
        return

    def save() -> None:
        # A callback: nothing of Streamlit's is shown before everything is written.
        with suppress(
            StoreError, FileChangedError
        ):  # the run that follows meets it again, and says so
            _save(session, rows)

    component.show(answer, save)
    if choice.curators:
        show_curators(session.frame, session.store)  # here, so that it is drawn at each message


def _save(session: ReviewSession, rows: IntArray) -> None:
    message = component.last_message()
    if message["store"] != session.store_key:  # decided in another store, or under another name
        return
    known = st.session_state.get(ANSWERS, {})
    st.session_state[ANSWERS] = carry_out_all(session, message["operations"], known, rows)


def _answer(session: ReviewSession, choice: FilterChoice, rows: IntArray) -> ServerAnswer:
    message = component.last_message()
    linked = read_link().get("at")
    if message["queue"] != session.key or message["page"] is None:  # not a page of this queue
        message["page"] = _find_linked_page()
    answers = st.session_state.get(ANSWERS, {})
    export, quality = (_find_link(session.frame, page) for page in ("Export", "Quality"))
    answer = make_answer(session, message, answers, rows, export, quality)
    answer["live"] = choice.curators
    if choice.view == "grid" and session.status != "disputed":  # a dispute is settled one by one
        return {**answer, **make_grid(session, message, rows, choice.size)}
    return {**answer, **make_window(session, message, rows, linked)}


def _find_linked_page() -> int:
    """Return the page of the grid that the link names; links count from 1."""
    text = st.query_params.get("page", "")
    return int(text) - 1 if text.isascii() and text.isdigit() and len(text) < 10 else 0


def _find_link(frame: Frame, page: str) -> str | None:
    pages = list((find_dashboard() / "pages").glob(f"*_{page}.py"))
    return f"{page}?{urlencode(frame.link())}" if pages else None


def _keep_rows(session: ReviewSession) -> IntArray:
    """Return the queue's rows; those with a certain status stay listed while they are decided."""
    kept = st.session_state.get(SNAPSHOT)
    if kept is None or kept[0] != session.key or kept[1] is not session.frame.findings:
        kept = (session.key, session.frame.findings, session.find_rows())
        st.session_state[SNAPSHOT] = kept
    rows: IntArray = kept[2]
    return rows
