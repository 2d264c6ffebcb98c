"""Drafts of entries: what a curator asks for, checked against the dataset."""

from __future__ import annotations

import hashlib
import math
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from operator import index
from typing import Any, Protocol, SupportsIndex, TypedDict

from curation.class_names import find_same_name, make_added_id, match_classes, tidy_name
from curation.errors import StoreError
from curation.store.actions import Action, ClassAction, IssueKind
from curation.store.entries import (
    ClassDecision,
    Decision,
    EntryKind,
)

LabelLike = str | SupportsIndex
MAX_NAME_LENGTH = 200  # characters in the name of a new class


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


class DatasetLike(Protocol):
    """The part of a dataset that decisions need."""

    @property
    def root(self) -> Any: ...
    @property
    def labels(self) -> Any: ...
    @property
    def class_names(self) -> Sequence[str]: ...
    @property
    def class_ids(self) -> Sequence[str]: ...
    @property
    def content(self) -> Any: ...
    @property
    def row_of(self) -> Any: ...
    @property
    def source_rows(self) -> Any: ...
    @property
    def fingerprint(self) -> str: ...
    @property
    def fingerprint_parts(self) -> Any: ...


def draft_decision(
    dataset: DatasetLike,
    example_id: object,
    action: str,
    *,
    label: LabelLike | None = None,
    new_class: str | None = None,
    labels: Iterable[LabelLike] | None = None,
    kind: str | None = None,
    note: str = "",
    curator: str,
    seconds: float | None = None,
    revision: int | None = None,
    op_id: str,
    part: int = 0,
    entry: EntryKind = "decide",
) -> Decision:
    """Return a decision as it will be stored, except for its number and time."""
    row = find_row(dataset, str(example_id))
    said = check_action(action, label, labels, new_class)
    name, class_id = _find_chosen(dataset, label, new_class)
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
        kind=check_kind(kind),
        note=check_note(note),
        curator=check_curator(curator),
        seconds=check_seconds(seconds),
        revision=check_revision(revision),
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
    if one == two:
        raise StoreError(
            f"{said} needs two classes, but both are {dataset.class_names[one]!r}.",
            "Name two different classes.",
        )
    if said is ClassAction.IS_A and into is None:
        into = two
    name, name_id = _find_or_new(dataset, into, new=said.changes_names)
    pair = dataset.class_ids[one], dataset.class_ids[two or 0]
    if said is ClassAction.IS_A and name_id not in pair:
        raise StoreError(
            f"{name!r} is neither of the two classes.", "Give one of the two as the parent."
        )
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


def find_row(dataset: DatasetLike, example_id: str) -> int:
    try:
        return int(dataset.row_of[example_id])
    except KeyError:
        raise StoreError(
            f"NOT saved: the dataset has no example {example_id!r}.",
            "Use an id from the dataset's `ids`; row numbers are not ids.",
        ) from None


def find_class(dataset: DatasetLike, label: LabelLike) -> int:
    """Return the index of a class given by its index, or by a text that means only one class.

    A text is a class id or a name, even if it is a number such as "3"; an integer is an index.
    Nothing is guessed: a text that could mean two classes is refused.
    """
    if not isinstance(label, str):
        return _find_index(dataset, label)
    same = match_classes(label, dataset.class_names, dataset.class_ids)
    if not same:
        raise StoreError(
            f"NOT saved: there is no class {label!r}.",
            "The classes are " + _list_names(map(repr, dataset.class_names)) + ".",
        )
    if len(same) > 1 and label in dataset.class_ids:
        raise StoreError(
            f"NOT saved: {label!r} is the id of one class and the name of another.",
            f"Give its index instead ({_list_names(map(str, same))}).",
        )
    if len(same) > 1:
        ids = ", ".join(repr(dataset.class_ids[each]) for each in same)
        raise StoreError(
            f"NOT saved: {len(same)} classes are called {label!r}.",
            f"Give its class id ({ids}) or its index ({_list_names(map(str, same))}).",
        )
    return same[0]


def _find_chosen(
    dataset: DatasetLike, label: LabelLike | None, new_class: str | None
) -> tuple[str | None, str | None]:
    """Return the name and the id of the class that an example is given."""
    if new_class is not None:
        name = check_new_class(dataset, new_class)
        return name, make_added_id(name)
    if label is None:
        return None, None
    chosen = find_class(dataset, label)
    return dataset.class_names[chosen], dataset.class_ids[chosen]


def check_new_class(dataset: DatasetLike, name: str) -> str:
    """Return the name of a class to add; refuse one that the dataset has, however it is written."""
    tidy = tidy_name(name) if isinstance(name, str) else ""
    if not tidy:
        raise StoreError("NOT saved: a new class needs a name.", "Type its name.")
    if len(tidy) > MAX_NAME_LENGTH:
        raise StoreError(
            f"NOT saved: the name of the new class has {len(tidy):,} characters.",
            f"Use at most {MAX_NAME_LENGTH}.",
        )
    if any(unicodedata.category(each) in ("Cc", "Cs") for each in tidy):
        raise StoreError(
            f"NOT saved: the name {tidy!r} holds characters that a label file may not.",
            "Type the name without control characters.",
        )
    for known in (dataset.class_names, dataset.class_ids):
        same = find_same_name(tidy, known)
        if same is not None:
            raise StoreError(
                f"NOT saved: {tidy!r} is not new; the dataset has the class "
                f"{dataset.class_names[same]!r}.",
                "Choose that class, or type another name.",
            )
    return tidy


def _find_index(dataset: DatasetLike, label: SupportsIndex) -> int:
    count = len(dataset.class_names)
    try:
        number = -1 if isinstance(label, bool) else index(label)
    except TypeError:
        number = -1
    if not 0 <= number < count:
        raise StoreError(
            f"NOT saved: {label!r} is not the index of a class.",
            f"Indices are 0 to {count - 1}; you can also give the class by name.",
        )
    return number


def _find_or_new(
    dataset: DatasetLike, label: LabelLike | None, *, new: bool
) -> tuple[str | None, str | None]:
    if label is None:
        return None, None
    if isinstance(label, str) and not label.strip():
        raise StoreError("NOT saved: a class needs a name.", "Name the class with into=.")
    if new and isinstance(label, str) and label not in (*dataset.class_ids, *dataset.class_names):
        return label, None
    found = find_class(dataset, label)
    return dataset.class_names[found], dataset.class_ids[found]


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
            f"NOT saved: unknown action {action!r}.", f"Use {_list_names(Action)}."
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
            f"NOT saved: unknown action {action!r}.", f"Use {_list_names(ClassAction)}."
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
            f"({_list_names(sorted(missing | unknown))}).",
            f"Give example_id and action, and any of {_list_names(DETAILS)}.",
        )


def check_kind(kind: str | None) -> IssueKind | None:
    if kind is None:
        return None
    try:
        return IssueKind(kind)
    except ValueError:
        raise StoreError(
            f"NOT saved: unknown kind {kind!r}.", f"Use {_list_names(IssueKind)} or None."
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


def digest(dataset: DatasetLike, row: int) -> str:
    """Return the hash of an example's content; an unreadable one can still be decided.

    Without content, and with its row number as id, an example looks like the one in the same row of
    another table. For such an example, the hash is that of all ids and labels.
    """
    if is_known_by_row_only(dataset, row):
        parts = dataset.fingerprint_parts
        return hashlib.sha256(f"{parts['ids']} {parts['labels']}".encode()).hexdigest()
    try:
        return str(dataset.content.digest(row))
    except OSError:
        return "unreadable"


def is_known_by_row_only(dataset: DatasetLike, row: int) -> bool:
    """Return whether only its row number identifies an example."""
    if getattr(dataset.content, "kind", "") != "index":
        return False
    return bool(dataset.row_of.get(str(int(dataset.source_rows[row]))) == row)


def _list_names(names: Iterable[str], most: int = 10) -> str:
    found = list(names)
    more = f" and {len(found) - most} more" if len(found) > most else ""
    return ", ".join(found[:most]) + more
