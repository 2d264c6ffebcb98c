"""A table in memory, from a file of any format."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

import pyarrow as pa
import pyarrow.compute as pc

from curation.dataset import LabelKind
from curation.loading.formats.file_faults import unreadable


@dataclass(frozen=True)
class Table:
    """The cells of a table, by column.

    Embedded images stay in the file: `image_columns` names their columns, and `data` holds all
    others. `kinds` is the type of a column in the file, if it was not text but is stored as text
    here.
    """

    path: Path
    name: str  # for messages: the path from the dataset's root
    format: str  # the name of its format
    data: pa.Table
    encoding: str = "utf-8"
    delimiter: str | None = None  # None if the format has none
    bom: bool = False
    header_row: bool = False  # whether the names come from the first row, which may be data
    kinds: Mapping[str, LabelKind] = field(default_factory=dict)
    image_columns: tuple[str, ...] = ()
    class_names: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    more_paths: tuple[Path, ...] = ()  # further shards, whose rows follow
    annotators: tuple[str, ...] = ()  # columns with the labels of one annotator each
    questions: tuple[str, ...] = ()  # columns with the answers to one question each

    def __len__(self) -> int:
        return int(self.data.num_rows)

    @property
    def columns(self) -> tuple[str, ...]:
        """Return the names of all columns, including embedded images."""
        return (*self.data.column_names, *self.image_columns)

    def text(self, column: str) -> pa.ChunkedArray:
        """Return a column as text, with all digits; missing cells are null."""
        values = self.data.column(column)
        if pa.types.is_dictionary(values.type):
            values = values.cast(values.type.value_type)
        if pa.types.is_string(values.type):
            return values
        if pa.types.is_floating(values.type):
            return pa.chunked_array([_float_text(values)])
        if pa.types.is_boolean(values.type):
            return pc.if_else(values, pa.scalar("True"), pa.scalar("False"))
        try:
            return values.cast(pa.string())
        except pa.ArrowException:
            return pa.chunked_array([self._python_text(values)])

    def _python_text(self, values: pa.ChunkedArray) -> pa.Array:
        try:
            texts = [None if each is None else str(each) for each in values.to_pylist()]
            return pa.array(texts, pa.string())
        except Exception as error:  # a date before the year 1, an unknown time zone
            raise unreadable(self.name, error) from error

    def kind(self, column: str) -> LabelKind | Literal["list", "other"]:
        """Return what kind of cells a column has."""
        if column in self.kinds:
            return self.kinds[column]
        return _kind_of(self.data.schema.field(column).type)


def _float_text(values: pa.ChunkedArray) -> pa.Array:
    # pandas writes a missing number as NaN
    numbers = values.cast(pa.float64()).to_pylist()
    return pa.array([None if n is None or n != n else repr(n) for n in numbers], pa.string())


def _kind_of(kind: Any) -> LabelKind | Literal["list", "other"]:
    if pa.types.is_dictionary(kind):
        kind = kind.value_type
    if pa.types.is_string(kind) or pa.types.is_large_string(kind) or pa.types.is_null(kind):
        return "text"
    if pa.types.is_integer(kind):
        return "integer"
    if pa.types.is_floating(kind) or pa.types.is_decimal(kind):
        return "float"
    if pa.types.is_boolean(kind):
        return "boolean"
    if pa.types.is_list(kind) or pa.types.is_large_list(kind) or pa.types.is_fixed_size_list(kind):
        return "list"
    return "other"
