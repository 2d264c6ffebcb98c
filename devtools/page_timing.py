"""Times of whole pages in a new browser, beside those of a bare Streamlit page."""

from __future__ import annotations

import statistics
import tempfile
import time
from pathlib import Path
from typing import Any

from devtools.serving import ROOT, Server, name_curator, wait_until_drawn

VIEWPORT = {"width": 1440, "height": 900}
OPENINGS = 3
BARE = """
import plotly.graph_objects as go
import streamlit as st

st.title("Bare")
st.plotly_chart(go.Figure(go.Heatmap(z=[[1, 2], [3, 4]])))
"""
DRAW_TIMEOUT_MS = 600_000  # opening the largest dataset for the first time reads five gigabytes


def find_pages() -> list[str]:
    """Return the pages by the names in their links; the first is overview.py."""
    return ["", *(path.stem.split("_", 1)[1] for path in sorted((ROOT / "pages").glob("*.py")))]


def open_link(browser: Any, url: str) -> tuple[float, int]:
    """Return seconds until a page is drawn in a new browser, and the bytes it received."""
    page = browser.new_page(viewport=VIEWPORT)
    name_curator(page.context, "bench")
    received = 0

    def count(frame: Any) -> None:
        nonlocal received
        received += len(frame)

    page.on("websocket", lambda socket: socket.on("framereceived", count))
    start = time.perf_counter()
    page.goto(url)
    wait_until_drawn(page, DRAW_TIMEOUT_MS)
    wait_until_painted(page)
    seconds = time.perf_counter() - start
    page.close()
    return seconds, received


def wait_until_painted(page: Any) -> None:
    page.evaluate("() => new Promise(done => requestAnimationFrame(() => setTimeout(done)))")


def measure_bare(browser: Any) -> float:
    """Return what a new browser needs for Streamlit and plotly alone."""
    with tempfile.TemporaryDirectory() as name:
        app = Path(name) / "bare.py"
        app.write_text(BARE)
        with Server(None, Path(name) / "server.log", app=str(app)) as server:
            return statistics.median(open_link(browser, server.url())[0] for _ in range(OPENINGS))
