"""What each class becomes after the merges and renames that curators decided."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from curation.class_names import write_like
from curation.dataset import Dataset
from curation.store.actions import ClassAction
from curation.store.entries import ClassDecision


@dataclass(frozen=True)
class ClassMap:
    """What each class becomes, even if an export does not apply it to the labels.

    `becomes[j]` is the class that replaces class j, `names[j]` its name and `texts[j]` how it is
    written in the label file.
    """

    becomes: tuple[int, ...]
    names: tuple[str, ...]
    texts: tuple[str, ...]
    why: tuple[str, ...]
    warnings: tuple[str, ...]

    @property
    def merges(self) -> tuple[int, ...] | None:
        """Return what each class becomes, or None if no classes were merged."""
        return None if self.becomes == tuple(range(len(self.becomes))) else self.becomes

    @property
    def changed(self) -> tuple[int, ...]:
        """Return the classes that become another class or get another name."""
        return tuple(label for label, why in enumerate(self.why) if why)


def map_classes(dataset: Dataset, decisions: Sequence[ClassDecision]) -> ClassMap:
    """Return what the classes become when decisions are followed in the order they were made.

    Merging a with b and b with c makes one class of all three. The class that a merge names
    replaces the others; if the name is new, the first of them does, under that name. A rename
    never merges, so two classes can swap their names.
    """
    index = {each: place for place, each in enumerate(dataset.class_ids)}
    stands = list(range(len(index)))
    names = list(dataset.class_names)
    for decision in decisions:
        if decision.action is ClassAction.MERGE:
            _merge(decision, index, stands, names)
    for decision in decisions:
        if decision.action is ClassAction.RENAME and decision.into is not None:
            names[stands[index[decision.given_id]]] = decision.into
    finals = tuple(names[each] for each in stands)
    changed = {
        label
        for label, stand in enumerate(stands)
        if stand != label or finals[label] != dataset.class_names[label]
    }
    why = tuple(
        _reasons(decisions, dataset.class_ids, stands, label) if label in changed else ""
        for label in range(len(stands))
    )
    texts = tuple(_text(dataset, stand, name) for stand, name in zip(stands, finals, strict=True))
    return ClassMap(tuple(stands), finals, texts, why, _warn(dataset, decisions, stands, finals))


def find_namesake(
    dataset: Dataset, decisions: Sequence[ClassDecision], name: str, label: int
) -> int | None:
    """Return another class that has this name after the decisions, or None."""
    classes = map_classes(dataset, decisions)
    own = classes.becomes[label]
    return next(
        (
            other
            for other, called in zip(classes.becomes, classes.names, strict=True)
            if called == name and other != own
        ),
        None,
    )


def _merge(
    decision: ClassDecision, index: Mapping[str, int], stands: list[int], names: list[str]
) -> None:
    members = [decision.given_id, decision.other_id, decision.into_id]
    groups = {stands[index[each]] for each in members if each is not None}
    stand = index[decision.into_id] if decision.into_id is not None else min(groups)
    if decision.into is not None:
        names[stand] = decision.into  # the last merge names the class
    for label, group in enumerate(stands):
        if group in groups:
            stands[label] = stand


def _text(dataset: Dataset, stand: int, name: str) -> str:
    """Return how a class is written; by its new name only if the file contains names."""
    by_name = dataset.settings.get("labels_are", "name") == "name"
    if name == dataset.class_names[stand] or dataset.source.label_kind != "text" or not by_name:
        return dataset.label_values[stand]
    return write_like(dataset.label_values, name)


def _reasons(
    decisions: Iterable[ClassDecision], ids: Sequence[str], stands: Sequence[int], label: int
) -> str:
    """Return the decisions that change each class, as text."""
    group = {ids[each] for each, stand in enumerate(stands) if stand == stands[label]}
    return "; ".join(
        _describe(each) for each in decisions if each.action.changes_names and each.subject & group
    )


def _describe(decision: ClassDecision) -> str:
    about = f"{decision.given!r}" + (f" and {decision.other!r}" if decision.other else "")
    note = f" ({decision.note})" if decision.note else ""
    return f"{decision.action} of {about} into {decision.into!r} by {decision.curator}{note}"


def _warn(
    dataset: Dataset,
    decisions: Iterable[ClassDecision],
    stands: Sequence[int],
    finals: Sequence[str],
) -> tuple[str, ...]:
    """Return warnings: distinct classes that were merged, and names that two classes share."""
    index = {each: place for place, each in enumerate(dataset.class_ids)}
    found = [
        f"{each.given!r} and {each.other!r} were called distinct by {each.curator}, but merges of "
        "other pairs join them."
        for each in decisions
        if each.action is ClassAction.DISTINCT
        and each.other_id is not None
        and stands[index[each.given_id]] == stands[index[each.other_id]]
    ]
    called: dict[str, set[int]] = {}
    for stand, name in zip(stands, finals, strict=True):
        called.setdefault(name, set()).add(stand)
    found += [
        f"{len(group)} classes are now called {name!r}."
        for name, group in called.items()
        if len(group) > 1 and any(finals[each] != dataset.class_names[each] for each in group)
    ]
    return tuple(found)
