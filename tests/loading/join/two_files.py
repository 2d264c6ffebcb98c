"""A file of labels and a file of probabilities whose rows are in another order."""

import numpy as np

NAMES = ["cat", "dog", "eel"]
SWAPPED = [0, 1, 2, 4, 3, *range(5, 30)]  # which example each row of the probabilities is
COUNT = list(range(30))
TURNED = COUNT[::-1]
FILES = [f"{letter}.png" for letter in "abcdefghijklmnopqrstuvwxyzABCD"]


def write(folder, name: str, header: str, rows) -> None:
    folder.write(name, header + "\n" + "".join(",".join(map(str, row)) + "\n" for row in rows))


def labels(folder, header: str, *columns) -> None:
    """Write the given columns and then the labels."""
    rows = zip(*columns, (NAMES[k] for k in folder.labels), strict=True)
    write(folder, "labels.csv", f"{header},label", rows)


def probs(folder, header: str, *columns, order=SWAPPED) -> None:
    """Write the given columns, row by row as they are, beside the examples in an order."""
    numbers = (folder.probs[k].tolist() for k in order)
    rows = ([*keys, *row] for *keys, row in zip(*columns, numbers, strict=True))
    write(folder, "probs.csv", f"{header},cat,dog,eel", rows)


def assert_joined(folder, **overrides):
    """Check that each example has its own probabilities; return the dataset."""
    dataset = folder.load(**overrides)
    np.testing.assert_allclose(np.asarray(dataset.pred_probs), folder.probs, rtol=1e-6)
    return dataset
