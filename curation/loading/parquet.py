"""Parquet files: columns read as they are, embedded images left where they lie."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from curation.loading.delimited import check_names
from curation.loading.notes import Stop, stop
from curation.loading.tables import Table, too_large, unreadable

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


def _read(file: pq.ParquetFile, path: Path, name: str, memory_limit: int) -> Table:
    schema = file.schema_arrow
    check_names(schema.names, name)
    images = tuple(field.name for field in schema if holds_images(field.type))
    others = [field.name for field in schema if field.name not in images]
    _check_memory(file, name, set(others), memory_limit)
    data = file.read(columns=others)
    data.validate(full=True)
    if data.num_rows == 0:
        raise stop(
            "table.no_rows",
            name,
            "the table has no rows.",
            "Save it with its rows.",
            why="There is nothing to judge.",
        )
    names = _class_names(schema)
    return Table(path, name, "parquet", data, image_columns=images, class_names=names)


def holds_images(kind: Any) -> bool:
    """Tell whether a column can hold images: bytes, or a struct with bytes as Hugging Face has."""
    if pa.types.is_struct(kind):
        return any(field.name == "bytes" and holds_images(field.type) for field in kind)
    return bool(pa.types.is_binary(kind) or pa.types.is_large_binary(kind))


def _check_ends(path: Path, name: str) -> None:
    size = path.stat().st_size
    if size == 0:
        raise stop(
            "table.empty",
            name,
            "the file is empty (0 bytes).",
            "Save it again.",
            why="There is nothing to read.",
        )
    with path.open("rb") as file:
        head = file.read(4)
        file.seek(max(size - 4, 0))
        tail = file.read(4)
    if head == MAGIC and tail != MAGIC:
        raise stop(
            "file.cut",
            name,
            f"file is cut: its {size} bytes do not end as a Parquet file must.",
            "Copy or save it again.",
            why="Its table of contents stands at the end, so nothing in it can be found.",
        )
    if head != MAGIC:
        raise stop(
            "file.unreadable",
            name,
            "it is named .parquet, but is not a Parquet file.",
            "Save it as Parquet, or give it the name of what it is.",
            why="A file is read as what its name says, never by a guess.",
        )


def _check_memory(file: pq.ParquetFile, name: str, columns: set[str], limit: int) -> None:
    # From the footer alone: what the columns take once unpacked.
    total = 0
    for group in range(file.metadata.num_row_groups):
        row_group = file.metadata.row_group(group)
        for column in range(row_group.num_columns):
            chunk = row_group.column(column)
            if chunk.path_in_schema.split(".")[0] in columns:
                total += max(chunk.total_uncompressed_size, 0)
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
