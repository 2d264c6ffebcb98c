"""Findings in few bytes: the smallest types that hold every value exactly."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from curation.analysis.findings import Method
from curation.core.matrix import BoolArray

STORED_MASKS: tuple[Method, ...] = (
    "confusion", "confident_joint", "prune_by_class", "prune_by_noise_rate",
)  # fmt: skip


def pack_masks(masks: Mapping[Method, BoolArray]) -> NDArray[np.uint8]:
    """Return one byte per example, with a bit for each method but the last, which follows."""
    flags = np.zeros(len(masks["confusion"]), np.uint8)
    for bit, method in enumerate(STORED_MASKS):
        flags |= masks[method].astype(np.uint8) << bit
    return flags


def unpack_masks(flags: NDArray[Any]) -> dict[Method, BoolArray]:
    """Return the masks of all methods."""
    masks: dict[Method, BoolArray] = {
        method: (flags >> bit & 1).astype(bool) for bit, method in enumerate(STORED_MASKS)
    }
    return masks | {"both": masks["prune_by_class"] & masks["prune_by_noise_rate"]}


def shrink_counts(counts: NDArray[np.int64]) -> NDArray[Any]:
    """Return whole numbers in the smallest type that holds all of them.

    >>> shrink_counts(np.array([0, 300])).dtype
    dtype('uint16')
    """
    return counts.astype(np.min_scalar_type(int(counts.max(initial=0))))


def shrink_floats(values: NDArray[np.float64]) -> NDArray[Any]:
    """Return numbers in single precision if that changes none of them.

    >>> shrink_floats(np.array([.5])).dtype, shrink_floats(np.array([.1])).dtype
    (dtype('float32'), dtype('float64'))
    """
    single = values.astype(np.float32)
    return single if np.array_equal(single, values) else values
