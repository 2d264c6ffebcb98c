"""Parquet files: columns are read as they are, embedded images stay in the file.

Written back, the schema stays and only decided labels change.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from decimal import Decimal, InvalidOperation
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from curation.core.matrix import IntArray
from curation.dataset import Dataset, LabelSource
from curation.errors import InputError
from curation.loading.formats.base import Held, Peek, TableFormat
from curation.loading.formats.csv_parsing import check_names
from curation.loading.formats.edits import Edits, check_old, check_rows, flag_name
from curation.loading.formats.file_faults import cut_short, no_bytes, too_large, unreadable
from curation.loading.formats.table import Table
from curation.loading.report_builder import ReportBuilder, Stop, list_few, stop

SAMPLE_CELLS = 20  # cells of bytes that show whether a column is text
MAGIC = b"PAR1"  # a Parquet file begins and ends with these bytes
_BOOLEANS = {"True": True, "False": False}  # as the loader reads them


class Parquet(TableFormat):
    """Columns with types, row groups, and perhaps embedded images."""

    name = "parquet"
    suffixes = (".parquet", ".pq")

    def read(
        self,
        path: Path,
        name: str,
        report: ReportBuilder,
        *,
        memory_limit: int,
        encoding: str | None = None,
        delimiter: str | None = None,
    ) -> Table:
        return read_parquet(path, name, memory_limit=memory_limit)

    def peek(self, path: Path) -> Peek:
        schema = pq.read_schema(path)
        return Peek(tuple(schema.names), {field.name: _held(field.type) for field in schema})

    def count_rows(self, path: Path) -> int | None:
        return int(pq.read_metadata(path).num_rows)

    def rewrite(
        self, dataset: Dataset, edits: Edits, file: BinaryIO, *, spreadsheet_safe: bool
    ) -> int:
        return rewrite_parquet(dataset.source, edits, file)


def _held(kind: Any) -> Held:
    if pa.types.is_nested(kind):
        return "list"
    return "number" if pa.types.is_floating(kind) or pa.types.is_decimal(kind) else "other"


def read_parquet(path: Path, name: str, *, memory_limit: int) -> Table:
    """Return the columns of a Parquet file; embedded images are only named."""
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
    first = next(file.iter_batches(SAMPLE_CELLS, columns=[column]), None)
    cells = [] if first is None else [each for each in first.column(0).to_pylist() if each]
    try:
        return bool(cells) and not any("\0" in cell.decode() for cell in cells)
    except UnicodeDecodeError:
        return False


def _usual_type(values: pa.ChunkedArray) -> pa.ChunkedArray:
    """Return a column in a type that the rest of the package knows: text, lists of numbers."""
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
            fix="Save it as Parquet, or give it the name of what it is.",
            why="A file is read as what its name says, never by a guess.",
        )


def _check_memory(file: pq.ParquetFile, name: str, columns: set[str], limit: int) -> None:
    # From the footer alone: the size of the columns once unpacked. All columns first: pyarrow
    # crashes when asked for a single one that a broken footer describes wrongly.
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
        return {}  # not from Hugging Face, or in an unknown form: classes come from elsewhere


def rewrite_parquet(source: LabelSource, edits: Edits, file: BinaryIO) -> int:
    """Write the label file with its edits, a row group at a time, and return its rows.

    Shards of one table become one file.
    """
    count = sum(int(pq.read_metadata(path).num_rows) for path in source.paths)
    check_rows(edits, count, source.called)
    if edits.nothing and not source.more:
        with source.paths[0].open("rb") as opened:
            shutil.copyfileobj(opened, file, 1 << 20)
        return count
    with pq.ParquetFile(source.paths[0]) as first:
        schema, options = first.schema_arrow, _as_before(first)
    flag = flag_name(schema.names) if edits.flag else None
    if flag is not None:
        schema = schema.append(pa.field(flag, pa.bool_()))
    with pq.ParquetWriter(file, schema, **options) as writer:
        start = 0
        for path, table in _read_groups(source.paths):
            changed = _relabel(table, source.label_column or "", edits, start, path.name)
            kept = _leave_out(changed, edits, start, flag)
            start += table.num_rows
            if kept.num_rows:
                whole = pa.Table.from_arrays(kept.columns, schema=schema)
                writer.write_table(whole, row_group_size=kept.num_rows)
    return count


def _read_groups(paths: Iterable[Path]) -> Iterator[tuple[Path, pa.Table]]:
    for path in paths:
        with pq.ParquetFile(path) as file:
            for group in range(file.num_row_groups):
                yield path, file.read_row_group(group)


def _as_before(file: pq.ParquetFile) -> dict[str, Any]:
    """Return writer options that give a file like this one."""
    metadata = file.metadata
    options: dict[str, Any] = {
        "version": metadata.format_version,
        "store_schema": b"ARROW:schema" in (metadata.metadata or {}),
    }
    if metadata.num_row_groups:
        group = metadata.row_group(0)
        columns = [group.column(place) for place in range(group.num_columns)]
        options["compression"] = {each.path_in_schema: _codec(each) for each in columns}
        times = any(each.physical_type == "INT96" for each in columns)
        options["use_deprecated_int96_timestamps"] = times
    return options


def _codec(column: Any) -> str:
    name = str(column.compression)
    return {"UNCOMPRESSED": "NONE", "LZ4_RAW": "LZ4"}.get(name, name)


def _span(rows: IntArray, start: int, stop: int) -> slice:
    first, last = np.searchsorted(rows, [start, stop])
    return slice(int(first), int(last))


def _relabel(table: pa.Table, column: str, edits: Edits, start: int, name: str) -> pa.Table:
    """Return the rows of a group with their labels changed."""
    span = _span(edits.rows, start, start + table.num_rows)
    rows = (edits.rows[span] - start).tolist()
    if not rows:
        return table
    place = table.schema.get_field_index(column)
    field = table.schema.field(place)
    cells = table.column(place)
    kind = field.type.value_type if pa.types.is_dictionary(field.type) else field.type
    plain = cells.to_pylist()
    for row, old, new in zip(rows, edits.old[span], edits.new[span], strict=True):
        check_old(_cell_text(plain[row]), old, start + row, name)
        plain[row] = _value(new, kind, name)
    changed = pa.array(plain, kind)
    if pa.types.is_dictionary(field.type):
        changed = _as_dictionary(changed, cells, field.type)
    return table.set_column(place, field, changed)


def _as_dictionary(values: Any, before: Any, kind: Any) -> Any:
    """Return values as codes of the old dictionary, with new values added at its end."""
    words = before.unify_dictionaries().chunk(0).dictionary
    new = pa.array([each for each in values.unique().to_pylist() if each is not None], values.type)
    added = new.filter(pc.invert(pc.is_in(new, value_set=words)))
    dictionary = pa.concat_arrays([words, added])
    codes = pc.index_in(values, value_set=dictionary).cast(kind.index_type)
    return pa.DictionaryArray.from_arrays(codes, dictionary, ordered=kind.ordered)


def _cell_text(value: Any) -> str:
    if isinstance(value, bytes):
        return value.decode(errors="replace")
    return repr(value) if isinstance(value, float) else str(value)


def _value(text: str, kind: Any, name: str) -> Any:
    """Return a label as a value of the column's type.

    >>> _value("3", pa.int8(), "labels.parquet"), _value("True", pa.bool_(), "labels.parquet")
    (3, True)
    """
    try:
        if pa.types.is_integer(kind):
            return pa.scalar(int(float(text)) if "." in text else int(text), kind).as_py()
        if pa.types.is_floating(kind):
            return float(text)
        if pa.types.is_decimal(kind):
            return Decimal(text)
        return _BOOLEANS[text] if pa.types.is_boolean(kind) else text
    except (ValueError, KeyError, pa.ArrowInvalid, OverflowError, InvalidOperation) as error:
        raise InputError(
            f"{name}: {text!r} cannot be written in a column of {kind}.",
            "Choose a class that the file can hold, or save the labels as text.",
        ) from error


def _leave_out(table: pa.Table, edits: Edits, start: int, flag: str | None) -> pa.Table:
    """Return the table without the excluded rows, or with a column that marks them."""
    out = np.zeros(table.num_rows, bool)
    out[edits.out[_span(edits.out, start, start + table.num_rows)] - start] = True
    if flag is not None:
        return table.append_column(pa.field(flag, pa.bool_()), pa.array(out))
    return table.filter(pa.array(~out)) if out.any() else table
