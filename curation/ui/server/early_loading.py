"""Begins to load the command's dataset while the server starts and the browser opens.

A page would begin when it is first asked for, seconds later. It asks for the same job and finds
it under way or done.
"""

from __future__ import annotations

import threading

from curation.ui.shell.opening import begin_analysis


def load_early() -> threading.Thread:
    """Return the thread that loads; the server does not wait for it."""
    thread = threading.Thread(target=begin_analysis, daemon=True, name="curation-early-loading")
    thread.start()
    return thread
