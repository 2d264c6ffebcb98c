"""The settings of an analysis and the names of the classes, checked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from numbers import Real
from typing import Any, get_args

from curation.core.count import Collisions
from curation.errors import InputError


def check_choice(name: str, value: Any, choices: Sequence[str]) -> None:
    """Refuse a value that is none of the choices."""
    if value not in choices:
        raise InputError(f"There is no {name} {value!r}.", f"Choose one of: {', '.join(choices)}.")


def check_settings(threshold: Any, collisions: Any) -> None:
    """Refuse settings of the analysis that do not exist."""
    check_choice("collisions", collisions, get_args(Collisions))
    _check_threshold(threshold)


def _check_threshold(threshold: Any) -> None:
    is_number = isinstance(threshold, Real) and not isinstance(threshold, bool)
    if threshold != "mean" and not (is_number and 0 <= threshold <= 100):
        raise InputError(
            f"The threshold is {threshold!r}.", 'Pass "mean" or a percentile from 0 to 100.'
        )


def check_names(
    class_names: Sequence[str] | None, num_classes: int
) -> tuple[str, ...] | tuple[int, ...]:
    """Return a name for each class: as passed, or its index."""
    if class_names is None:
        return tuple(range(num_classes))
    if isinstance(class_names, (str, Mapping)) or not hasattr(class_names, "__len__"):
        kind = type(class_names).__name__
        raise InputError(f"The class names are a {kind}.", "Pass a list of names.")
    if len(class_names) != num_classes:
        raise InputError(
            f"There are {len(class_names)} class names for {num_classes} columns of probabilities.",
            "Name each column once, in order.",
        )
    return tuple(class_names)
