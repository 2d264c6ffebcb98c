"""Labels written back to Parquet: the schema stays and only decided labels change."""

from __future__ import annotations

import shutil
from collections.abc import Iterable, Iterator, Sequence
from decimal import Decimal, InvalidOperation
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from curation.core.matrix import IntArray
from curation.dataset import LabelSource
from curation.errors import InputError
from curation.loading.formats.edits import Edits, check_old, check_rows, flag_name

_BOOLEANS = {"True": True, "False": False}  # as the loader reads them


def rewrite_parquet(source: LabelSource, edits: Edits, file: BinaryIO) -> int:
    """Write the label file with its edits, a row group at a time; return its number of rows.

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
    schema = _keep_shared(schema, source.paths)
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
                whole = pa.Table.from_arrays(kept.select(schema.names).columns, schema=schema)
                writer.write_table(whole, row_group_size=kept.num_rows)
    return count


def _keep_shared(schema: pa.Schema, paths: Sequence[Path]) -> pa.Schema:
    """Return a schema without columns that some shards lack: pandas stores row numbers in some."""
    filled = [path for path in paths if pq.read_metadata(path).num_rows]
    every = set(schema.names).intersection(*(pq.read_schema(path).names for path in filled))
    if len(every) == len(schema.names):
        return schema
    kept = {key: value for key, value in (schema.metadata or {}).items() if key != b"pandas"}
    return pa.schema([field for field in schema if field.name in every], metadata=kept)


def _read_groups(paths: Iterable[Path]) -> Iterator[tuple[Path, pa.Table]]:
    for path in paths:
        with pq.ParquetFile(path) as file:
            for group in range(file.num_row_groups):
                yield path, file.read_row_group(group)


def _as_before(file: pq.ParquetFile) -> dict[str, Any]:
    """Return writer options that produce a file like this one."""
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
    inner = kind.value_type if is_list(kind) else kind  # a list of one label stays a list
    for row, old, new in zip(rows, edits.old[span], edits.new[span], strict=True):
        cell = plain[row][0] if is_list(kind) and plain[row] else plain[row]
        check_old(_cell_text(cell), old, start + row, name)
        value = _value(new, inner, name)
        plain[row] = [value] if is_list(kind) else value
    changed = pa.array(plain, kind)
    if pa.types.is_dictionary(field.type):
        changed = _as_dictionary(changed, cells, field.type)
    return table.set_column(place, field, changed)


def is_list(kind: Any) -> bool:
    """Return whether the cells of a column are lists."""
    types = pa.types
    return bool(types.is_list(kind) or types.is_large_list(kind) or types.is_fixed_size_list(kind))


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
            f"{name}: {text!r} cannot be written to a column of {kind}.",
            "Choose a class that the file can hold, or save the labels as text.",
        ) from error


def _leave_out(table: pa.Table, edits: Edits, start: int, flag: str | None) -> pa.Table:
    """Return the table without the excluded rows, or with a column that marks them."""
    out = np.zeros(table.num_rows, bool)
    out[edits.out[_span(edits.out, start, start + table.num_rows)] - start] = True
    if flag is not None:
        return table.append_column(pa.field(flag, pa.bool_()), pa.array(out))
    return table.filter(pa.array(~out)) if out.any() else table
