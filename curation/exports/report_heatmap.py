"""A matrix of classes as an inline picture that needs no script."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from curation.core.matrix import FloatArray
from curation.exports.report_elements import show
from curation.wording import shorten_apart

MAX_CLASSES = 40  # more would be unreadable; then only the most confused ones are shown
MAX_CLASSES_WITH_NUMBERS = 14  # up to this many classes, each cell shows its number
NAME_LENGTH = 20
CHARACTER = 6.4  # approximate width of a letter, in pixels
SIDE = 560  # size of the matrix, in pixels
SMALL = 20  # pixels; below this cell size, names are smaller so that they do not touch


def draw_heatmap(
    values: FloatArray, names: Sequence[str], write: Callable[[float], str], tooltip: str
) -> str:
    """Return a matrix `[given, true]` as SVG: errors in their own colour, the diagonal in grey.

    The opacity of a cell grows with the square root of its value, and errors are scaled to the
    largest error, so that rare ones are visible. `tooltip` is a template with {given}, {true} and
    {value}.
    """
    count = len(values)
    cell = max(13.0, min(64.0, SIDE / max(count, 1)))
    short = shorten_apart(names, NAME_LENGTH)
    longest = max((len(name) for name in short), default=1)
    left, top = longest * CHARACTER + 26, longest * CHARACTER * 0.72 + 44
    errors = values[~np.eye(count, dtype=bool)]
    scale = float(errors.max(initial=0)) or 1.0
    parts = [_axes(short, cell, left, top, small=cell < SMALL)]
    for i, j in zip(*np.nonzero(values), strict=True):
        value = float(values[i, j])
        ink = value / float(values.diagonal().max()) * 0.45 if i == j else value / scale * 0.75
        sentence = tooltip.format(given=names[i], true=names[j], value=write(value))
        x, y = left + j * cell, top + i * cell
        parts.append(
            f'<rect class="{"right" if i == j else "wrong"}" x="{x + 0.5:.1f}" y="{y + 0.5:.1f}" '
            f'width="{cell - 1:.1f}" height="{cell - 1:.1f}" fill-opacity="{ink**0.5:.3f}">'
            f"<title>{show(sentence)}</title></rect>"
        )
        if count <= MAX_CLASSES_WITH_NUMBERS:
            parts.append(_number(x + cell / 2, y + cell / 2 + 4, write(value)))
    side = count * cell
    parts.append(
        f'<rect class="frame" x="{left}" y="{top}" width="{side:.1f}" height="{side:.1f}"/>'
    )
    slant = longest * CHARACTER * 0.72  # the last name of the top axis extends to the right
    wide, high = left + side + slant + 8, top + side + 4
    return (
        f'<svg role="img" viewBox="0 0 {wide:.0f} {high:.0f}" width="{wide:.0f}" '
        f'height="{high:.0f}">{"".join(parts)}</svg>'
    )


def _axes(names: Sequence[str], cell: float, left: float, top: float, *, small: bool) -> str:
    middle = len(names) * cell / 2
    size = ' class="small"' if small else ""
    parts = [
        f'<text class="soft" x="{left + middle:.1f}" y="12" text-anchor="middle">'
        "true label, as estimated</text>",
        f'<text class="soft" text-anchor="middle" transform="translate(12,{top + middle:.1f}) '
        'rotate(-90)">given label</text>',
    ]
    for place, name in enumerate(names):
        at = (place + 0.5) * cell
        parts.append(
            f'<text{size} x="{left - 6:.1f}" y="{top + at + 4:.1f}" text-anchor="end">'
            f"{show(name)}</text>"
            f'<text{size} transform="translate({left + at + 3:.1f},{top - 6:.1f}) rotate(-45)">'
            f"{show(name)}</text>"
        )
    return "".join(parts)


def _number(x: float, y: float, text: str) -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="middle">{show(text)}</text>'
