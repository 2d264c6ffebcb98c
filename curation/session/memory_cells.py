"""Cells in memory as Arrow stores them: labels of one type, and columns of single values."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import pandas as pd
import pyarrow as pa

from curation.errors import InputError
from curation.loading.formats.parquet import holds_images
from curation.session.picture_cells import encode_cell


def check_labels(labels: Any, count: int) -> list[Any]:
    """Return the label of each of `count` examples as Python's own values; None if it is missing.

    >>> check_labels(["cat", float("nan")], 2)
    ['cat', None]
    """
    if labels is None:
        raise InputError("There are no labels.", "Pass labels=..., one label for each example.")
    if hasattr(labels, "tolist"):
        labels = labels.tolist()
    if isinstance(labels, str | Mapping) or not hasattr(labels, "__len__"):
        raise InputError(f"The labels are a {type(labels).__name__}.", "Pass a list of labels.")
    if len(labels) != count:
        raise InputError(
            f"There are {len(labels):,} labels for {count:,} examples.",
            "Pass one label for each example, in the same order; None where there is none.",
        )
    found = [_plain(each) for each in labels]
    wrong = next((each for each in found if not isinstance(each, str | int | float | None)), None)
    if wrong is not None:
        raise InputError(
            f"A label is {str(wrong)[:100]!r}, a {type(wrong).__name__}.",
            "Pass one name or one number for each example.",
        )
    return found


def _plain(label: Any) -> Any:
    label = label.item() if hasattr(label, "item") and getattr(label, "size", 1) == 1 else label
    if label is None or label is pd.NA or (isinstance(label, float) and label != label):
        return None
    return label


def find_label_type(labels: Sequence[Any]) -> Any:
    """Return the Arrow type that holds all labels; text if there are several kinds.

    >>> find_label_type([1, None, 2]), find_label_type(["a", 1])
    (DataType(int64), DataType(large_string))
    """
    kinds = {type(each) for each in labels if each is not None}
    one = kinds.pop() if len(kinds) == 1 else str
    return {bool: pa.bool_(), int: pa.int64(), float: pa.float64()}.get(one, pa.large_string())


def make_labels(labels: Sequence[Any], kind: Any, start: int) -> Any:
    """Return labels as an Arrow array of a type; `start` is the row of the first, for a message."""
    if pa.types.is_large_string(kind):
        labels = [None if each is None else str(each) for each in labels]
    try:
        return pa.array(labels, kind)
    except (pa.ArrowException, OverflowError) as error:
        raise InputError(
            f"The labels from row {start:,} are not all of one kind: {error}.",
            "Pass names only, or whole numbers only.",
        ) from error


def make_column(cells: pd.Series[Any]) -> Any:
    """Return a column as an Arrow array; cells that Arrow cannot hold are written as text."""
    try:
        return flatten(pa.array(cells, from_pandas=True))
    except (pa.ArrowException, OverflowError, UnicodeError):  # cells of several types
        texts = [None if each is None or each is pd.NA else str(each) for each in cells.tolist()]
        return pa.array(texts, pa.large_string())


def flatten(array: Any) -> Any:
    """Return lists and records as text, since a cell of the table is one value."""
    if isinstance(array, pa.ChunkedArray):
        array = array.combine_chunks()
    if not pa.types.is_nested(array.type) or holds_images(array.type):
        return array
    texts = [None if e is None else json.dumps(e, default=str) for e in array.to_pylist()]
    return pa.array(texts, pa.large_string())


def write_cells(cells: Any, where: str, note: Callable[[bytes], None]) -> Any:
    """Return a list of pictures or an array of other cells as an array of one column.

    `note` is called with bytes that identify them.
    """
    if isinstance(cells, list):
        return pa.array([encode_cell(each, where, note) for each in cells], pa.large_binary())
    note("\n".join(map(repr, cells.to_pylist())).encode("utf-8", "surrogatepass"))
    return cells
