"""A dataset with known truth, audited by people who never err."""

from __future__ import annotations

from pathlib import Path

import numpy as np

import curation
from curation.dataset import Dataset
from curation.review.audits import Audit, draw_audit, find_decided, replay_examples
from curation.store import Store
from tests.pages.visiting import PETS, save
from tests.problems import noisy_problem

SIZE = 300


class Audited:
    """A folder of 300 pets, its findings, its truth, and a store to decide in."""

    def __init__(self, root: Path) -> None:
        self.folder = save(root, n=SIZE)
        self.load()
        self.true = noisy_problem(
            np.random.default_rng(0), n=SIZE, m=len(PETS), noise=0.2, sharpness=9
        )[2]

    def load(self) -> None:
        """Read the folder, for the first time or again."""
        self.dataset: Dataset = curation.load(self.folder)
        self.findings = curation.analyze(
            self.dataset.labels, self.dataset.pred_probs, self.dataset.class_names
        )

    def open(self) -> Store:
        return curation.open_store(self.dataset)

    def draw(self, store: Store, *, size: int = 40, seed: int = 7, curator: str = "ana") -> Audit:
        known = find_decided(self.dataset, replay_examples(store.log()))
        return draw_audit(store, self.findings, known=known, size=size, seed=seed, curator=curator)

    def judge(self, store: Store, rows: list[int], curator: str = "ana") -> None:
        """Decide rows as the truth has it: keep what is right, relabel what is wrong."""
        for row in rows:
            example_id, true = str(self.dataset.ids[row]), int(self.true[row])
            if true == self.dataset.labels[row]:
                store.decide(example_id, "keep", curator=curator)
            else:
                store.decide(example_id, "relabel", label=true, curator=curator)

    @property
    def num_wrong(self) -> int:
        return int((self.true != self.dataset.labels).sum())
