"""A page whose server was stopped and started again comes back by itself."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import streamlit as st


@cache
def _read_script() -> str:
    return Path(__file__).with_name("reconnection.js").read_text(encoding="utf-8")


def come_back() -> None:
    """Let the browser reload this page once a lost server answers again."""
    st.html(f"<script>{_read_script()}</script>", unsafe_allow_javascript=True)
