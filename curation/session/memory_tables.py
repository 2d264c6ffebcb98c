"""Data in memory as a table: a DataFrame, lists, arrays, a Hugging Face or a torch-style dataset.

Each kind becomes a `MemoryTable`, whose rows are made a block at a time, so that a dataset of
pictures is never in memory as a whole.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
from numpy.typing import NDArray

from curation.errors import InputError
from curation.loading.content.feature_arrays import MAX_FEATURE_COLUMNS
from curation.loading.vocabulary import FILE_COLUMNS, LABEL_COLUMNS
from curation.session.memory_cells import check_labels, find_label_type, flatten, make_column
from curation.session.picture_cells import is_picture

PICTURE_ROWS = 256  # in a block, and so in a Parquet row group, in which a picture is looked up
TABLE_ROWS = 65_536
KINDS = (
    "Pass a DataFrame, a Series, a list of texts, pictures or paths, an array, a Hugging Face "
    "Dataset, or a dataset of (picture, label) pairs."
)

Columns = Mapping[str, Any]  # column name -> a list of pictures, or an Arrow array of other cells
Read = Callable[[int, int], tuple[list[Any], Columns]]  # first row, end -> labels and other columns


@dataclass(frozen=True)
class MemoryTable:
    """Examples in memory, read a block of rows at a time."""

    index: pd.Index[Any]  # (n,) what the caller calls each row
    read: Read
    label_type: Any  # Arrow's
    label_column: str = "label"
    pictures: frozenset[str] = frozenset()  # columns whose cells are pictures
    class_names: tuple[Any, ...] | None = None  # in the order of the class indices, if known
    features: NDArray[Any] | None = None  # one row per example, for a model to learn from
    settings: Mapping[str, Any] = field(default_factory=dict)  # of the loader

    def __len__(self) -> int:
        return len(self.index)

    @property
    def names_rows(self) -> bool:
        """Return whether the caller's index says more than the number of each row."""
        return self.index.is_unique and not self.index.equals(pd.RangeIndex(len(self.index)))

    def blocks(self) -> Iterator[tuple[int, list[Any], Columns]]:
        """Yield the first row, the labels and the other columns of each block of rows."""
        step = PICTURE_ROWS if self.pictures else TABLE_ROWS
        for start in range(0, len(self), step):
            yield start, *self.read(start, min(start + step, len(self)))


def read_memory(data: Any, labels: Any, chosen: Mapping[str, Any]) -> MemoryTable:
    """Return data in memory as a table; `chosen` are settings of the loader that were given."""
    if isinstance(data, str | bytes | Mapping) or not hasattr(data, "__len__"):
        raise InputError(
            f"A {type(data).__name__} cannot be opened.", f"{KINDS}{_list_parts(data)}"
        )
    if not len(data):
        raise InputError("The data is empty.", KINDS)
    if isinstance(data, pd.DataFrame):
        return _read_frame(data, labels, chosen)
    if isinstance(data, pd.Series):
        return _read_cells(data.tolist(), labels, data.index)
    if hasattr(data, "features") and hasattr(data, "column_names") and hasattr(data, "with_format"):
        return _read_hugging_face(data, labels, chosen)
    if hasattr(data, "__array__"):
        return _read_array(np.asarray(data), labels)
    if isinstance(data[0], tuple) and len(data[0]) >= 2:
        return _read_pairs(data, labels)
    return _read_cells(data, labels, pd.RangeIndex(len(data)))


def _list_parts(data: Any) -> str:
    """Return what to do about a dictionary of splits, as Hugging Face gives."""
    names = ", ".join(map(str, data)) if isinstance(data, Mapping) else ""
    return f" Choose one of its parts: {names[:200]}." if names else ""


def _read_frame(data: pd.DataFrame, labels: Any, chosen: Mapping[str, Any]) -> MemoryTable:
    frame = data.copy(deep=False)
    frame.columns = frame.columns.map(str)
    if not frame.columns.is_unique:
        twice = frame.columns[frame.columns.duplicated()][0]
        raise InputError(f"Two columns are called {twice!r}.", "Give each column its own name.")
    column, values = _find_labels(list(frame.columns), labels, len(frame), frame.__getitem__)
    others = [name for name in frame.columns if name != column]
    pictures = {name for name in others if _shows_pictures(frame[name], name, chosen)}
    cells: dict[str, Any] = {
        name: frame[name].tolist() if name in pictures else make_column(frame[name])
        for name in others
    }

    def read(start: int, stop: int) -> tuple[list[Any], Columns]:
        return values[start:stop], {name: each[start:stop] for name, each in cells.items()}

    return MemoryTable(
        data.index, read, find_label_type(values), column, frozenset(pictures),
        settings=_name_pictures(pictures, chosen),
    )  # fmt: skip


def _shows_pictures(cells: pd.Series[Any], name: str, chosen: Mapping[str, Any]) -> bool:
    """Return whether a column holds pictures, or the paths of picture files that are there."""
    if not (cells.dtype == object or pd.api.types.is_string_dtype(cells.dtype)):
        return False
    first = next((each for each in cells if each is not None and each is not pd.NA), None)
    named = name == chosen.get("image_column") or name.lower() in FILE_COLUMNS
    return is_picture(first) and (named or not isinstance(first, str))


def _name_pictures(pictures: set[str], chosen: Mapping[str, Any]) -> dict[str, Any]:
    return {"image_column": min(pictures)} if pictures and "image_column" not in chosen else {}


def _read_hugging_face(data: Any, labels: Any, chosen: Mapping[str, Any]) -> MemoryTable:
    features, names = dict(data.features), list(data.column_names)
    classes = {name: getattr(features[name], "names", None) for name in names}
    if labels is None:
        labels = next((name for name in names if classes[name]), None)
    own = labels is None or isinstance(labels, str)
    arrow = data.with_format("arrow")

    def read_column(name: str) -> list[Any]:
        return list(arrow.select_columns([name])[:][name].to_pylist())

    column, values = _find_labels(names, labels, len(data), read_column)
    others = [name for name in names if name != column]
    pictures = {name for name in others if type(features[name]).__name__ == "Image"}

    def read(start: int, stop: int) -> tuple[list[Any], Columns]:
        rows = arrow[start:stop]
        return values[start:stop], {
            name: rows[name].to_pylist() if name in pictures else flatten(rows[name])
            for name in others
        }

    known = classes.get(column) if own else None
    if known:  # a label of -1 says that there is none, as in the test sets of public datasets
        values = [None if each is not None and each < 0 else each for each in values]
    return MemoryTable(
        pd.RangeIndex(len(data)), read, find_label_type(values), column, frozenset(pictures),
        tuple(known) if known else None, settings=_name_pictures(pictures, chosen),
    )  # fmt: skip


def _read_array(data: NDArray[Any], labels: Any) -> MemoryTable:
    index = pd.RangeIndex(len(data))
    if data.ndim == 1:
        return _read_cells(data.tolist(), labels, index)
    if data.ndim in (3, 4):
        return _read_cells(data, labels, index)
    if data.ndim != 2 or data.dtype.kind not in "buif":
        raise InputError(f"An array of shape {data.shape} and type {data.dtype}.", KINDS)
    values = check_labels(labels, len(data))
    few = data.shape[1] <= MAX_FEATURE_COLUMNS
    names = [f"feature_{place}" for place in range(data.shape[1])] if few else []

    def read(start: int, stop: int) -> tuple[list[Any], Columns]:
        columns = np.ascontiguousarray(data[start:stop].T)
        return values[start:stop], {name: pa.array(columns[j]) for j, name in enumerate(names)}

    return MemoryTable(index, read, find_label_type(values), features=None if few else data)


def _read_cells(data: Any, labels: Any, index: pd.Index[Any]) -> MemoryTable:
    """Return texts or pictures, one cell per example."""
    values = check_labels(labels, len(index))
    column, make = _choose_content(data[0])

    def read(start: int, stop: int) -> tuple[list[Any], Columns]:
        return values[start:stop], {column: make([data[row] for row in range(start, stop)])}

    return MemoryTable(
        index, read, find_label_type(values), pictures=frozenset({column} & {"image"}),
        settings={f"{column}_column": column},
    )  # fmt: skip


def _read_pairs(data: Any, labels: Any) -> MemoryTable:
    """Return a dataset of (picture, label) or (text, label) pairs, as torch uses them."""
    values = None if labels is None else check_labels(labels, len(data))
    column, make = _choose_content(data[0][0])

    def read(start: int, stop: int) -> tuple[list[Any], Columns]:
        items = [data[row] for row in range(start, stop)]
        found = check_labels([each[1] for each in items], len(items)) if values is None else values
        return found[start if found is values else 0 :][: len(items)], {
            column: make([each[0] for each in items])
        }

    first = check_labels([data[0][1]], 1) if values is None else values
    classes = getattr(data, "classes", None)
    numbered = values is None and classes is not None and isinstance(first[0], int)
    return MemoryTable(
        pd.RangeIndex(len(data)), read, find_label_type(first),
        pictures=frozenset({column} & {"image"}),
        class_names=tuple(classes) if numbered and classes else None,
        settings={f"{column}_column": column},
    )  # fmt: skip


def _choose_content(first: Any) -> tuple[str, Callable[[list[Any]], Any]]:
    """Return the name of the column for pictures or texts, and what makes its cells."""
    if is_picture(first):
        return "image", list
    if first is None or isinstance(first, str):
        return "text", _make_texts
    raise InputError(f"The first example is a {type(first).__name__}.", KINDS)


def _make_texts(cells: Sequence[Any]) -> Any:
    return pa.array([each if isinstance(each, str) else None for each in cells], pa.large_string())


def _find_labels(
    columns: Sequence[str], labels: Any, count: int, read: Callable[[str], Any]
) -> tuple[str, list[Any]]:
    """Return the column of the labels and their values; labels passed apart get a new column."""
    if labels is not None and not isinstance(labels, str):
        name = next(each for each in (*LABEL_COLUMNS, "_label") if each not in columns)
        return name, check_labels(labels, count)
    lower = {name.lower(): name for name in reversed(columns)}
    found = labels or next((lower[each] for each in LABEL_COLUMNS if each in lower), None)
    if found not in columns:
        what = f"There is no column {labels!r}." if labels else "No column is called label."
        raise InputError(
            f"{what} The columns are {', '.join(columns)[:300]}.",
            'Pass the column of the labels, such as labels="sentiment", or the labels themselves.',
        )
    return str(found), check_labels(read(str(found)), count)
