"""Tables in several files, whose rows follow one another."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pyarrow as pa

from curation.loading.formats.arrow import Arrow
from curation.loading.formats.base import TableFile
from curation.loading.formats.parquet import Parquet
from curation.loading.formats.registry import read_table
from curation.loading.formats.several_sources import Headless, TableInParts
from curation.loading.formats.table import Table
from curation.loading.report_builder import ReportBuilder, list_few, stop

# Shards of these are written back as one file; a table without a header has no other name.
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
    tables = []
    for path, name in zip(paths, names, strict=True):
        file = TableFile(path, name, memory_limit, encoding, delimiter, no_header=no_header)
        table = read_table(file, report)
        memory_limit -= table.data.nbytes
        tables.append(table)
    first = tables[0]
    for table in tables[1:]:
        if table.data.schema != first.data.schema or table.image_columns != first.image_columns:
            rows = table.header_row and len(table.columns) == len(first.columns)
            raise stop(
                code="shards.differ",
                where=table.name,
                what=f"its columns are {list_few(_typed(table))}; {first.name} has "
                f"{list_few(_typed(first))}.",
                fix="Save all shards with the same columns, of the same types."
                + (" If the first line of each is a row, pass no_header=True." if rows else ""),
                why="The rows of all shards are read as one table.",
                override={"no_header": True} if rows else {},
            )
    data = pa.concat_tables([table.data for table in tables])
    form = first.format if first.format in KEPT else TableInParts.name
    return replace(first, data=data, more_paths=tuple(paths[1:]), format=form)


def _typed(table: Table) -> list[str]:
    return [f"{field.name} ({field.type})" for field in table.data.schema]
