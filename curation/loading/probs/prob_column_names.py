"""What the name of a column says: whether it holds probabilities, and of which class."""

from __future__ import annotations

import os
from collections.abc import Sequence

from curation.loading.vocabulary import (
    ID_COLUMNS,
    INDEX_COLUMNS,
    LOGIT_WORDS,
    MODEL_EXTRAS,
    NOT_PROB_COLUMNS,
    NUMBERED_AFFIXES,
    PROB_AFFIXES,
    PROB_ENDINGS,
    PROB_PREFIXES,
    SINGLE_ENDINGS,
    SINGLE_PROB_NAMES,
)


def class_columns(columns: Sequence[str]) -> list[str]:
    """Return the columns that can be classes: not ids, row numbers or labels."""
    others = {*ID_COLUMNS, *NOT_PROB_COLUMNS}
    return [c for c in columns if c.strip().lower() not in others and c not in INDEX_COLUMNS]


def is_single_name(name: str) -> bool:
    """Return whether a name is usual for the probability of one class, such as score or p_spam."""
    lower = name.strip().lower()
    return lower in SINGLE_PROB_NAMES or lower.startswith(PROB_PREFIXES)


def find_class_in_name(name: str, classes: Sequence[str]) -> int | None:
    """Return the class in the name of a column or a file; None if there is not exactly one.

    >>> find_class_in_name("p_spam", ["ham", "spam"]), find_class_in_name("score", ["ham", "spam"])
    (1, None)
    """
    lower = name.strip().lower()
    affixes = (*PROB_AFFIXES, *NUMBERED_AFFIXES, *(("", ending) for ending in SINGLE_ENDINGS))
    found = [
        place
        for place, each in enumerate(classes)
        if any(lower == f"{before}{each}{after}".lower() for before, after in affixes)
    ]
    return found[0] if len(found) == 1 else None


def are_prob_names(columns: Sequence[str]) -> bool:
    """Return whether all these columns are named as probabilities, such as p_cat or cat_prob."""
    by_ending = any(all(c.endswith(ending) for c in columns) for ending in PROB_ENDINGS)
    return bool(columns) and (bool(shared_prefix(columns)) or by_ending)


def find_prefixed(header: Sequence[str]) -> list[str]:
    """Return the columns that begin with the same prefix of probabilities, if there are several."""
    for prefix in PROB_PREFIXES:
        found = [column for column in header if column.startswith(prefix)]
        if len(found) >= 2:
            return found
    return []


def shared_prefix(columns: Sequence[str]) -> str:
    """Return the prefix of probabilities that all these columns share; "" if there is none."""
    fits = (p for p in PROB_PREFIXES if columns and all(c.startswith(p) for c in columns))
    return next(fits, "")


def is_model_extra(column: str, prefix: str) -> bool:
    """Return whether a column is one that models write next to their probabilities.

    >>> is_model_extra("p_value", "p_"), is_model_extra("p_cat", "p_")
    (True, False)
    """
    return bool({column.lower(), column.removeprefix(prefix).lower()} & MODEL_EXTRAS)


def are_logits(columns: Sequence[str]) -> bool:
    """Return whether columns are named as scores that are not probabilities yet.

    >>> are_logits(["logit_cat", "logit_dog"]), are_logits(["p_cat", "p_dog"])
    (True, False)
    """
    before = os.path.commonprefix(list(columns)).lower().rstrip(" _.-(")
    return before in LOGIT_WORDS
