"""Finished arrays in, plotly figures out; nothing is computed here but where ink goes."""

from __future__ import annotations

import html
from collections.abc import Sequence
from typing import Any

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from curation.wording import shorten

ACCENT = "#0b5fa5"
SUSPECT = "#c44e00"  # flagged; orange and blue are told apart by every kind of colour vision
NEUTRAL = "#8a94a0"
NAME_LENGTH = 22


def margin_histogram(edges: NDArray[Any], quiet: NDArray[Any], flagged: NDArray[Any]) -> go.Figure:
    """Return the histogram of the normalized margin, the flagged part in its own colour."""
    centres, widths = (edges[:-1] + edges[1:]) / 2, np.diff(edges)
    figure = go.Figure()
    for name, counts, colour in (("flagged", flagged, SUSPECT), ("not flagged", quiet, NEUTRAL)):
        figure.add_bar(
            x=centres, y=counts, width=widths, name=name, marker_color=colour,
            hovertemplate=f"%{{y:,}} {name}<br>margin about %{{x:.2f}}<extra></extra>",
        )  # fmt: skip
    figure.update_layout(**_small_layout(), barmode="stack")
    figure.update_xaxes(title="normalized margin (low is suspect)", fixedrange=True)
    figure.update_yaxes(title="examples", fixedrange=True)
    return figure


def bars(names: Sequence[str], values: Sequence[float], hover: Sequence[str]) -> go.Figure:
    """Return horizontal bars, the first on top, each with its number."""
    figure = go.Figure(
        go.Bar(
            y=[html.escape(shorten(name, NAME_LENGTH)) for name in names],
            x=list(values),
            orientation="h",
            marker_color=ACCENT,
            text=[f"{value:,.0f}" for value in values],
            hovertext=[html.escape(each) for each in hover],
            hovertemplate="%{hovertext}<extra></extra>",
        )
    )
    figure.update_layout(**_small_layout())
    figure.update_yaxes(autorange="reversed", fixedrange=True)
    figure.update_xaxes(visible=False, fixedrange=True)
    return figure


def priors(names: Sequence[str], given: NDArray[Any], latent: NDArray[Any]) -> go.Figure:
    """Return each class's share as labelled and as estimated, side by side."""
    ticks = [html.escape(shorten(name, NAME_LENGTH)) for name in names]
    figure = go.Figure()
    for label, values, colour in (
        ("as labelled", given, NEUTRAL),
        ("as estimated", latent, ACCENT),
    ):
        figure.add_bar(
            x=list(range(len(names))), y=values, name=label, marker_color=colour,
            hovertext=[html.escape(name) for name in names],
            hovertemplate=f"%{{hovertext}}: %{{y:.2%}} {label}<extra></extra>",
        )  # fmt: skip
    figure.update_layout(**_small_layout(), barmode="group")
    figure.update_xaxes(
        tickvals=list(range(len(names))), ticktext=ticks, tickangle=-45, fixedrange=True
    )
    figure.update_yaxes(tickformat=".0%", fixedrange=True)
    return figure


def _small_layout() -> dict[str, Any]:
    return {
        "height": 280,
        "margin": {"l": 10, "r": 10, "t": 10, "b": 10},
        "legend": {"orientation": "h", "y": 1.12, "x": 0},
        "paper_bgcolor": "rgba(0,0,0,0)",
        "plot_bgcolor": "rgba(0,0,0,0)",
        "dragmode": False,
    }
