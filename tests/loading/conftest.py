"""A small dataset on disk that each test bends in one way."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import curation
from curation.errors import BlockedError
from curation.report import Diagnosis

NAMES = ("cat", "dog", "eel")


def find_diagnosis(dataset, code):
    """Return the first diagnosis of this code in a dataset's report."""
    return next(each for each in dataset.report.diagnoses if each.code == code)


class Folder:
    """A folder with labels and probabilities of 30 examples in three classes."""

    def __init__(self, root: Path) -> None:
        self.root = root
        rng = np.random.default_rng(0)
        self.labels = np.arange(30) % 3
        probs = rng.dirichlet([1, 1, 1], 30) * 0.4
        probs[np.arange(30), self.labels] += 0.6
        self.probs = probs.astype(np.float32)

    def write(self, name: str, content: str | bytes) -> Path:
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return path

    def save(self, name: str, array: object) -> Path:
        np.save(self.root / name, array)
        return self.root / name

    def table(self, labels: list[object] | None = None) -> str:
        cells = [NAMES[k] for k in self.labels] if labels is None else labels
        return "id,label\n" + "".join(f"e{row},{cell}\n" for row, cell in enumerate(cells))

    def whole(self) -> Folder:
        self.write("labels.csv", self.table())
        self.save("probs.npy", self.probs)
        return self

    def load(self, **overrides: object) -> curation.dataset.Dataset:
        return curation.load(self.root, **overrides)

    def blocked(self, **overrides: object) -> BlockedError:
        with pytest.raises(BlockedError) as caught:
            self.load(**overrides)
        return caught.value

    def found(self, code: str, **overrides: object) -> Diagnosis:
        """Return the only diagnosis of a code."""
        diagnoses = curation.check(self.root, **overrides).diagnoses
        (one,) = (each for each in diagnoses if each.code == code)
        return one

    def other_labels(self) -> np.ndarray:
        """Return the labels with two of them changed."""
        changed = self.labels.copy()
        changed[[5, 7]] = 0  # 5 was 2 and 7 was 1
        return changed

    def codes(self, **overrides: object) -> set[str]:
        return {each.code for each in curation.check(self.root, **overrides).diagnoses}


@pytest.fixture
def folder(tmp_path: Path) -> Folder:
    root = tmp_path / "data"
    root.mkdir()
    return Folder(root)


@pytest.fixture
def whole(folder: Folder) -> Folder:
    return folder.whole()
