"""Drafts of entries: what a curator asks for, checked against the dataset."""

from __future__ import annotations

from typing import Unpack

from curation.errors import StoreError
from curation.store.actions import Action, ClassAction
from curation.store.class_lookup import LabelLike, find_chosen, find_class, find_or_name
from curation.store.draft_checks import (
    DecisionDetails,
    check_action,
    check_class_action,
    check_curator,
    check_kind,
    check_note,
    check_revision,
    check_seconds,
)
from curation.store.entries import ClassDecision, Decision, EntryKind
from curation.store.judged_dataset import DatasetLike, digest, find_row


def draft_decision(
    dataset: DatasetLike,
    example_id: object,
    action: str,
    *,
    curator: str,
    op_id: str,
    part: int = 0,
    entry: EntryKind = "decide",
    **details: Unpack[DecisionDetails],
) -> Decision:
    """Return a decision as it will be stored, except for its number and time."""
    row = find_row(dataset, str(example_id))
    label, new_class, labels = (
        details.get("label"), details.get("new_class"), details.get("labels"),
    )  # fmt: skip
    said = check_action(action, label, labels, new_class)
    name, class_id = find_chosen(dataset, label, new_class)
    several = sorted({find_class(dataset, each) for each in labels or ()})
    both = [(dataset.class_names[each], dataset.class_ids[each]) for each in several]
    if said is Action.AMBIGUOUS and name is not None and class_id is not None:
        both, name, class_id = [*both, (name, class_id)], None, None
    given = int(dataset.labels[row])
    return Decision(
        seq=0,
        op_id=op_id,
        part=part,
        entry=entry,
        example_id=str(example_id),
        content_hash=digest(dataset, row),
        fingerprint=dataset.fingerprint,
        given=dataset.class_names[given],
        given_id=dataset.class_ids[given],
        action=said,
        label=name,
        label_id=class_id,
        labels=tuple(each for each, _ in both),
        label_ids=tuple(each for _, each in both),
        kind=check_kind(details.get("kind")),
        note=check_note(details.get("note")),
        curator=check_curator(curator),
        seconds=check_seconds(details.get("seconds")),
        revision=check_revision(details.get("revision")),
        time="",
        target=None,
    )


def draft_class_decision(
    dataset: DatasetLike,
    action: str,
    given: LabelLike,
    other: LabelLike | None,
    into: LabelLike | None,
    *,
    note: str,
    curator: str,
    op_id: str,
) -> ClassDecision:
    """Return a decision about classes as it will be stored, except for its number and time."""
    said = check_class_action(action, other, into)
    one = find_class(dataset, given)
    two = None if other is None else find_class(dataset, other)
    name, name_id = _find_result(dataset, said, one, two, into)
    return ClassDecision(
        seq=0,
        op_id=op_id,
        part=0,
        entry="decide",
        action=said,
        given=dataset.class_names[one],
        given_id=dataset.class_ids[one],
        other=None if two is None else dataset.class_names[two],
        other_id=None if two is None else dataset.class_ids[two],
        into=name,
        into_id=name_id,
        fingerprint=dataset.fingerprint,
        note=check_note(note),
        curator=check_curator(curator),
        time="",
        target=None,
    )


def _find_result(
    dataset: DatasetLike, said: ClassAction, one: int, two: int | None, into: LabelLike | None
) -> tuple[str | None, str | None]:
    """Return the name and the id of the class that a decision about classes results in."""
    if one == two:
        raise StoreError(
            f"{said} needs two classes, but both are {dataset.class_names[one]!r}.",
            "Name two different classes.",
        )
    if said is ClassAction.IS_A and into is None:
        into = two
    name, name_id = find_or_name(dataset, into, new=said.changes_names)
    pair = dataset.class_ids[one], dataset.class_ids[two or 0]
    if said is ClassAction.IS_A and name_id not in pair:
        raise StoreError(
            f"{name!r} is neither of the two classes.", "Give one of the two as the parent."
        )
    return name, name_id
