"""A dataset on disk whose label file is exactly the bytes a test gives, with decisions made."""

from __future__ import annotations

import io
import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

import curation
from curation.dataset import Dataset
from curation.exports import Exported, export_log
from curation.exports.cleaned_labels import write_labels
from curation.review.cleaning_plan import Plan, make_plan
from curation.review.outcome import find_outcome
from curation.review.outcome_settings import parse_settings
from curation.store import Entry, Store
from curation.store.drafts import draft_class_decision, draft_decision

CLASSES = ("cat", "dog", "eel")


class Bench:
    """A folder with a label file and probabilities; loaded, decided and exported on demand."""

    def __init__(self, root: Path) -> None:
        self.root = root / "data"
        self.root.mkdir(parents=True)
        self.out = root / "out"
        self.database = root / "decisions.db"
        self._dataset: Dataset | None = None
        self._store: Store | None = None
        self._entries: list[Entry] = []
        self.overrides: dict[str, Any] = {}

    def write(self, name: str, content: bytes) -> Path:
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
        return path

    def probs(self, true: Sequence[int], num_classes: int = 3, sure: float = 0.9) -> Bench:
        """Save probabilities of a model that is sure of these classes."""
        rng = np.random.default_rng(0)
        probs = rng.dirichlet(np.ones(num_classes), len(true)) * (1 - sure)
        probs[np.arange(len(true)), list(true)] += sure
        np.save(self.root / "probs.npy", probs)
        return self

    def classes(self, names: Sequence[str]) -> Bench:
        self.write("classes.json", json.dumps(list(names)).encode())
        return self

    def open(self, place: str, **overrides: Any) -> Bench:
        """Load what is at a place in the folder, instead of the folder."""
        self._dataset = curation.load(self.root / place, **overrides)
        return self

    @property
    def dataset(self) -> Dataset:
        if self._dataset is None:
            self._dataset = curation.load(self.root, **self.overrides)
        return self._dataset

    @property
    def store(self) -> Store:
        if self._store is None:
            self._store = curation.open_store(self.dataset, self.database)
        return self._store

    def close(self) -> None:
        if self._store is not None:
            self._store.close()
        self._store = self._dataset = None

    def decide(
        self, row: int, action: str, label: Any = None, *, by: str = "ana", **more: Any
    ) -> Bench:
        """Say something of an example, by row; in the log alone, unless a store was opened."""
        said = {"label": label, **more} if label is not None else more
        if self._store is not None:
            self._store.decide(self.dataset.ids[row], action, curator=by, **said)
            return self
        draft = draft_decision(
            self.dataset, self.dataset.ids[row], action, curator=by, op_id=self._op(), **said
        )
        return self._add(draft)

    def relabel(self, changes: Mapping[int, Any], *, by: str = "ana") -> Bench:
        """Relabel some examples, by row."""
        for row, label in changes.items():
            self.decide(row, "relabel", label, by=by)
        return self

    def decide_classes(
        self, action: str, given: Any, other: Any = None, into: Any = None, *, note: str = ""
    ) -> Bench:
        draft = draft_class_decision(
            self.dataset, action, given, other, into, note=note, curator="ana", op_id=self._op()
        )
        return self._add(draft)

    def _op(self) -> str:
        return f"op{len(self._entries)}"

    def _add(self, draft: Entry) -> Bench:
        seq = len(self._entries) + 1
        self._entries.append(replace(draft, seq=seq, time=f"2026-01-01T00:00:{seq:02}+00:00"))
        return self

    @property
    def log(self) -> list[Entry]:
        return self._entries if self._store is None else self._store.log()

    def export(self, **options: Any) -> Exported:
        return export_log(self.dataset, self.log, self.out, parse_settings(options))

    def plan(self, **options: Any) -> Plan:
        settings = parse_settings(options)
        findings = curation.analyze(self.dataset.labels, self.dataset.pred_probs)
        outcome = find_outcome(self.dataset, self.log, settings.policy)
        return make_plan(self.dataset, findings, outcome, settings)

    def cleaned(self, **options: Any) -> bytes:
        """Return the bytes of the cleaned labels, without writing anything to disk."""
        file = io.BytesIO()
        write_labels(self.plan(**options), file)
        return file.getvalue()

    @property
    def manifest(self) -> dict[str, Any]:
        return dict(json.loads((self.out / "manifest.json").read_text()))
