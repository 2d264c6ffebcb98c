"""Tables in several files, whose rows follow one another."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pyarrow as pa

from curation.loading.formats.arrow import Arrow
from curation.loading.formats.base import TableFile
from curation.loading.formats.parquet import Parquet
from curation.loading.formats.read_only_sources import Headless, TableInParts
from curation.loading.formats.registry import read_table
from curation.loading.formats.table import Table
from curation.loading.numbered_files import is_spark_part
from curation.loading.report_builder import ReportBuilder, Stop, list_few, stop

INDEX = "__index_level_0__"  # what pandas calls row numbers in Parquet
NO_ROWS, NO_BYTES = "table.no_rows", "table.empty"  # codes of a part without rows
# Formats that shards keep: these are written back as one file, or known to lack a header.
KEPT = (Parquet.name, Arrow.name, Headless.name)


def read_shards(
    paths: Sequence[Path],
    names: Sequence[str],
    report: ReportBuilder,
    *,
    memory_limit: int,
    encoding: str | None = None,
    delimiter: str | None = None,
    no_header: bool = False,
) -> Table:
    """Return the columns of several files whose rows follow one another."""
    files = [
        TableFile(path, name, memory_limit, encoding, delimiter, no_header=no_header)
        for path, name in zip(paths, names, strict=True)
    ]
    tables = _without_row_numbers(_read_each(files, report))
    first = tables[0]
    for table in tables[1:]:
        if table.data.schema != first.data.schema or table.image_columns != first.image_columns:
            raise _other_columns(table, first)
    data = pa.concat_tables([table.data for table in tables])
    form = first.format if first.format in KEPT else TableInParts.name
    return replace(first, data=data, more_paths=tuple(paths[1:]), format=form)


def _read_each(files: Sequence[TableFile], report: ReportBuilder) -> list[Table]:
    """Return the table in each file that has rows; all share one memory limit."""
    tables: list[Table] = []
    empty: list[str] = []
    for file in files:
        used = sum(table.data.nbytes for table in tables)
        try:
            tables.append(read_table(replace(file, memory_limit=file.memory_limit - used), report))
        except Stop as stopped:
            code, is_last = stopped.diagnosis.code, file is files[-1]
            known = code == NO_ROWS or (code == NO_BYTES and is_spark_part(file.name))
            if not known or (is_last and not tables):
                raise
            empty.append(file.name)
    _report_empty(empty, len(files), report)
    return tables


def _other_columns(table: Table, first: Table) -> Exception:
    """Return the stop for a shard that has other columns than the first one."""
    rows = table.header_row and len(table.columns) == len(first.columns)
    return stop(
        code="shards.differ",
        where=table.name,
        what=f"its columns are {list_few(_typed(table))}; {first.name} has "
        f"{list_few(_typed(first))}.",
        fix="Save all shards with the same columns, of the same types."
        + (" If the first line of each is a row, pass no_header=True." if rows else ""),
        why="The rows of all shards are read as one table.",
        override={"no_header": True} if rows else {},
    )


def _without_row_numbers(tables: Sequence[Table]) -> list[Table]:
    """Return tables without pandas' row numbers, if some lack them.

    pandas does not store them for a slice that begins at 0, and does for those that follow.
    """
    with_numbers = [INDEX in table.data.column_names for table in tables]
    if all(with_numbers) or not any(with_numbers):
        return list(tables)
    return [
        replace(table, data=table.data.drop_columns([INDEX])) if has else table
        for table, has in zip(tables, with_numbers, strict=True)
    ]


def _report_empty(empty: Sequence[str], total: int, report: ReportBuilder) -> None:
    if not empty:
        return
    report.add_auto_fix(
        code="shards.empty",
        where=empty[0],
        what=f"{len(empty)} of {total} files hold no rows: {list_few(empty)}.",
        fix="If they should hold some, write them again.",
        why="Spark writes a file without rows for an empty partition.",
        count=len(empty),
    )


def _typed(table: Table) -> list[str]:
    return [f"{field.name} ({field.type})" for field in table.data.schema]
