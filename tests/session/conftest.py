"""Sixty examples of three classes in memory; the model doubts the first five labels."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest

from curation.session.preparation import Prepared, prepare

NAMES = ("cat", "dog", "eel")
COUNT = 60


@pytest.fixture(autouse=True)
def user_data(tmp_path, monkeypatch):
    """The user's data folder, for this test alone."""
    monkeypatch.setattr("curation.session.session_folder.user_folder", lambda: tmp_path / "user")
    return tmp_path / "user"


@pytest.fixture
def memory():
    rng = np.random.default_rng(0)
    codes = np.arange(COUNT) % len(NAMES)
    probs = rng.dirichlet(np.ones(3), COUNT) * 0.2
    probs[np.arange(COUNT), codes] += 0.8
    probs[:5] = np.roll(probs[:5], 1, axis=1)
    return SimpleNamespace(
        codes=codes,
        labels=[NAMES[code] for code in codes],
        probs=probs,
        texts=[f"text number {row}" for row in range(COUNT)],
        pixels=rng.integers(0, 255, (COUNT, 6, 5, 3), dtype=np.uint8),
    )


def open_data(data, pred_probs=None, labels=None, **more) -> Prepared:
    """Return data from memory as `curation.open` loads it, without a dashboard."""
    named = {key: more.pop(key, None) for key in ("class_names", "make_probs", "folder")}
    return prepare(data, pred_probs, labels, **named, overrides=more)
