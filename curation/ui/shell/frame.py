"""What a page shows: a dataset, its findings, and the settings of the analysis."""

from __future__ import annotations

from dataclasses import dataclass
from typing import cast

import numpy as np

from curation.analysis.findings import Findings, Method
from curation.core.count import Collisions, Threshold
from curation.core.matrix import BoolArray, IntArray
from curation.dataset import Dataset
from curation.review.corrected_dataset import Comparison
from curation.review.flagged_examples import find_flagged
from curation.ui.shell.cache import of_analysis
from curation.ui.shell.links import linked
from curation.ui.shell.opening import Source


@dataclass(frozen=True)
class Settings:
    """How the dataset is analysed; also part of the link."""

    method: Method
    threshold: Threshold
    collisions: Collisions


@dataclass(frozen=True)
class Frame:
    """What a page shows; with a `comparison`, the dataset with the decisions applied."""

    source: Source
    dataset: Dataset
    findings: Findings
    settings: Settings
    comparison: Comparison | None = None
    merges: tuple[int, ...] | None = None  # what each class becomes, if classes were merged

    @property
    def class_names(self) -> tuple[str, ...]:
        return cast(tuple[str, ...], self.findings.class_names)

    @property
    def given(self) -> Findings:
        """Return the findings for the labels as given, even if others are shown."""
        return self.comparison.given if self.comparison else self.findings

    @property
    def classes(self) -> IntArray:
        """Return the classes without those that were merged into another."""
        gone = self.comparison.corrected.taken_in if self.comparison else ()
        return np.delete(np.arange(len(self.class_names)), gone)

    def issues(self) -> IntArray:
        """Return the flagged rows, most suspect first."""
        method, merges = self.settings.method, self.merges
        return of_analysis(
            self.findings,
            ("flagged rows", method, merges),
            lambda: find_flagged(self.findings, method, merges),
        )

    def split_confirmed(self, rows: IntArray) -> tuple[IntArray, int]:
        """Return the rows whose label nobody confirmed, in order, and the number of the others."""
        if self.comparison is None:
            return rows, 0
        confirmed: BoolArray = self.comparison.corrected.confirmed[rows]
        return rows[~confirmed], int(confirmed.sum())

    def link(self, **parameters: object) -> dict[str, str]:
        """Return the parameters of a link to this dataset, analysed the same way."""
        return linked(**parameters)
