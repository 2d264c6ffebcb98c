"""The dataset as the decisions leave it, and what confident learning then says of it.

What each example becomes is what an export writes if nothing else is asked of it: the latest word
counts, undecided examples keep their label, excluded ones leave, ambiguous ones stay. Classes that
were merged count as one here: the class taken in keeps its place, without examples, and its
probability goes to the class that stands for it. So matrices keep their shape, and a cell means
the same pair of classes before and after.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from curation.analysis.findings import Findings, analyze
from curation.analysis.merged_probabilities import MergedProbabilities
from curation.core.count import Collisions, Threshold
from curation.core.matrix import BoolArray, IntArray, Probabilities
from curation.dataset import Dataset
from curation.progress import Progress, say_nothing
from curation.review.cleaning_plan import make_plan
from curation.review.outcome import find_outcome
from curation.review.outcome_settings import OutcomeSettings
from curation.store.entries import Entry


@dataclass(frozen=True, eq=False)
class CorrectedDataset:
    """A dataset after the decisions, and in numbers what they did to it."""

    dataset: Dataset  # without the excluded examples; labels as decided, merged classes as one
    confirmed: BoolArray  # one entry an example of it: a person chose its label, or let it stand
    relabelled: int
    excluded: int
    taken_in: tuple[int, ...]  # classes that another stands for

    @property
    def merged(self) -> int:
        """Return how many classes there are fewer."""
        return len(self.taken_in)

    @property
    def changes(self) -> int:
        """Return how many things differ from the dataset as given; 0: nothing to see."""
        return self.relabelled + self.excluded + self.merged


def correct_dataset(dataset: Dataset, findings: Findings, log: Sequence[Entry]) -> CorrectedDataset:
    """Return what a dataset becomes by a log of decisions; `findings` are of it as given."""
    outcome = find_outcome(dataset, log, "latest")
    plan = make_plan(dataset, findings, outcome, OutcomeSettings())
    becomes = np.array(plan.classes.becomes)
    taken_in = np.flatnonzero(becomes != np.arange(len(becomes)))
    rows = np.flatnonzero(~plan.out)
    confirmed = np.zeros(len(dataset), bool)
    for row, decision in outcome.by_row.items():
        confirmed[row] = decision.action.confirms_label
    relabelled = plan.new_labels != dataset.labels
    true_labels = dataset.true_labels
    if true_labels is not None:  # what is not known is below 0, and stays so
        true_labels = np.where(true_labels >= 0, becomes[true_labels], true_labels)[rows]
    plain = not len(taken_in) and len(rows) == len(dataset)
    probs = dataset.pred_probs
    return CorrectedDataset(
        dataset=replace(
            dataset,
            ids=dataset.ids[rows],
            labels=becomes[plan.new_labels][rows],
            pred_probs=probs if plain else _merge(probs, rows, becomes),
            content=dataset.content.take(rows),
            extras={},  # whoever looks at the whole sees none, and reading them all takes long
            source_rows=dataset.source_rows[rows],
            true_labels=true_labels,
        ),
        confirmed=confirmed[rows],
        relabelled=int(np.count_nonzero(relabelled[rows])),
        excluded=int(plan.excluded.sum()),
        taken_in=tuple(taken_in.tolist()),
    )


def _merge(pred_probs: Probabilities, rows: IntArray, becomes: IntArray) -> MergedProbabilities:
    # a merged class keeps its column, without probability, so that matrices keep their shape
    return MergedProbabilities(
        pred_probs, columns=becomes.tolist(), num_columns=len(becomes), rows=rows
    )


@dataclass(frozen=True, eq=False)
class Comparison:
    """Findings with the decisions, beside those of the labels as given."""

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
    progress: Progress = say_nothing,
) -> Comparison:
    """Return what the analysis says once the decisions are taken for the labels.

    It is the same analysis, with thresholds worked out anew. A label that a person confirmed
    counts like any other: the numbers stay the model's, and can be set beside the person's.
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
