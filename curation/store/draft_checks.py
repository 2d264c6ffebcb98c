"""What a decision may say: each part is checked by itself, and refused with a message."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from operator import index
from typing import Any, TypedDict

from curation.errors import StoreError
from curation.store.actions import Action, ClassAction, IssueKind
from curation.store.class_lookup import LabelLike
from curation.wording import list_first


class DecisionDetails(TypedDict, total=False):
    """What a decision can say besides its example, action and curator."""

    label: LabelLike | None  # the new label, to relabel: its name, class id or index
    new_class: str | None  # in place of `label`, or one of both: a name that the dataset lacks
    labels: Iterable[LabelLike] | None  # both classes of the dataset, if the action is `both`
    kind: str | None  # the kind of label issue: error, ontological or multi_label
    note: str  # anything worth remembering
    seconds: float | None  # how long the curator took
    revision: int | None  # the revision that was on screen: see `Store.decide`


DETAILS = tuple(DecisionDetails.__annotations__)


def check_action(
    action: str,
    label: LabelLike | None,
    labels: Iterable[LabelLike] | None,
    new_class: str | None = None,
) -> Action:
    """Return the action; refuse it without the labels it needs, or with others."""
    try:
        chosen = Action(action)
    except ValueError:
        raise StoreError(
            f"NOT saved: unknown action {action!r}.", f"Use {', '.join(Action)}."
        ) from None
    if isinstance(labels, str):
        raise StoreError("NOT saved: `labels` is a single text.", "Give a list of classes.")
    if label is not None and new_class is not None:
        raise StoreError(
            "NOT saved: both a class and a new class were named.", "Name one: label= or new_class=."
        )
    is_both = chosen is Action.AMBIGUOUS  # a new class is then one of both
    named = label is not None or (new_class is not None and not is_both)
    if named != (chosen is Action.RELABEL):
        need = "needs a label" if chosen is Action.RELABEL else "takes no label"
        raise StoreError(f"NOT saved: {action} {need}.", "Only relabel names one class.")
    if labels is not None and chosen is not Action.AMBIGUOUS:
        raise StoreError(f"NOT saved: {action} takes no `labels`.", "Only both does.")
    return chosen


def check_class_action(action: str, other: LabelLike | None, into: LabelLike | None) -> ClassAction:
    """Return the action on classes; refuse it without the classes it needs, or with others."""
    try:
        chosen = ClassAction(action)
    except ValueError:
        raise StoreError(
            f"NOT saved: unknown action {action!r}.", f"Use {', '.join(ClassAction)}."
        ) from None
    if (other is None) != (chosen is ClassAction.RENAME):
        need = "is about one class" if chosen is ClassAction.RENAME else "needs two classes"
        raise StoreError(f"NOT saved: {action} {need}.", "Only rename is about one class.")
    if into is None and chosen.changes_names:
        raise StoreError(
            f"NOT saved: {action} needs the name of a class.", "Name the class with into=."
        )
    if into is not None and chosen is ClassAction.DISTINCT:
        raise StoreError("NOT saved: distinct classes keep their names.", "Leave out into=.")
    return chosen


def check_keys(asked: Mapping[str, Any]) -> None:
    """Refuse a decision in a list if keys are missing or unknown."""
    if not isinstance(asked, Mapping):
        raise StoreError(
            f"NOT saved: {asked!r} is not a decision.", "Give mappings with example_id and action."
        )
    missing = {"example_id", "action"} - set(asked)
    unknown = set(asked) - {"example_id", "action", *DETAILS}
    if missing or unknown:
        raise StoreError(
            f"NOT saved: {dict(asked)!r} has missing or unknown keys "
            f"({list_first(sorted(missing | unknown), 10)}).",
            f"Give example_id and action, and any of {', '.join(DETAILS)}.",
        )


def check_kind(kind: str | None) -> IssueKind | None:
    if kind is None:
        return None
    try:
        return IssueKind(kind)
    except ValueError:
        raise StoreError(
            f"NOT saved: unknown kind {kind!r}.", f"Use {', '.join(IssueKind)} or None."
        ) from None


def check_curator(curator: str) -> str:
    if not isinstance(curator, str) or not curator.strip():
        raise StoreError("NOT saved: no curator was named.", "Name the curator: curator='ana'.")
    return curator


def check_note(note: str | None) -> str:
    if note is not None and not isinstance(note, str):
        raise StoreError(f"NOT saved: the note is {note!r}.", "Give a text.")
    return note or ""


def check_op_id(op_id: str) -> str:
    if not isinstance(op_id, str) or not op_id:
        raise StoreError(f"NOT saved: the op_id is {op_id!r}.", "Give a unique text.")
    return op_id


def check_revision(revision: int | None) -> int | None:
    try:
        return None if revision is None else index(revision)
    except TypeError:
        raise StoreError(
            f"NOT saved: the revision is {revision!r}.", "Give the number that was shown."
        ) from None


def check_seconds(seconds: float | None) -> float | None:
    try:
        spent = None if seconds is None else float(seconds)
    except (TypeError, ValueError, OverflowError):
        spent = math.nan
    if spent is not None and not (math.isfinite(spent) and spent >= 0):
        raise StoreError(
            f"NOT saved: the time spent is {seconds!r} seconds.", "Give a number, 0 or more."
        )
    return spent
