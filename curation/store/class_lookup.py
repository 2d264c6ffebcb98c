"""Which class a decision names: one of the dataset, or a new one whose name can be used."""

from __future__ import annotations

import unicodedata
from operator import index
from typing import SupportsIndex

from curation.class_names import find_same_name, make_added_id, match_classes, tidy_name
from curation.errors import StoreError
from curation.store.judged_dataset import DatasetLike
from curation.wording import list_first

LabelLike = str | SupportsIndex
MAX_NAME_LENGTH = 200  # characters in the name of a new class
MAX_CLASSES_LISTED = 10  # in a message


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
            f"The classes are {list_first(dataset.class_names, MAX_CLASSES_LISTED, show=repr)}.",
        )
    indices = list_first([str(each) for each in same], MAX_CLASSES_LISTED)
    if len(same) > 1 and label in dataset.class_ids:
        raise StoreError(
            f"NOT saved: {label!r} is the id of one class and the name of another.",
            f"Give its index instead ({indices}).",
        )
    if len(same) > 1:
        ids = ", ".join(repr(dataset.class_ids[each]) for each in same)
        raise StoreError(
            f"NOT saved: {len(same)} classes are called {label!r}.",
            f"Give its class id ({ids}) or its index ({indices}).",
        )
    return same[0]


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


def find_chosen(
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


def find_or_name(
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
