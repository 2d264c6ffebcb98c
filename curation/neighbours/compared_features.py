"""What examples are compared by: rows of at most 64 numbers, by their Euclidean distance.

The user's own features come first, then ours of the texts, pictures or columns; if there are none
of these, the logarithms of the probabilities. All are rotated to their principal axes, which keeps
every distance as long as no axis is dropped. The first two axes are the map.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from curation.core.matrix import BoolArray, ShareDone
from curation.dataset import Dataset
from curation.errors import InputError
from curation.loading.content.feature_file import find_feature_file
from curation.modelling.example_features import (
    Features,
    check_finite,
    find_features,
    open_features,
)
from curation.wording import count_of

Float32Array = NDArray[np.float32]
AXES = 64  # kept of wider features
ROWS_FOR_AXES = 50_000  # drawn at random, from which the axes are found
BLOCK = 16_384  # rows read at a time
SEED = 0
LOWEST_PROBABILITY = 1e-4  # what a smaller one counts as; below it, models say little
MIN_DISTINCT = 0.5  # share of distinct rows, below which columns cannot tell examples apart
WEAK = "This is weak for photographs: save embeddings of a network as embeddings.npy for those."
LOG_PROBABILITIES = "the logarithms of the probabilities"


@dataclass(frozen=True, eq=False)
class ComparedFeatures:
    """What n examples are compared by; `usable` says which can be compared at all."""

    matrix: Float32Array  # (n, at most AXES), the axis of largest variance first
    usable: BoolArray
    source: str  # in words
    of_content: bool  # not the probabilities, from which no copy or outlier can be told
    notes: list[str] = field(default_factory=list)


def find_compared(
    dataset: Dataset, given: str | Path | NDArray[Any] | None, share_done: ShareDone
) -> ComparedFeatures:
    """Return what examples are compared by: what is given, else embeddings.npy, else the best."""
    given = find_feature_file(dataset) if given is None else given
    if given is not None:
        array, name = open_features(dataset, given)
        everything = np.ones(len(dataset), bool)

        def read(start: int, stop: int) -> Float32Array:
            return _to_unit_length(check_finite(array[start:stop], name, start))

        matrix = _turn(read, len(dataset), share_done)
        return ComparedFeatures(matrix, everything, name, True)
    try:
        found = find_features(dataset, None, lambda share: share_done(0.8 * share))
        plain = _make_plain(found)
    except InputError as error:  # nothing to compare by but the model's view
        notes = [] if dataset.kind == "index" else [error.problem]
        return _compare_probabilities(dataset, share_done, notes)
    matrix = _turn(lambda start, stop: plain[start:stop], len(plain), lambda share: None)
    notes = []
    if dataset.kind == "image":
        notes.append(WEAK)
    lost = int((~found.usable).sum())
    if lost:
        notes.append(f"{count_of(lost, 'example')} cannot be compared.")
    return ComparedFeatures(matrix, found.usable, found.source, True, notes)


def _make_plain(found: Features) -> Float32Array:
    """Return features as an array of numbers."""
    if found.kind == "text":
        return _shorten_texts(found.matrix)
    if found.kind == "table":
        return _spread_columns(found.matrix)
    return np.asarray(found.matrix, np.float32)


def _shorten_texts(counts: Any) -> Float32Array:
    """Return texts as 64 numbers of unit length: TF-IDF, then its largest singular directions."""
    from sklearn.decomposition import TruncatedSVD
    from sklearn.feature_extraction.text import TfidfTransformer

    # of half a million columns, a few hundred texts fill some thousands; empty ones only cost time
    counts = counts[:, np.unique(counts.indices)]
    weighted = TfidfTransformer(sublinear_tf=True).fit_transform(counts)
    axes = min(AXES, min(counts.shape) - 1)
    shortened = TruncatedSVD(max(1, axes), random_state=SEED).fit_transform(weighted)
    return _to_unit_length(np.asarray(shortened, np.float32))


def _spread_columns(table: Any) -> Float32Array:
    """Return columns as numbers: each number standardized, each category 0 or 1."""
    import pandas as pd

    if len(table.drop_duplicates()) < MIN_DISTINCT * len(table):
        raise InputError("The columns cannot tell the examples apart.", "Save embeddings.npy.")
    spread = pd.get_dummies(table, dtype=np.float32)
    numbers = spread.to_numpy(np.float32, na_value=np.nan).copy()  # may be read-only
    plain = table.select_dtypes("number").shape[1]  # get_dummies puts them first
    middle, wide = np.nanmean(numbers[:, :plain], axis=0), np.nanstd(numbers[:, :plain], axis=0)
    numbers[:, :plain] = (numbers[:, :plain] - middle) / np.where(wide > 0, wide, 1)
    return np.asarray(np.nan_to_num(numbers), np.float32)


def _compare_probabilities(
    dataset: Dataset, share_done: ShareDone, notes: list[str]
) -> ComparedFeatures:
    size = len(dataset)

    def read(start: int, stop: int) -> Float32Array:
        probabilities = np.asarray(dataset.pred_probs[start:stop], np.float32)
        return np.log(np.maximum(probabilities, LOWEST_PROBABILITY))

    matrix = _turn(read, size, share_done)
    return ComparedFeatures(matrix, np.ones(size, bool), LOG_PROBABILITIES, False, notes)


def _to_unit_length(rows: Any) -> Float32Array:
    """Return rows of length 1, so that distances are those of directions; zeros stay zeros."""
    plain = np.asarray(rows, np.float32)
    length = np.sqrt(np.einsum("ij,ij->i", plain, plain, dtype=np.float64))[:, None]
    return np.asarray(plain / np.where(length > 0, length, 1), np.float32)


def _turn(
    read: Callable[[int, int], Float32Array], size: int, share_done: ShareDone
) -> Float32Array:
    """Return features on their principal axes; wider ones keep the AXES of largest variance."""
    middle, axes = _find_axes(_draw(read, size))
    turned = np.empty((size, axes.shape[1]), np.float32)
    for start in range(0, size, BLOCK):
        stop = min(start + BLOCK, size)
        turned[start:stop] = (read(start, stop) - middle) @ axes
        share_done(stop / size)
    return turned


def _draw(read: Callable[[int, int], Float32Array], size: int) -> Float32Array:
    """Return rows drawn at random, all of them if they are few; read in order, block by block."""
    rows = np.arange(size)
    if size > ROWS_FOR_AXES:
        rows = np.sort(np.random.default_rng(SEED).choice(size, ROWS_FOR_AXES, replace=False))
    parts = []
    for start in range(0, size, BLOCK):
        stop = min(start + BLOCK, size)
        here = rows[np.searchsorted(rows, start) : np.searchsorted(rows, stop)]
        parts.append(read(start, stop)[here - start])
    return np.concatenate(parts)


def _find_axes(rows: Float32Array) -> tuple[Float32Array, Float32Array]:
    """Return the mean, and the principal axes as columns, of largest variance first."""
    middle = rows.mean(axis=0, dtype=np.float64)
    centred = rows - middle.astype(np.float32)
    _, axes = np.linalg.eigh(centred.T.astype(np.float64) @ centred)
    axes = axes[:, ::-1][:, :AXES]
    # an axis points either way: its largest entry is made positive, the same on every machine
    signs = np.sign(axes[np.abs(axes).argmax(axis=0), np.arange(axes.shape[1])])
    return middle.astype(np.float32), np.asarray(axes * np.where(signs < 0, -1, 1), np.float32)
