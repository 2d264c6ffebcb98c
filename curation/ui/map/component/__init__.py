"""The part of the Map page that runs in the browser: points on a canvas, and a lasso.

    scatter.html, scatter.css  what is on screen, still empty, and how it looks
    scatter_main.js            the function that Streamlit calls
    scatter_view.js            draws the points, zooms and moves, and reports what was outlined
    scatter_data.js            the points as they come from Python
    outlines.js                an outline with few points

Points come as bytes: the length of a text in JSON, that text, then the columns and rows as two
bytes each, and the colours as one.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import streamlit as st
from numpy.typing import NDArray

from curation.ui.review.component.bundle import make_component

FOLDER = Path(__file__).parent
KEY = "map-points"


_component = make_component("curation_map", FOLDER, "scatter", "scatter_main.js")


def pack_points(
    places: NDArray[np.uint16], colours: NDArray[np.uint8], about: Mapping[str, Any]
) -> bytes:
    """Return points as the browser reads them: five bytes each, after a text in JSON."""
    text = json.dumps(about).encode()
    text += b" " * (-len(text) % 4)  # so that numbers of two bytes start at an even place
    head = np.array([len(text)], "<u4").tobytes()
    columns, rows = (places[:, axis].astype("<u2").tobytes() for axis in (0, 1))
    return b"".join([head, text, columns, rows, colours.tobytes()])


def show(points: bytes, on_outline: Callable[[], None]) -> None:
    """Show the points; `on_outline` runs when somebody has drawn or cleared an outline."""
    _component(key=KEY, data=points, on_outline_change=on_outline)


def last_outline() -> object:
    """Return the points of the outline that was drawn last, unchecked; None if it was cleared."""
    kept = st.session_state.get(KEY)
    sent = kept.get("outline") if kept is not None else None
    return sent.get("points") if isinstance(sent, dict) else None
