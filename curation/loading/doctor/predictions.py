"""The predicted label of each row."""

from __future__ import annotations

import numpy as np

from curation.core.matrix import IntArray, Probabilities, map_rows, read_blocks


def read_predictions(pred_probs: Probabilities) -> IntArray:
    """Return the likeliest class of each row, in one pass; in a tie, the lower index.

    >>> read_predictions(np.array([[.25, .75], [.5, .5]]))
    array([1, 0])
    """
    predicted = np.empty(pred_probs.shape[0], np.int64)

    def read(start: int, stop: int) -> None:
        for first, last, block in read_blocks(pred_probs, start, stop):
            predicted[first:last] = block.argmax(axis=1)

    map_rows(read, pred_probs)
    return predicted
