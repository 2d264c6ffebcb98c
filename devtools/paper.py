"""The figures that the paper prints, and how ours are measured to compare them."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

import curation

# (noise, sparsity) -> for each method its accuracy, F1, precision and recall in per cent.
PAPER_MEASURES = {
    (0.2, 0.0): (
        (84, 71, 56, 98), (89, 75, 67, 86), (88, 76, 64, 96), (89, 77, 65, 93), (90, 78, 67, 93),
    ),
    (0.2, 0.6): (
        (85, 72, 58, 97), (90, 78, 70, 88), (88, 76, 65, 93), (90, 79, 68, 94), (90, 78, 69, 90),
    ),
    (0.4, 0.0): (
        (85, 84, 74, 97), (86, 84, 78, 91), (86, 84, 76, 94), (88, 85, 82, 88), (87, 84, 82, 87),
    ),
    (0.4, 0.6): (
        (81, 79, 70, 90), (84, 80, 77, 84), (82, 79, 74, 85), (84, 80, 79, 82), (83, 78, 79, 78),
    ),
}  # fmt: skip
# (noise, sparsity) -> RMSE of the joint by the confident joint, and by the confusion baseline.
PAPER_RMSE = {
    (0.2, 0.0): (0.004, 0.006),
    (0.2, 0.2): (0.004, 0.006),
    (0.2, 0.4): (0.004, 0.005),
    (0.2, 0.6): (0.004, 0.005),
    (0.4, 0.0): (0.004, 0.005),
    (0.4, 0.2): (0.004, 0.005),
    (0.4, 0.4): (0.004, 0.005),
    (0.4, 0.6): (0.005, 0.007),
    (0.7, 0.0): (0.011, 0.011),
    (0.7, 0.2): (0.010, 0.011),
    (0.7, 0.4): (0.015, 0.015),
    (0.7, 0.6): (0.017, 0.019),
}


def measure_flags(flagged: NDArray[np.bool_], wrong: NDArray[np.bool_]) -> tuple[float, ...]:
    """Return accuracy, F1, precision and recall of the flags, in per cent."""
    hits = np.count_nonzero(flagged & wrong)
    precision = hits / max(1, np.count_nonzero(flagged))
    recall = hits / max(1, np.count_nonzero(wrong))
    f1 = 2 * precision * recall / max(1e-12, precision + recall)
    return tuple(100 * each for each in (np.mean(flagged == wrong), f1, precision, recall))


def measure_rmse(
    counts: NDArray[np.int64], labels: NDArray[np.int64], true_labels: NDArray[np.int64]
) -> float:
    """Return the root of the mean squared error of the joint that these counts give."""
    true_counts = np.zeros(counts.shape)
    np.add.at(true_counts, (labels, true_labels), 1)
    difference = curation.estimate_joint(counts, labels) - true_counts / len(labels)
    return float(np.sqrt(np.mean(difference**2)))
