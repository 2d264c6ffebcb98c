"""Heatmaps of classes by classes: finished arrays in, plotly figures out."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import plotly.graph_objects as go

from curation.charts.colours import DARK, LIGHT, Ink, Theme, ink_values
from curation.charts.heatmap_layout import (
    WIDTH,
    Room,
    base_layout,
    find_room,
    in_plotly,
    make_axis,
    shorten_names,
)
from curation.core.matrix import FloatArray, IntArray

MAX_NUMBERED_CLASSES = 13  # up to this many classes, each cell shows its number
MAX_GAPPED_CLASSES = 61  # up to this many, a thin line separates the cells


@dataclass(frozen=True, eq=False)
class Change:
    """What a map is compared with: the values before, and the differences to mark.

    `by` is 0 for a cell that is not marked. `write` formats a difference, including its arrow.
    """

    before: FloatArray
    by: FloatArray
    write: Callable[[float], str]


def heatmap(
    values: FloatArray,
    row_names: Sequence[str],
    column_names: Sequence[str],
    hover: Sequence[Sequence[str]],
    targets: IntArray,
    *,
    write: Callable[[float], str],
    row_title: str = "given label",
    column_title: str = "true label, as estimated",
    bar_title: str = "examples",
    title: str = "",
    log: bool = False,
    diverging: bool = False,
    dark: bool = False,
    chosen: tuple[int, int] | None = None,
    hover_note: str = "",
    change: Change | None = None,
    scale: FloatArray | None = None,
) -> go.Figure:
    """Return a heatmap whose cells can be clicked; rows from the top, NaN left blank.

    A plotly heatmap reports no click, so each cell has an invisible point on it. It carries the
    hover sentence, which is HTML, and the cell's `targets` as customdata. `write` formats a
    number; `hover_note` follows every sentence. With a `change`, colours are those of the map
    before, and cells that differ are marked: with the difference if there is room, otherwise with
    an arrow. `scale` are the values that set the colours, if not all do. `title` is plain text,
    for the saved picture.
    """
    theme = DARK if dark else LIGHT
    scale = change.before if change and scale is None else scale
    ink = ink_values(values, log=log, diverging=diverging, write=write, scale=scale)
    row_names, column_names = shorten_names(row_names, column_names)
    room = find_room(row_names, column_names)
    figure = go.Figure(_ink_trace(ink, theme, bar_title, diverging=diverging))
    figure.layout.annotations = _write_titles(row_title, column_title, room, theme)
    if max(values.shape) <= MAX_NUMBERED_CLASSES:
        figure.layout.annotations += tuple(
            go.layout.Annotation(each)
            for each in write_numbers(values, ink, theme, write, change=change)
        )
    elif change:
        figure.add_traces([_arrow_trace(change.by, up, room, theme) for up in (True, False)])
    figure.add_trace(_target_trace(hover, targets, room, theme, hover_note, chosen))
    _lay_out(figure, row_names, column_names, title, room, theme)
    return figure


def _lay_out(
    figure: go.Figure,
    row_names: Sequence[str],
    column_names: Sequence[str],
    title: str,
    room: Room,
    theme: Theme,
) -> None:
    """Give a heatmap its names, its title and its size."""
    figure.update_xaxes(
        **make_axis(column_names, room), range=[-0.5, len(column_names) - 0.5],
        side="top", tickangle=room.angle,
    )  # fmt: skip
    figure.update_yaxes(**make_axis(row_names, room), range=[len(row_names) - 0.5, -0.5])
    width = room.cell * len(column_names)
    figure.update_layout(
        **base_layout(theme),
        title={
            "text": in_plotly(title), "font": {"size": 14}, "x": 0,
            "xanchor": "left", "y": 1, "yanchor": "top", "pad": {"l": 4, "t": 8},
        },
        height=room.height(len(row_names)),
        margin={"l": room.left, "t": room.top, "r": round(WIDTH - room.left - width), "b": 12},
    )  # fmt: skip


def _write_titles(
    row_title: str, column_title: str, room: Room, theme: Theme
) -> list[dict[str, Any]]:
    """Return what rows and columns are, along the edges of the figure.

    They are not axis titles: plotly places those close to the names on the screen, and in a saved
    picture, which has another font, the names would run into them.
    """
    shared = {
        "xref": "paper", "yref": "paper", "xanchor": "center", "yanchor": "middle",
        "showarrow": False, "font": {"size": 13, "color": theme.faint},
    }  # fmt: skip
    above = {"text": column_title, "x": 0.5, "y": 1, "yshift": room.top - 34}
    left = {"text": row_title, "x": 0, "y": 0.5, "xshift": 10 - room.left, "textangle": -90}
    return [above | shared, left | shared]


def _ink_trace(ink: Ink, theme: Theme, bar_title: str, *, diverging: bool) -> go.Heatmap:
    gap = 1 if max(ink.shown.shape) <= MAX_GAPPED_CLASSES else 0
    return go.Heatmap(
        z=ink.shown.astype(np.float32),
        zmin=ink.low,
        zmax=ink.high,
        colorscale=theme.diverging if diverging else theme.scale,
        colorbar={
            "thickness": 9, "len": 0.55, "y": 1, "yanchor": "top", "x": 1.015, "outlinewidth": 0,
            "tickvals": ink.ticks, "ticktext": ink.words, "ticks": "",
            "tickfont": {"size": 11, "color": theme.faint},
            "title": {"text": bar_title, "side": "top", "font": {"size": 11, "color": theme.faint}},
        },
        showscale=len(ink.ticks) > 1,  # an empty map needs no colour bar
        hoverinfo="skip",
        xgap=gap,
        ygap=gap,
    )  # fmt: skip


def write_numbers(
    values: FloatArray, ink: Ink, theme: Theme, write: Callable[[float], str], *,
    size: int = 12, panel: str = "", change: Change | None = None,
) -> list[dict[str, Any]]:  # fmt: skip
    """Return the cells' numbers, each dark or light to suit the colour behind it.

    They are annotations: plotly would fade a trace of text when a cell is chosen.
    """
    changed = change.by if change else np.zeros_like(values)
    rows, columns = np.nonzero(~np.isnan(values) & ((values != 0) | (changed != 0)))
    strength = np.abs(ink.shown[rows, columns]) / ink.high

    def text(row: int, column: int) -> str:
        number = write(float(values[row, column]))
        if change is None or not change.by[row, column]:
            return number
        difference = change.write(float(change.by[row, column]))
        return f"{number}<br><span style='font-size:11px'>{difference}</span>"

    return [
        {
            "x": int(column), "y": int(row), "xref": f"x{panel}", "yref": f"y{panel}",
            "text": text(int(row), int(column)), "showarrow": False,
            "font": {"size": size, "color": theme.ground if much > theme.half else theme.text},
        }
        for row, column, much in zip(rows, columns, strength, strict=True)
    ]  # fmt: skip


def _arrow_trace(by: FloatArray, up: bool, room: Room, theme: Theme) -> go.Scattergl:
    """Return an arrow in the corner of each cell that grew, or that shrank."""
    rows, columns = np.nonzero(by > 0 if up else by < 0)
    size = min(max(0.6 * room.cell, 5), 10)
    corner = max(0.5 - (size / 2 + 2) / room.cell, 0)  # in small cells, the middle
    return go.Scattergl(
        x=(columns + corner).astype(np.float32),
        y=(rows - corner).astype(np.float32),
        mode="markers",
        marker={
            "symbol": "triangle-up" if up else "triangle-down",
            "size": size,
            "color": theme.mark,
            "line": {"color": theme.ground, "width": 1 if size > 8 else 0},
        },
        unselected={"marker": {"opacity": 1}},  # choosing a cell does not fade the others
        hoverinfo="skip",
    )


def _target_trace(
    hover: Sequence[Sequence[str]], targets: IntArray, room: Room, theme: Theme, note: str,
    chosen: tuple[int, int] | None,
) -> go.Scattergl:  # fmt: skip
    """Return a point on each cell, even blank ones, whose clicks would go to a neighbour otherwise.

    Only the chosen one is visible, as a frame. The browser moves it on a click, without a new
    figure.
    """
    rows, columns = (each.ravel().astype(np.int16) for each in np.indices(targets.shape[:2]))
    frame = {"color": theme.mark, "width": 2.5}
    seen = {"opacity": 1, "color": "rgba(0,0,0,0)", "size": max(room.cell - 3, 7)}
    return go.Scattergl(
        x=columns,
        y=rows,
        mode="markers",
        marker={"symbol": "square", "size": 3, "opacity": 0, "line": frame},
        selected={"marker": seen},
        unselected={"marker": {"opacity": 0}},
        selectedpoints=[chosen[0] * targets.shape[1] + chosen[1]] if chosen else None,
        customdata=targets.reshape(-1, 2).astype(
            np.int16 if targets.max(initial=0) < 2**15 else np.int32
        ),
        hovertext=[sentence for row in hover for sentence in row],
        hovertemplate=f"%{{hovertext}}{note}<extra></extra>",
    )
