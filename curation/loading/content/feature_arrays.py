"""Features that are not in a table: an array such as X.npy next to the labels, column by column."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from curation.core.matrix import IntArray
from curation.loading.content.nearby_arrays import find_nearby_array
from curation.loading.file_names import FileName
from curation.loading.formats.npy import Header, open_npy, text_array
from curation.loading.formats.npz import open_npz, read_member
from curation.loading.formats.registry import is_archive
from curation.loading.labels.labelled_examples import Examples
from curation.loading.part_paths import part_path
from curation.loading.report_builder import Stop
from curation.loading.vocabulary import VALUE_ARRAYS

MAX_FEATURE_COLUMNS = 200  # more are too many to read, and only a model uses them
MAX_BYTES = 2**28  # of an array whose columns are shown, which is read into memory
NAMES_FILE, NAMES_ARRAY = "feature_names.txt", "feature_names"


class FeatureColumns(Mapping[str, Any]):
    """The columns of a matrix as the cells of a table, each as text; missing numbers are None."""

    def __init__(self, names: Sequence[str], matrix: NDArray[Any], rows: IntArray) -> None:
        self._places = {name: place for place, name in enumerate(names)}
        self._matrix = matrix
        self._rows = rows

    def __getitem__(self, name: str) -> NDArray[np.object_]:
        values = self._matrix[self._rows, self._places[name]]
        return np.array([_write(value) for value in values], dtype=object)

    def at(self, row: int) -> dict[str, str | None]:
        """Return the values of one example."""
        values = self._matrix[int(self._rows[row])]
        return {name: _write(values[place]) for name, place in self._places.items()}

    def __iter__(self) -> Iterator[str]:
        return iter(self._places)

    def __len__(self) -> int:
        return len(self._places)


def _write(value: Any) -> str | None:
    """Return a number as text, with the digits that its type has.

    >>> _write(np.float32(0.1)), _write(np.int64(3)), _write(np.float64("nan"))
    ('0.1', '3', None)
    """
    return None if value != value else str(value)


def find_feature_columns(root: Path, examples: Examples, rows: IntArray) -> FeatureColumns | None:
    """Return the features next to the labels, or in the same archive; None if none fit."""
    own = examples.source.path
    if own is not None and is_archive(own.name):
        return _from_archive(own, len(examples), rows)
    name = find_nearby_array(
        root,
        examples,
        lambda stem: stem in VALUE_ARRAYS,
        lambda header: _fits(header, len(examples)),
    )
    if name is None:
        return None
    array = open_npy(part_path(root, name), name)
    matrix = np.asarray(array[0 : array.shape[0]])
    return FeatureColumns(_name_columns(_read_names(root), matrix.shape[1]), matrix, rows)


def _from_archive(path: Path, count: int, rows: IntArray) -> FeatureColumns | None:
    headers = open_npz(path, path.name, memory_limit=MAX_BYTES * 16)
    fitting = [
        key
        for key, header in headers.items()
        if FileName.of(f"{key}.npy").stem in VALUE_ARRAYS and _fits(header, count)
    ]
    if len(fitting) != 1:
        return None
    matrix = read_member(path, path.name, fitting[0])
    names: list[str] = []
    if NAMES_ARRAY in headers:
        names = text_array(read_member(path, path.name, NAMES_ARRAY), NAMES_ARRAY).to_pylist()
    return FeatureColumns(_name_columns(names, matrix.shape[1]), matrix, rows)


def _fits(header: Header, count: int) -> bool:
    if len(header.shape) != 2 or header.shape[0] != count:
        return False
    if not 0 < header.shape[1] <= MAX_FEATURE_COLUMNS:
        return False
    size = int(np.prod(header.shape)) * header.dtype.itemsize
    return header.dtype.kind in "iufb" and size <= MAX_BYTES


def _read_names(root: Path) -> list[str]:
    try:
        text = part_path(root, NAMES_FILE).read_text(encoding="utf-8")
    except (Stop, OSError, ValueError):
        return []
    return text.splitlines()


def _name_columns(names: Sequence[str], count: int) -> list[str]:
    """Return the names of the features; if there is not one for each, they are numbered."""
    if len(names) == len(set(names)) == count:
        return list(names)
    return [f"feature_{place}" for place in range(count)]
