"""What decisions say about given labels: right, wrong, or not known.

| decision                                          | verdict on the given label |
|---------------------------------------------------|----------------------------|
| keep, or relabel to the given label               | right                      |
| relabel to another label                          | wrong                      |
| exclude                                           | wrong: no label fits       |
| both, and the given label is one of them          | unclear                    |
| both, and the given label is not one of them      | wrong                      |
| skip, second look                                 | waiting                    |
| curators differ, and all of them say wrong        | wrong                      |
| curators differ in any other way                  | unclear, until resolved    |
| undone, too late, or no longer fits the dataset   | none                       |

A lead's resolution counts alone. A skip never competes with somebody's answer.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from enum import StrEnum

from curation.core.matrix import IntArray
from curation.store.actions import Action
from curation.store.entries import Decision
from curation.store.judged_dataset import DatasetLike
from curation.store.matching import match_decisions
from curation.store.replay import ExampleState


class Verdict(StrEnum):
    """What the decisions on one example say about its given label."""

    RIGHT = "right"
    WRONG = "wrong"
    UNCLEAR = "unclear"  # both labels fit, or curators differ
    WAITING = "waiting"  # skipped, or set aside for a second look


KNOWN: Mapping[Verdict, bool] = {Verdict.RIGHT: False, Verdict.WRONG: True}  # is it wrong?
NOT_KNOWN, KNOWN_RIGHT, KNOWN_WRONG = range(3)  # the same as one number for each example


def judge_decision(decision: Decision) -> Verdict:
    """Return what one decision says about the label that the example was given."""
    action = decision.answer[0]
    if action is Action.KEEP:
        return Verdict.RIGHT
    if action in (Action.RELABEL, Action.EXCLUDE):
        return Verdict.WRONG
    if action is Action.AMBIGUOUS:
        named = decision.label_ids
        return Verdict.WRONG if named and decision.given_id not in named else Verdict.UNCLEAR
    return Verdict.WAITING


def encode_verdict(verdict: Verdict | None) -> int:
    """Return whether a verdict says that a label is right or wrong, as one number."""
    if verdict is None or verdict not in KNOWN:
        return NOT_KNOWN
    return KNOWN_WRONG if KNOWN[verdict] else KNOWN_RIGHT


def judge_together(decisions: Iterable[Decision]) -> Verdict | None:
    """Return what competing decisions on one example say; None if there are none."""
    verdicts = {judge_decision(each) for each in decisions}
    if not verdicts:
        return None
    return verdicts.pop() if len(verdicts) == 1 else Verdict.UNCLEAR


def find_verdicts(
    dataset: DatasetLike, states: Mapping[str, ExampleState[Decision]]
) -> dict[int, Verdict]:
    """Return the verdict on each row that has one; decisions that no longer fit say nothing."""
    competing = [decision for state in states.values() for decision in state.candidates()]
    fitting: dict[str, list[Decision]] = defaultdict(list)
    for decision in match_decisions(competing, dataset, {}).fitting:
        fitting[decision.example_id].append(decision)
    found: dict[int, Verdict] = {}
    for example_id, decisions in fitting.items():
        verdict = judge_together(decisions)
        if verdict is not None:
            found[dataset.row_of[example_id]] = verdict
    return found


def find_known(verdicts: Mapping[int, Verdict]) -> dict[int, bool]:
    """Return the rows whose label is known to be right or wrong."""
    return {row: KNOWN[verdict] for row, verdict in verdicts.items() if verdict in KNOWN}


def count_verdicts(verdicts: Mapping[int, Verdict], planned: IntArray) -> dict[int, bool | None]:
    """Return verdicts as `estimate_quality` takes them: is the given label wrong?

    A planned row that somebody looked at without an answer counts as judged, with None for unknown.
    It keeps its place among the draws, and the intervals allow for both answers. Other rows without
    an answer are left out.
    """
    counted: dict[int, bool | None] = {**find_known(verdicts)}
    for row in planned.tolist():
        if row in verdicts and row not in counted:
            counted[row] = None
    return counted
