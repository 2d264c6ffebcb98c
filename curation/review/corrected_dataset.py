"""The dataset after all decisions, and what confident learning finds in it.

Each example becomes what an export with default settings writes: the latest decision counts,
undecided examples and those with both labels keep the given one, excluded ones are removed.
Merged classes count as one here: a class that was merged into another keeps its index, without
examples, and its probability is added to the other class. So matrices keep their shape, and a cell
means the same pair of classes before and after.

A class that curators added has no probability, so the examples that were given it are left out too.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from curation.analysis.array_analysis import analyze
from curation.analysis.findings import Findings
from curation.analysis.merged_probabilities import MergedProbabilities
from curation.core.count import Collisions, Threshold
from curation.core.matrix import BoolArray, IntArray, Probabilities
from curation.dataset import Dataset
from curation.progress import Progress, ignore_progress
from curation.review.cleaning_plan import make_plan
from curation.review.outcome import find_outcome
from curation.review.outcome_settings import OutcomeSettings
from curation.store.entries import Entry


@dataclass(frozen=True, eq=False)
class CorrectedDataset:
    """A dataset after the decisions, and how many things they changed."""

    dataset: Dataset  # without the excluded examples; labels as decided, merged classes as one
    confirmed: BoolArray  # one entry per example: a person chose or kept its label
    relabelled: int
    excluded: int
    beyond: int  # given a class that the model does not know, and so left out
    taken_in: tuple[int, ...]  # classes that were merged into another

    @property
    def merged(self) -> int:
        """Return by how many the number of classes decreased."""
        return len(self.taken_in)

    @property
    def changes(self) -> int:
        """Return how many things differ from the dataset as given."""
        return self.relabelled + self.excluded + self.beyond + self.merged


def correct_dataset(dataset: Dataset, findings: Findings, log: Sequence[Entry]) -> CorrectedDataset:
    """Return the dataset after a log of decisions; `findings` are those of the given labels."""
    outcome = find_outcome(dataset, log, "latest")
    plan = make_plan(dataset, findings, outcome, OutcomeSettings())
    becomes = np.array(plan.classes.becomes)
    taken_in = np.flatnonzero(becomes != np.arange(len(becomes)))
    beyond = ~plan.out & (plan.new_labels >= plan.every_class.num_given)
    rows = np.flatnonzero(~plan.out & ~beyond)
    confirmed = np.zeros(len(dataset), bool)
    for row, decision in outcome.by_row.items():
        confirmed[row] = decision.action.confirms_label
    relabelled = plan.new_labels != dataset.labels
    true_labels = dataset.true_labels
    if true_labels is not None:  # unknown ones are negative and stay negative
        true_labels = np.where(true_labels >= 0, becomes[true_labels], true_labels)[rows]
    plain = not len(taken_in) and len(rows) == len(dataset)
    probs = dataset.pred_probs
    return CorrectedDataset(
        dataset=replace(
            dataset,
            ids=dataset.ids[rows],
            labels=becomes[plan.new_labels[rows]],
            pred_probs=probs if plain else _merge(probs, rows, becomes),
            content=dataset.content.take(rows),
            extras={},  # not needed here, and slow to read
            source_rows=dataset.source_rows[rows],
            true_labels=true_labels,
        ),
        confirmed=confirmed[rows],
        relabelled=int(np.count_nonzero(relabelled[rows])),
        excluded=int(plan.excluded.sum()),
        beyond=int(beyond.sum()),
        taken_in=tuple(taken_in.tolist()),
    )


def _merge(pred_probs: Probabilities, rows: IntArray, becomes: IntArray) -> MergedProbabilities:
    # a merged class keeps its column, without probability, so that matrices keep their shape
    return MergedProbabilities(
        pred_probs, columns=becomes.tolist(), num_columns=len(becomes), rows=rows
    )


@dataclass(frozen=True, eq=False)
class Comparison:
    """The findings after the decisions, and those of the given labels."""

    corrected: CorrectedDataset
    findings: Findings
    given: Findings


def compare(
    dataset: Dataset,
    given: Findings,
    log: Sequence[Entry],
    *,
    threshold: Threshold = "mean",
    collisions: Collisions = "argmax",
    progress: Progress = ignore_progress,
) -> Comparison:
    """Return the findings after the decisions, to compare with those of the given labels.

    The analysis is the same, with new thresholds. A label that a person confirmed counts like any
    other, so the numbers remain the estimates of the model.
    """
    corrected = correct_dataset(dataset, given, log)
    findings = analyze(
        corrected.dataset.labels,
        corrected.dataset.pred_probs,
        given.class_names,  # type: ignore[arg-type]
        threshold=threshold,
        collisions=collisions,
        progress=progress,
    )
    return Comparison(corrected, findings, given)
