"""The review page: the filters, and the component that goes through the queue they ask for."""

from __future__ import annotations

from urllib.parse import urlencode

import streamlit as st

from curation.errors import FileChangedError, StoreError
from curation.paths import find_dashboard
from curation.review.handing_out import HANDED_OUT, Recipient
from curation.roles import Right
from curation.store import Store
from curation.ui.review import component
from curation.ui.review.curators_table import follow_curators
from curation.ui.review.feature_columns import find_waiting
from curation.ui.review.review_filters import FilterChoice, read_link, show_filters
from curation.ui.review.review_session import ReviewSession
from curation.ui.review.review_tab import QueueView, ReviewTab, open_tabs
from curation.ui.review.session_answer import PageLinks
from curation.ui.shell import curator_name, page_store
from curation.ui.shell.claimed_examples import note_recipient, release_noted
from curation.ui.shell.decision_progress import ledger_of
from curation.ui.shell.jobs import Job
from curation.ui.shell.polling import show_progress
from curation.ui.shell.setup import Frame
from curation.ui.shell.unavailable_page import show_changed
from curation.ui.shell.visitor import current_actor
from curation.ui.widgets.example_titles import chosen_column
from curation.ui.widgets.literal_text import show_error

TAB = "review.tab"  # in the session


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
    # Pressed by the browser if its messages cannot be answered: the page then says why, or opens
    # what is gone, as after the server was started again.
    st.button("Wake", key=component.WAKE)
    _show_queue(_make_session(frame, store, curator, choice), choice)


def _make_session(frame: Frame, store: Store, curator: str, choice: FilterChoice) -> ReviewSession:
    right = _needed_right(choice)
    closed = page_store.why_not(store, right)
    return ReviewSession(
        frame=frame,
        store=store,
        curator=curator,
        source=choice.source,
        filters=choice.filters,
        status=choice.status,
        everyone=choice.everyone and choice.status != "disputed",  # which nobody settles alone
        closed=closed,
        looking=current_actor().why_not(right) is not None,
        title_column=chosen_column(frame.dataset),
        recipient=_find_recipient(store, curator, choice) if closed is None else None,
    )


def _needed_right(choice: FilterChoice) -> Right:
    """Return the right that deciding in a queue needs: in a list of disputes, each is settled."""
    return Right.SETTLE if choice.status == "disputed" else Right.DECIDE


def _find_recipient(store: Store, curator: str, choice: FilterChoice) -> Recipient | None:
    """Return whom the list is handed out to, if each example of it goes to one curator."""
    if choice.everyone or choice.status not in HANDED_OUT:
        release_noted()
        return None
    return note_recipient(store, curator)


def _show_queue(session: ReviewSession, choice: FilterChoice) -> None:
    """Open the queue for this tab's messages, and show it; the browser sends them by itself."""
    try:
        drawing = _current_tab().draw(session, _read_view(session.frame, choice))
    except FileChangedError as error:
        show_changed(error, session.frame.source)
        st.caption("What is not saved yet is kept in this tab and saved once this works again.")
        return
    except StoreError as error:
        show_error(error)
        st.caption("What is not saved yet is kept in this tab and saved once this works again.")
        st.button("Try again", key="review-again")  # the store may have to be opened again
        return
    component.show(drawing)
    if choice.curators:
        follow_curators(session.frame, session.store)


def _current_tab() -> ReviewTab:
    """Return what the server keeps of this tab; a new one if somebody else has signed in."""
    tab, visitor = st.session_state.get(TAB), current_actor()
    if not isinstance(tab, ReviewTab) or not tab.belongs_to(visitor):
        tab = st.session_state[TAB] = open_tabs().open(visitor)
    return tab


def _read_view(frame: Frame, choice: FilterChoice) -> QueueView:
    return QueueView(
        view=choice.view,
        size=choice.size,
        live=choice.curators,
        linked=read_link().get("at"),
        page=_find_linked_page(),
        links=PageLinks(
            export=_find_link(frame, "Export"),
            quality=_find_link(frame, "Quality"),
            disputes=f"Review?{urlencode(frame.link(status='disputed'))}",
        ),
    )


def _find_linked_page() -> int:
    """Return the page of the grid that the link names; links count from 1."""
    text = st.query_params.get("page", "")
    return int(text) - 1 if text.isascii() and text.isdigit() and len(text) < 10 else 0


def _find_link(frame: Frame, page: str) -> str | None:
    pages = list((find_dashboard() / "pages").glob(f"*_{page}.py"))
    return f"{page}?{urlencode(frame.link())}" if pages else None
