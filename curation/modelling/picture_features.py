"""Pictures as numbers without a trained network: directions of edges, colours, small pixels.

These tell drawings, digits and textures apart. For photographs they are weak: there, embeddings of
a pretrained network are far better.
"""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor

import numpy as np
from numpy.typing import NDArray

from curation.core.matrix import BoolArray, FloatArray, ShareDone
from curation.dataset import Content
from curation.errors import ContentError

SIDE = 64  # pixels; pictures are brought to this square first
CELL = 8  # pixels of a cell of edge directions
DIRECTIONS = 9  # of edges, from 0 to 180 degrees
SHADES = 4  # per colour, in the histogram of colours
SMALL = 12  # pixels on a side of the small picture
CHUNK = 256  # pictures held in memory at a time
WEAK = (
    "The pictures were described by edges, colours and small pixels. This is weak for photographs: "
    "for those, save embeddings of a pretrained network as embeddings.npy, one row per example."
)


def describe_pictures(content: Content, share_done: ShareDone) -> tuple[FloatArray, BoolArray]:
    """Return the features of each picture, and which could be read; the others have zeros."""
    rows, features, readable = len(content), [], np.zeros(len(content), dtype=bool)
    with ThreadPoolExecutor(os.cpu_count() or 1) as pool:
        for start in range(0, rows, CHUNK):
            chunk = range(start, min(start + CHUNK, rows))
            opened = list(pool.map(lambda row: _open(content, row), chunk))
            readable[start : chunk.stop] = [each is not None for each in opened]
            blank = np.zeros((SIDE, SIDE, 3), np.uint8)
            pixels = np.stack([blank if each is None else each for each in opened])
            features.append(_describe((pixels / 255).astype(np.float32)))
            share_done(chunk.stop / rows)
    found = np.concatenate(features)
    found[~readable] = 0
    return found, readable


def _open(content: Content, row: int) -> NDArray[np.uint8] | None:
    try:
        picture = content.image(row, size=2 * SIDE).image
    except ContentError:
        return None
    return np.asarray(picture.convert("RGB").resize((SIDE, SIDE)), dtype=np.uint8)


def _describe(pixels: NDArray[np.float32]) -> FloatArray:
    parts = (_edges(pixels.mean(axis=3)), _colours(pixels), _small(pixels))
    return np.concatenate([part.reshape(len(pixels), -1) for part in parts], axis=1)


def _edges(grey: NDArray[np.float32]) -> FloatArray:
    """Return how strong edges of each direction are in each cell (n, cells, cells, directions)."""
    down, right = np.gradient(grey, axis=(1, 2))
    strength = np.hypot(down, right)
    angle = np.mod(np.arctan2(down, right), np.pi) * (DIRECTIONS / np.pi)
    number, cells = len(grey), SIDE // CELL
    found = np.empty((number, cells, cells, DIRECTIONS), np.float32)
    for direction in range(DIRECTIONS):
        near = np.abs(angle - direction)
        weight = np.maximum(0, 1 - np.minimum(near, DIRECTIONS - near))
        blocks = (strength * weight).reshape(number, cells, CELL, cells, CELL)
        found[..., direction] = blocks.sum(axis=(2, 4))
    length = np.sqrt((found**2).sum(axis=(1, 2, 3), keepdims=True)) + 1e-6
    return np.asarray(np.sqrt(found / length))


def _colours(pixels: NDArray[np.float32]) -> FloatArray:
    """Return the share of each colour, with SHADES shades of red, green and blue."""
    shade = np.minimum((pixels * SHADES).astype(np.int64), SHADES - 1)
    colour = (shade[..., 0] * SHADES + shade[..., 1]) * SHADES + shade[..., 2]
    number, wide = len(pixels), SHADES**3
    places = np.arange(number)[:, None] * wide + colour.reshape(number, -1)
    counts = np.bincount(places.ravel(), minlength=number * wide).reshape(number, wide)
    return np.asarray(np.sqrt(counts / SIDE**2), dtype=np.float32)


def _small(pixels: NDArray[np.float32]) -> FloatArray:
    from PIL import Image

    small = [
        np.asarray(Image.fromarray((each * 255).astype(np.uint8)).resize((SMALL, SMALL)))
        for each in pixels
    ]
    return np.asarray(np.stack(small), dtype=np.float32) / 255
