"""Which examples are held out together: stratified folds that keep copies and groups whole."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence

import numpy as np

from curation.core.matrix import IntArray
from curation.errors import InputError
from curation.wording import count_of, list_first

FOLDS = 4  # as in the paper
MOST_FOLDS = 20
MOST_NAMED = 5  # classes that a message names


class RareClassError(InputError):
    """A class has only one example, or one group; `allow_rare` goes on without knowing it."""


def number_values(values: Iterable[Hashable | None]) -> IntArray:
    """Return a number for each value, the same for equal values; each None gets its own.

    >>> number_values(["a", None, "a", None])
    array([0, 1, 0, 2])
    """
    seen: dict[Hashable, int] = {}
    alone = (object() for _ in iter(int, 1))  # endless, each unlike all others
    keys = (next(alone) if value is None else value for value in values)
    return np.fromiter((seen.setdefault(key, len(seen)) for key in keys), np.int64)


def join_units(*groupings: IntArray) -> IntArray:
    """Return the units: examples that share a number in any grouping, directly or through others.

    >>> join_units(np.array([0, 0, 1, 2]), np.array([0, 1, 1, 2]))
    array([0, 0, 0, 1])
    """
    from scipy.sparse import coo_array  # here, because these take a third of a second
    from scipy.sparse.csgraph import connected_components

    rows = np.arange(len(groupings[0]))
    last = len(rows)
    sources, targets = [], []
    for grouping in groupings:
        sources.append(rows)
        targets.append(last + grouping)
        last += int(grouping.max(initial=-1)) + 1
    ends = np.concatenate(sources), np.concatenate(targets)
    graph = coo_array((np.ones(len(ends[0]), np.int8), ends), shape=(last, last))
    found = connected_components(graph, directed=False)[1][: len(rows)]
    return number_values(found.tolist())


def assign_folds(
    labels: IntArray, units: IntArray, num_classes: int, *, folds: int, rng: np.random.Generator
) -> IntArray:
    """Return the fold of each example, with the classes spread evenly and each unit in one fold.

    Large units are placed first, each where its classes are rarest so far. Single examples then
    even out what is left. A class with fewer units than folds is in as many folds as it has units.
    """
    num_units = int(units.max()) + 1
    folds = min(folds, num_units)
    sizes = np.bincount(units, minlength=num_units)
    counts = np.zeros((folds, num_classes))
    share = np.maximum(np.bincount(labels, minlength=num_classes), 1) / folds
    fold_of_unit = np.full(num_units, -1, np.int64)
    shuffled = rng.permutation(num_units)
    members = np.split(np.argsort(units, kind="stable"), np.cumsum(sizes)[:-1])
    large = shuffled[sizes[shuffled] > 1]
    for unit in large[np.argsort(-sizes[large], kind="stable")].tolist():
        held = np.bincount(labels[members[unit]], minlength=num_classes)
        crowded = (counts[:, held > 0] / share[held > 0]) @ held[held > 0]
        best = np.lexsort((rng.random(folds), counts.sum(axis=1), crowded.round(9)))[0]
        fold_of_unit[unit] = best
        counts[best] += held
    alone = shuffled[sizes[shuffled] == 1]
    label_alone = labels[[members[unit][0] for unit in alone.tolist()]]
    for label in range(num_classes):
        mine = alone[label_alone == label]
        fold_of_unit[mine] = _level(counts, label, len(mine), rng)
    return fold_of_unit[units]


def _level(counts: np.ndarray, label: int, number: int, rng: np.random.Generator) -> IntArray:
    """Return a fold for each of so many single examples of a class, the emptiest fold first.

    `counts`, by fold and class, is brought up to date.
    """
    folds = len(counts)
    held = counts[:, label]
    # Fold f gets its next example when the level reaches held[f], held[f] + 1 and so on.
    levels = held[:, None] + np.arange(number)
    ties = np.broadcast_to(counts.sum(axis=1)[:, None] + 0.5 * rng.random((folds, 1)), levels.shape)
    order = np.lexsort((ties.ravel(), levels.ravel()))[:number]
    chosen = order // max(number, 1)
    counts[:, label] += np.bincount(chosen, minlength=folds)
    return np.asarray(chosen, dtype=np.int64)


def check_units(
    labels: IntArray, units: IntArray, class_names: Sequence[str], *, allow_rare: bool
) -> IntArray:
    """Return the classes whose examples are all in one unit; stop if that is not allowed.

    A model that must not see that unit knows nothing of such a class.
    """
    if units.max(initial=0) == 0:
        raise InputError(
            "All examples belong to one group, or show the same.",
            "A model must be tested on examples that it was not trained on: use a column whose "
            "groups are smaller, or none.",
        )
    pairs = np.unique(np.stack([labels, units]), axis=1)
    per_class = np.bincount(pairs[0], minlength=len(class_names))
    rare = np.flatnonzero(per_class == 1)
    if len(rare) == (per_class > 0).sum():
        raise InputError(
            "Every class has all its examples in one group, or only one example.",
            "A model cannot learn a class whose examples are all held out: use other groups.",
        )
    if len(rare) and not allow_rare:
        raise RareClassError(
            f"{name_classes(rare, class_names)} {'has' if len(rare) == 1 else 'have'} only one "
            "example, or one group of copies.",
            "Add examples or merge the class with another one, or pass allow_rare "
            "(--allow-rare): then these examples are predicted by models that know only the other "
            "classes.",
        )
    return rare


def name_classes(classes: IntArray, class_names: Sequence[str]) -> str:
    """Return a few classes by name, and how many more there are.

    >>> name_classes(np.array([0, 2]), ("cat", "dog", "eel"))
    "The classes 'cat', 'eel'"
    """
    shown = list_first([class_names[each] for each in classes.tolist()], MOST_NAMED, show=repr)
    return f"The class {shown}" if len(classes) == 1 else f"The classes {shown}"


def check_fold_count(folds: int) -> None:
    """Stop at a number of folds that makes no sense."""
    if not 2 <= folds <= MOST_FOLDS:
        raise InputError(f"{count_of(folds, 'fold')} cannot be used.", f"Pass 2 to {MOST_FOLDS}.")
