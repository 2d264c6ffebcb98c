"""A page that is drawn again when somebody decides something elsewhere.

The browser asks now and then, and only a part of the page that nobody sees runs for it. A part that
runs by itself could answer after its page was left, which the browser cannot draw.
"""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from curation.errors import StoreError
from curation.store import Store
from curation.ui.shell.decision_progress import ledger_of

_component = st.components.v2.component(
    "curation_news_watch",
    js=Path(__file__).with_name("news_watch.js").read_text(encoding="utf-8"),
)


def follow_decisions(store: Store) -> None:
    """Draw the page again once the log has grown; a page calls this after it has read the log."""
    _watch(store, ledger_of(store).last)


@st.fragment
def _watch(store: Store, drawn: int) -> None:
    ledger = ledger_of(store)
    try:
        ledger.catch_up()
    except StoreError:
        return  # the page says so when it is drawn next
    if ledger.last != drawn:
        st.rerun()
    ask_again("news-watch")


def ask_again(key: str) -> None:
    """Have the browser run this fragment again after a while, as long as the page is open."""
    _component(key=key, on_asked_change=lambda: None)
