"""The reliability chart: how sure a model is, against how often the label is what it says."""

from __future__ import annotations

from typing import Any

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from curation.charts.plots import ACCENT, DARK_ACCENT, NEUTRAL, small_layout

SMALLEST, LARGEST = 6, 20  # pixels of a point


def reliability(
    examples: NDArray[Any], confidence: NDArray[Any], agreement: NDArray[Any], *, dark: bool
) -> go.Figure:
    """Return a point for each bin of confidence, larger for more examples; empty ones are left out.

    On the diagonal a model is as often right as it is sure; below it, it is too sure.
    """
    filled = examples > 0
    number = examples[filled]
    sizes = SMALLEST + (LARGEST - SMALLEST) * np.sqrt(number / max(int(number.max(initial=0)), 1))
    colour = DARK_ACCENT if dark else ACCENT
    figure = go.Figure()
    figure.add_scatter(
        x=[0, 1], y=[0, 1], mode="lines", hoverinfo="skip",
        line={"color": NEUTRAL, "width": 1.5, "dash": "dot"},
    )  # fmt: skip
    figure.add_scatter(
        x=confidence[filled], y=agreement[filled], mode="lines+markers", customdata=number,
        line={"color": colour, "width": 1.5}, marker={"size": sizes, "color": colour},
        hovertemplate="%{x:.0%} sure, %{y:.0%} have that label<br>%{customdata:,} examples"
        "<extra></extra>",
    )  # fmt: skip
    figure.update_layout(**small_layout() | {"height": 280, "showlegend": False})
    axis = {"range": [0, 1.03], "tickformat": ".0%", "fixedrange": True, "dtick": 0.25}
    figure.update_xaxes(title="how sure the model is", showgrid=False, **axis)
    figure.update_yaxes(title="have that label", **axis)
    return figure
