"""Parquet files: columns read as they are, embedded images left where they lie."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from curation.loading.formats.base import Table, no_bytes, too_large, unreadable
from curation.loading.formats.csv import check_names
from curation.loading.report_builder import Stop, list_few, stop

LOOKED_AT = 20  # cells of bytes that are looked at to tell whether they are text
MAGIC = b"PAR1"  # a Parquet file begins and ends with these


def read_parquet(path: Path, name: str, *, memory_limit: int) -> Table:
    """Return the columns of a Parquet file, but for embedded images, which are only named."""
    try:
        _check_ends(path, name)
        with pq.ParquetFile(path) as file:
            return _read(file, path, name, memory_limit)
    except Stop:
        raise
    except Exception as error:  # however a parser of foreign bytes fails
        raise unreadable(name, error) from error


def read_shards(paths: Sequence[Path], names: Sequence[str], *, memory_limit: int) -> Table:
    """Return the columns of several Parquet files whose rows follow one another."""
    tables = []
    for path, name in zip(paths, names, strict=True):
        table = read_parquet(path, name, memory_limit=memory_limit)
        memory_limit -= table.data.nbytes
        tables.append(table)
    first = tables[0]
    for table in tables[1:]:
        if table.data.schema != first.data.schema or table.image_columns != first.image_columns:
            raise stop(
                code="shards.differ",
                where=table.name,
                what=f"its columns are {list_few(_typed(table))}; {first.name} has "
                f"{list_few(_typed(first))}.",
                fix="Save all shards with the same columns, of the same types.",
                why="The rows of all shards are read as one table.",
            )
    data = pa.concat_tables([table.data for table in tables])
    return replace(first, data=data, more_paths=tuple(paths[1:]))


def _typed(table: Table) -> list[str]:
    return [f"{field.name} ({field.type})" for field in table.data.schema]


def _read(file: pq.ParquetFile, path: Path, name: str, memory_limit: int) -> Table:
    schema = file.schema_arrow
    check_names(schema.names, name)
    images = tuple(
        field.name
        for field in schema
        if holds_images(field.type) and not (is_bytes(field.type) and _is_text(file, field.name))
    )
    others = [field.name for field in schema if field.name not in images]
    _check_memory(file, name, set(others), memory_limit)
    data = file.read(columns=others)
    data.validate(full=True)
    for place, column in enumerate(data.column_names):
        data = data.set_column(place, column, _usual_type(data.column(place)))
    if data.num_rows == 0:
        raise stop(
            code="table.no_rows",
            where=name,
            what="the table has no rows.",
            fix="Save it with its rows.",
            why="There is nothing to judge.",
        )
    names = _class_names(schema)
    return Table(path, name, "parquet", data, image_columns=images, class_names=names)


def holds_images(kind: Any) -> bool:
    """Tell whether a column can hold images: bytes, or a struct with bytes as Hugging Face has."""
    if pa.types.is_struct(kind):
        return any(field.name == "bytes" and is_bytes(field.type) for field in kind)
    return is_bytes(kind)


def is_bytes(kind: Any) -> bool:
    """Tell whether the cells of a column are bytes of any length."""
    types = pa.types
    return bool(types.is_binary(kind) or types.is_large_binary(kind) or types.is_binary_view(kind))


def _is_text(file: pq.ParquetFile, column: str) -> bool:
    """Tell by its first cells whether a column of bytes is text, as some programs write it."""
    first = next(file.iter_batches(LOOKED_AT, columns=[column]), None)
    cells = [] if first is None else [each for each in first.column(0).to_pylist() if each]
    try:
        return bool(cells) and not any("\0" in cell.decode() for cell in cells)
    except UnicodeDecodeError:
        return False


def _usual_type(values: pa.ChunkedArray) -> pa.ChunkedArray:
    """Return a column in the type that the rest of the package knows: text, lists of numbers."""
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
        raise stop(
            code="file.cut",
            where=name,
            what=f"file is cut: its {size} bytes do not end as a Parquet file must.",
            fix="Copy or save it again.",
            why="Its table of contents stands at the end, so nothing in it can be found.",
        )
    if head != MAGIC:
        raise stop(
            code="file.unreadable",
            where=name,
            what="it is named .parquet, but is not a Parquet file.",
            fix="Save it as Parquet, or give it the name of what it is.",
            why="A file is read as what its name says, never by a guess.",
        )


def _check_memory(file: pq.ParquetFile, name: str, columns: set[str], limit: int) -> None:
    # From the footer alone: what the columns take once unpacked. All columns first, as asking for
    # a single one that the footer describes wrongly ends the process (a fault of pyarrow's).
    groups = [file.metadata.row_group(group) for group in range(file.metadata.num_row_groups)]
    if sum(max(group.total_byte_size, 0) for group in groups) <= limit:
        return
    total = 0
    for number, group in enumerate(groups):
        wanted = list(columns)
        next(file.iter_batches(1, row_groups=[number], columns=wanted), None)  # raises if wrong
        for place in range(group.num_columns):
            if file.schema.column(place).path.split(".")[0] in columns:
                total += max(group.column(place).total_uncompressed_size, 0)
    if total > limit:
        raise too_large(name, total, limit)


def _class_names(schema: Any) -> dict[str, tuple[str, ...]]:
    """Return the class names that Hugging Face datasets writes beside the columns."""
    try:
        info = json.loads((schema.metadata or {})[b"huggingface"])
        features = info["info"]["features"]
        return {
            str(column): tuple(str(each) for each in feature["names"])
            for column, feature in features.items()
            if feature.get("_type") == "ClassLabel"
        }
    except (KeyError, ValueError, TypeError, AttributeError, RecursionError):
        return {}  # not from Hugging Face, or not as we know it: classes come from elsewhere
