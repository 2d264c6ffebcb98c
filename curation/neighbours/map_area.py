"""A part of the map: the outline that a person drew, short enough for a link.

A link names the map that it was drawn on, so that it never picks other examples on another map.
Both the Map page and the queue ask here which examples are inside: they agree by construction.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from curation.core.matrix import BoolArray
from curation.neighbours.map_layouts import LAYOUTS, Layout, find_places
from curation.neighbours.neighbour_search import GRID, Neighbours

DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
NAME_LENGTH = 8  # characters of the neighbours' key that a link holds
MAX_POINTS = 400


@dataclass(frozen=True)
class Area:
    """The inside of an outline, on a map of 4096 by 4096 places."""

    layout: Layout
    name: str  # of the map it was drawn on
    points: tuple[tuple[int, int], ...]

    def write(self) -> str:
        """Return the area as it stands in a link: four characters for each point."""
        numbers = [number for point in self.points for number in point]
        text = "".join(DIGITS[each // 64] + DIGITS[each % 64] for each in numbers)
        return f"{self.layout}.{self.name}.{text}"

    def fits(self, neighbours: Neighbours) -> bool:
        """Return whether it was drawn on the map of these neighbours."""
        return self.name == neighbours.key[:NAME_LENGTH]

    def find_inside(self, neighbours: Neighbours) -> BoolArray:
        """Return which examples are inside (n,); none if it was drawn on another map."""
        places = find_places(neighbours, self.layout) if self.fits(neighbours) else None
        if places is None:
            return np.zeros(len(neighbours), bool)
        inside: BoolArray = contains(self.points, places) & neighbours.usable
        return inside


def read_area(text: str) -> Area | None:
    """Return the area in a link; None if the text means none.

    >>> read_area("pca.0123abcd.AAAAAABABAAA").points
    ((0, 0), (0, 64), (64, 0))
    >>> read_area("pca.0123abcd.AAA") is None
    True
    """
    layout, _, rest = text.partition(".")
    name, _, code = rest.partition(".")
    places = [DIGITS.find(each) for each in code]
    is_whole = len(code) % 4 == 0 and 3 <= len(code) // 4 <= MAX_POINTS
    if layout not in LAYOUTS or not is_whole or min(places, default=-1) < 0:
        return None
    numbers = [64 * high + low for high, low in zip(places[::2], places[1::2], strict=True)]
    points = tuple(zip(numbers[::2], numbers[1::2], strict=True))
    return Area(layout, name, points)


def outline(layout: Layout, neighbours: Neighbours, points: object) -> Area | None:
    """Return the area that a browser drew; None if it sent anything else."""
    if not isinstance(points, list) or not 3 <= len(points) <= MAX_POINTS:
        return None
    try:
        pairs = np.array(points, np.float64).reshape(-1, 2)
    except (TypeError, ValueError):
        return None
    if not np.isfinite(pairs).all():
        return None
    whole = np.clip(np.round(pairs), 0, GRID - 1).astype(int).tolist()
    return Area(layout, neighbours.key[:NAME_LENGTH], tuple((x, y) for x, y in whole))


def contains(points: tuple[tuple[int, int], ...], places: NDArray[np.uint16]) -> BoolArray:
    """Return which places are inside an outline: a ray from them crosses it an odd number of times.

    >>> places = np.array([[1, 1], [3, 1], [1, 3], [9, 1]])
    >>> contains(((0, 0), (4, 0), (4, 2), (0, 2)), places)
    array([ True,  True, False, False])
    """
    x, y = places[:, 0].astype(np.float64), places[:, 1].astype(np.float64)
    inside = np.zeros(len(places), bool)
    for (x1, y1), (x2, y2) in zip(points, (*points[1:], points[0]), strict=True):
        if y1 == y2:
            continue
        crossed = (y1 > y) != (y2 > y)
        inside ^= crossed & (x < (x2 - x1) * (y - y1) / (y2 - y1) + x1)
    return inside
