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
DARK_ACCENT, DARK_SUSPECT = "#5aa2e0", "#ff9142"
LIGHT_QUIET, DARK_QUIET = "#c3cad2", "#4a5562"  # what the eye may pass over
LIGHT_PARTS = ["#0b5fa5", "#85b4da", "#c44e00"]  # all agree, some agree, alone
DARK_PARTS = ["#5aa2e0", "#2a5f92", "#ff9142"]
NAME_LENGTH = 22


def margin_histogram(
    edges: NDArray[Any], every: NDArray[Any], flagged: NDArray[Any], *, log: bool, dark: bool
) -> go.Figure:
    """Return the histogram of the normalized margin, the flagged part in its own colour.

    The two lie in front of one another and not on top: so each can be read off the axis, also
    where it is logarithmic, as it must be where one in a thousand is flagged.
    """
    centres, widths = (edges[:-1] + edges[1:]) / 2, np.diff(edges)
    figure = go.Figure()
    for name, counts, colour in (
        ("all examples", every, DARK_QUIET if dark else LIGHT_QUIET),
        ("flagged", flagged, DARK_SUSPECT if dark else SUSPECT),
    ):
        figure.add_bar(
            x=centres, y=np.where(counts > 0, counts, np.nan), width=0.9 * widths, name=name,
            marker_color=colour, marker_line_width=0, customdata=counts,
            hovertemplate=f"%{{customdata:,}} {name}<br>margin about %{{x:.2f}}<extra></extra>",
        )  # fmt: skip
    figure.add_vline(0, line={"color": NEUTRAL, "width": 1, "dash": "dot"})
    figure.update_layout(**_small_layout(), barmode="overlay")
    figure.update_xaxes(
        title="normalized margin", range=[-1.02, 1.02], fixedrange=True, showgrid=False, dtick=0.5
    )
    figure.update_yaxes(title="examples", fixedrange=True, nticks=6)
    if log:
        figure.update_yaxes(type="log", title="examples, log scale", dtick=1, rangemode="tozero")
        figure.update_yaxes(range=[-0.3, float(np.log10(max(every.max(), 10))) + 0.1])
    return figure


def agreement_bars(
    names: Sequence[str], parts: Sequence[tuple[str, Sequence[int]]], *, dark: bool
) -> go.Figure:
    """Return a bar a method, divided by how many others flag the same; the total at its end."""
    figure = go.Figure()
    colours = DARK_PARTS if dark else LIGHT_PARTS
    for (label, values), colour in zip(parts, colours, strict=True):
        figure.add_bar(
            y=list(names), x=list(values), name=label, orientation="h",
            marker_color=colour, marker_line_width=0, width=0.62,
            hovertemplate=f"%{{y}}: %{{x:,}} {label}<extra></extra>",
        )  # fmt: skip
    totals = [sum(each) for each in zip(*(values for _, values in parts), strict=True)]
    figure.add_scatter(
        y=list(names), x=totals, mode="text", text=[f" {total:,}" for total in totals],
        textposition="middle right", showlegend=False, hoverinfo="skip", cliponaxis=False,
    )  # fmt: skip
    figure.update_layout(**_small_layout(), barmode="stack", legend_traceorder="normal")
    figure.update_yaxes(autorange="reversed", fixedrange=True, showgrid=False)
    figure.update_xaxes(visible=False, fixedrange=True, range=[0, 1.18 * max(*totals, 1)])
    return figure


def priors(
    names: Sequence[str], given: NDArray[Any], latent: NDArray[Any], *, dark: bool
) -> go.Figure:
    """Return each class's share as labelled and as estimated, side by side."""
    figure = go.Figure()
    for label, values, colour in (
        ("as labelled", given, DARK_QUIET if dark else LIGHT_QUIET),
        ("as estimated", latent, DARK_ACCENT if dark else ACCENT),
    ):
        figure.add_bar(
            x=list(range(len(names))), y=values, name=label,
            marker_color=colour, marker_line_width=0,
            hovertext=[html.escape(name) for name in names],
            hovertemplate=f"%{{hovertext}}: %{{y:.2%}} {label}<extra></extra>",
        )  # fmt: skip
    figure.update_layout(**_small_layout(), barmode="group", bargroupgap=0.05)
    figure.update_layout(bargap=0.35 if len(names) > 8 else 0.7)
    figure.update_xaxes(
        tickvals=list(range(len(names))),
        ticktext=[html.escape(shorten(name, NAME_LENGTH)) for name in names],
        tickangle=-35 if sum(map(len, names)) > 90 else 0,
        fixedrange=True,
        showgrid=False,
    )
    figure.update_yaxes(tickformat=".3~%", nticks=6)
    figure.update_yaxes(fixedrange=True, rangemode="tozero")
    return figure


def _small_layout() -> dict[str, Any]:
    return {
        "height": 300,
        "margin": {"l": 10, "r": 10, "t": 10, "b": 10},
        "legend": {"orientation": "h", "y": 1.02, "yanchor": "bottom", "x": 0},
        "paper_bgcolor": "rgba(0,0,0,0)",
        "plot_bgcolor": "rgba(0,0,0,0)",
        "dragmode": False,
    }
