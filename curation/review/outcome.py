"""The outcome of a log of decisions for one dataset: what stands, what was left out, and why.

Everything here depends only on the entries and the dataset, so that a log replayed elsewhere gives
the same export, byte for byte.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import cast

from curation.class_names import AddedClass
from curation.dataset import Dataset
from curation.review.extended_classes import list_added, names_added
from curation.store.curator_agreement import Agreement, find_agreement
from curation.store.entries import ClassDecision, Decision, Entry
from curation.store.matching import Misfit, match_class_decisions, match_decisions
from curation.store.replay import ExampleState, LogState, Policy, replay


@dataclass(frozen=True)
class Outcome:
    """What a log leads to for one dataset, under one policy."""

    log: Sequence[Entry]
    by_row: Mapping[int, Decision]  # row of the dataset -> the decision that counts
    candidates: Mapping[int, Sequence[Decision]]  # row -> the decisions that compete, oldest first
    misfits: Sequence[Misfit]  # decisions that no longer fit their example
    left_out: Sequence[str]  # ids of examples for which no decision counts under the policy
    disputed: Sequence[str]  # ids of examples on which curators differ
    class_decisions: Sequence[ClassDecision]  # that count, with known classes
    class_misfits: Sequence[ClassDecision]
    added: tuple[AddedClass, ...]  # classes that decisions name and the dataset lacks
    agreement: Sequence[Agreement]
    curators: Mapping[str, Mapping[str, int]]  # name -> action -> examples

    @property
    def last_time(self) -> str:
        """Return when the last entry was made, the only time that an export contains."""
        return self.log[-1].time if self.log else ""


def find_outcome(dataset: Dataset, log: Sequence[Entry], policy: Policy) -> Outcome:
    """Return the outcome of a log for a dataset."""
    state = cast("LogState[Decision]", replay(cast("Iterable[Decision]", log)))
    chosen, left_out = _choose(state.examples, policy)
    # No earlier fingerprints are passed: a log replayed elsewhere has none, so examples are
    # compared one by one, with the same result.
    matched = match_decisions(chosen, dataset, {})
    candidates = {
        dataset.row_of[each]: example.candidates()
        for each, example in state.examples.items()
        if each in dataset.row_of and example.candidates()
    }
    fitting, misfits = match_class_decisions(state.class_decisions(log), dataset)
    opinions = _find_opinions(state.examples)
    naming = [each for some in candidates.values() for each in some if names_added(each, dataset)]
    return Outcome(
        log=log,
        by_row={dataset.row_of[each.example_id]: each for each in matched.fitting},
        candidates=candidates,
        misfits=matched.misfits,
        left_out=left_out,
        disputed=[each for each, example in state.examples.items() if example.find_differing()],
        class_decisions=fitting,
        class_misfits=misfits,
        added=list_added(match_decisions(naming, dataset, {}).fitting, dataset),
        agreement=find_agreement(opinions),
        curators={
            who: Counter(each.action for each in opinions[who].values()) for who in sorted(opinions)
        },
    )


def _choose(
    examples: Mapping[str, ExampleState[Decision]], policy: Policy
) -> tuple[list[Decision], list[str]]:
    """Return the decisions that count, in the order they were made, and the ids left out."""
    chosen, left_out = [], []
    for example_id, example in examples.items():
        decision = example.current(policy)
        if decision is not None:
            chosen.append(decision)
        elif example.candidates():
            left_out.append(example_id)
    return sorted(chosen, key=lambda each: each.seq), left_out


def _find_opinions(
    examples: Mapping[str, ExampleState[Decision]],
) -> dict[str, dict[str, Decision]]:
    """Return each curator's own opinion on each example, by curator."""
    opinions: dict[str, dict[str, Decision]] = {}
    for example_id, example in examples.items():
        for curator, decision in example.by_curator.items():
            if decision.action.is_opinion:
                opinions.setdefault(curator, {})[example_id] = decision
    return opinions
