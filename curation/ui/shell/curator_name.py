"""Who decides: one name per visitor, kept for the session, and by the browser for the next one.

Where people sign in, it is the name they signed in with, and cannot be changed here. Otherwise the
name is asked for once and kept in one place. It is never read from a widget, which forgets its
value when a page is left, and never from a link, which anybody can write. As long as it is not
known, nothing can be decided.
"""

from __future__ import annotations

import getpass
from urllib.parse import quote, unquote

import streamlit as st

from curation.ui.server.access_file import Oidc, find_access
from curation.ui.shell import state
from curation.ui.shell.visitor import current_actor
from curation.ui.widgets.literal_text import in_markdown
from curation.wording import shorten

KEPT_NAME = "deciding.curator"  # in the session
COOKIE = "curation_curator"
MAX_NAME_LENGTH = 80  # characters
MAX_SHOWN_LENGTH = 24  # of them, in the sidebar


def current_curator() -> str:
    """Return the visitor's name, or "" as long as it is not known."""
    if (signed_in := current_actor().name) is not None:
        return signed_in
    if not st.session_state.get(KEPT_NAME):
        st.session_state[KEPT_NAME] = _remembered_curator()
    return str(st.session_state[KEPT_NAME])


def show_curator() -> None:
    """Show in the sidebar who decides, with a way to change the name or sign out."""
    name = current_curator()
    if current_actor().name is not None:
        _show_signed_in(name)
        return
    label = in_markdown(shorten(name, MAX_SHOWN_LENGTH)) if name else "Who are you?"
    with st.sidebar:
        with st.popover(label, icon=":material/person:", width="stretch", key="curator"):
            _show_form("sidebar", name)
        _remember_curator(name)


def _show_signed_in(name: str) -> None:
    label = in_markdown(shorten(name, MAX_SHOWN_LENGTH))
    with st.sidebar, st.popover(label, icon=":material/person:", width="stretch", key="curator"):
        st.write(f"Signed in as **{in_markdown(name)}**, with the role {current_actor().role}.")
        access = find_access()
        if access is not None and isinstance(access.sign_in, Oidc):
            st.button("Sign out", key="sign-out", icon=":material/logout:", on_click=st.logout)


def ask_curator() -> bool:
    """Return whether the visitor's name is known; if not, ask for it."""
    if current_curator():
        return True
    with st.container(key="ask-curator", width=460):
        st.subheader("Who is deciding?", anchor=False)
        st.caption("Each decision is saved with a name. This browser remembers yours.")
        _show_form("page", "")
    return False


def _show_form(where: str, name: str) -> None:
    """Show a field for the name; nothing typed counts before it is sent."""
    field, login = f"curator-{where}", _find_login_name()
    with st.form(f"{field}-form", border=where == "page"):
        state.draw(
            st.text_input, "Your name", key=field, value=name,
            help="Others see who made a decision, and undo only takes back your own.",
        )  # fmt: skip
        with st.container(horizontal=True):
            st.form_submit_button(
                "Save" if name else "Continue", key=f"{field}-save", type="primary",
                on_click=lambda: _keep_curator(st.session_state[field]),
            )  # fmt: skip
            if login and not name:
                st.form_submit_button(
                    f"Continue as {in_markdown(login)}", key=f"{field}-login",
                    on_click=lambda: _keep_curator(login),
                )  # fmt: skip


def _keep_curator(typed: str) -> None:
    """Keep a name that was typed; an empty one changes nothing."""
    name = str(typed).strip()[:MAX_NAME_LENGTH]
    if name:
        st.session_state[KEPT_NAME] = name


def _remembered_curator() -> str:
    return unquote(st.context.cookies.get(COOKIE, "")).strip()[:MAX_NAME_LENGTH]


def _remember_curator(name: str) -> None:
    """Let this browser keep a name for the next session, such as after a reload."""
    if not name or name == _remembered_curator():
        return
    words = f"{COOKIE}={quote(name, safe='')};path=/;max-age=31536000;SameSite=Strict"
    st.html(f"<script>document.cookie = '{words}'</script>", unsafe_allow_javascript=True)


def _find_login_name() -> str:
    """Return the name of the server's user, as a suggestion; "" if there is none."""
    try:
        return getpass.getuser()
    except (KeyError, OSError):  # a container may run as a user without a name
        return ""
