"""The chart of the Benefit page: accuracy as more issues are removed (the paper's Figure 5)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import plotly.graph_objects as go

from curation.charts.plots import ACCENT, DARK_ACCENT, NEUTRAL, small_layout

Role = Literal["chosen", "other", "random", "decisions"]
ORANGE, DARK_ORANGE = "#b45309", "#f0a04b"
GREEN, DARK_GREEN = "#1a7f4b", "#5fc795"
SYMBOLS = ("square", "diamond", "triangle-up", "x")  # of the methods that are not chosen

LEAST_ROOM = 0.01  # above and below, where all accuracies are the same

# how far points are drawn aside, so that bars do not hide one another
ASIDE: dict[Role, float] = {"chosen": 0.0, "other": 0.0, "random": 0.012, "decisions": -0.012}


@dataclass(frozen=True)
class Line:
    """The accuracy of one way to clean, at each share of the issues; all but the name in shares."""

    name: str
    role: Role
    shares: Sequence[float]
    accuracies: Sequence[float]
    lows: Sequence[float]  # the ends of the intervals, around the accuracies
    highs: Sequence[float]


def accuracy_by_share(given: float, lines: Sequence[Line], *, dark: bool) -> go.Figure:
    """Return accuracy against the share of issues removed; `given` is that of the given labels.

    The chosen method, random examples and decisions have their intervals; the others are thin, so
    that they do not hide them.
    """
    figure = go.Figure()
    figure.add_hline(given, line={"color": NEUTRAL, "width": 1.5, "dash": "dot"})
    others = iter(SYMBOLS * len(lines))
    for line in sorted(lines, key=lambda each: each.role != "other"):
        symbol = next(others) if line.role == "other" else "circle"
        _draw(figure, given, line, symbol, dark)
    figure.update_layout(**small_layout() | {"height": 380}, hovermode="closest")
    figure.update_xaxes(
        title="share of the issues removed", tickformat=".0%", range=[-0.03, 1.04],
        tickvals=[0, 0.2, 0.4, 0.6, 0.8, 1], fixedrange=True, showgrid=False,
    )  # fmt: skip
    figure.update_yaxes(
        title="accuracy", tickformat=".1~%", fixedrange=True, nticks=7,
        range=_find_range(given, lines),
    )  # fmt: skip
    return figure


def _find_range(given: float, lines: Sequence[Line]) -> list[float]:
    """Return the ends of the accuracy axis: around all that is drawn, but no share beyond 0 or 1.

    An interval may reach beyond them, as intervals of differences do; it is cut at the edge.
    """
    barred = [line for line in lines if line.role != "other"]
    drawn = [given, *(each for line in lines for each in line.accuracies)]
    drawn += [each for line in barred for each in (*line.lows, *line.highs)]
    low, high = max(min(drawn), 0.0), min(max(drawn), 1.0)
    room = max(0.05 * (high - low), LEAST_ROOM)
    return [max(low - room, -room / 4), min(high + room, 1 + room / 4)]  # markers are not cut


def _draw(figure: go.Figure, given: float, line: Line, symbol: str, dark: bool) -> None:
    colour, dash, width = _style(line.role, dark)
    quiet = line.role == "other"
    bars = None if quiet else {
        "type": "data", "symmetric": False, "thickness": 1.2, "width": 4,
        "array": [0, *(h - a for h, a in zip(line.highs, line.accuracies, strict=True))],
        "arrayminus": [0, *(a - low for low, a in zip(line.lows, line.accuracies, strict=True))],
    }  # fmt: skip
    figure.add_scatter(
        x=[0, *(share + ASIDE[line.role] for share in line.shares)],
        y=[given, *line.accuracies], name=line.name, mode="lines+markers",
        line={"color": colour, "dash": dash, "width": width}, error_y=bars,
        marker={"size": 6 if quiet else 8, "symbol": symbol, "color": colour},
        opacity=0.65 if quiet else 1,
        customdata=[0, *line.shares],
        hovertemplate=f"{line.name}, %{{customdata:.0%}}: %{{y:.1%}}<extra></extra>",
    )  # fmt: skip


def _style(role: Role, dark: bool) -> tuple[str, str, float]:
    return {
        "chosen": (DARK_ACCENT if dark else ACCENT, "solid", 3.0),
        "other": (NEUTRAL, "solid", 1.2),
        "random": (DARK_ORANGE if dark else ORANGE, "dashdot", 2.2),
        "decisions": (DARK_GREEN if dark else GREEN, "solid", 2.6),
    }[role]
