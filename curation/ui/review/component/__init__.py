"""The part of the review page that lives in the browser: its files, mounted as a component.

    review.html   what is on screen, empty
    review.css    how it looks, in the colours of the theme
    queue.js      what was decided and not yet answered, and which example comes next; no screen
    words.js      what is said, in words; no screen
    view.js       an example on the screen, keys and clicks
    grid.js       many examples on the screen
    notices.js    what is said around them: how far, whether all is saved, what went wrong
    main.js       brings them together; the function that Streamlit calls

The scripts are joined into one module, in this order.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import streamlit as st

FOLDER = Path(__file__).parent
SCRIPTS = ("queue.js", "words.js", "view.js", "grid.js", "notices.js", "main.js")
KEY, WAKE = "review", "review-wake"


def _read(*names: str) -> str:
    return "\n".join((FOLDER / name).read_text(encoding="utf-8") for name in names)


_component = st.components.v2.component(
    "curation_review", html=_read("review.html"), css=_read("review.css"), js=_read(*SCRIPTS)
)


def show(data: dict[str, Any], on_message: Callable[[], None]) -> None:
    """Show the component; `on_message` runs when the browser has sent something."""
    _component(key=KEY, data=data, on_sent_change=on_message)


def last_message() -> dict[str, Any]:
    """Return what the browser sent last, empty before the first time."""
    state = st.session_state.get(KEY)
    sent = state.get("sent") if state is not None else None
    return dict(sent) if sent else {}
