"""The curator's name: kept for the session, and by the browser for the next session."""

from __future__ import annotations

import getpass
from urllib.parse import quote, unquote

import streamlit as st

NAME_FIELD, KEPT_NAME = "widget.curator", "deciding.curator"  # in the session
COOKIE = "curation_curator"


def current_curator() -> str:
    """Return the curator's name, as the sidebar shows it."""
    return str(st.session_state[KEPT_NAME])


def show_curator() -> None:
    """Show the curator's name in the sidebar of every page."""
    current = _recall_curator()
    if st.session_state.get(NAME_FIELD) != current:
        st.session_state[NAME_FIELD] = current
    st.sidebar.text_input(
        "Curator", key=NAME_FIELD, max_chars=80,
        on_change=lambda: st.session_state.__setitem__(KEPT_NAME, typed_curator()),
        help="Saved with each decision. Undo only takes back your own decisions.",
    )  # fmt: skip
    with st.sidebar:
        _remember_curator(current)


def _recall_curator() -> str:
    """Return the name of this session, else of this browser, else of the server's user.

    A link may name a curator once. The name is then removed from the address, so that nobody
    who gets a copy of the link decides under that name.
    """
    linked = str(st.query_params.get("curator", "")).strip()
    if "curator" in st.query_params:
        del st.query_params["curator"]
    st.session_state[KEPT_NAME] = linked or st.session_state.get(KEPT_NAME) or _remembered_curator()
    return str(st.session_state[KEPT_NAME])


def _remembered_curator() -> str:
    return unquote(st.context.cookies.get(COOKIE, "")).strip() or _login_name()


def _remember_curator(name: str) -> None:
    """Let this browser keep a name for the next session, such as after a reload."""
    if name == _remembered_curator():
        return
    words = f"{COOKIE}={quote(name, safe='')};path=/;max-age=31536000;SameSite=Strict"
    st.html(f"<script>document.cookie = '{words}'</script>", unsafe_allow_javascript=True)


def typed_curator() -> str:
    """Return, in a callback, the name in the sidebar now; it may be newer than the kept one."""
    return str(st.session_state[NAME_FIELD]).strip() or _login_name()


def _login_name() -> str:
    try:
        return getpass.getuser()
    except (KeyError, OSError):  # a container may run as a user without a name
        return "curator"
