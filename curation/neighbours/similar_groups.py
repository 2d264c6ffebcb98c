"""Near-duplicates: examples so close to another that they may be the same thing twice."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from curation.core.matrix import BoolArray, FloatArray, IntArray

NEAR = 0.13  # of the median distance to the nearest example; cleanlab's limit


@dataclass(frozen=True, eq=False)
class SimilarGroups:
    """Groups of near-duplicates."""

    groups: IntArray  # (n,) the same number for near-duplicates of each other; -1 for all others
    distances: FloatArray  # (n,) to the nearest example

    @cached_property
    def num_groups(self) -> int:
        return int(self.groups.max(initial=-1)) + 1

    @cached_property
    def found(self) -> BoolArray:
        """Return which examples have a near-duplicate. (n,)"""
        return self.groups >= 0

    def find_mixed(self, values: NDArray[Any]) -> BoolArray:
        """Return which groups hold more than one of the values, such as labels or splits."""
        mixed = np.zeros(self.num_groups, bool)
        rows = np.flatnonzero(self.found)
        if len(rows):
            _, codes = np.unique(values[rows], return_inverse=True)
            first = np.full(self.num_groups, -1)
            first[self.groups[rows][::-1]] = codes[::-1]
            mixed[self.groups[rows][codes != first[self.groups[rows]]]] = True
        return mixed

    def order(self, labels: IntArray, splits: NDArray[Any] | None) -> IntArray:
        """Return the near-duplicates, group by group: different labels first, then splits.

        After that, the closest groups come first.
        """
        rows = np.flatnonzero(self.found)
        numbers = self.groups[rows]
        closest = np.full(self.num_groups, np.inf)
        np.minimum.at(closest, numbers, self.distances[rows])
        across = np.zeros(self.num_groups, bool) if splits is None else self.find_mixed(splits)
        differ = self.find_mixed(labels)
        keys = (rows, numbers, closest[numbers], ~across[numbers], ~differ[numbers])
        ordered: IntArray = rows[np.lexsort(keys)]
        return ordered

    def others(self, row: int) -> IntArray:
        """Return the near-duplicates of an example."""
        if not self.found[row]:
            return np.zeros(0, np.int64)
        same = np.flatnonzero(self.groups == self.groups[row])
        others: IntArray = same[same != row]
        return others


def find_groups(nearest: NDArray[np.int32], distances: NDArray[np.float32]) -> SimilarGroups:
    """Return groups of examples that near-duplicates connect.

    Two examples are near-duplicates if one is among the nearest of the other and their distance is
    below 0.13 times the median distance to the nearest example, or 0.
    """
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    usable = nearest[:, 0] >= 0
    radius = NEAR * float(np.median(distances[usable, 0])) if usable.any() else 0.0
    with np.errstate(invalid="ignore"):
        rows, places = np.nonzero((distances < radius) | (distances == 0))
    others = nearest[rows, places]
    size = len(nearest)
    graph = coo_array((np.ones(len(rows), bool), (rows, others)), shape=(size, size))
    _, parts = connected_components(graph, directed=False)
    groups = np.full(size, -1, np.int64)
    joined = np.unique(np.concatenate([rows, others]))
    groups[joined] = np.unique(parts[joined], return_inverse=True)[1]
    return SimilarGroups(groups, distances[:, 0].astype(np.float64))
