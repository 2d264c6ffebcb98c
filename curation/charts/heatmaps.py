"""Heatmaps of classes by classes: finished arrays in, plotly figures out.

Sizes are worked out here, in pixels, so that cells are square, names have room and nothing moves
when another matrix is drawn.
"""

from __future__ import annotations

import html
import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import plotly.graph_objects as go
from plotly.subplots import make_subplots

from curation.charts.colours import DARK, LIGHT, Ink, Theme, ink_values
from curation.core.matrix import FloatArray, IntArray
from curation.wording import shorten_apart

WIDTH = 640  # pixels of the whole figure; the map fills what names and colour bar leave
LARGEST_CELL = 104
PANEL = 320  # pixels from top to bottom of a map that is compared with others beside it
NARROW = 600  # pixels for three of them side by side, at least
BAR = 78  # pixels for the colour bar and its numbers
NAME_LENGTH = 22
SHORT_NAMES = 16  # above MANY classes
MANY = 42
NAMED_CELLS = 13  # up to so many classes, each cell says its number
GAPPED_CELLS = 61  # up to so many, a thin line parts the cells
FONT = '"Source Sans", "Source Sans Pro", "Helvetica Neue", Arial, sans-serif'


@dataclass(frozen=True)
class Room:
    """Where things are, in pixels."""

    left: int
    top: int
    cell: float
    font: int
    angle: int
    every: int  # each so many-th name is written

    def height(self, rows: int) -> int:
        return round(self.top + rows * self.cell) + 12


@dataclass(frozen=True, eq=False)
class Change:
    """What a map is compared with: the values before, and by how much cells are marked to differ.

    `by` is 0 where a cell is not marked. `write` writes a difference, arrow and all.
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

    A plotly heatmap reports no click, so an invisible point lies on each cell. It carries the
    hover sentence, which is HTML, and as customdata the cell's `targets`. `write` writes a number;
    `hover_note` follows every sentence. With a `change`, colours are those of the map before, and
    cells that differ are marked: by how much where there is room, else by an arrow. `scale` are
    the values that set the colours, where these are not all. `title` is literal, for the picture.
    """
    theme = DARK if dark else LIGHT
    scale = change.before if change and scale is None else scale
    ink = ink_values(values, log=log, diverging=diverging, write=write, scale=scale)
    row_names, column_names = shorten_names(row_names, column_names)
    room = find_room(row_names, column_names)
    figure = go.Figure(_ink_trace(ink, theme, bar_title, diverging=diverging))
    figure.layout.annotations = _write_titles(row_title, column_title, room, theme)
    if max(values.shape) <= NAMED_CELLS:
        figure.layout.annotations += tuple(
            go.layout.Annotation(each)
            for each in _write_numbers(values, ink, theme, write, change=change)
        )
    elif change:
        figure.add_traces([_arrow_trace(change.by, up, room, theme) for up in (True, False)])
    figure.add_trace(_target_trace(hover, targets, room, theme, hover_note, chosen))
    figure.update_xaxes(
        **_axis(column_names, room), range=[-0.5, len(column_names) - 0.5],
        side="top", tickangle=room.angle,
    )  # fmt: skip
    figure.update_yaxes(**_axis(row_names, room), range=[len(row_names) - 0.5, -0.5])
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
    return figure


def in_plotly(text: str) -> str:
    """Return text for use inside a figure, which reads simple HTML but no escaped quotation mark.

    >>> in_plotly('<b> & "q"')
    '&lt;b&gt; &amp; "q"'
    """
    return html.escape(text, quote=False)


def base_layout(theme: Theme) -> dict[str, Any]:
    """Return what all heatmaps share. The ground is opaque, so that a saved picture is legible."""
    return {
        "paper_bgcolor": theme.ground,
        "plot_bgcolor": theme.ground,
        "font": {"family": FONT, "color": theme.text, "size": 13},
        "hoverlabel": {
            "bgcolor": theme.text, "bordercolor": theme.text, "align": "left",
            "font": {"color": theme.ground, "size": 14, "family": FONT},
        },
        "modebar": {
            "bgcolor": "rgba(0,0,0,0)", "color": theme.faint, "activecolor": theme.text,
        },
        "hoverdistance": -1,  # the nearest point, however large the cells: so a cell is hit whole
        "dragmode": False,
        "showlegend": False,
    }  # fmt: skip


def shorten_names(*axes: Sequence[str], length: int | None = None) -> list[list[str]]:
    """Return the names of axes on one line, long ones cut alike on each; the hover says the whole.

    >>> shorten_names(["a\\nb"], ["a b", "c"])
    [['a b'], ['a b', 'c']]
    """
    lines = [[" ".join(name.split()) for name in names] for names in axes]
    every = [name for names in lines for name in names]
    length = length or (NAME_LENGTH if max(map(len, axes)) <= MANY else SHORT_NAMES)
    short = dict(zip(every, shorten_apart(every, length), strict=True))
    return [[short[name] for name in names] for names in lines]


def find_room(row_names: Sequence[str], column_names: Sequence[str]) -> Room:
    """Return how large cells and names are, so that all fit into the width.

    Of many classes every one is named, if need be in small letters; else only some.
    """
    count = max(len(row_names), len(column_names))
    fonts = (13,) if count <= 16 else (11,) if count <= MANY else (10, 9, 8)
    rooms = [_measure_room(row_names, column_names, count, font) for font in fonts]
    return next((room for room in rooms if room.every == 1), rooms[0])


def _measure_room(
    row_names: Sequence[str], column_names: Sequence[str], count: int, font: int
) -> Room:
    across = max((_measure(name, font) for name in row_names), default=0)
    along = max((_measure(name, font) for name in column_names), default=0)
    left = round(across) + 32
    slanted = count <= 16 and along > (WIDTH - left - BAR) / len(column_names) - 6
    right = max(BAR, round(0.6 * along)) if slanted else BAR
    cell = min(LARGEST_CELL, (WIDTH - left - right) / len(column_names))
    angle = 0 if along <= cell - 6 else -45 if count <= 16 else -90
    rise = {0: font, -45: 0.72 * along + font, -90: along}[angle]
    return Room(left, round(rise) + 62, cell, font, angle, find_every(font, cell))


def find_every(font: int, cell: float) -> int:
    """Return each how many-th name fits, so that none runs into the next.

    >>> find_every(10, 9.5), find_every(10, 5.0)
    (1, 2)
    """
    return max(1, int(np.ceil((font - 0.6) / cell)))


def _measure(name: str, font: int) -> float:
    # of the page's font half an em would do; a saved picture may be set in a wider one
    return 0.6 * font * _width(name)


def _width(text: str) -> int:
    """Return how many letters wide a text is; Chinese characters and emoji count twice."""
    return sum(1 + (unicodedata.east_asian_width(each) in "WF") for each in text)


def _write_titles(
    row_title: str, column_title: str, room: Room, theme: Theme
) -> list[dict[str, Any]]:
    """Return what rows and columns are, along the edges of the figure.

    They are no titles of axes: plotly sets these close to the names as they are on the screen,
    and in a saved picture, whose font is another, the names would run into them.
    """
    shared = {
        "xref": "paper", "yref": "paper", "xanchor": "center", "yanchor": "middle",
        "showarrow": False, "font": {"size": 13, "color": theme.faint},
    }  # fmt: skip
    above = {"text": column_title, "x": 0.5, "y": 1, "yshift": room.top - 34}
    beside = {"text": row_title, "x": 0, "y": 0.5, "xshift": 10 - room.left, "textangle": -90}
    return [above | shared, beside | shared]


def _axis(names: Sequence[str], room: Room) -> dict[str, Any]:
    """Return an axis of class names."""
    places = list(range(0, len(names), room.every))
    return {
        "tickvals": places,
        "ticktext": [in_plotly(names[place]) for place in places],
        "tickfont": {"size": room.font},
        "showgrid": False,
        "zeroline": False,
        "fixedrange": True,
        "automargin": False,  # the room is known; plotly would move the map about
        "ticks": "",
        "ticklabelstandoff": 4,
        "ticklabeloverflow": "allow",
    }


def _ink_trace(ink: Ink, theme: Theme, bar_title: str, *, diverging: bool) -> go.Heatmap:
    gap = 1 if max(ink.shown.shape) <= GAPPED_CELLS else 0
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
        showscale=len(ink.ticks) > 1,  # a map of nothing has no colours to explain
        hoverinfo="skip",
        xgap=gap,
        ygap=gap,
    )  # fmt: skip


def _write_numbers(
    values: FloatArray, ink: Ink, theme: Theme, write: Callable[[float], str], *,
    size: int = 12, panel: str = "", change: Change | None = None,
) -> list[dict[str, Any]]:  # fmt: skip
    """Return the cells' numbers, each dark or light as its ink asks for.

    They are annotations: plotly would pale a trace of text when a cell is chosen.
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
    corner = max(0.5 - (size / 2 + 2) / room.cell, 0)  # of small cells, the middle
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
        unselected={"marker": {"opacity": 1}},  # choosing a cell pales nothing
        hoverinfo="skip",
    )


def _target_trace(
    hover: Sequence[Sequence[str]], targets: IntArray, room: Room, theme: Theme, note: str,
    chosen: tuple[int, int] | None,
) -> go.Scattergl:  # fmt: skip
    """Return a point on each cell, blank ones too: else a neighbour would take their clicks.

    Only the chosen one is seen, as a frame. The browser moves it on a click, without a new figure.
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


def comparison(
    actual: FloatArray, estimated: FloatArray, names: Sequence[str], *, dark: bool = False
) -> go.Figure:
    """Return three maps side by side: the true values, the estimated, and how far they differ.

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
        if len(names) <= NAMED_CELLS:
            ink = Ink(values, 0, largest, [], [])
            numbers += _write_numbers(
                values, ink, theme, "{:.1f}".format, size=10, panel=str(column)
            )
    (short,) = shorten_names(names, length=SHORT_NAMES)
    room, columns = _panel_rooms(short)
    figure.update_xaxes(**_axis(short, columns), tickangle=room.angle)
    figure.update_yaxes(**_axis(short, room), range=[len(names) - 0.5, -0.5])
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

    Panels are as wide as the page allows. So columns are named as on a narrow one, where names
    must not run into each other; on a wide one they stand farther apart.
    """
    font = 11 if len(names) <= 12 else 10 if len(names) <= 16 else 8
    along = max(_measure(name, font) for name in names)
    left = round(along) + 16
    cell = min(60, PANEL / len(names))
    narrow = (NARROW - left) / 3 * 0.95 / len(names)
    angle = 0 if along <= narrow - 4 else -45 if narrow > 20 else -90
    rise = {0: font, -45: 0.72 * along + font, -90: along}[angle]
    rows = Room(left, round(rise) + 16, cell, font, angle, find_every(font, cell))
    return rows, replace(rows, every=find_every(font, narrow))
