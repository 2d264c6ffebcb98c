"""The classes of a dataset together with those that curators added, in one order.

Classes 0 to m - 1 are the dataset's, with a column of probabilities each. From m on follow the
added ones, in the order in which they were first chosen. No model knows those: matrices, thresholds
and weights have no entry for them.

In the label file an added class is written by its name, unless all labels in it are whole numbers.
Then it is written as the next number, and class_map.csv says which class that is.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from curation.class_names import (
    AddedClass,
    distinct_names,
    find_same_name,
    is_added,
    make_added_id,
    write_like,
)
from curation.dataset import Dataset
from curation.store.entries import Decision
from curation.store.judged_dataset import DatasetLike

WHOLE = re.compile(r"(-?(?:0|[1-9][0-9]{0,17}))(\.0)?")  # as arrays and tables write numbers
BOOLEANS = {"True", "False"}


@dataclass(frozen=True, eq=False)
class ExtendedClasses:
    """Every class that an example can have: `names`, `ids` and `texts` have one entry for each.

    `names` are all different, and `texts` are how the classes are written in the label file.
    """

    dataset: Dataset
    added: tuple[AddedClass, ...]

    @property
    def num_given(self) -> int:
        """Return how many of the classes are the dataset's."""
        return len(self.dataset.class_ids)

    @cached_property
    def names(self) -> tuple[str, ...]:
        names = name_classes(self.dataset)
        return names + tuple(
            f"{each.name} (new class)" if each.name in names else each.name for each in self.added
        )

    @cached_property
    def ids(self) -> tuple[str, ...]:
        return self.dataset.class_ids + tuple(each.id for each in self.added)

    @cached_property
    def texts(self) -> tuple[str, ...]:
        values = self.dataset.label_values
        return values + write_added(values, [each.name for each in self.added])

    def list_added(self) -> range:
        """Return the places of the added classes."""
        return range(self.num_given, len(self.ids))

    def describe(self, label: int) -> str:
        """Return the name of a class, and how it is written if that is not its name."""
        name, text = self.names[label], self.texts[label]
        return name if name == text else f"{name}, written as {text}"

    @cached_property
    def index(self) -> Mapping[str, int]:
        """Return the place of each class by its id.

        The id of an added class leads to the dataset's own class of that name, if it has one now.
        """
        own = {make_added_id(name): place for place, name in enumerate(self.dataset.class_names)}
        return own | {each: place for place, each in enumerate(self.ids)}


def name_classes(dataset: Dataset) -> tuple[str, ...]:
    """Return a unique name for each class: its own, its own with its id, or only its id."""
    names = distinct_names(dataset.class_names, dataset.class_ids)
    return names if len(set(names)) == len(names) else tuple(dataset.class_ids)


def list_added(decisions: Iterable[Decision], dataset: DatasetLike) -> tuple[AddedClass, ...]:
    """Return the classes that decisions add to the dataset's, in the order they were made.

    The first decision names the class.
    """
    known = set(dataset.class_ids)
    found: dict[str, AddedClass] = {}
    for each in sorted(decisions, key=lambda decision: decision.seq):
        for class_id, name in list_named(each):
            if is_added(class_id) and class_id not in known and not _has(dataset, name):
                found.setdefault(class_id, AddedClass(class_id, name))
    return tuple(found.values())


def names_added(decision: Decision, dataset: DatasetLike) -> bool:
    """Return whether a decision gives an example a class that was added."""
    named = (class_id for class_id, _ in list_named(decision))
    return any(is_added(each) and each not in dataset.class_ids for each in named)


def list_named(decision: Decision) -> list[tuple[str, str]]:
    """Return the classes that a decision gives an example, one or both: their ids and names."""
    both = zip(decision.label_ids, decision.labels, strict=True)
    if decision.label_id is None or decision.label is None:
        return list(both)
    return [(decision.label_id, decision.label), *both]


def _has(dataset: DatasetLike, name: str) -> bool:
    return find_same_name(name, dataset.class_names) is not None


def write_added(values: Sequence[str], names: Sequence[str]) -> tuple[str, ...]:
    """Return how added classes are written in a label file with these labels.

    A name that is itself a free number is written as that number.

    >>> write_added(("cat", "dog"), ["zebra"]), write_added(("0", "1"), ["zebra", "7", "yak"])
    (('zebra',), ('2', '7', '8'))
    >>> write_added(("0.0", "1.0"), ["zebra"]), write_added(("007", "008"), ["zebra"])
    (('2.0',), ('zebra',))
    """
    numbers = [WHOLE.fullmatch(each) for each in values]
    if not all(numbers):
        return tuple(write_like(values, name) for name in names)
    point = ".0" if any(each and each[2] for each in numbers) else ""
    taken = {int(each[1]) for each in numbers if each}
    written = []
    for name in names:
        own = WHOLE.fullmatch(name)
        number = int(own[1]) if own and int(own[1]) not in taken else max(taken, default=-1) + 1
        taken.add(number)
        written.append(f"{number}{point}")
    return tuple(written)


def describe_adding(dataset: Dataset, added: Sequence[AddedClass]) -> tuple[str, str | None]:
    """Return what one more class gets in the label file, and why none can be added, if so."""
    source, values = dataset.source, dataset.label_values
    file = source.called or "the table of cleaned labels"
    if source.label_kind == "boolean" or (source.format == "parquet" and set(values) <= BOOLEANS):
        return "", f"{file} holds true and false, and has no room for a third class"
    if source.format in ("npy", "npz") and dataset.settings.get("labels_are") == "onehot":
        return "", f"{file} holds one column for each class, and has no room for another class"
    names = [each.name for each in added]
    *_, text = write_added(values, [*names, "a new class"])
    if text == "a new class":
        return f"The cleaned {file} gets its name, and class_map.csv lists it.", None
    return (
        f"{file} holds numbers, so the cleaned labels get the next one, {text}; "
        "class_map.csv says which class that is.",
        None,
    )


def find_known_class(name: str, dataset: Dataset, shown: Sequence[str]) -> str | None:
    """Return the class that a new name would repeat, as it is shown; None if the name is new.

    `shown` are the names of the dataset's classes now, some of which may have been renamed.
    """
    for names in (dataset.class_names, shown, dataset.class_ids):
        same = find_same_name(name, names)
        if same is not None:
            return shown[same]
    return None
