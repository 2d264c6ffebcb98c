"""The other columns of a table as features: numbers as numbers, words as categories."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from curation.core.matrix import IntArray
from curation.loading.vocabulary import MODEL_EXTRAS, NOT_PROB_COLUMNS, is_id_name

MOST_CATEGORIES = 200  # of a column; rarer ones are read together (scikit-learn's limit is 255)
NUMERIC_SHARE = 0.95  # of the cells of a column that must be numbers
SPLIT_COLUMNS = ("split", "fold", "index")


def choose_columns(extras: Mapping[str, Any], labels: IntArray) -> tuple[list[str], list[str]]:
    """Return the columns to learn from, and those left out because they repeat the label."""
    used, repeating = [], []
    for name in extras:
        plain = name.strip().lower()
        if is_id_name(name) or plain in MODEL_EXTRAS | NOT_PROB_COLUMNS or plain in SPLIT_COLUMNS:
            continue
        if _repeats_label(extras[name], labels):
            repeating.append(name)
        elif len(set(extras[name].tolist())) > 1:
            used.append(name)
    return used, repeating


def _repeats_label(values: Any, labels: IntArray) -> bool:
    """Return whether a column is the label written another way: one value for each class.

    >>> _repeats_label(np.array(["C", "D", "C"], dtype=object), np.array([0, 1, 0]))
    True
    """
    pairs = set(zip(values.tolist(), labels.tolist(), strict=True))
    numbers = (len(pairs), len({value for value, _ in pairs}), len({label for _, label in pairs}))
    return len(set(numbers)) == 1 and numbers[0] > 1


def make_table(extras: Mapping[str, Any], columns: list[str]) -> Any:
    """Return a data frame of numbers and categories, which gradient boosting reads as they are."""
    import pandas as pd

    return pd.DataFrame({name: _read_column(extras[name]) for name in columns})


def _read_column(values: Any) -> Any:
    import pandas as pd

    texts = pd.Series(values, dtype=object)
    filled = texts.notna() & (texts.astype(str).str.strip() != "")
    numbers = pd.to_numeric(texts.where(filled), errors="coerce").astype(np.float64)
    if filled.any() and numbers.notna().sum() >= NUMERIC_SHARE * filled.sum():
        return numbers.replace([np.inf, -np.inf], np.nan)
    common = texts[filled].value_counts().index[:MOST_CATEGORIES]
    return pd.Categorical(texts.where(texts.isin(common), "other").where(filled))
