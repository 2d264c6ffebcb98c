"""Begins to load the command's dataset while the server starts and the browser opens.

A page would begin when it is first asked for, seconds later. It asks for the same job and finds
it under way or done.
"""

from __future__ import annotations

import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import streamlit as st

from curation.ui.shell.opening import begin_analysis


@asynccontextmanager
async def load_early(app: st.App) -> AsyncIterator[None]:
    """Run for as long as the server does; nothing waits for the dataset here."""
    threading.Thread(target=begin_analysis, daemon=True, name="curation-early-loading").start()
    yield
