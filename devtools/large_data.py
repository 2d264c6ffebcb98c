"""Made-up probabilities and labels of any size, to measure with."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np


def make_data(folder: Path, n: int, m: int) -> None:
    """Write seeded float32 probabilities of a fairly good model, and labels, 10 % of them random.

    Rows come in batches that repeat one drawn batch with the classes moved on by one, which is
    quick to write and alike in every respect that costs time.
    """
    rng = np.random.default_rng(2021)
    size = min(n, 20_000)
    true = rng.integers(0, m, size)
    logits = rng.standard_normal((size, m), dtype=np.float32)
    logits[np.arange(size), true] += 6
    batch = np.exp(logits)
    batch /= batch.sum(axis=1, keepdims=True)
    given = np.where(rng.random(size) < 0.1, rng.integers(0, m, size), true)
    labels = np.empty(n, np.int64)
    probs = np.lib.format.open_memmap(
        folder / "probs.npy", mode="w+", dtype=np.float32, shape=(n, m)
    )
    for shift, start in enumerate(range(0, n, size)):
        stop = min(start + size, n)
        probs[start:stop] = np.roll(batch[: stop - start], shift, axis=1)
        labels[start:stop] = (given[: stop - start] + shift) % m
    probs.flush()
    np.save(folder / "labels.npy", labels)
    if hasattr(os, "sync"):
        os.sync()  # or the disk would still be writing while the first runner is measured
