"""The part of the review page that lives in the browser: its files, mounted as a component.

review.html   what is on screen, empty
review.css    how it looks, in the colours of the theme
main.js       the function that Streamlit calls; it imports the other modules
bundle.py     joins the modules into one, because Streamlit loads one
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import streamlit as st

from curation.ui.review.component.bundle import join_modules

FOLDER = Path(__file__).parent
KEY, WAKE = "review", "review-wake"


def _read(name: str) -> str:
    return (FOLDER / name).read_text(encoding="utf-8")


_component = st.components.v2.component(
    "curation_review",
    html=_read("review.html"),
    css=_read("review.css"),
    js=join_modules(FOLDER / "main.js"),
)


def show(data: dict[str, Any], on_message: Callable[[], None]) -> None:
    """Show the component; `on_message` runs when the browser has sent something."""
    _component(key=KEY, data=data, on_sent_change=on_message)


def last_message() -> dict[str, Any]:
    """Return what the browser sent last, empty before the first time."""
    state = st.session_state.get(KEY)
    sent = state.get("sent") if state is not None else None
    return dict(sent) if sent else {}
