"""Where things are in a heatmap of classes: sizes in pixels, names on the axes, the shared look.

Sizes are computed here so that cells are square, names have room and nothing moves when another
matrix is drawn.
"""

from __future__ import annotations

import html
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from curation.charts.colours import Theme
from curation.wording import shorten_apart

WIDTH = 640  # pixels of the whole figure, including names and colour bar
MAX_CELL_PIXELS = 104
COLOUR_BAR_PIXELS = 78  # the bar and its numbers
NAME_LENGTH = 22
SHORT_NAME_LENGTH = 16  # used above MANY_CLASSES
MANY_CLASSES = 42
FONT = '"Source Sans", "Source Sans Pro", "Helvetica Neue", Arial, sans-serif'


@dataclass(frozen=True)
class Room:
    """Where things are, in pixels."""

    left: int
    top: int
    cell: float
    font: int
    angle: int
    every: int  # 1 to show every name, 2 to show every second one, and so on

    def height(self, rows: int) -> int:
        return round(self.top + rows * self.cell) + 12


def in_plotly(text: str) -> str:
    """Return text for use inside a figure, which reads simple HTML but no escaped quotation mark.

    >>> in_plotly('<b> & "q"')
    '&lt;b&gt; &amp; "q"'
    """
    return html.escape(text, quote=False)


def base_layout(theme: Theme) -> dict[str, Any]:
    """Return the layout shared by all heatmaps, with an opaque background for saved pictures."""
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
        "hoverdistance": -1,  # the nearest point at any distance, so that the whole cell reacts
        "dragmode": False,
        "showlegend": False,
    }  # fmt: skip


def shorten_names(*axes: Sequence[str], length: int | None = None) -> list[list[str]]:
    """Return the names of the axes, long ones cut in the same way; the hover shows them in full.

    >>> shorten_names(["a\\nb"], ["a b", "c"])
    [['a b'], ['a b', 'c']]
    """
    lines = [[" ".join(name.split()) for name in names] for names in axes]
    every = [name for names in lines for name in names]
    length = length or (NAME_LENGTH if max(map(len, axes)) <= MANY_CLASSES else SHORT_NAME_LENGTH)
    short = dict(zip(every, shorten_apart(every, length), strict=True))
    return [[short[name] for name in names] for names in lines]


def find_room(row_names: Sequence[str], column_names: Sequence[str]) -> Room:
    """Return how large cells and names are, so that all fit into the width.

    If there are many classes, names are written smaller; if they still do not fit, only some are.
    """
    count = max(len(row_names), len(column_names))
    fonts = (13,) if count <= 16 else (11, 10, 9, 8) if count <= MANY_CLASSES else (10, 9, 8)
    rooms = [_measure_room(row_names, column_names, count, font) for font in fonts]
    return next((room for room in rooms if room.every == 1), rooms[0])


def _measure_room(
    row_names: Sequence[str], column_names: Sequence[str], count: int, font: int
) -> Room:
    across = max((measure_name(name, font) for name in row_names), default=0)
    along = max((measure_name(name, font) for name in column_names), default=0)
    left = round(across) + 32
    slanted = count <= 16 and along > (WIDTH - left - COLOUR_BAR_PIXELS) / len(column_names) - 6
    right = max(COLOUR_BAR_PIXELS, round(0.6 * along)) if slanted else COLOUR_BAR_PIXELS
    cell = min(MAX_CELL_PIXELS, (WIDTH - left - right) / len(column_names))
    angle = 0 if along <= cell - 6 else -45 if count <= 16 else -90
    rise = {0: font, -45: 0.72 * along + font, -90: along}[angle]
    return Room(left, round(rise) + 62, cell, font, angle, find_every(font, cell))


def find_every(font: int, cell: float) -> int:
    """Return the step between names that are shown, so that none runs into the next.

    >>> find_every(10, 9.5), find_every(10, 5.0)
    (1, 2)
    """
    return max(1, int(np.ceil((font - 0.6) / cell)))


def measure_name(name: str, font: int) -> float:
    # half an em is enough for the page's font; a saved picture may use a wider one
    return 0.6 * font * _width(name)


def _width(text: str) -> int:
    """Return how many letters wide a text is; Chinese characters and emoji count twice."""
    return sum(1 + (unicodedata.east_asian_width(each) in "WF") for each in text)


def make_axis(names: Sequence[str], room: Room) -> dict[str, Any]:
    """Return an axis of class names."""
    places = list(range(0, len(names), room.every))
    return {
        "tickvals": places,
        "ticktext": [in_plotly(names[place]) for place in places],
        "tickfont": {"size": room.font},
        "showgrid": False,
        "zeroline": False,
        "fixedrange": True,
        "automargin": False,  # sizes are fixed; otherwise plotly would move the map
        "ticks": "",
        "ticklabelstandoff": 4,
        "ticklabeloverflow": "allow",
    }
