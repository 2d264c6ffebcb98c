"""Brings pandas tables together by name: columns with classes, and labels with rows.

Arrays and lists have no names, and are taken as they stand.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from curation.core.checks import as_array
from curation.core.matrix import IntArray
from curation.errors import InputError
from curation.wording import percent

if TYPE_CHECKING:
    import pandas as pd

NAMES_SHOWN = 5  # in a message
# By position the model may agree with this much more of the labels than by index before the index
# is doubted: rows in the wrong order agree as often as chance, the right ones far more often.
MAX_BETTER_BY_POSITION = 0.1
BY_POSITION = "Pass labels.to_numpy() and pred_probs.to_numpy() if both are in the same order"


def match_tables(
    labels: Any, pred_probs: Any, class_names: Any
) -> tuple[Any, Any, Sequence[str] | None]:
    """Return labels, probabilities and class names with the rows and columns of one order.

    The columns of a DataFrame are put in the order of `class_names`; without these, its columns
    are the names. The labels of a Series are put in the order of the DataFrame's index. What does
    not match is refused, never taken by position.
    """
    pandas = sys.modules.get("pandas")  # nobody passes a table without having imported it
    if pandas is None or not isinstance(pred_probs, pandas.DataFrame):
        return labels, pred_probs, class_names
    columns, names = _match_columns(pred_probs, class_names)
    matrix = as_array(pred_probs, "probabilities")
    if columns is not None:
        matrix = matrix[:, columns]
    if isinstance(labels, pandas.Series) and len(labels) == len(pred_probs):
        labels = _match_rows(labels, pred_probs.index, matrix)
    return labels, matrix, names


def _match_columns(
    table: pd.DataFrame, class_names: Any
) -> tuple[IntArray | None, Sequence[str] | None]:
    """Return where the column of each class is (None: in order), and the names of the classes."""
    columns: list[Any] = table.columns.tolist()
    numbers = list(range(len(columns)))
    numbered = all(type(each) is int for each in columns) and sorted(columns) == numbers
    if class_names is None:
        return (_find_places(numbers, columns), None) if numbered else (None, _name(columns))
    if isinstance(class_names, str | Mapping) or not hasattr(class_names, "__len__"):
        return None, class_names  # refused later, with its own message
    wanted, found = _name(class_names), _name(columns)
    if sorted(wanted) != sorted(found) or len(set(found)) < len(found):
        if numbered and len(wanted) == len(found):
            return _find_places(numbers, columns), class_names
        raise InputError(
            f"The columns of the probabilities are {_list_some(found)}, and the class names are "
            f"{_list_some(wanted)}.",
            "Name each column after its class; or pass pred_probs.to_numpy() if the columns are in "
            "the order of the class names.",
        )
    return _find_places(wanted, found), class_names


def _name(classes: Iterable[Any]) -> list[str]:
    return [str(each) for each in classes]


def _find_places(wanted: list[Any], found: list[Any]) -> IntArray | None:
    if wanted == found:
        return None
    place = {name: number for number, name in enumerate(found)}
    return np.array([place[name] for name in wanted])


def _match_rows(labels: pd.Series[Any], index: pd.Index[Any], matrix: Any) -> pd.Series[Any]:
    """Return the labels in the order of the index of the probabilities."""
    if labels.index.equals(index):
        return labels
    if not (labels.index.is_unique and index.is_unique):
        raise _contradiction(labels, index, "An index that repeats cannot be matched.")
    places = labels.index.get_indexer(index)
    if (places < 0).any():
        missing = int((places < 0).sum())
        raise _contradiction(
            labels, index, f"{missing:,} of {len(index):,} rows of probabilities have no label."
        )
    matched = labels.iloc[places]
    _doubt_index(labels, matched, index, matrix)
    return matched


def _doubt_index(
    labels: pd.Series[Any], matched: pd.Series[Any], index: pd.Index[Any], matrix: Any
) -> None:
    """Refuse an index that breaks up rows which belong together by position.

    `pd.DataFrame(model.predict_proba(X))` numbers its rows from 0, no matter what the index of X
    and y is.
    """
    if matrix.dtype.kind not in "fiu" or matrix.shape[1] < 2:
        return  # refused later
    predicted = matrix.argmax(axis=1)
    by_position, by_index = (
        float(np.mean(predicted == each.to_numpy())) for each in (labels, matched)
    )
    if by_position > by_index + MAX_BETTER_BY_POSITION:
        raise _contradiction(
            labels,
            index,
            f"Matched by index, the model agrees with {percent(by_index)} of the labels, by "
            f"position with {percent(by_position)}.",
        )


def _contradiction(labels: pd.Series[Any], index: pd.Index[Any], why: str) -> InputError:
    return InputError(
        f"The index of the labels is {_list_some(labels.index)}, and that of the probabilities "
        f"{_list_some(index)}. {why}",
        f"Give both the same index. {BY_POSITION}.",
    )


def _list_some(names: Any) -> str:
    """Return the first names of many.

    >>> _list_some(["cat", "dog"]), _list_some(range(100))
    ("'cat', 'dog'", '0, 1, 2, 3, 4, ... (100)')
    """
    first = [each.item() if isinstance(each, np.generic) else each for each in names[:NAMES_SHOWN]]
    shown = ", ".join(map(repr, first))
    return shown if len(names) <= NAMES_SHOWN else f"{shown}, ... ({len(names):,})"
