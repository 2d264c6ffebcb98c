"""A table of examples, whatever file it came from: every cell as exact text until asked."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

import pyarrow as pa
import pyarrow.compute as pc

from curation.dataset import LabelKind
from curation.loading.formats.unsupported import advise
from curation.loading.report_builder import stop

Format = Literal["csv", "jsonl", "parquet"]
SUFFIXES: Mapping[str, Format] = {
    ".csv": "csv",
    ".tsv": "csv",
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".parquet": "parquet",
    ".pq": "parquet",
}


@dataclass(frozen=True)
class Table:
    """The cells of a table file, by column.

    `data` holds what is cheap to hold: embedded images stay in the file, and are only named
    in `image_columns`. `kinds` says what a JSON column held before it became text.
    """

    path: Path
    name: str  # as a person would call it: the path inside the dataset's root
    format: Format
    data: pa.Table
    encoding: str = "utf-8"
    delimiter: str = ","
    bom: bool = False
    kinds: Mapping[str, LabelKind] = field(default_factory=dict)
    image_columns: tuple[str, ...] = ()
    class_names: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    more_paths: tuple[Path, ...] = ()  # further shards, whose rows follow

    def __len__(self) -> int:
        return int(self.data.num_rows)

    @property
    def columns(self) -> tuple[str, ...]:
        """Return the names of all columns, embedded images among them."""
        return (*self.data.column_names, *self.image_columns)

    def text(self, column: str) -> pa.ChunkedArray:
        """Return a column as text, exact to the digit; missing cells are null."""
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
        except Exception as error:  # a date before the year 1, a time zone nobody knows
            raise unreadable(self.name, error) from error

    def kind(self, column: str) -> LabelKind | Literal["list", "other"]:
        """Return what kind of cells a column has."""
        if column in self.kinds:
            return self.kinds[column]
        return _kind_of(self.data.schema.field(column).type)


def _float_text(values: pa.ChunkedArray) -> pa.Array:
    # NaN is how pandas writes a missing number, so here it is a missing cell.
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


def read_table(
    path: Path,
    name: str,
    *,
    encoding: str | None = None,
    delimiter: str | None = None,
    memory_limit: int,
) -> Table:
    """Return the table in a CSV, TSV, JSONL or Parquet file, known by the end of its name."""
    from curation.loading.formats import csv, jsonl, parquet

    format_ = SUFFIXES.get(path.suffix.lower())
    if format_ is None:
        raise stop(
            code="table.format",
            where=name,
            what=f"files ending in '{path.suffix}' are not read as tables.",
            fix=advise([name]) or f"Save it as one of {', '.join(SUFFIXES)}.",
            why="A file is read as what its name says, never by a guess.",
        )
    if format_ == "parquet":
        return parquet.read_parquet(path, name, memory_limit=memory_limit)
    check_size(path, name, memory_limit)
    if format_ == "jsonl":
        return jsonl.read_jsonl(path, name, encoding=encoding)
    return csv.read_delimited(path, name, encoding=encoding, delimiter=delimiter)


def check_size(path: Path, name: str, memory_limit: int) -> None:
    """Stop before reading a file that would not fit into memory."""
    try:
        size = path.stat().st_size
    except OSError as error:
        raise unreadable(name, error) from error
    if size == 0:
        raise no_bytes(name)
    if size > memory_limit:
        raise too_large(name, size, memory_limit)


def no_bytes(name: str) -> Exception:
    """Return the stop for a file in which there is nothing."""
    return stop(
        code="table.empty",
        where=name,
        what="the file is empty (0 bytes).",
        fix="Save it again.",
        why="There is nothing to read.",
    )


def too_large(name: str, size: int, memory_limit: int) -> Exception:
    """Return the stop for a file that needs more memory than allowed."""
    return stop(
        code="memory.limit",
        where=name,
        what=f"reading it needs about {say_bytes(size)} of memory; the limit is "
        f"{say_bytes(memory_limit)}.",
        fix="Raise memory_limit_gb if the machine has that much to spare. Probabilities saved as "
        ".npy "
        "stay on disk and have no limit.",
        why="A machine that runs out of memory stops answering.",
        override={"memory_limit_gb": -(-size // 2**30)},
    )


def say_bytes(size: int) -> str:
    """Return a size in words; as memory_limit_gb counts, 1 GB is 2**30 bytes.

    >>> say_bytes(8 * 2**30), say_bytes(1536), say_bytes(12)
    ('8.0 GB', '1.5 kB', '12 bytes')
    """
    for unit, power in (("GB", 30), ("MB", 20), ("kB", 10)):
        if size >= 2**power:
            return f"{size / 2**power:.1f} {unit}"
    return f"{size} bytes"


def unreadable(name: str, error: Exception) -> Exception:
    """Return the stop for a file the system, or a parser, will not read."""
    reason = getattr(error, "strerror", None) or str(error) or type(error).__name__
    return stop(
        code="file.unreadable",
        where=name,
        what=f"it cannot be read: {str(reason).splitlines()[0][:200]}.",
        fix="Check that the file is whole and that you may read it.",
        why="A file that is read in part would give findings about other data.",
    )
