"""Pictures as plain numbers: arrays such as x_test.npy, and tables with a column for each pixel."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from curation.loading.formats.npy import Header
from curation.loading.formats.number_columns import as_numbers
from curation.loading.formats.table import Table
from curation.loading.vocabulary import PICTURE_ARRAYS

SAMPLE_ROWS = 64  # pictures that are read to find the range of their values
MIN_SIDE, MAX_SIDE = 4, 4096
MIN_FLAT_SIDE = 8  # of a picture in one row: fewer numbers are more likely measurements
CHANNELS = (1, 3, 4)
_PIXEL = re.compile(r"(?:pixel|pix|px)[ _.\-]?(?P<number>\d+)|(?P<row>\d+)x(?P<column>\d+)", re.I)


@dataclass(frozen=True)
class Layout:
    """How the numbers of one picture are arranged."""

    height: int
    width: int
    channels: int = 1
    channels_first: bool = False
    flat: bool = False


def find_layout(shape: Sequence[int]) -> Layout | None:
    """Return how an array of pictures is arranged; None if it cannot be pictures.

    >>> find_layout((10, 28, 28)), find_layout((10, 784)), find_layout((10, 10))
    (Layout(height=28, width=28, ...), Layout(height=28, ..., flat=True), None)
    >>> find_layout((10, 3, 32, 32)).channels_first
    True
    """
    inner = tuple(shape[1:])
    if len(inner) == 1:
        return _find_square(inner[0])
    if len(inner) == 2:
        found = Layout(*inner)
    elif len(inner) == 3 and inner[2] in CHANNELS:
        found = Layout(*inner)
    elif len(inner) == 3 and inner[0] in CHANNELS:
        found = Layout(inner[1], inner[2], inner[0], channels_first=True)
    else:
        return None
    sides = (found.height, found.width)
    return found if all(MIN_SIDE <= side <= MAX_SIDE for side in sides) else None


def _find_square(count: int) -> Layout | None:
    for channels in (1, 3):
        side = math.isqrt(count // channels)
        if side * side * channels == count and side >= MIN_FLAT_SIDE:
            return Layout(side, side, channels, channels_first=channels == 3, flat=True)
    return None


def is_plain(array: Any) -> bool:
    """Return whether an array, or its header, holds 8-bit pictures that need no conversion."""
    shape = tuple(array.shape)
    return array.dtype == np.uint8 and (
        len(shape) == 3 or (len(shape) == 4 and shape[3] in CHANNELS)
    )


class Pixels:
    """8-bit pictures from an array of any numbers, converted one picture at a time.

    >>> Pixels(np.array([[[0.0, 1.0], [0.5, 0.0]]]), Layout(2, 2), 0.0, 1.0)[0]
    array([[  0, 255], [128,   0]], dtype=uint8)
    """

    dtype = np.dtype(np.uint8)

    def __init__(self, array: Any, layout: Layout, low: float, high: float) -> None:
        self.array: Any = array
        self.layout, self.low, self.high = layout, low, high
        color = () if layout.channels == 1 else (layout.channels,)
        self.shape = (len(array), layout.height, layout.width, *color)

    def __len__(self) -> int:
        return len(self.array)

    def __getitem__(self, row: int) -> NDArray[np.uint8]:
        values = np.asarray(self.array[row])
        layout = self.layout
        if layout.channels_first:
            values = values.reshape(layout.channels, layout.height, layout.width)
            values = np.moveaxis(values, 0, -1)
        values = values.reshape(self.shape[1:])
        if values.dtype == np.uint8 and (self.low, self.high) == (0, 255):
            return values
        share = (values.astype(np.float64) - self.low) / (self.high - self.low)
        return np.round(255 * np.clip(np.nan_to_num(share), 0, 1)).astype(np.uint8)


def read_pictures(array: Any, *, sure: bool) -> Pixels | None:
    """Return an array as pictures; None if its shape or its values cannot be pictures.

    Unless it is `sure` that these are pictures, the numbers must be whole and from 0 to 255,
    or lie between 0 and 1.
    """
    layout = find_layout(array.shape)
    if layout is None or array.dtype.kind not in "uifb" or not len(array):
        return None
    if array.dtype == np.uint8 and not layout.flat:
        return Pixels(array, layout, 0, 255)
    places = np.unique(np.linspace(0, len(array) - 1, SAMPLE_ROWS).astype(np.int64))
    sample = np.stack([np.asarray(array[int(row)]) for row in places]).astype(np.float64)
    if not np.isfinite(sample).all():
        return None
    low, high = float(sample.min()), float(sample.max())
    plain = low >= 0 and (high <= 1 or (high <= 255 and not (sample % 1).any()))
    if high <= low or not (plain or (sure and not layout.flat)):
        return None
    if plain:  # 0 to 1, 0 to 255, or a smaller range such as the 0 to 16 of scikit-learn's digits
        low, high = 0.0, 255.0 if high > 16 or array.dtype == np.uint8 else high
    return Pixels(array, layout, low, high)


def is_picture_name(name: str) -> bool:
    """Return whether an array is named as pictures or as what a model learns from."""
    return name.strip().lower() in PICTURE_ARRAYS


def find_picture_array(
    headers: Mapping[str, Header], count: int, named: str | None = None
) -> str | None:
    """Return the array of an archive that can hold the pictures, by its name and its shape."""
    if named is not None:
        return named if named in headers else None
    able = [
        key
        for key, header in headers.items()
        if is_picture_name(key)
        and header.shape[:1] == (count,)
        and (is_plain(header) or find_layout(header.shape))
    ]
    rank = {name: place for place, name in enumerate(PICTURE_ARRAYS)}
    return min(able, key=lambda key: rank[key.strip().lower()], default=None)


def find_pixel_columns(columns: Sequence[str]) -> list[str]:
    """Return the columns of pixels in their order; empty unless they make up a square picture.

    >>> find_pixel_columns(["label", *(f"pixel{k}" for k in range(64))])[:2]
    ['pixel0', 'pixel1']
    """
    found = [(match, column) for column in columns if (match := _PIXEL.fullmatch(column.strip()))]
    if _find_square(len(found)) is None:
        return []
    return [column for _, column in sorted(found, key=lambda pair: _place(pair[0]))]


def _place(match: re.Match[str]) -> tuple[int, ...]:
    if match["number"] is not None:
        return (int(match["number"]),)
    return (int(match["row"]), int(match["column"]))


def read_pixel_columns(table: Table, columns: Sequence[str]) -> Pixels | None:
    """Return the pictures in a table with a column for each pixel; None if it holds no pictures."""
    array = np.empty((len(table), len(columns)), np.float32)
    for place, column in enumerate(columns):
        array[:, place] = as_numbers(table, column)
    whole = not (array % 1).any() and array.min() >= 0 and array.max() <= 255
    return read_pictures(array.astype(np.uint8) if whole else array, sure=False)
