"""Orders of classes in which a heatmap can be read."""

from __future__ import annotations

from typing import Literal, get_args

import numpy as np

from curation.core.matrix import FloatArray, IntArray

ClassOrder = Literal["given", "noise", "similar"]
CLASS_ORDERS: tuple[ClassOrder, ...] = get_args(ClassOrder)
# Up to this many classes, neighbours in the tree are also swapped so that similar ones touch.
MAX_FINELY_ORDERED_CLASSES = 200


def order_classes(joint: FloatArray, order: ClassOrder) -> IntArray:
    """Return the classes in an order: as given, noisiest first, or confusable ones together.

    "similar" clusters on the symmetric joint: how much of the smaller of two classes is confused
    with the other, averaged over clusters.

    >>> joint = np.array([[.3, 0, .1, 0], [0, .1, 0, .1], [.1, 0, .2, 0], [0, 0, 0, .1]])
    >>> order_classes(joint, "similar").tolist()
    [0, 2, 3, 1]
    """
    if order == "given":
        return np.arange(len(joint))
    if order == "noise":
        given = joint.sum(axis=1)
        noise = 1 - joint.diagonal() / np.where(given > 0, given, 1)
        return np.argsort(np.where(given > 0, -noise, 1), kind="stable")
    if len(joint) < 3:
        return np.arange(len(joint))
    from scipy.cluster import hierarchy  # imported here, because these take a third of a second
    from scipy.spatial.distance import squareform

    distance = squareform(1 - _overlap(joint), checks=False)
    tree = hierarchy.linkage(
        distance, "average", optimal_ordering=len(joint) <= MAX_FINELY_ORDERED_CLASSES
    )
    leaves: IntArray = hierarchy.leaves_list(tree).astype(np.int64)
    return leaves


def _overlap(joint: FloatArray) -> FloatArray:
    """Return the share of the smaller of two classes that is confused with the other."""
    sizes = np.maximum(joint.sum(axis=1), joint.sum(axis=0))
    smaller = np.minimum(sizes[:, None], sizes[None, :])
    overlap: FloatArray = np.clip((joint + joint.T) / np.where(smaller > 0, smaller, 1), 0, 1)
    np.fill_diagonal(overlap, 1)
    return overlap
