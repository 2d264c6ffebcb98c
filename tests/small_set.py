"""Small datasets made on the spot, with wrong labels at known places."""

from __future__ import annotations

import csv
from pathlib import Path

import numpy as np
from PIL import Image

NAMES = ("cat", "dog", "eel")


def write_texts(
    folder: Path, count: int, flagged: int, *, length: int = 40, rng: np.random.Generator
) -> Path:
    """Write examples t00000, t00001, ...; the first `flagged` are given cat and surely are dogs."""
    folder.mkdir(parents=True, exist_ok=True)
    labels = np.arange(count) % len(NAMES)
    labels[:flagged] = 0
    write_probabilities(folder, labels, flagged, rng)
    with (folder / "labels.csv").open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["id", "label", "text", "source"])
        for row, label in enumerate(labels):
            text = f"Example {row}. " + "words " * (length // 6)
            writer.writerow([f"t{row:05}", NAMES[label], text, f"shop {row % 4}"])
    return folder


def write_images(
    folder: Path, count: int, flagged: int, *, size: int = 32, rng: np.random.Generator
) -> Path:
    """Write pictures of one colour each, a file an example, labelled as `write_texts` does."""
    (folder / "images").mkdir(parents=True, exist_ok=True)
    labels = np.arange(count) % len(NAMES)
    labels[:flagged] = 0
    write_probabilities(folder, labels, flagged, rng)
    with (folder / "labels.csv").open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["id", "label", "image"])
        for row, label in enumerate(labels):
            pixels = rng.integers(0, 255, (4, 4, 3), dtype=np.uint8)
            name = f"images/{row:05}.png"
            Image.fromarray(pixels).resize((size, size), Image.Resampling.NEAREST).save(
                folder / name
            )
            writer.writerow([f"p{row:05}", NAMES[label], name])
    return folder


def write_probabilities(
    folder: Path, labels: np.ndarray, flagged: int, rng: np.random.Generator
) -> None:
    """Sure of the given label, but of dog for the first `flagged`, in a random order of margins."""
    sure = np.where(np.arange(len(labels)) < flagged, 0.12, 0.0)
    sure += rng.uniform(0.8, 0.86, len(labels))  # surer of what is wrong than of what is right
    likeliest = labels.copy()
    likeliest[:flagged] = 1
    probs = np.repeat(((1 - sure) / 2)[:, None], len(NAMES), axis=1)
    probs[np.arange(len(labels)), likeliest] = sure
    np.save(folder / "probs.npy", probs)
