"""The list of shapes: each is a folder as some tool writes it, and what it must give.

All hold the same 36 examples of three classes, of which rows 4, 11 and 23 have a wrong label that
the model is sure about. Where it disagrees shows that rows, labels and columns were joined right.
Run `python -m tests.loading.shapes.shape_list FOLDER` to write all of them to disk.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

NAMES = ("cat", "dog", "eel")
N = 36
WRONG = (4, 11, 23)
TRUE = np.arange(N) % 3
GIVEN = np.where(np.isin(np.arange(N), WRONG), (TRUE + 1) % 3, TRUE)
_NOISE = np.random.default_rng(7).dirichlet([2, 2, 2], N)
PROBS = np.round(0.12 * _NOISE + 0.88 * np.eye(3)[TRUE], 6)
PROBS[:, 2] = np.round(1 - PROBS[:, 0] - PROBS[:, 1], 6)
LABELS = [NAMES[k] for k in GIVEN]
TEXTS = [f"text number {row}, of a {NAMES[k]}" for row, k in enumerate(TRUE)]
# the same with two classes, in which the positive class is the second
TRUE_2 = np.arange(N) % 2
GIVEN_2 = np.where(np.isin(np.arange(N), WRONG), 1 - TRUE_2, TRUE_2)
P_SPAM = np.round(0.1 + 0.8 * TRUE_2 + 0.05 * np.sin(np.arange(N)), 6)
LABELS_2 = [("ham", "spam")[k] for k in GIVEN_2]


@dataclass(frozen=True)
class Shape:
    """One folder, and what must come of it: a dataset, or a question with all its answers."""

    name: str
    make: Callable[[Path], None]
    overrides: Mapping[str, Any] = field(default_factory=dict)
    opens: str = "."  # what is opened, from the folder
    n: int = N
    classes: tuple[str, ...] = NAMES
    kind: str = "index"
    wrong: tuple[int, ...] | None = WRONG  # where the model disagrees; None: not compared
    asks: str | None = None  # the code of the question
    choices: int = 0  # how many answers it offers
    says: str = ""  # words that the question or its remedy must hold
    code: str | None = None  # a diagnosis that must be there
    written: str | None = None  # the ending of the cleaned labels


SHAPES: list[Shape] = []


def shape(name: str, **expected: Any) -> Callable[[Callable[[Path], None]], Callable[[Path], None]]:
    """Add a function that writes a folder to the list."""

    def add(make: Callable[[Path], None]) -> Callable[[Path], None]:
        SHAPES.append(Shape(name, make, **expected))
        return make

    return add


def save_probs(at: Path, name: str = "probs.npy") -> None:
    np.save(at / name, PROBS)


def write(at: Path, name: str, text: str) -> None:
    path = at / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8", newline="")


def dump(at: Path, name: str, value: Any) -> None:
    write(at, name, json.dumps(value, indent=2, ensure_ascii=False))


def lines(at: Path, name: str, rows: list[Any]) -> None:
    """Write one JSON value per line."""
    write(at, name, "".join(json.dumps(row) + "\n" for row in rows))


def csv(header: str, *columns: Any) -> str:
    """Return a table as text, from its columns."""
    rows = zip(*columns, strict=True)
    return header + "\n" + "".join(",".join(map(str, row)) + "\n" for row in rows)


def main() -> None:
    from tests.loading.shapes import load_shapes

    for place, each in enumerate(load_shapes()):
        folder = Path(sys.argv[1]) / f"{place:02} {each.name.replace('/', ' ')}"
        folder.mkdir(parents=True)
        each.make(folder)
    print(f"{len(load_shapes())} shapes in {sys.argv[1]}")


if __name__ == "__main__":
    main()
