"""Charts of the Quality page: errors found and ahead, and precision along the rank."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import plotly.graph_objects as go
from numpy.typing import NDArray

from curation.charts.plots import (
    ACCENT,
    DARK_ACCENT,
    DARK_SUSPECT,
    NEUTRAL,
    SUSPECT,
    small_layout,
)

LIGHT_BAND, DARK_BAND = "rgba(11,95,165,0.16)", "rgba(90,162,224,0.22)"


def errors_found(
    reviewed: NDArray[Any],
    found: NDArray[Any],
    ahead: NDArray[Any],
    expected: NDArray[Any],
    low: NDArray[Any],
    high: NDArray[Any],
    *,
    stop_at: int | None,
    dark: bool,
) -> go.Figure:
    """Return errors found against labels judged, the forecast ahead, and where to stop."""
    figure = go.Figure()
    if len(ahead):
        _draw_forecast(figure, ahead, expected, low, high, dark=dark)
    figure.add_scatter(
        x=reviewed, y=found, mode="lines", name="errors found",
        line={"color": DARK_SUSPECT if dark else SUSPECT, "width": 2.5, "shape": "hv"},
        hovertemplate="%{y:,} errors in %{x:,} labels<extra></extra>",
    )  # fmt: skip
    if stop_at is not None:
        figure.add_vline(stop_at, line={"color": NEUTRAL, "width": 1.5, "dash": "dash"})
        figure.add_annotation(
            x=stop_at, y=1, yref="paper", text="stop here", showarrow=False, xanchor="left",
            yanchor="top", xshift=5,
        )  # fmt: skip
    figure.update_layout(**small_layout())
    axis = {"fixedrange": True, "rangemode": "tozero", "tickformat": ","}
    figure.update_xaxes(title="labels judged", showgrid=False, **axis)
    figure.update_yaxes(title="errors found", nticks=6, **axis)
    return figure


def _draw_forecast(
    figure: go.Figure,
    ahead: NDArray[Any],
    expected: NDArray[Any],
    low: NDArray[Any],
    high: NDArray[Any],
    *,
    dark: bool,
) -> None:
    figure.add_scatter(
        x=[*ahead, *ahead[::-1]], y=[*high, *low[::-1]], fill="toself", mode="none",
        fillcolor=DARK_BAND if dark else LIGHT_BAND, name="95 % of forecasts",
        hoverinfo="skip",
    )  # fmt: skip
    figure.add_scatter(
        x=ahead, y=expected, mode="lines", name="forecast",
        line={"color": DARK_ACCENT if dark else ACCENT, "dash": "dot", "width": 2},
        hovertemplate="after %{x:,} labels: about %{y:,.0f} errors<extra></extra>",
    )  # fmt: skip


def precision_along_rank(
    names: Sequence[str],
    shares: Sequence[float | None],
    lows: Sequence[float],
    highs: Sequence[float],
    notes: Sequence[str],
    *,
    dark: bool,
) -> go.Figure:
    """Return the share of real errors in each block of the rank, with its interval."""
    shown = [place for place, share in enumerate(shares) if share is not None]
    values = [float(shares[place] or 0) for place in shown]
    figure = go.Figure()
    figure.add_scatter(
        x=[names[place] for place in shown], y=values, mode="markers",
        marker={"size": 9, "color": DARK_ACCENT if dark else ACCENT},
        error_y={
            "type": "data", "symmetric": False, "thickness": 1.5, "width": 4,
            "array": [highs[place] - value for place, value in zip(shown, values, strict=True)],
            "arrayminus": [value - lows[place] for place, value in zip(shown, values, strict=True)],
        },
        customdata=[notes[place] for place in shown],
        hovertemplate="%{customdata}<extra></extra>",
    )  # fmt: skip
    figure.update_layout(**small_layout(), showlegend=False)
    figure.update_xaxes(
        title="place among the flagged", type="category", fixedrange=True,
        categoryorder="array", categoryarray=list(names), range=[-0.6, len(names) - 0.4],
        showgrid=False,
    )  # fmt: skip
    figure.update_yaxes(
        title="wrong among those judged", range=[-0.03, 1.03], tickformat=".0%", fixedrange=True
    )
    return figure
