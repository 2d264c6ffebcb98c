"""The true joint next to the estimated one: three maps side by side, for known true labels."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import plotly.graph_objects as go
from plotly.subplots import make_subplots

from curation.charts.colours import DARK, LIGHT, Ink, Theme
from curation.charts.heatmap_layout import (
    SHORT_NAME_LENGTH,
    Room,
    base_layout,
    find_every,
    in_plotly,
    make_axis,
    measure_name,
    shorten_names,
)
from curation.charts.heatmaps import MAX_NUMBERED_CLASSES, write_numbers
from curation.core.matrix import FloatArray

PANEL_PIXELS = 320  # height of each of the maps shown side by side
MIN_PANELS_PIXELS = 600  # width of all three together


def draw_comparison(
    actual: FloatArray, estimated: FloatArray, names: Sequence[str], *, dark: bool = False
) -> go.Figure:
    """Return three maps side by side: the true values, the estimates, and their difference.

    The first two share one colour scale, so that equal colours are equal values.
    """
    theme = DARK if dark else LIGHT
    panels = (
        ("true joint", actual),
        ("estimated joint", estimated),
        ("absolute difference", np.abs(actual - estimated)),
    )
    shared = max(float(actual.max()), float(estimated.max()))
    figure = make_subplots(
        1,
        3,
        shared_yaxes=True,
        horizontal_spacing=0.02,
        subplot_titles=[name for name, _ in panels],
    )
    numbers: list[dict[str, Any]] = []
    for column, (name, values) in enumerate(panels, start=1):
        largest = (float(values.max()) if column == len(panels) else shared) or 1.0
        figure.add_trace(_panel(values, names, name, theme, largest), 1, column)
        if len(names) <= MAX_NUMBERED_CLASSES:
            ink = Ink(values, 0, largest, [], [])
            numbers += write_numbers(
                values, ink, theme, "{:.1f}".format, size=10, panel=str(column)
            )
    (short,) = shorten_names(names, length=SHORT_NAME_LENGTH)
    room, columns = _panel_rooms(short)
    figure.update_xaxes(**make_axis(short, columns), tickangle=room.angle)
    figure.update_yaxes(**make_axis(short, room), range=[len(names) - 0.5, -0.5])
    figure.update_layout(
        **base_layout(theme), height=round(room.top + room.cell * len(names)) + 40,
        margin={"l": room.left, "r": 12, "t": 40, "b": room.top},
    )  # fmt: skip
    figure.update_annotations(font={"size": 14, "color": theme.text})
    figure.layout.annotations += tuple(go.layout.Annotation(each) for each in numbers)
    return figure


def _panel(
    values: FloatArray, names: Sequence[str], title: str, theme: Theme, largest: float
) -> go.Heatmap:
    safe = [in_plotly(name) for name in names]
    return go.Heatmap(
        z=values,
        zmin=0,
        zmax=largest,
        colorscale=theme.scale,
        showscale=False,
        xgap=1,
        ygap=1,
        hovertext=[
            [
                f"labelled {given}, truly {true}: {value:.3f}"
                for true, value in zip(safe, row, strict=True)
            ]
            for given, row in zip(safe, values, strict=True)
        ],
        hovertemplate=f"{title}<br>%{{hovertext}}<extra></extra>",
    )


def _panel_rooms(names: Sequence[str]) -> tuple[Room, Room]:
    """Return the room of the panels' rows and of their columns.

    Panels are as wide as the page allows, so names are chosen to fit a narrow page, where they
    must not run into each other. On a wide page there is more space between them.
    """
    font = 11 if len(names) <= 12 else 10 if len(names) <= 16 else 8
    along = max(measure_name(name, font) for name in names)
    left = round(along) + 16
    cell = min(60, PANEL_PIXELS / len(names))
    narrow = (MIN_PANELS_PIXELS - left) / 3 * 0.95 / len(names)
    angle = 0 if along <= narrow - 4 else -45 if narrow > 20 else -90
    rise = {0: font, -45: 0.72 * along + font, -90: along}[angle]
    rows = Room(left, round(rise) + 16, cell, font, angle, find_every(font, cell))
    return rows, replace(rows, every=find_every(font, narrow))
