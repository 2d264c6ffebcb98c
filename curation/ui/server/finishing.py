"""Lets decisions that are being written finish when the server is stopped."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import streamlit as st

from curation.store.backend import finish_writes

LONGEST_SECONDS = 8.0  # whoever stops a server expects it to end within 10


@asynccontextmanager
async def finish_before_stopping(app: st.App) -> AsyncIterator[None]:
    """Run for as long as the server does; then wait for writes that have begun.

    What has not begun is not written: its page was not told that it is saved, and keeps it.
    """
    yield
    await asyncio.to_thread(finish_writes, LONGEST_SECONDS)
