"""Shards that are Parquet files: a column of probabilities for each class, and perhaps labels."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from numpy.typing import NDArray

from curation.core.matrix import IntArray
from curation.errors import InputError
from curation.loading.report_builder import list_few


class ParquetShard:
    """The probabilities in a Parquet file, as known from its footer; a worker reads them."""

    def __init__(self, path: str, columns: Sequence[str] | None) -> None:
        """Find the columns: those named, or every column of floating-point numbers."""
        self.path = Path(path)
        self._found = os.stat(path)
        try:
            with pq.ParquetFile(path) as file:
                schema, rows = file.schema_arrow, file.metadata.num_rows
        except (pa.ArrowInvalid, OSError) as error:
            raise InputError(
                f"{self.path.name} is not a complete Parquet file ({str(error)[:120]}).",
                "Write the shard again.",
            ) from None
        self.columns = tuple(columns or [f.name for f in schema if pa.types.is_floating(f.type)])
        missing = [each for each in self.columns if each not in schema.names]
        if missing:
            raise InputError(
                f"{self.path.name} has no column of probabilities for {list_few(missing)}; it has "
                f"{list_few(schema.names)}.",
                "Name the columns as the classes, or pass the names of the columns as class_names.",
            )
        types = {str(schema.field(each).type) for each in self.columns}
        if len(types) != 1 or not pa.types.is_floating(schema.field(self.columns[0]).type):
            raise InputError(
                f"{self.path.name} holds probabilities of type {list_few(sorted(types))}.",
                "Save all of them as float32.",
            )
        self.dtype = np.dtype(schema.field(self.columns[0]).type.to_pandas_dtype())
        self.shape: tuple[int, int] = (rows, len(self.columns))

    def line_up(self, first: ParquetShard) -> ParquetShard:
        """Return this shard with its columns in the order of the first one's; refuse others."""
        if self.columns == first.columns:
            return self
        odd = sorted(set(self.columns) ^ set(first.columns))
        if odd:
            raise InputError(
                f"{self.path.name} and {first.path.name} have different columns of probabilities: "
                f"only one of them has {list_few(odd)}.",
                "Save all shards with the same columns of probabilities, or pass the names of the "
                "columns as class_names.",
            )
        return ParquetShard(str(self.path), first.columns)

    def __len__(self) -> int:
        return self.shape[0]

    def stat(self) -> os.stat_result:
        return self._found


def read_matrix(path: str, columns: Sequence[str]) -> NDArray[Any]:
    """Return the probabilities of a Parquet shard, held in memory; missing values are NaN."""
    table = _read(path, columns)
    values = [table[each].to_numpy() for each in columns]
    return np.stack(values, axis=1) if len(table) else np.empty((0, len(columns)))


def _list_columns(path: str) -> list[str]:
    try:
        return list(pq.read_schema(path).names)
    except pa.ArrowInvalid:  # an array, which has none
        return []


def _read(path: str, columns: Sequence[str]) -> pa.Table:
    try:
        return pq.read_table(path, columns=list(columns))
    except (pa.ArrowException, OSError) as error:  # its pages; its footer was read before
        raise InputError(
            f"{Path(path).name} cannot be read as Parquet ({str(error)[:120]}).",
            "Write the shard again.",
        ) from None


def read_label_column(
    paths: Sequence[str], column: str, class_names: Sequence[str] | None
) -> IntArray:
    """Return the class of each row of all shards, by name, or by number without names."""
    cells: list[Any] = []
    for path in paths:
        if column not in _list_columns(path):
            raise InputError(
                f"{Path(path).name} has no column {column!r} of labels.",
                "Pass the name of the column that holds the labels, or an array of labels.",
            )
        found = _read(path, [column])[column]
        if found.null_count:  # as a text, it would be a class called None
            raise InputError(
                f"{Path(path).name} has rows without a label: {found.null_count:,} of "
                f"{len(found):,}.",
                "Leave them out, and save the shard again.",
            )
        cells += found.to_pylist()
    if class_names is None:
        return np.array(cells)
    codes = {str(name): code for code, name in enumerate(class_names)}
    unknown = sorted({str(each) for each in cells} - set(codes))
    if unknown:
        raise InputError(
            f"The column {column!r} holds labels that are no class: {list_few(unknown)}.",
            "List every class in class_names; leave out examples without a label.",
        )
    return np.array([codes[str(each)] for each in cells])
