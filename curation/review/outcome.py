"""What stands at the end of a log of decisions: whose word counts, what was left out, and why.

Everything here follows from the entries and the dataset alone, so that a log replayed elsewhere
gives the same export to the byte.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import cast

from curation.dataset import Dataset
from curation.store.curator_agreement import Agreement, find_agreement
from curation.store.entries import ClassDecision, Decision, Entry
from curation.store.matching import Misfit, is_renumbered, match_decisions
from curation.store.replay import SPEAKING, Policy, Settled, State, replay


@dataclass(frozen=True)
class Standing:
    """What a log amounts to for one dataset, under one policy."""

    log: Sequence[Entry]
    by_row: Mapping[int, Decision]  # row of the dataset -> the decision that counts
    words: Mapping[int, Sequence[Decision]]  # row -> what each curator says, oldest first
    misfits: Sequence[Misfit]  # decisions that no longer fit their example
    left_out: Sequence[str]  # ids of examples on which the policy lets nobody's word count
    disputed: Sequence[str]  # ids of examples on which curators differ
    class_decisions: Sequence[ClassDecision]  # in force, all of their classes in the dataset
    class_misfits: Sequence[ClassDecision]
    agreement: Sequence[Agreement]
    curators: Mapping[str, Mapping[str, int]]  # name -> action -> examples

    @property
    def last_time(self) -> str:
        """Return when the last entry was made; an export knows no other time."""
        return self.log[-1].time if self.log else ""


def find_standing(dataset: Dataset, log: Sequence[Entry], policy: Policy) -> Standing:
    """Return what a log, in its order, amounts to for a dataset."""
    state = cast("State[Decision]", replay(cast("Iterable[Decision]", log)))
    chosen, left_out = _choose(state, policy)
    # No fingerprints of the past are passed: a log replayed elsewhere knows none, so examples
    # are compared one by one, which finds the same.
    matched = match_decisions(chosen, dataset, {})
    words = {
        dataset.row_of[each]: settled.candidates()
        for each, settled in state.examples.items()
        if each in dataset.row_of and settled.candidates()
    }
    fitting, unfitting = _class_decisions(dataset, log, state.stacks.silenced)
    said = _answers(state.examples)
    return Standing(
        log=log,
        by_row={dataset.row_of[each.example_id]: each for each in matched.fitting},
        words=words,
        misfits=matched.misfits,
        left_out=left_out,
        disputed=[each for each, settled in state.examples.items() if settled.disputed],
        class_decisions=fitting,
        class_misfits=unfitting,
        agreement=find_agreement(
            {who: {e: it.answer for e, it in words.items()} for who, words in said.items()}
        ),
        curators={who: Counter(it.action for it in said[who].values()) for who in sorted(said)},
    )


def _choose(state: State[Decision], policy: Policy) -> tuple[list[Decision], list[str]]:
    """Return the decisions that count, in the order they were said, and the ids left out."""
    chosen, left_out = [], []
    for example_id, settled in state.examples.items():
        decision = settled.in_force(policy)
        if decision is not None:
            chosen.append(decision)
        elif settled.candidates():
            left_out.append(example_id)
    return sorted(chosen, key=lambda each: each.seq), left_out


def _answers(examples: Mapping[str, Settled[Decision]]) -> dict[str, dict[str, Decision]]:
    """Return each curator's own word on each example; a skip is no word."""
    said: dict[str, dict[str, Decision]] = {}
    for example_id, settled in examples.items():
        for curator, word in settled.words.items():
            if word.action.is_opinion:
                said.setdefault(curator, {})[example_id] = word
    return said


def _class_decisions(
    dataset: Dataset, log: Iterable[Entry], silenced: set[str]
) -> tuple[list[ClassDecision], list[ClassDecision]]:
    """Return the last word on each class or pair, and those of classes that are gone."""
    standing: dict[frozenset[str], ClassDecision] = {}
    for entry in log:
        if isinstance(entry, ClassDecision) and entry.entry in SPEAKING:
            if entry.op_id not in silenced:
                standing.pop(entry.subject, None)
                standing[entry.subject] = entry
    index = {each: place for place, each in enumerate(dataset.class_ids)}

    def fits(said: ClassDecision) -> bool:
        pairs = (
            (said.given_id, said.given),
            (said.other_id, said.other),
            (said.into_id, said.into),
        )
        return all(
            each in index and not is_renumbered(dataset, index[each], str(name))
            for each, name in pairs
            if each is not None
        )

    fitting = [each for each in standing.values() if fits(each)]
    return fitting, [each for each in standing.values() if not fits(each)]
