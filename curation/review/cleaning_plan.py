"""What an export does to each example, according to decisions, settings and findings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from curation.analysis.findings import Findings
from curation.core.matrix import BoolArray, FloatArray, IntArray
from curation.dataset import Dataset
from curation.loading.formats.edits import Edits
from curation.neighbours import find_neighbours, score_neighbours
from curation.review.certificate import Certificate, certify_log
from curation.review.class_map import ClassMap, map_classes
from curation.review.example_status import count_dataset, encode_decisions
from curation.review.extended_classes import ExtendedClasses
from curation.review.flagged_examples import find_flagged, mark_flagged
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
    every_class: ExtendedClasses  # those of the dataset, and those that curators added
    new_labels: IntArray  # place in `every_class` once relabelled, before classes are merged
    excluded: BoolArray  # by a decision
    pruned: BoolArray  # flagged, undecided, and pruned on request
    taken: BoolArray  # flagged, undecided, and given the suggested label on request

    @cached_property
    def out(self) -> BoolArray:
        """Return which examples are removed from the dataset."""
        return self.excluded | self.pruned

    @cached_property
    def issues(self) -> IntArray:
        """Return the flagged examples, the most suspect first."""
        findings, settings, merges = self.findings, self.settings, self.classes.merges
        if settings.order != "neighbours":
            return find_flagged(findings, settings.method, merges, settings.order)
        rows = find_flagged(findings, settings.method, merges)
        scores = score_neighbours(findings, find_neighbours(self.dataset))
        return rows[np.argsort(scores[rows], kind="stable")]

    @cached_property
    def tool_rows(self) -> IntArray:
        """Return the examples for other tools: the flagged ones, then the other decided ones."""
        flagged = set(self.issues.tolist())
        others = sorted(set(self.outcome.candidates) - flagged)
        return np.array([*self.issues.tolist(), *others], dtype=np.int64)

    @cached_property
    def changes(self) -> IntArray:
        """Return the rows that an export changes or removes, those that a person decided first.

        Accepted suggestions come next, then pruned examples, and last the examples whose class was
        merged or renamed, which may be thousands. Within each group, changed labels come before
        removed rows.
        """
        rows = np.union1d(self.changed, np.flatnonzero(self.out))
        decided = np.array([self.is_changed_by_a_person(row) for row in rows.tolist()], bool)
        groups = [decided, self.taken[rows], self.pruned[rows]]
        return rows[np.lexsort((rows, self.out[rows], np.select(groups, range(3), 3)))]

    def is_changed_by_a_person(self, row: int) -> bool:
        """Return whether the decision about this example changes it."""
        decision = self.decision(row)
        changes = decision is not None and decision.action.changes_dataset
        return changes or bool(self.excluded[row])

    @cached_property
    def texts(self) -> tuple[str, ...]:
        """Return how each class, also an added one, is written in the cleaned labels."""
        every = self.every_class
        if not self.settings.apply_merges:
            return every.texts
        return self.classes.texts + every.texts[every.num_given :]

    @cached_property
    def changed(self) -> IntArray:
        """Return the examples whose label is written differently."""
        moved = self.new_labels != self.dataset.labels
        pairs = zip(self.texts, self.every_class.texts, strict=True)
        rewritten = np.array([now != before for now, before in pairs], dtype=bool)
        return np.flatnonzero(moved | rewritten[self.new_labels])

    def decision(self, row: int) -> Decision | None:
        return self.outcome.by_row.get(row)

    def text(self, row: int) -> str:
        """Return how the label of an example is written in the cleaned labels."""
        return self.texts[int(self.new_labels[row])]

    def both_texts(self, row: int) -> list[str]:
        """Return how both classes of an example are written, if a curator found both in it."""
        decision = self.decision(row)
        if decision is None or decision.action is not Action.AMBIGUOUS:
            return []
        index = self.every_class.index
        return list(dict.fromkeys(self.texts[index[each]] for each in decision.label_ids))

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
    def certificate(self) -> Certificate:
        """Return what the last audit in the log proves about the given labels."""
        collisions = self.settings.collisions
        return certify_log(self.dataset, self.outcome.log, self.findings, collisions)

    @cached_property
    def counts(self) -> Mapping[str, int]:
        """Return the numbers for the manifest and the report."""
        codes = encode_decisions(self.outcome.by_row, len(self.dataset))
        row_of, disputed = self.dataset.row_of, np.zeros(len(self.dataset), bool)
        disputed[[row_of[each] for each in self.outcome.disputed if each in row_of]] = True
        found = count_dataset(codes, self.issues, disputed)
        return {
            "examples": len(self.dataset),
            "classes": len(self.dataset.class_names),
            "flagged": found.flagged.total,
            "flagged_decided": found.flagged.decided,
            "flagged_skipped": found.flagged.skipped,
            "flagged_second_look": found.flagged.second_look,
            "flagged_undecided": found.left,
            "decided": found.everything.decided,
            "disputed": found.disputed,
            **{str(each): count for each, count in found.everything.by_action.items()},
            "labels_changed": len(self.edits.rows),
            "excluded": int(self.excluded.sum()),
            "pruned": int(self.pruned.sum()),
            "suggestions_taken": int(self.taken.sum()),
            "left_out_by_policy": len(self.outcome.left_out),
            "misfits": len(self.outcome.misfits) + len(self.outcome.class_misfits),
            "log_entries": len(self.outcome.log),
        }


def make_plan(
    dataset: Dataset, findings: Findings, outcome: Outcome, settings: OutcomeSettings
) -> Plan:  # fmt: skip
    """Return what happens to each example."""
    every_class = ExtendedClasses(dataset, outcome.added)
    new_labels = dataset.labels.copy()
    excluded = np.zeros(len(dataset), bool)
    drops = {Action.EXCLUDE} | ({Action.AMBIGUOUS} if settings.ambiguous == "exclude" else set())
    for row, decision in outcome.by_row.items():
        if decision.action is Action.RELABEL and decision.label_id is not None:
            new_labels[row] = every_class.index[decision.label_id]
        excluded[row] = decision.action in drops
    classes = map_classes(dataset, outcome.class_decisions)
    pruned, taken = _treat_undecided(dataset, findings, outcome, settings, classes)
    new_labels[taken] = findings.suggested_labels[taken]
    return Plan(
        dataset=dataset,
        findings=findings,
        outcome=outcome,
        settings=settings,
        classes=classes,
        every_class=every_class,
        new_labels=new_labels,
        excluded=excluded,
        pruned=pruned,
        taken=taken,
    )


def _treat_undecided(
    dataset: Dataset,
    findings: Findings,
    outcome: Outcome,
    settings: OutcomeSettings,
    classes: ClassMap,
) -> tuple[BoolArray, BoolArray]:
    """Return which undecided examples are pruned, and which take the suggestion."""
    pruned, taken = np.zeros(len(dataset), bool), np.zeros(len(dataset), bool)
    if settings.undecided == "suggest":  # where the model is sure enough of it
        flagged = mark_flagged(findings, settings.method, classes.merges)
        rows = np.flatnonzero(find_undecided(dataset, outcome, flagged))
        taken[rows] = score_suggestions(dataset, findings, rows) >= settings.min_confidence
    elif settings.undecided != "leave":  # it names the method that prunes
        flagged = mark_flagged(findings, settings.undecided, classes.merges)
        pruned = find_undecided(dataset, outcome, flagged)
    return pruned, taken


def find_undecided(dataset: Dataset, outcome: Outcome, flagged: BoolArray) -> BoolArray:
    """Return which flagged examples are undecided.

    An example that was skipped or set aside is not undecided: somebody looked at it. If no decision
    counts under the policy, or the decision no longer fits, a curator must look at it again.
    """
    undecided = flagged.copy()
    unsure = [*outcome.left_out, *(each.decision.example_id for each in outcome.misfits)]
    waiting = [dataset.row_of[each] for each in unsure if each in dataset.row_of]
    undecided[np.array([*waiting, *outcome.by_row], dtype=np.int64)] = False
    return undecided


def score_suggestions(dataset: Dataset, findings: Findings, rows: IntArray) -> FloatArray:
    """Return the model's probability of the suggested label of some examples, at most 1."""
    if not len(rows):
        return np.zeros(0)
    scores = np.asarray(dataset.pred_probs[rows, findings.suggested_labels[rows]], np.float64)
    return np.minimum(scores, 1)  # a file may hold 1.00001, which other tools refuse
