"""The colours of points on the map: a number for each point, and what each number means."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from curation.charts.colours import DARK_DIVERGING, LIGHT_DIVERGING
from curation.core.matrix import BoolArray, FloatArray, IntArray

MAX_CLASSES = 20  # with a colour of their own; the rest of them share one
OTHER = "other classes"
NOT_FLAGGED = "not flagged"
GREY = "#8a94a0"
OTHER_COLOUR = "#5c6670"  # where grey means something else
# Tableau's twenty, the strong ones first: neighbours in the list are easy to tell apart.
CLASS_COLOURS = (
    "#1f77b4", "#ff7f0e", "#2ca02c", "#d62728", "#9467bd", "#8c564b", "#e377c2", "#bcbd22",
    "#17becf", "#7f7f7f", "#6ea6d8", "#ffb265", "#7cc674", "#f2837f", "#b79ad3", "#b58a7f",
    "#f0a8d0", "#d6d65c", "#7fd8e3", "#b0b0b0",
)  # fmt: skip
MARGIN_STEPS = 7


@dataclass(frozen=True)
class LegendEntry:
    """What one colour means."""

    name: str
    colour: str


@dataclass(frozen=True, eq=False)
class PointColours:
    """A colour for each point."""

    codes: NDArray[np.uint8]  # (n,) places in the legend
    legend: tuple[LegendEntry, ...]


def colour_classes(
    labels: IntArray, names: Sequence[str], flagged: BoolArray | None = None
) -> PointColours:
    """Return a colour per class; beyond 20 classes, the most frequent 19 have their own.

    If `flagged` is passed, all other examples are grey: their class is not meant.

    >>> found = colour_classes(np.array([2, 0, 2]), ["cat", "dog", "eel"])
    >>> found.codes.tolist(), [each.name for each in found.legend]
    ([1, 0, 1], ['cat', 'eel'])
    """
    meant = labels if flagged is None else labels[flagged]
    counts = np.bincount(meant, minlength=len(names))
    used = np.flatnonzero(counts)
    if len(used) > MAX_CLASSES:
        most = np.argsort(-counts, kind="stable")[: MAX_CLASSES - 1]
        used = np.sort(most)
    codes = np.full(len(names), len(used), np.uint8)
    codes[used] = np.arange(len(used))
    legend = [
        LegendEntry(names[label], CLASS_COLOURS[place]) for place, label in enumerate(used.tolist())
    ]
    if len(used) < np.count_nonzero(counts):
        legend.append(LegendEntry(OTHER, GREY if flagged is None else OTHER_COLOUR))
    found = codes[labels]
    if flagged is not None:
        found = np.where(flagged, found, np.uint8(len(legend)))
        legend.append(LegendEntry(NOT_FLAGGED, GREY))
    return PointColours(found, tuple(legend))


def colour_margins(margins: FloatArray, *, dark: bool) -> PointColours:
    """Return a colour per step of the margin, from -1 (most suspect) to 1.

    >>> found = colour_margins(np.array([-1, 0.0, 1]), dark=False)
    >>> found.codes.tolist(), found.legend[0].name
    ([0, 3, 6], '−1.0 to −0.7')
    """
    edges = np.linspace(-1, 1, MARGIN_STEPS + 1)
    codes = np.clip(np.searchsorted(edges, margins, side="right") - 1, 0, MARGIN_STEPS - 1)
    scale = list(DARK_DIVERGING if dark else LIGHT_DIVERGING)
    scale[MARGIN_STEPS // 2] = GREY  # that of the page's background would not be seen
    names = [
        f"{low:.1f} to {high:.1f}".replace("-", "−")
        for low, high in zip(edges[:-1], edges[1:], strict=True)
    ]
    pairs = zip(names, scale, strict=True)
    return PointColours(codes.astype(np.uint8), tuple(LegendEntry(*each) for each in pairs))


def colour_decisions(codes: NDArray[np.int8], names: Mapping[int, str]) -> PointColours:
    """Return a colour per status: grey for undecided, and one for each action by its code."""
    used = [code for code in names if (codes == code).any()]
    place = np.zeros(max([0, *names]) + 1, np.uint8)
    place[used] = np.arange(1, len(used) + 1)
    order = list(names)
    legend = [LegendEntry("undecided", GREY)]
    legend += [LegendEntry(names[each], CLASS_COLOURS[order.index(each)]) for each in used]
    return PointColours(place[codes], tuple(legend))
