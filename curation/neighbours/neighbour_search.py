"""The neighbours of every example of a dataset, found once and kept on disk."""

from __future__ import annotations

import os
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from curation.core.matrix import FloatArray, IntArray
from curation.dataset import Dataset
from curation.errors import InputError
from curation.fingerprint import FileHashes, array_chunks, hash_bytes
from curation.loading.content.feature_file import find_feature_file
from curation.neighbours.compared_features import ComparedFeatures, find_compared
from curation.neighbours.nearest_rows import check_size, find_nearest
from curation.neighbours.neighbour_cache import read_arrays, save_arrays
from curation.neighbours.picture_quality import PictureQuality, measure_pictures
from curation.neighbours.similar_groups import SimilarGroups, find_groups
from curation.progress import Progress, ignore_progress, part

NEAREST = 10
GRID = 4096  # places along each side of the map
EDGE = 0.5  # percent of the examples beyond each edge of the map, which are drawn on it
FAR_FENCE = 3.0  # Tukey's: interquartile ranges above the third quartile
VERSION = 2  # of the features and measures; a change makes what was kept useless


@dataclass(frozen=True, eq=False)
class Neighbours:
    """The nearest examples of each of n examples, and what follows from them.

    An example that cannot be compared, such as a picture that cannot be read, has -1 for each
    neighbour and NaN for each distance.
    """

    nearest: NDArray[np.int32]  # (n, 10) rows, the nearest first; fewer columns for tiny datasets
    distances: NDArray[np.float32]  # (n, 10) how far away they are
    places: NDArray[np.uint16]  # (n, 2) on the map, from 1 to 4094
    source: str  # what examples are compared by, in words
    of_content: bool  # not the probabilities
    notes: tuple[str, ...]  # what a person should know
    key: str  # identifies the dataset and the features
    measures: NDArray[np.float32] | None = None  # (n, 4) of pictures

    def __len__(self) -> int:
        return len(self.nearest)

    @property
    def count(self) -> int:
        """Return how many neighbours each example has."""
        return int(self.nearest.shape[1])

    @property
    def usable(self) -> NDArray[np.bool_]:
        """Return which examples can be compared. (n,)"""
        return self.nearest[:, 0] >= 0

    def count_labels(self, labels: IntArray, wanted: IntArray) -> IntArray:
        """Return how many neighbours of each example have the label that is wanted for it. (n,)"""
        same = (labels[self.nearest] == wanted[:, None]) & self.usable[:, None]
        return np.asarray(same.sum(axis=1), np.int64)

    @cached_property
    def mean_distance(self) -> FloatArray:
        """Return the mean distance to the neighbours; high is unusual. (n,)"""
        return np.asarray(self.distances.mean(axis=1, dtype=np.float64))

    @cached_property
    def outliers(self) -> IntArray:
        """Return the examples far from all others, the farthest first.

        Their mean distance is more than three interquartile ranges above the third quartile.
        If only probabilities are known, there are none.
        """
        known = self.mean_distance[self.usable]
        if not self.of_content or not len(known):
            return np.zeros(0, np.int64)
        low, high = np.percentile(known, [25, 75])
        with np.errstate(invalid="ignore"):
            found = np.flatnonzero(self.mean_distance > high + FAR_FENCE * (high - low))
        return found[np.argsort(-self.mean_distance[found], kind="stable")]

    @cached_property
    def similar(self) -> SimilarGroups:
        """Return groups of near-duplicates; none if only probabilities are known."""
        if not self.of_content:
            return SimilarGroups(np.full(len(self), -1), np.full(len(self), np.nan))
        return find_groups(self.nearest, self.distances)

    @cached_property
    def pictures(self) -> PictureQuality | None:
        """Return what is wrong with pictures; None if the examples are not pictures."""
        return None if self.measures is None else PictureQuality(self.measures)


def find_neighbours(
    dataset: Dataset,
    *,
    features: str | os.PathLike[str] | NDArray[Any] | None = None,
    progress: Progress = ignore_progress,
) -> Neighbours:
    """Return the ten nearest examples of each example; found once, then read from the user's cache.

    Examples are compared by `features`, an array or an .npy with one row per example, else by
    `embeddings.npy` next to the data, else by our own features of the texts, pictures or columns,
    else by the logarithms of the probabilities. More than 100,000 examples need the extra
    `neighbours` (faiss). See `neighbours.source` for what was used.

        neighbours = curation.find_neighbours(dataset)
        order = np.argsort(curation.score_neighbours(findings, neighbours))
    """
    if len(dataset) < 2:
        raise InputError("One example has no neighbours.", "Open a dataset with more examples.")
    check_size(len(dataset))
    given = Path(features) if isinstance(features, str | os.PathLike) else features
    key = name_neighbours(dataset, given)
    kept = read_kept(key, len(dataset))
    if kept is not None:
        return kept
    compared = find_compared(dataset, given, part(progress, "Reading the examples", 0.0, 0.3))
    found = _search(dataset, compared, key, progress)
    _save(found)
    return found


def name_neighbours(dataset: Dataset, features: Path | NDArray[Any] | None = None) -> str:
    """Return the key of a dataset's neighbours, which changes with the data and the features."""
    given = find_feature_file(dataset) if features is None else features
    said = [str(VERSION).encode(), dataset.fingerprint.encode()]
    if isinstance(given, Path):
        if not given.is_file():
            raise InputError(f"There is no file {given}.", "Pass an .npy with one row per example.")
        files = FileHashes(dataset.root)
        said += [given.name.encode("utf-8", "surrogatepass"), files.hash_file(given).encode()]
        files.save()
    elif given is not None:
        said += array_chunks(given)
    return hash_bytes(said)[:32]


def read_kept(key: str, size: int) -> Neighbours | None:
    """Return neighbours that were found before; None if there are none."""
    arrays = read_arrays(key)
    if arrays is None or len(arrays["nearest"]) != size:
        return None
    return Neighbours(
        nearest=arrays["nearest"],
        distances=arrays["distances"],
        places=arrays["places"],
        source=str(arrays["source"]),
        of_content=bool(arrays["of_content"]),
        notes=tuple(arrays["notes"].tolist()),
        key=key,
        measures=arrays.get("measures"),
    )


def _save(found: Neighbours) -> None:
    arrays: dict[str, Any] = {
        "nearest": found.nearest,
        "distances": found.distances,
        "places": found.places,
        "source": np.array(found.source),
        "of_content": np.array(found.of_content),
        "notes": np.array(found.notes, dtype=str),
    }
    if found.measures is not None:
        arrays["measures"] = found.measures
    save_arrays(found.key, arrays)


def _search(
    dataset: Dataset, compared: ComparedFeatures, key: str, progress: Progress
) -> Neighbours:
    rows = np.flatnonzero(compared.usable)
    count = min(NEAREST, len(rows) - 1)
    nearest = np.full((len(dataset), max(count, 1)), -1, np.int32)
    distances = np.full(nearest.shape, np.nan, np.float32)
    if count > 0:
        share = part(progress, "Finding the nearest examples", 0.3, 0.9)
        near, far = find_nearest(compared.matrix[rows], count, share)
        nearest[rows], distances[rows] = rows[near], far
    measures = None
    if dataset.kind == "image":
        share = part(progress, "Looking for dark and blurry pictures", 0.9, 1.0)
        measures = measure_pictures(dataset.content, share)
    return Neighbours(
        nearest, distances, place_on_map(compared.matrix[:, :2], compared.usable),
        compared.source, compared.of_content, tuple(compared.notes), key, measures,
    )  # fmt: skip


def place_on_map(
    coordinates: NDArray[np.floating], usable: NDArray[np.bool_]
) -> NDArray[np.uint16]:
    """Return places on a map of 4096 by 4096; far outliers are drawn near its edge.

    The outermost places stay free, so that an outline along the edge holds everything.
    """
    plain = np.zeros((len(coordinates), 2))
    plain[:, : coordinates.shape[1]] = coordinates[:, :2]
    low, high = np.percentile(plain[usable], [EDGE, 100 - EDGE], axis=0)
    margin = 0.1 * (high - low)
    wide = np.where(high > low, high - low + 2 * margin, 1)
    share = np.clip((plain - low + margin) / wide, 0, 1)
    return np.asarray(np.round(1 + share * (GRID - 3)), np.uint16)
