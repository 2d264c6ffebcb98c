"""Eight pets, their findings, and a ledger without decisions."""

from __future__ import annotations

import numpy as np
import pytest

import curation
from curation.review.ledger import Ledger
from curation.store import open_store
from tests.audited import Audited

# Eight examples, two classes. Rows 1, 4 and 6 are given cat, but the model is sure of dog.
LABELS = np.array([0, 0, 0, 1, 0, 1, 0, 1])
PROBS = np.array(
    [[0.9, 0.1], [0.1, 0.9], [0.8, 0.2], [0.2, 0.8], [0.02, 0.98], [0.1, 0.9], [0.05, 0.95]]
    + [[0.3, 0.7]]
)


@pytest.fixture
def pets(tmp_path):
    (tmp_path / "labels.csv").write_text(
        "id,label,text,shop\n"
        + "".join(
            f"e{row},{('cat', 'dog')[label]},Text {row},{('South', 'North')[row % 2]}\n"
            for row, label in enumerate(LABELS)
        )
    )
    np.save(tmp_path / "probs.npy", PROBS)
    return curation.load(tmp_path)


@pytest.fixture
def findings(pets):
    return curation.analyze(pets.labels, pets.pred_probs, pets.class_names)


@pytest.fixture
def ledger(pets, tmp_path):
    with open_store(pets, tmp_path / "decisions.db") as store:
        yield Ledger(store)


@pytest.fixture
def audited(tmp_path):
    return Audited(tmp_path / "audited")


@pytest.fixture
def audited_store(audited):
    with audited.open() as store:
        yield store
