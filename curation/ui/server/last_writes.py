"""Lets decisions that are being written finish when the server is stopped."""

from __future__ import annotations

import asyncio

from curation.store.backend import finish_writes

LONGEST_SECONDS = 8.0  # whoever stops a server expects it to end within 10


async def finish_last_writes() -> None:
    """Wait for writes that have begun.

    What has not begun is not written: its page was not told that it is saved, and keeps it.
    """
    await asyncio.to_thread(finish_writes, LONGEST_SECONDS)
