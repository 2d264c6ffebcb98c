"""A heatmap that reports which cell was clicked, and saves itself as a picture."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any

import plotly.graph_objects as go
import streamlit as st

PICTURE_SCALE = 3  # pixels of the saved picture per pixel on screen, for print


def show_heatmap(
    figure: go.Figure,
    *,
    key: str,
    alt: str,
    file_name: str,
    on_click: Callable[[Sequence[int] | None], None] | None = None,
) -> None:
    """Show a heatmap; `on_click` gets the target of the cell that was clicked.

    It gets None if that cell was marked already: plotly then removes the mark.
    """
    options: dict[str, Any] = {}
    if on_click:
        options = {"on_select": lambda: _report(key, on_click), "selection_mode": ["points"]}
    st.plotly_chart(
        figure, key=key, theme=None, alt=alt, config=picture_config(file_name), **options
    )


def picture_config(file_name: str) -> dict[str, Any]:
    """Return plotly's settings: one button, which saves the figure as a picture."""
    plain = re.sub(r"[^\w-]+", "-", file_name).strip("-")[:80] or "heatmap"
    return {
        "displaylogo": False,
        "displayModeBar": True,
        "modeBarButtons": [["toImage"]],
        "toImageButtonOptions": {"format": "png", "filename": plain, "scale": PICTURE_SCALE},
    }


def _report(key: str, on_click: Callable[[Sequence[int] | None], None]) -> None:
    points = st.session_state[key]["selection"]["points"]
    on_click(read_target(points[0]) if points else None)


def read_target(point: dict[str, Any]) -> Sequence[int]:
    """Return the two numbers that a point carries.

    >>> read_target({"customdata": {"0": 3, "1": 5}}), read_target({"customdata": [3, 5]})
    ([3, 5], [3, 5])
    """
    data = point["customdata"]
    return [int(data[key]) for key in ("0", "1")] if isinstance(data, dict) else list(data)
