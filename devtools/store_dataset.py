"""A tiny dataset in memory, with only the attributes that a store uses."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

import numpy as np


@dataclass(frozen=True)
class Texts:
    texts: tuple[str, ...]

    def digest(self, row: int) -> str:
        return hashlib.sha256(self.texts[row].encode("utf-8", "surrogatepass")).hexdigest()


@dataclass(frozen=True)
class StoreDataset:
    root: Path
    ids: tuple[str, ...]
    labels: np.ndarray
    class_names: tuple[str, ...]
    class_ids: tuple[str, ...]
    content: Texts
    probabilities: str = "p1"
    more: dict[str, str] = field(default_factory=dict)

    @cached_property
    def source_rows(self) -> np.ndarray:
        return np.arange(len(self.ids))

    @cached_property
    def row_of(self) -> dict[str, int]:
        return {each: row for row, each in enumerate(self.ids)}

    @cached_property
    def fingerprint_parts(self) -> dict[str, str]:
        parts = {
            "ids": repr(self.ids),
            "labels": repr(self.labels.tolist()),
            "classes": repr((self.class_names, self.class_ids)),
            "content": repr(self.content.texts),
            "probabilities": self.probabilities,
        }
        return {
            name: hashlib.sha256(part.encode("utf-8", "surrogatepass")).hexdigest()
            for name, part in parts.items()
        }

    @cached_property
    def fingerprint(self) -> str:
        return hashlib.sha256(repr(sorted(self.fingerprint_parts.items())).encode()).hexdigest()


def make_dataset(root: Path, count: int = 6) -> StoreDataset:
    """Return examples e0, e1, ... labelled cat, dog, cat, dog, ...; classes cat, dog, eel."""
    names = ("cat", "dog", "eel")
    return StoreDataset(
        root=root,
        ids=tuple(f"e{k}" for k in range(count)),
        labels=np.arange(count) % 2,
        class_names=names,
        class_ids=names,
        content=Texts(tuple(f"text {k}" for k in range(count))),
    )
