"""A small drawing kit: shapes, smooth curves, and a pen that fills them with colour.

Shapes are drawn in the pen's own coordinates: x to the right, y down, both from -1 to 1 across
the picture. The pen turns, mirrors and scales them, and draws three times too large, so that
edges are smooth once the picture is reduced to its final size.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import TypeVar

import numpy as np
from PIL import Image, ImageDraw

SIZE = 128  # pixels, the final picture is square
OVERSAMPLING = 3
CANVAS = SIZE * OVERSAMPLING

Colour = tuple[int, int, int]
Points = Sequence[tuple[float, float]]
Choice = TypeVar("Choice")


@dataclass(frozen=True)
class Gradient:
    """Colours that change evenly along the line from start to end."""

    stops: tuple[Colour, ...]
    start: tuple[float, float]
    end: tuple[float, float]


Paint = Colour | Gradient


def tint(colour: Colour, factor: float) -> Colour:
    """Return the colour made lighter (factor above 1) or darker (below 1).

    >>> tint((100, 200, 50), 1.5), tint((100, 200, 50), 0.5)
    ((150, 255, 75), (50, 100, 25))
    """
    red, green, blue = (min(255, max(0, round(value * factor))) for value in colour)
    return red, green, blue


def blend(one: Colour, other: Colour, share: float) -> Colour:
    """Return one colour with the given share of the other mixed in."""
    red, green, blue = (round(a + (b - a) * share) for a, b in zip(one, other, strict=True))
    return red, green, blue


def vary(rng: np.random.Generator, colour: Colour, spread: int = 14) -> Colour:
    """Return a colour close to the one given, at random: mostly lighter or darker."""
    lighter = int(rng.integers(-spread, spread + 1))
    hues = rng.integers(-spread // 3, spread // 3 + 1, 3).tolist()
    values = (value + lighter + hue for value, hue in zip(colour, hues, strict=True))
    red, green, blue = (min(255, max(0, value)) for value in values)
    return red, green, blue


def pick(rng: np.random.Generator, choices: Sequence[Choice]) -> Choice:
    """Return one of the choices, all equally likely."""
    return choices[int(rng.integers(len(choices)))]


def rounded(colour: Colour, start: tuple[float, float], end: tuple[float, float]) -> Gradient:
    """Return the paint of something round: lit near its start, dark towards its end."""
    stops = (tint(colour, 0.72), tint(colour, 1.28), colour, tint(colour, 0.8), tint(colour, 0.48))
    return Gradient(stops, start, end)


def shiny(colour: Colour, start: tuple[float, float], end: tuple[float, float]) -> Gradient:
    """Return the paint of polished metal: bright bands between dark ones."""
    factors = (0.5, 0.95, 1.45, 0.9, 0.7, 1.15, 0.55)
    return Gradient(tuple(tint(colour, factor) for factor in factors), start, end)


def oval(x: float, y: float, width: float, height: float, turn: float = 0.0) -> Points:
    """Return an oval around (x, y) with these half-axes, turned by so many degrees."""
    if turn == 0:
        return arc(x, y, width, height, 0, 360)
    return move(arc(0, 0, width, height, 0, 360), x, y, turn)


def arc(
    x: float, y: float, width: float, height: float, start: float, end: float, steps: int = 26
) -> Points:
    """Return points of an oval from one angle to another, in degrees, clockwise from the right."""
    return [(x + width * cos, y + height * sin) for cos, sin in _unit_arc(start, end, steps)]


@cache
def _unit_arc(start: float, end: float, steps: int) -> Points:
    angles = [math.radians(start + (end - start) * step / steps) for step in range(steps + 1)]
    return [(math.cos(angle), math.sin(angle)) for angle in angles]


def box(left: float, top: float, right: float, bottom: float, corner: float = 0.0) -> Points:
    """Return a rectangle, its corners rounded by the given radius."""
    if corner <= 0:
        return [(left, top), (right, top), (right, bottom), (left, bottom)]
    return [
        *arc(right - corner, top + corner, corner, corner, -90, 0, 6),
        *arc(right - corner, bottom - corner, corner, corner, 0, 90, 6),
        *arc(left + corner, bottom - corner, corner, corner, 90, 180, 6),
        *arc(left + corner, top + corner, corner, corner, 180, 270, 6),
    ]


def move(points: Points, x: float, y: float, turn: float = 0.0) -> Points:
    """Return the points turned about the origin, by so many degrees, and then shifted."""
    cos, sin = math.cos(math.radians(turn)), math.sin(math.radians(turn))
    return [(x + px * cos - py * sin, y + px * sin + py * cos) for px, py in points]


def mirror(points: Points) -> Points:
    """Return half an outline completed by its reflection in the vertical axis."""
    return [*points, *((-x, y) for x, y in reversed(points))]


def smooth(points: Points, closed: bool = False, steps: int = 7) -> Points:
    """Return a curve through all the points (Catmull-Rom)."""
    if closed:
        padded = [points[-1], *points, points[0], points[1]]
    else:
        padded = [points[0], *points, points[-1]]
    curve = [
        _between(*padded[index : index + 4], step / steps)
        for index in range(len(padded) - 3)
        for step in range(steps)
    ]
    return curve if closed else [*curve, points[-1]]


def _between(before, start, end, after, t: float) -> tuple[float, float]:
    x, y = (
        0.5 * (2 * b + (c - a) * t + (2 * a - 5 * b + 4 * c - d) * t**2)
        + 0.5 * (3 * b - a - 3 * c + d) * t**3
        for a, b, c, d in zip(before, start, end, after, strict=True)
    )
    return x, y


def ribbon(path: Points, widths: Sequence[float]) -> Points:
    """Return the outline of a band along the path; widths are spread evenly from end to end."""
    left, right = [], []
    for index, (x, y) in enumerate(path):
        ahead, behind = path[min(index + 1, len(path) - 1)], path[max(index - 1, 0)]
        dx, dy = ahead[0] - behind[0], ahead[1] - behind[1]
        half = width_at(widths, index / (len(path) - 1)) / 2 / (math.hypot(dx, dy) or 1.0)
        left.append((x - dy * half, y + dx * half))
        right.append((x + dy * half, y - dx * half))
    return [*left, *reversed(right)]


def width_at(widths: Sequence[float], share: float) -> float:
    """Return the width at a share of the way along evenly spread widths.

    >>> width_at([1.0, 3.0, 2.0], 0.25)
    2.0
    """
    place = share * (len(widths) - 1)
    low = min(int(place), len(widths) - 2)
    return widths[low] + (widths[low + 1] - widths[low]) * (place - low)


class Pen:
    """Fills shapes on a transparent layer, after turning, mirroring and scaling them."""

    def __init__(
        self,
        *,
        scale: float = 0.85,
        turn: float = 0.0,
        shift: tuple[float, float] = (0.0, 0.0),
        mirrored: bool = False,
        stretch: float = 1.0,
    ) -> None:
        self.layer = Image.new("RGBA", (CANVAS, CANVAS))
        self._draw = ImageDraw.Draw(self.layer)
        self._scale = scale * CANVAS / 2
        self._turn = turn
        self._centre = [(1 + part) * CANVAS / 2 for part in shift]
        self._stretch = (stretch, 1.0)
        self._side = -1 if mirrored else 1

    def fill(self, points: Points, paint: Paint) -> None:
        """Fill the shape with one colour or with a gradient."""
        places = self._places(points)
        if isinstance(paint, Gradient):
            self._fill_gradient(places, paint)
        else:
            self._draw.polygon(places, fill=(*paint, 255))

    def stroke(self, path: Points, width: float | Sequence[float], paint: Paint) -> None:
        """Draw a band along the path, of one width or of widths spread along it."""
        widths = [width, width] if isinstance(width, float | int) else width
        self.fill(ribbon(path, widths), paint)

    def fill_with(self, points: Points, painting: "Pen") -> None:
        """Fill the shape with what another pen of the same stance has drawn."""
        mask = Image.new("L", (CANVAS, CANVAS))
        ImageDraw.Draw(mask).polygon(self._places(points), fill=255)
        self.layer.paste(painting.layer, (0, 0), mask)

    def another(self) -> "Pen":
        """Return an empty pen of the same stance, to draw a pattern with."""
        pen = Pen()
        pen._scale, pen._turn, pen._centre = self._scale, self._turn, self._centre
        pen._stretch, pen._side = self._stretch, self._side
        return pen

    def _places(self, points: Points) -> list[tuple[float, float]]:
        """Return where the points fall on the canvas, in pixels."""
        xs, ys = (np.array(points) * self._stretch).T
        cos, sin = math.cos(math.radians(self._turn)), math.sin(math.radians(self._turn))
        across = self._centre[0] + self._side * (xs * cos - ys * sin) * self._scale
        down = self._centre[1] + (xs * sin + ys * cos) * self._scale
        # Rounded, so that the last digit of sin and cos, which is the machine's, has no say.
        return list(zip(across.round(3).tolist(), down.round(3).tolist(), strict=True))

    def _fill_gradient(self, places: list[tuple[float, float]], paint: Gradient) -> None:
        xs, ys = [x for x, _ in places], [y for _, y in places]
        left, top = max(0, math.floor(min(xs))), max(0, math.floor(min(ys)))
        right, bottom = min(CANVAS, math.ceil(max(xs)) + 1), min(CANVAS, math.ceil(max(ys)) + 1)
        if right <= left or bottom <= top:
            return
        mask = Image.new("L", (right - left, bottom - top))
        ImageDraw.Draw(mask).polygon([(x - left, y - top) for x, y in places], fill=255)
        start, end = self._places([paint.start, paint.end])
        colours = _gradient_colours(paint.stops, start, end, (left, top, right, bottom))
        self.layer.paste(Image.fromarray(colours), (left, top), mask)


def _gradient_colours(stops, start, end, bounds) -> np.ndarray:
    left, top, right, bottom = bounds
    dx, dy = end[0] - start[0], end[1] - start[1]
    length = dx * dx + dy * dy or 1.0
    across = (np.arange(left, right) - start[0]) * dx / length
    down = (np.arange(top, bottom) - start[1]) * dy / length
    share = np.clip(down[:, None] + across[None, :], 0, 1)
    marks = np.linspace(0, 255, len(stops))
    steps = np.arange(256)
    palette = [np.interp(steps, marks, [stop[part] for stop in stops]) for part in range(3)]
    table = np.column_stack([*palette, np.full(256, 255)]).round().astype(np.uint8)
    # A pixel's four bytes are looked up as one number: four times faster.
    pixels = table.view(np.uint32).ravel()[(share * 255).astype(np.uint8)]
    return pixels.view(np.uint8).reshape(*share.shape, 4)
