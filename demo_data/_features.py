"""The features of a picture for the model: its colours by place, and the direction of its edges.

Sums are of whole numbers, so that every machine gets the same features to the last digit.
"""

import math

import numpy as np
from PIL import Image

SIDE = 64  # pictures are reduced to this many pixels before edges are measured
CELL = 8
DIRECTIONS = 8


def picture_features(picture: Image.Image) -> np.ndarray:
    """Return colours of a coarse grid, a histogram of colours, and edges by cell and direction."""
    small = picture.convert("RGB").resize((SIDE, SIDE), Image.Resampling.BOX)
    return np.concatenate([_grid_colours(small), _colour_histogram(small), _edges(small)])


def _grid_colours(small: Image.Image) -> np.ndarray:
    return np.asarray(small.convert("HSV").resize((8, 8), Image.Resampling.BOX)).ravel() / 255


def _colour_histogram(small: Image.Image) -> np.ndarray:
    """Return the share of pixels in each of 12 hues by 2 saturations by 3 brightnesses."""
    hue, saturation, value = np.asarray(small.convert("HSV"), dtype=int).reshape(-1, 3).T
    bins = hue * 12 // 256 * 6 + saturation // 128 * 3 + value * 3 // 256
    return np.bincount(bins, minlength=72) / len(bins)


def _edges(small: Image.Image) -> np.ndarray:
    """Return how much of each cell's edges runs in each direction, and each cell's share of all."""
    grey = np.asarray(small.convert("L"), dtype=int)
    across, down = np.zeros_like(grey), np.zeros_like(grey)
    across[:, 1:-1] = grey[:, 2:] - grey[:, :-2]
    down[1:-1] = grey[2:] - grey[:-2]
    angles = [math.pi * step / DIRECTIONS for step in range(DIRECTIONS)]
    along = [
        abs(across * round(1000 * math.cos(angle)) + down * round(1000 * math.sin(angle)))
        for angle in angles
    ]
    strength = np.where(np.argmax(along, axis=0) == np.arange(DIRECTIONS)[:, None, None], along, 0)
    cells = SIDE // CELL
    sums = strength.reshape(DIRECTIONS, cells, CELL, cells, CELL).sum(axis=(2, 4))
    totals = sums.sum(axis=0)
    overall = sums.sum(axis=(1, 2)) / (totals.sum() + 1)
    return np.concatenate(
        [(sums / (totals + 20_000)).ravel(), (totals / (totals.max() + 1)).ravel(), overall]
    )
