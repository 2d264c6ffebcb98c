"""Finished arrays in, plotly figures out; only positions and colours are computed here."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from curation.charts.colours import DARK, LIGHT
from curation.charts.heatmap_layout import in_plotly
from curation.wording import shorten_apart

ACCENT = "#0b5fa5"
SUSPECT = "#c44e00"  # flagged; orange and blue differ in any kind of colour vision
NEUTRAL = "#8a94a0"
DARK_ACCENT, DARK_SUSPECT = "#5aa2e0", "#ff9142"
LIGHT_QUIET, DARK_QUIET = "#c3cad2", "#4a5562"  # for what should not draw attention
LIGHT_PARTS = ["#0b5fa5", "#85b4da", "#c44e00"]  # all agree, some agree, alone
DARK_PARTS = ["#5aa2e0", "#2a5f92", "#ff9142"]
NAME_LENGTH = 22


def margin_histogram(
    edges: NDArray[Any], every: NDArray[Any], flagged: NDArray[Any], *, log: bool, dark: bool
) -> go.Figure:
    """Return the histogram of the normalized margin, the flagged part in its own colour.

    The two overlap and are not stacked, so each can be read off the axis, even a logarithmic one,
    which is needed if one in a thousand is flagged.
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
    figure.update_layout(**small_layout(), barmode="overlay")
    figure.update_xaxes(
        title="normalized margin", range=[-1.02, 1.02], fixedrange=True, showgrid=False, dtick=0.5
    )
    figure.update_yaxes(title="examples", fixedrange=True, nticks=6, tickformat=",")
    if log:
        figure.update_yaxes(type="log", title="examples, log scale", dtick=1, rangemode="tozero")
        figure.update_yaxes(range=[-0.3, float(np.log10(max(every.max(), 10))) + 0.1])
    return figure


def agreement_bars(
    names: Sequence[str], parts: Sequence[tuple[str, Sequence[int]]], *, dark: bool
) -> go.Figure:
    """Return a bar per method, divided by how many others flag the same; the total at its end."""
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
    figure.update_layout(**small_layout(), barmode="stack", legend_traceorder="normal")
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
            hovertext=[in_plotly(name) for name in names],
            hovertemplate=f"%{{hovertext}}: %{{y:.2%}} {label}<extra></extra>",
        )  # fmt: skip
    figure.update_layout(**small_layout(), barmode="group", bargroupgap=0.05)
    figure.update_layout(bargap=0.35 if len(names) > 8 else 0.7)
    figure.update_xaxes(
        tickvals=list(range(len(names))),
        ticktext=[in_plotly(name) for name in shorten_apart(names, NAME_LENGTH)],
        tickangle=-35 if sum(map(len, names)) > 90 else 0,
        fixedrange=True,
        showgrid=False,
    )
    figure.update_yaxes(tickformat=".3~%", nticks=6)
    figure.update_yaxes(fixedrange=True, rangemode="tozero")
    return figure


def small_layout() -> dict[str, Any]:
    return {
        "height": 300,
        "margin": {"l": 10, "r": 10, "t": 10, "b": 10},
        "legend": {"orientation": "h", "y": 1.02, "yanchor": "bottom", "x": 0},
        "paper_bgcolor": "rgba(0,0,0,0)",
        "plot_bgcolor": "rgba(0,0,0,0)",
        "dragmode": False,
    }


def class_graph(
    names: Sequence[str],
    places: NDArray[Any],
    sizes: NDArray[Any],
    edges: NDArray[np.int64],
    weights: NDArray[Any],
    hover: Sequence[str],
    *,
    node_hover: Sequence[str],
    ids: Sequence[int],
    selected: tuple[int, int] | None = None,
    dark: bool = False,
) -> go.Figure:
    """Return classes as discs and their overlaps as lines, thicker for more examples.

    `edges` are pairs of places in `names`; `ids` are the classes behind them. A line cannot be
    clicked, so an invisible marker on its middle carries both classes as customdata; a disc
    carries its own class.
    """
    figure = go.Figure()
    strength = weights / max(float(weights.max(initial=0)), 1)
    for low, high, width in EDGE_WIDTHS:
        some = edges[(strength > low) & (strength <= high)]
        _draw_lines(figure, places, some, width, NEUTRAL, 0.35 + 0.5 * high)
    chosen = [edge for edge in edges if selected and {*_of(ids, edge)} == {*selected}]
    _draw_lines(figure, places, np.array(chosen, dtype=int).reshape(-1, 2), 6, SUSPECT, 1)
    _draw_discs(figure, names, places, sizes, node_hover, ids, selected, dark)
    _draw_targets(figure, places, edges, hover, ids)
    across, down = measure_graph(places)
    height = round(max(160, GRAPH_WIDTH * np.ptp(down) / np.ptp(across)))
    layout = {"height": height, "showlegend": False, "hovermode": "closest"}
    figure.update_layout(**small_layout() | layout, margin_t=28)  # for the names on top
    figure.update_xaxes(visible=False, fixedrange=True, range=across)
    figure.update_yaxes(visible=False, fixedrange=True, range=down)
    return figure


def measure_graph(places: NDArray[Any]) -> tuple[list[float], list[float]]:
    """Return the horizontal and vertical range of a graph, with room for names around it.

    >>> measure_graph(np.array([[0, 0], [7, 2]]))
    ([-0.55, 7.55], [-0.45, 2.45])
    """
    across = _widen(places[:, 0], 0.55, at_least=GRAPH_WIDTH / MAX_NEIGHBOUR_PIXELS)
    return across, _widen(places[:, 1], 0.45)


# Share of the largest overlap, from and to, and how thick its line is.
EDGE_WIDTHS = ((0, 0.1, 1.5), (0.1, 0.25, 2.5), (0.25, 0.5, 4.0), (0.5, 0.75, 5.5), (0.75, 1, 7.0))
GRAPH_WIDTH = 1000  # approximate, in pixels
MAX_NEIGHBOUR_PIXELS = 150  # between neighbours, even if there is room for more


def _of(ids: Sequence[int], edge: NDArray[np.int64]) -> tuple[int, int]:
    return ids[edge[0]], ids[edge[1]]


def _widen(values: NDArray[Any], by: float, at_least: float = 0) -> list[float]:
    low, high = float(values.min()) - by, float(values.max()) + by
    more = max(0.0, at_least - (high - low)) / 2
    return [low - more, high + more]


def _draw_lines(
    figure: go.Figure,
    places: NDArray[Any],
    edges: NDArray[np.int64],
    width: float,
    colour: str,
    opacity: float,
) -> None:
    ends = places[edges]
    gaps = np.full((len(edges), 1, 2), np.nan)
    points = np.concatenate([ends, gaps], axis=1).reshape(-1, 2)
    figure.add_scatter(
        x=points[:, 0], y=points[:, 1], mode="lines", hoverinfo="skip", opacity=opacity,
        line={"width": width, "color": colour},
    )  # fmt: skip


def _draw_targets(
    figure: go.Figure,
    places: NDArray[Any],
    edges: NDArray[np.int64],
    hover: Sequence[str],
    ids: Sequence[int],
) -> None:
    """Draw the invisible marker on the middle of each line, which can be clicked."""
    middles = places[edges].mean(axis=1) if len(edges) else np.empty((0, 2))
    figure.add_scatter(
        x=middles[:, 0], y=middles[:, 1], mode="markers", opacity=0,
        marker={"size": 22, "color": SUSPECT}, customdata=[_of(ids, edge) for edge in edges],
        hovertext=[in_plotly(each) for each in hover],
        hovertemplate="%{hovertext}<extra></extra>",
    )  # fmt: skip


def _draw_discs(
    figure: go.Figure,
    names: Sequence[str],
    places: NDArray[Any],
    sizes: NDArray[Any],
    hover: Sequence[str],
    ids: Sequence[int],
    selected: tuple[int, int] | None,
    dark: bool,
) -> None:
    theme = DARK if dark else LIGHT
    ground, ink, fill = theme.ground, theme.text, theme.scale[3] if dark else ACCENT
    apart = GRAPH_WIDTH / float(np.ptp(measure_graph(places)[0]))  # pixels between neighbours
    length = int(np.clip(apart / 6, 8, NAME_LENGTH))
    scale = float(np.clip(apart / 100, 0.5, 1))
    figure.add_scatter(
        x=places[:, 0], y=places[:, 1], mode="markers+text",
        text=[in_plotly(name) for name in shorten_apart(names, length)],
        textposition="top center", textfont={"size": 12 if apart > 90 else 10, "color": ink},
        marker={
            "size": scale * (9 + 17 * np.sqrt(sizes / max(float(sizes.max(initial=0)), 1))),
            "color": [SUSPECT if selected and each in selected else fill for each in ids],
            "line": {"width": 2, "color": ground}, "opacity": 1,
        },
        customdata=[(each,) for each in ids],
        hovertext=[in_plotly(each) for each in hover],
        hovertemplate="%{hovertext}<extra></extra>",
        unselected={"marker": {"opacity": 1}, "textfont": {"color": ink}},
    )  # fmt: skip
