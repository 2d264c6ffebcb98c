"""Small labelled datasets to learn from, and a home that no test leaves."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import curation
from curation.dataset import LabelledData

WORDS = {
    "cat": "purr whisker meow claw sofa mouse nap tail".split(),
    "dog": "bark fetch leash bone park growl sniff paw".split(),
    "eel": "swim river slime reef water fin cold deep".split(),
}


@pytest.fixture(autouse=True)
def quiet_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


def write_texts(root: Path, *, n: int = 90, header: str = "id,label,text", wrong: int = 6) -> Path:
    """Write labelled texts of three classes, the first few with the next class as their label."""
    rng = np.random.default_rng(0)
    names = list(WORDS)
    rows = []
    for k in range(n):
        own = names[k % 3]
        label = names[(k + 1) % 3] if k < wrong else own
        text = " ".join(rng.choice(WORDS[own], 5)) + f" n{k}"
        cells = {"id": f"e{k}", "label": label, "text": text, "group": f"g{k // 6}"}
        rows.append(",".join(cells[name] for name in header.split(",")))
    root.mkdir(exist_ok=True)
    (root / "texts.csv").write_text("\n".join([header, *rows]) + "\n")
    return root


def write_known(root: Path, *, n: int = 240, wrong: int = 84, apart: float = 3.0) -> Path:
    """Write labelled texts with their true labels, embeddings, and even probabilities."""
    write_texts(root, n=n, wrong=wrong)
    near = apart * np.eye(3, 6)[np.arange(n) % 3] + np.random.default_rng(1).normal(size=(n, 6))
    np.save(root / "embeddings.npy", near)
    rows = [f"e{k},{list(WORDS)[k % 3]}" for k in range(n)]
    (root / "true_labels.csv").write_text("\n".join(["id,label", *rows]) + "\n")
    np.save(root / "probs.npy", np.full((n, 3), 1 / 3))
    return root


@pytest.fixture
def texts(tmp_path: Path) -> Path:
    return write_texts(tmp_path / "pets")


@pytest.fixture
def labelled(texts: Path) -> LabelledData:
    return curation.load_labelled(texts)
