"""A small dataset whose overlaps are known, for the pages that show them."""

from __future__ import annotations

from pathlib import Path

import numpy as np

NAMES = ("projectile", "missile", "tub", "bathtub", ":red[x] **b**", "<b>ear</b>")
SIZE = 40  # rightly labelled examples of each class
# given, true, examples: one kind of the other, two names of one thing, hostile names, an error
OVERLAPS = ((0, 1, 12), (1, 0, 3), (2, 3, 6), (3, 2, 6), (4, 5, 8), (0, 2, 1))


def write_overlaps(
    folder: Path,
    names: tuple[str, ...] = NAMES,
    overlaps: tuple[tuple[int, int, int], ...] = OVERLAPS,
) -> Path:
    """Write labels, classes and probabilities in which exactly these overlaps are counted."""
    folder.mkdir(parents=True, exist_ok=True)
    m = len(names)
    planted = [(label, label, SIZE) for label in range(m)] + list(overlaps)
    given = np.repeat([each[0] for each in planted], [each[2] for each in planted])
    true = np.repeat([each[1] for each in planted], [each[2] for each in planted])
    probs = np.full((len(true), m), 0.2 / (m - 1))
    probs[np.arange(len(true)), true] = 0.8
    np.save(folder / "probs.npy", probs)
    classes = "".join(f'n{label},"{name}"\n' for label, name in enumerate(names))
    (folder / "classes.csv").write_text("id,name\n" + classes)
    rows = "".join(f"e{row},n{label}\n" for row, label in enumerate(given))
    (folder / "labels.csv").write_text("id,label\n" + rows)
    return folder
