"""Parquet files: columns keep their types, embedded images stay in the file.

When a file is written back, the schema stays and only decided labels change.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, BinaryIO

import pyarrow as pa
import pyarrow.parquet as pq

from curation.dataset import Dataset
from curation.loading.formats.base import Held, Peek, TableFile, TableFormat
from curation.loading.formats.csv_parsing import check_names
from curation.loading.formats.edits import Edits
from curation.loading.formats.file_faults import cut_short, no_bytes, no_rows, too_large, unreadable
from curation.loading.formats.label_reading_code import quote, read_column
from curation.loading.formats.parquet_size import estimate_bytes
from curation.loading.formats.parquet_writing import rewrite_parquet
from curation.loading.formats.table import Table
from curation.loading.report_builder import ReportBuilder, Stop, stop
from curation.loading.vocabulary import UNNAMED_COLUMNS

SAMPLE_CELLS = 20  # cells that are read to see whether a column of bytes is text
MAGIC = b"PAR1"  # a Parquet file begins and ends with these bytes


class Parquet(TableFormat):
    """Columns with types, row groups, and perhaps embedded images."""

    name = "parquet"
    suffixes = (".parquet", ".pq")

    def read(self, file: TableFile, report: ReportBuilder) -> Table:
        return read_parquet(file.path, file.name, memory_limit=file.memory_limit)

    def peek(self, path: Path) -> Peek:
        schema = pq.read_schema(path)
        return Peek(tuple(schema.names), {field.name: held_in(field.type) for field in schema})

    def first_rows(self, path: Path, count: int) -> list[tuple[str, ...]]:
        with pq.ParquetFile(path) as file:
            schema = file.schema_arrow
            shown = [field.name for field in schema if not holds_images(field.type)]
            batch = next(file.iter_batches(count, columns=shown), None)
            rows = [] if batch is None else batch.to_pylist()
        return [
            tuple(_written(row[name]) if name in row else "(bytes)" for name in schema.names)
            for row in rows
        ]

    def count_rows(self, path: Path) -> int | None:
        return int(pq.read_metadata(path).num_rows)

    def rewrite(
        self, dataset: Dataset, edits: Edits, file: BinaryIO, *, spreadsheet_safe: bool
    ) -> int:
        return rewrite_parquet(dataset.source, edits, file)

    def reading_code(self, dataset: Dataset, name: str) -> list[str]:
        column = dataset.source.label_column or "label"
        return read_column(f"pd.read_parquet({quote(name)})", column)


def _written(value: Any) -> str:
    return "" if value is None else str(value)


def held_in(kind: Any) -> Held:
    """Return what a column of this type holds, for a peek at a file."""
    if pa.types.is_nested(kind):
        return "list"
    return "number" if pa.types.is_floating(kind) or pa.types.is_decimal(kind) else "other"


def read_parquet(path: Path, name: str, *, memory_limit: int) -> Table:
    """Return the columns of a Parquet file; of embedded images, only the column names."""
    try:
        _check_ends(path, name)
        with pq.ParquetFile(path) as file:
            return _read(file, path, name, memory_limit)
    except Stop:
        raise
    except Exception as error:  # a parser may fail in any way on untrusted bytes
        raise unreadable(name, error) from error


def _add_row_names(data: pa.Table, schema: pa.Schema) -> pa.Table:
    """Return the table with pandas' index, if that is a range and has a name or another order.

    Other indices are columns of the file already; of a range, pandas writes only the ends.
    """
    about = (schema.pandas_metadata or {}).get("index_columns") or [None]
    found = about[0]
    if len(about) != 1 or not isinstance(found, dict) or found.get("kind") != "range":
        return data
    name, numbers = found.get("name"), range(found["start"], found["stop"], found["step"])
    counted = numbers == range(data.num_rows)
    column = UNNAMED_COLUMNS[-1] if name is None else str(name)
    if len(numbers) != data.num_rows or (name is None and counted) or column in data.column_names:
        return data
    return data.append_column(column, pa.array(numbers, pa.int64()))


def _read(file: pq.ParquetFile, path: Path, name: str, memory_limit: int) -> Table:
    schema = file.schema_arrow
    check_names(schema.names, name)
    images = tuple(
        field.name
        for field in schema
        if holds_images(field.type) and not (is_bytes(field.type) and _is_text(file, field.name))
    )
    others = [field.name for field in schema if field.name not in images]
    needed = estimate_bytes(path, others, memory_limit)
    if needed > memory_limit:
        raise too_large(name, needed, memory_limit)
    data = file.read(columns=others)
    data.validate(full=True)
    for place, column in enumerate(data.column_names):
        data = data.set_column(place, column, usual_type(data.column(place)))
    if data.num_rows == 0:
        raise no_rows(name)
    data = _add_row_names(data, schema)
    names = find_class_names(schema)
    return Table(path, name, "parquet", data, image_columns=images, class_names=names)


def holds_images(kind: Any) -> bool:
    """Return whether a column can hold images: bytes, or Hugging Face's struct with bytes."""
    if pa.types.is_struct(kind):
        return any(field.name == "bytes" and is_bytes(field.type) for field in kind)
    return is_bytes(kind)


def is_bytes(kind: Any) -> bool:
    """Return whether the cells of a column are bytes of any length."""
    types = pa.types
    return bool(types.is_binary(kind) or types.is_large_binary(kind) or types.is_binary_view(kind))


def _is_text(file: pq.ParquetFile, column: str) -> bool:
    """Return whether a column of bytes is text, as some programs write it, by its first cells."""
    first = next(file.iter_batches(SAMPLE_CELLS, columns=[column]), None)
    cells = [] if first is None else [each for each in first.column(0).to_pylist() if each]
    try:
        return bool(cells) and not any("\0" in cell.decode() for cell in cells)
    except UnicodeDecodeError:
        return False


def usual_type(values: pa.ChunkedArray) -> pa.ChunkedArray:
    """Return a column in a type that the rest of the package knows, such as text."""
    kind, types = values.type, pa.types
    if types.is_string_view(kind) or is_bytes(kind):
        return values.cast(pa.large_string() if values.nbytes >= 2**31 else pa.string())
    if types.is_list_view(kind) or types.is_large_list_view(kind):
        values = values.cast(pa.large_list(kind.value_type))
        kind = values.type
    if hasattr(kind, "value_type") and types.is_nested(kind) and types.is_decimal(kind.value_type):
        return values.cast(pa.large_list(pa.float64()))
    return values


def _check_ends(path: Path, name: str) -> None:
    size = path.stat().st_size
    if size == 0:
        raise no_bytes(name)
    with path.open("rb") as file:
        head = file.read(4)
        file.seek(max(size - 4, 0))
        tail = file.read(4)
    if head == MAGIC and tail != MAGIC:
        raise cut_short(name, size, "a Parquet file")
    if head != MAGIC:
        raise stop(
            code="file.unreadable",
            where=name,
            what="it is named .parquet, but is not a Parquet file.",
            fix="Save it as Parquet, or give it the ending of its real format.",
            why="The format is known from the ending of the name, never guessed.",
        )


def find_class_names(schema: Any) -> dict[str, tuple[str, ...]]:
    """Return the class names that Hugging Face datasets writes into the schema."""
    try:
        info = json.loads((schema.metadata or {})[b"huggingface"])
        features = info["info"]["features"]
        return {
            str(column): tuple(str(each) for each in feature["names"])
            for column, feature in features.items()
            if feature.get("_type") == "ClassLabel"
        }
    except (KeyError, ValueError, TypeError, AttributeError, RecursionError):
        return {}  # not from Hugging Face, or in an unknown form: the classes come from elsewhere
