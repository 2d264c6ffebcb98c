"""Who visits a page, and what they may do: read from the ticket that the gate wrote."""

from __future__ import annotations

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

from curation.roles import NOBODY, Actor, Right
from curation.ui.server import tickets

KEPT_ACTOR = "visitor.actor"  # in the session


def current_actor() -> Actor:
    """Return who acts now: the visitor of this page, or the sender of a request by HTTP.

    Once a tab is closed its connection is gone, but what it sent before still has to be saved. So
    the visitor is kept in the session, which nobody else can enter.
    """
    if get_script_run_ctx(suppress_warning=True) is None:
        return tickets.asking.get()
    found = tickets.read(find_ticket())
    if found is not None:
        st.session_state[KEPT_ACTOR] = found
        return found
    kept: Actor = st.session_state.get(KEPT_ACTOR, NOBODY)
    return kept


def find_ticket() -> str | None:
    """Return the ticket of this page's connection; None if there is no connection."""
    return st.context.headers.get(tickets.HEADER)


def why_not(right: Right) -> str | None:
    """Return why the visitor may not do something, or None if they may."""
    return current_actor().why_not(right)


def require_visitor() -> None:
    """Stop the page if nobody let its visitor in."""
    actor = current_actor()
    if actor.role is not None and not actor.has_expired:
        return
    st.subheader("This page was not opened through its own server", anchor=False)
    st.write("Start the dashboard with `curate`, or with `streamlit run app.py`, and use its link.")
    st.stop()
