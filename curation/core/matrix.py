"""What the mathematics needs of a matrix of probabilities, so that one on disk will do."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.floating[Any]]
IntArray = NDArray[np.int64]
BoolArray = NDArray[np.bool_]


class Probabilities(Protocol):
    """An (n, m) matrix read by blocks of rows or by single cells.

    `probs[start:stop]` gives rows and `probs[rows, columns]` gives one cell for each pair.
    A numpy array is one; so is a memory-mapped file, or several shards read as one.
    """

    @property
    def shape(self) -> tuple[int, ...]: ...

    @property
    def dtype(self) -> np.dtype[Any]: ...

    def __getitem__(self, key: Any, /) -> Any: ...
