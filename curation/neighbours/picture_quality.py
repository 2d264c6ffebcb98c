"""Pictures that are dark, blurry, or of an odd size or shape.

Light and blur are measured as cleanvision 0.3 does, with its limits, on pictures of at most 256
pixels. Size and shape are compared with the median of the dataset.
"""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from curation.core.matrix import FloatArray, IntArray, ShareDone
from curation.dataset import Content
from curation.errors import ContentError

if TYPE_CHECKING:
    from PIL.Image import Image

Float32Array = NDArray[np.float32]

PIXELS = 256  # on the longer side, of the picture that light is measured on
BLUR_PIXELS = 64  # of the one that blur is measured on
CHUNK = 256  # pictures between two reports
DARK_BELOW = 0.32
BLURRY_BELOW = 0.29
PLAIN_UP_TO = 0.18  # a histogram so even that it says nothing about blur
MOST_TIMES_THE_SIDE = 4.0  # of the median, larger or smaller
MOST_TIMES_THE_SHAPE = 1 / 0.35
KINDS = ("dark", "blurry", "odd size", "odd shape")


def measure_pictures(content: Content, share_done: ShareDone) -> Float32Array:
    """Return light, sharpness, width and height of each picture (n, 4); NaN if it is unreadable."""
    found = np.full((len(content), 4), np.nan, np.float32)
    with ThreadPoolExecutor(os.cpu_count() or 1) as pool:
        for start in range(0, len(content), CHUNK):
            rows = range(start, min(start + CHUNK, len(content)))
            found[start : rows.stop] = list(pool.map(lambda row: _measure(content, row), rows))
            share_done(rows.stop / len(content))
    return found


def _measure(content: Content, row: int) -> tuple[float, float, float, float]:
    try:
        picture = content.image(row, size=PIXELS)
    except ContentError:
        return (np.nan,) * 4
    image = picture.image.convert("RGB")
    wide, high = picture.original_size if picture.original_size[0] else image.size
    return measure_light(image), measure_sharpness(image), wide, high


def measure_light(image: Image) -> float:
    """Return how light the lightest hundredth of a picture is, from 0 to 1.

    A pixel is as light as sqrt(0.241 R² + 0.691 G² + 0.068 B²) / 255.
    """
    squares = np.asarray(image, np.float64) ** 2 @ np.array([0.241, 0.691, 0.068])
    return float(np.percentile(np.sqrt(squares) / 255, 99))


def measure_sharpness(image: Image) -> float:
    """Return how much edges stand out, from 0 to 1.

    e is the standard deviation of the picture's edges, h that of its histogram of greys: pictures
    of few greys, such as drawings, have soft edges and are not blurry. The sharpness is
    1 - exp(-e / 100), plus 1 - exp(-h / 100) where that is above 0.18.
    """
    from PIL import ImageFilter

    small = image.copy()
    small.thumbnail((BLUR_PIXELS, BLUR_PIXELS))
    grey = small.convert("L")
    edges = np.asarray(grey.filter(ImageFilter.FIND_EDGES), np.float64)
    of_edges = 1 - np.exp(-edges.std() / 100)
    of_greys = 1 - np.exp(-np.std(grey.histogram()) / 100)
    return float(min(1, of_edges + (of_greys if of_greys > PLAIN_UP_TO else 0)))


@dataclass(frozen=True, eq=False)
class PictureQuality:
    """What is wrong with each picture; `measures` are those of `measure_pictures`."""

    measures: Float32Array

    @cached_property
    def severity(self) -> FloatArray:
        """Return how far each measure is beyond its limit (n, 4): below 1 is found, 0 the worst."""
        light, sharpness, wide, high = self.measures.T.astype(np.float64)
        with np.errstate(invalid="ignore", divide="ignore"):
            return np.stack(
                [
                    light / DARK_BELOW,
                    sharpness / BLURRY_BELOW,
                    MOST_TIMES_THE_SIDE / _times_median(np.sqrt(wide * high)),
                    MOST_TIMES_THE_SHAPE / _times_median(wide / high),
                ],
                axis=1,
            )

    @cached_property
    def rows(self) -> IntArray:
        """Return the pictures with a fault, the worst first."""
        worst = np.nan_to_num(self.severity, nan=np.inf).min(axis=1)
        found = np.flatnonzero(worst < 1)
        return found[np.argsort(worst[found], kind="stable")]

    def describe(self, row: int) -> str:
        """Return what is wrong with a picture, as "dark and blurry"; empty if nothing is."""
        faults = [kind for kind, far in zip(KINDS, self.severity[row], strict=True) if far < 1]
        return " and ".join(faults)


def _times_median(values: FloatArray) -> FloatArray:
    """Return how many times the median a value is, or the other way round; at least 1."""
    if not np.isfinite(values).any():
        return values
    times = values / np.nanmedian(values)
    larger: FloatArray = np.maximum(times, 1 / times)
    return larger
