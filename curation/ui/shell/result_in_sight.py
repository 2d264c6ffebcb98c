"""The result of opening a dataset is in sight, wherever the button was that opened it."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import streamlit as st

_OPENED = "result.number"  # in the session: how often something was opened


@cache
def _read_script() -> str:
    return Path(__file__).with_name("result_in_sight.js").read_text(encoding="utf-8")


def show_result() -> None:
    """Let the next run of the page be seen from its top."""
    st.session_state[_OPENED] = st.session_state.get(_OPENED, 0) + 1


def follow_results() -> None:
    """Scroll to the top once after something was opened; every page calls this."""
    number = int(st.session_state.get(_OPENED, 0))
    script = _read_script().replace("NUMBER", str(number))
    st.html(f"<script>{script}</script>", unsafe_allow_javascript=True)
