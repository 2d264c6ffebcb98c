"""From values to colours: which number a colour means, and the bar that explains it.

Blue on the page's background, from low to high; orange and blue if signs differ, because people
with any kind of colour vision can tell these two apart.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from curation.core.matrix import FloatArray

# From the page's background to full colour, in equal steps of lightness, for light and dark pages.
LIGHT_SCALE = ["#f4f7fb", "#c9ddf0", "#8fbbdf", "#4a8dc8", "#0b5fa5", "#05294f"]
DARK_SCALE = ["#18222e", "#1b3a5e", "#1f5a94", "#3b88cc", "#86c0f0", "#e4f3ff"]
LIGHT_DIVERGING = ["#7a3200", "#c9651a", "#f0b27a", "#f5f5f5", "#8fbbdf", "#2b76b9", "#0a3a6b"]
DARK_DIVERGING = ["#ffc488", "#d97f2c", "#7a4517", "#1c232c", "#1f5a94", "#4d9be0", "#b9dcff"]


@dataclass(frozen=True)
class Theme:
    """The colours of a page."""

    ground: str
    text: str
    faint: str
    mark: str  # around the chosen cell; visible on both scales
    scale: list[str]
    diverging: list[str]
    half: float  # of the scale; above it, numbers are written in the background's colour


LIGHT = Theme("#ffffff", "#1c232b", "#6b7683", "#d95f02", LIGHT_SCALE, LIGHT_DIVERGING, 0.62)
DARK = Theme("#11161c", "#e6ebf1", "#93a0ae", "#ff9d3c", DARK_SCALE, DARK_DIVERGING, 0.53)


@dataclass(frozen=True, eq=False)
class Ink:
    """Numbers for a colour scale from `low` to `high`, and its ticks in the values' own numbers."""

    shown: FloatArray
    low: float
    high: float
    ticks: list[float]
    words: list[str]


def ink_values(
    values: FloatArray,
    *,
    log: bool,
    diverging: bool,
    write: Callable[[float], str],
    scale: FloatArray | None = None,
) -> Ink:
    """Return how values are coloured; NaN stays blank, and zero always has the palest colour.

    With a `scale` the colours are those of its values, so that two maps can be compared; values
    beyond the scale have the colour of its end.
    """
    reference = values if scale is None or not np.nan_to_num(scale).any() else scale
    largest = float(np.nanmax(np.abs(reference), initial=0))
    if largest == 0:
        return Ink(values, -1.0 if diverging else 0.0, 1.0, [0.0], [write(0.0)])
    if not log:
        ticks = _even_ticks(largest, diverging=diverging)
        low = -largest if diverging else 0.0
        return Ink(values, low, largest, ticks, [write(tick) for tick in ticks])
    positive = np.abs(reference[np.isfinite(reference) & (reference != 0)])
    # zero has no logarithm: it is placed half a power of ten below the smallest number
    floor = np.log10(float(positive.min())) - 0.5
    sizes = np.abs(values)
    with np.errstate(divide="ignore"):
        heights = np.where(sizes == 0, 0.0, np.maximum(np.log10(sizes) - floor, 0.0))
    high = float(np.log10(largest) - floor)
    powers = np.arange(np.ceil(floor + 0.5 - 1e-9), np.floor(np.log10(largest) + 1e-9) + 1)
    marks = [(float(power - floor), float(10.0**power)) for power in powers]
    if not marks or largest > 2 * marks[-1][1]:
        marks.append((high, largest))
    if diverging:
        signed = [(-place, -value) for place, value in reversed(marks)]
        marks = [*signed, (0.0, 0.0), *marks]
        return Ink(np.sign(values) * heights, -high, high, *_write_ticks(marks, write))
    return Ink(heights, 0.0, high, *_write_ticks([(0.0, 0.0), *marks], write))


def _write_ticks(
    marks: list[tuple[float, float]], write: Callable[[float], str]
) -> tuple[list[float], list[str]]:
    return [place for place, _ in marks], [write(value) for _, value in marks]


def _even_ticks(largest: float, *, diverging: bool) -> list[float]:
    """Return three to six round numbers from zero up to the largest, on both sides if needed.

    >>> _even_ticks(83, diverging=False), _even_ticks(0.5, diverging=True)
    ([0.0, 20.0, 40.0, 60.0, 80.0], [-0.4, -0.2, 0.0, 0.2, 0.4])
    """
    rough = largest / (2.5 if diverging else 5)
    unit = 10.0 ** int(np.floor(np.log10(rough)))
    step = next(factor * unit for factor in (1, 2, 5, 10) if factor * unit >= rough * 0.999)
    count = int(largest / step + 1e-9)
    first = -count if diverging else 0
    return [round(step * each, 12) + 0.0 for each in range(first, count + 1)]
