"""Which decisions still fit a dataset that may have changed since they were made.

An example is the same if its id and the hash of its content are; its row does not matter.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Literal

from curation.class_names import find_same_name, is_added
from curation.store.entries import ClassDecision, Decision
from curation.store.judged_dataset import DatasetLike, digest, is_known_by_row_only

Cause = Literal[
    "id gone", "content changed", "class gone", "class renumbered", "given label changed"
]


@dataclass(frozen=True)
class Misfit:
    """A decision that no longer fits its example, and why.

    The reason is written into exports, so its wording changes only with a release that says so.
    """

    decision: Decision
    cause: Cause
    reason: str


@dataclass(frozen=True)
class Matched:
    """Decisions that fit, those that do not, and which parts of the dataset changed."""

    fitting: list[Decision]
    misfits: list[Misfit]
    changed: tuple[str, ...]


def match_decisions(
    decisions: Iterable[Decision],
    dataset: DatasetLike,
    known: Mapping[str, Mapping[str, str]],
) -> Matched:
    """Return which decisions fit; `known` holds the parts of each fingerprint seen before."""
    fitting: list[Decision] = []
    misfits: list[Misfit] = []
    changed: dict[str, set[str]] = {dataset.fingerprint: set()}
    index = {each: place for place, each in enumerate(dataset.class_ids)}
    same = {dataset.fingerprint}  # fingerprints under which every example is unchanged
    for decision in decisions:
        if decision.fingerprint not in changed:
            parts = changed_parts(decision.fingerprint, dataset, known)
            changed[decision.fingerprint] = parts
            same |= set() if _matters(parts) else {decision.fingerprint}
        if decision.fingerprint in same:
            fitting.append(decision)
        elif (misfit := find_misfit(decision, dataset, index)) is not None:
            misfits.append(misfit)
        else:
            fitting.append(_renamed(decision, dataset, index))
    return Matched(fitting, misfits, tuple(sorted(set().union(*changed.values()))))


def changed_parts(
    fingerprint: str, dataset: DatasetLike, known: Mapping[str, Mapping[str, str]]
) -> set[str]:
    """Return the names of the parts that differ from the dataset with that fingerprint.

    A fingerprint whose parts were never stored counts as changed in every part.
    """
    then, now = known.get(fingerprint, {}), dict(dataset.fingerprint_parts)
    return {name for name in {*then, *now} if then.get(name) != now.get(name)} or {"unknown"}


def _matters(changed: set[str]) -> bool:
    """Return whether examples must be compared; new predictions do not change any example."""
    return any("prob" not in name for name in changed)


def find_misfit(
    decision: Decision, dataset: DatasetLike, index: Mapping[str, int]
) -> Misfit | None:
    """Return why a decision does not fit, or None."""
    row = dataset.row_of.get(decision.example_id)
    if row is None:
        return Misfit(decision, "id gone", f"no example has the id {decision.example_id!r} now")
    if digest(dataset, row) != decision.content_hash:
        return Misfit(decision, "content changed", _describe_change(dataset, row))
    for name, each in zip(_names(decision), _ids(decision), strict=True):
        if each not in index and is_added(each):
            continue  # a curator added this class
        if each not in index:
            return Misfit(decision, "class gone", f"the class {name!r} no longer exists")
        if is_renumbered(dataset, index[each], name):
            return _renumbered(decision, dataset, index[each], name)
    given = int(dataset.labels[row])
    if dataset.class_ids[given] != decision.given_id:
        label = dataset.class_names[given]
        chosen = _renamed(decision, dataset, index).label_id
        same = ", as was decided" if dataset.class_ids[given] == chosen else ""
        was = f"it was {decision.given!r} when judged and is {label!r} now{same}"
        return Misfit(decision, "given label changed", was)
    if is_renumbered(dataset, given, decision.given):
        return _renumbered(decision, dataset, given, decision.given)
    return None


def match_class_decisions(
    decisions: Iterable[ClassDecision], dataset: DatasetLike
) -> tuple[list[ClassDecision], list[ClassDecision]]:
    """Return the decisions about classes that fit a dataset, and those that do not."""
    index = {each: place for place, each in enumerate(dataset.class_ids)}
    fitting: list[ClassDecision] = []
    misfits: list[ClassDecision] = []
    for decision in decisions:
        named = (
            (decision.given_id, decision.given),
            (decision.other_id, decision.other),
            (decision.into_id, decision.into),
        )
        fits = all(
            each in index and not is_renumbered(dataset, index[each], str(name))
            for each, name in named
            if each is not None
        )
        (fitting if fits else misfits).append(decision)
    return fitting, misfits


def _describe_change(dataset: DatasetLike, row: int) -> str:
    if is_known_by_row_only(dataset, row):
        return "only its row number is known, and the labels have changed since"
    return "the example's content has changed since it was judged"


def _renumbered(decision: Decision, dataset: DatasetLike, label: int, name: str) -> Misfit:
    now = dataset.class_names[label]
    reason = f"the class {name!r} is now called {now!r}, and {name!r} is another class"
    return Misfit(decision, "class renumbered", reason)


def is_renumbered(dataset: DatasetLike, label: int, name: str) -> bool:
    """Return whether a class has a new name and its old name now means another class.

    A class that was only renamed keeps its decisions. One whose name moved to another id does not:
    the class that a curator chose by name would become a different one.
    """
    return bool(dataset.class_names[label] != name and name in dataset.class_names)


def _names(decision: Decision) -> tuple[str, ...]:
    return decision.labels + ((decision.label,) if decision.label is not None else ())


def _ids(decision: Decision) -> tuple[str, ...]:
    return decision.label_ids + ((decision.label_id,) if decision.label_id is not None else ())


def _renamed(decision: Decision, dataset: DatasetLike, index: Mapping[str, int]) -> Decision:
    """Return the decision with the current names of its classes.

    A class that a curator added is the dataset's own once that has a class of the same name.
    """

    def rename(name: str, class_id: str) -> tuple[str, str]:
        own = None if class_id in index else find_same_name(name, dataset.class_names)
        class_id = class_id if own is None else dataset.class_ids[own]
        return (dataset.class_names[index[class_id]] if class_id in index else name), class_id

    label, label_id = decision.label, decision.label_id
    if label is not None and label_id is not None:
        label, label_id = rename(label, label_id)
    both = [rename(*each) for each in zip(decision.labels, decision.label_ids, strict=True)]
    renamed = replace(
        decision, label=label, label_id=label_id,
        labels=tuple(name for name, _ in both), label_ids=tuple(each for _, each in both),
    )  # fmt: skip
    return decision if renamed == decision else renamed
