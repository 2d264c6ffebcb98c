"""What happens to each example, by the decisions, settings and findings of an export."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from curation.analysis.findings import Findings
from curation.core.matrix import BoolArray, IntArray
from curation.dataset import Dataset
from curation.loading.formats.edits import Edits
from curation.review.class_map import ClassMap, map_classes
from curation.review.outcome import Outcome
from curation.review.outcome_settings import OutcomeSettings
from curation.store.actions import Action
from curation.store.entries import Decision


@dataclass(frozen=True)
class Plan:
    """Everything the files of an export are written from; arrays have one entry per example."""

    dataset: Dataset
    findings: Findings
    outcome: Outcome
    settings: OutcomeSettings
    classes: ClassMap
    new_labels: IntArray  # class of each example once relabelled, before classes are merged
    excluded: BoolArray  # by a decision
    pruned: BoolArray  # flagged, undecided, and to be pruned on request

    @cached_property
    def out(self) -> BoolArray:
        """Return which examples are removed from the dataset."""
        return self.excluded | self.pruned

    @cached_property
    def issues(self) -> IntArray:
        """Return the flagged examples, the most suspect first."""
        return self.findings.issues(self.settings.method)

    @cached_property
    def spoken_of(self) -> IntArray:
        """Return the examples for other tools: the flagged ones, then the other decided ones."""
        flagged = set(self.issues.tolist())
        others = sorted(set(self.outcome.candidates) - flagged)
        return np.array([*self.issues.tolist(), *others], dtype=np.int64)

    @cached_property
    def texts(self) -> tuple[str, ...]:
        """Return how each class is written in the cleaned labels."""
        return self.classes.texts if self.settings.apply_merges else self.dataset.label_values

    @cached_property
    def changed(self) -> IntArray:
        """Return the examples whose label is written differently."""
        moved = self.new_labels != self.dataset.labels
        pairs = zip(self.texts, self.dataset.label_values, strict=True)
        rewritten = np.array([now != before for now, before in pairs], dtype=bool)
        return np.flatnonzero(moved | rewritten[self.new_labels])

    def decision(self, row: int) -> Decision | None:
        return self.outcome.by_row.get(row)

    def text(self, row: int) -> str:
        """Return how the label of an example is written in the cleaned labels."""
        return self.texts[int(self.new_labels[row])]

    @cached_property
    def edits(self) -> Edits:
        """Return the changes to the label file."""
        dataset, rows = self.dataset, self.changed
        if self.settings.excluded == "drop":
            rows = rows[~self.out[rows]]
        return Edits(
            rows=dataset.source_rows[rows],
            old=[dataset.label_values[label] for label in dataset.labels[rows].tolist()],
            new=[self.texts[label] for label in self.new_labels[rows].tolist()],
            out=dataset.source_rows[np.flatnonzero(self.out)],
            flag=self.settings.excluded == "flag",
        )

    def ids(self, rows: IntArray | Sequence[int]) -> list[str]:
        return [str(each) for each in self.dataset.ids[np.asarray(rows, dtype=np.int64)]]

    def with_action(self, action: Action) -> list[int]:
        """Return the examples with this action, in the order of the dataset."""
        every = self.outcome.by_row.items()
        return sorted(row for row, decision in every if decision.action == action)

    @cached_property
    def counts(self) -> Mapping[str, int]:
        """Return the numbers for the manifest and the report."""
        actions = Counter(each.action for each in self.outcome.by_row.values())
        undecided = [row for row in self.issues.tolist() if not is_decided(self.decision(row))]
        return {
            "examples": len(self.dataset),
            "classes": len(self.dataset.class_names),
            "flagged": len(self.issues),
            "flagged_undecided": len(undecided),
            "decisions": len(self.outcome.by_row),
            **{action: actions[action] for action in Action},
            "labels_changed": len(self.edits.rows),
            "excluded": int(self.excluded.sum()),
            "pruned": int(self.pruned.sum()),
            "left_out_by_policy": len(self.outcome.left_out),
            "misfits": len(self.outcome.misfits) + len(self.outcome.class_misfits),
            "log_entries": len(self.outcome.log),
        }


def is_decided(decision: Decision | None) -> bool:
    """Return whether there is a decision other than a skip, which is no opinion."""
    return decision is not None and decision.action.is_opinion


def make_plan(
    dataset: Dataset, findings: Findings, outcome: Outcome, settings: OutcomeSettings
) -> Plan:  # fmt: skip
    """Return what happens to each example."""
    index = {each: place for place, each in enumerate(dataset.class_ids)}
    new_labels = dataset.labels.copy()
    excluded = np.zeros(len(dataset), bool)
    drops = {Action.EXCLUDE} | ({Action.AMBIGUOUS} if settings.ambiguous == "exclude" else set())
    for row, decision in outcome.by_row.items():
        if decision.action is Action.RELABEL and decision.label_id is not None:
            new_labels[row] = index[decision.label_id]
        excluded[row] = decision.action in drops
    return Plan(
        dataset=dataset,
        findings=findings,
        outcome=outcome,
        settings=settings,
        classes=map_classes(dataset, outcome.class_decisions),
        new_labels=new_labels,
        excluded=excluded,
        pruned=_find_pruned(dataset, findings, outcome, settings),
    )


def _find_pruned(
    dataset: Dataset, findings: Findings, outcome: Outcome, settings: OutcomeSettings
) -> BoolArray:
    """Return which examples to prune: flagged by the chosen method and decided by nobody.

    An example on which curators differ is not undecided, and neither is one whose decision no
    longer fits: a curator has to look at it again.
    """
    if settings.undecided == "leave":
        return np.zeros(len(dataset), bool)
    pruned = findings.mask(settings.undecided).copy()
    unsure = [*outcome.left_out, *(each.decision.example_id for each in outcome.misfits)]
    waiting = [dataset.row_of[each] for each in unsure if each in dataset.row_of]
    decided = [row for row, each in outcome.by_row.items() if is_decided(each)]
    pruned[np.array([*waiting, *decided], dtype=np.int64)] = False
    return pruned
