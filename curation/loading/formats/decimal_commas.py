"""Numbers written with a decimal comma, in tables that have another delimiter."""

from __future__ import annotations

import re
from collections.abc import Container, Sequence
from dataclasses import replace

import pyarrow as pa
import pyarrow.compute as pc

from curation.loading.formats.table import Table
from curation.loading.report_builder import ReportBuilder

_DECIMAL_COMMA = re.compile(r"[-+]?[0-9]*,[0-9]+(?:[eE][-+]?[0-9]+)?")
_NUMBER = r"^\s*[-+]?[0-9]*\.?[0-9]+(?:[eE][-+]?[0-9]+)?\s*$"
NUMBERS_SHARE = 0.5  # share of the cells that must be numbers in a column of numbers


def report_decimal_comma(name: str, report: ReportBuilder) -> None:
    """Report that commas were read as decimal points."""
    report.add_auto_fix(
        code="probs.decimal_comma",
        where=name,
        what="numbers such as 0,5 are read as 0.5.",
        fix="If the commas separate cells, save the table with decimal points.",
        why="Otherwise no row would add up to 1.",
    )


def read_decimal_commas(table: Table, exact: Container[str], report: ReportBuilder) -> Table:
    """Return a table with numbers such as 0,5 as 0.5, if the comma is not its delimiter.

    Only columns of numbers change: a comma in a text or in an id stays.
    """
    if table.delimiter in (None, ","):
        return table
    data = table.data
    for place, column in enumerate(table.data.column_names):
        if column in exact or not pa.types.is_string(data.schema.field(place).type):
            continue
        points = with_points(data.select([column])).column(0)
        if not points.equals(data.column(place)) and _share_of_numbers(points) >= NUMBERS_SHARE:
            data = data.set_column(place, column, points)
    if data is table.data:
        return table
    report_decimal_comma(table.name, report)
    return replace(table, data=data)


def _share_of_numbers(texts: pa.ChunkedArray) -> float:
    return float(pc.mean(pc.match_substring_regex(texts, _NUMBER)).as_py() or 0)


def with_points(cells: pa.Table, exact: Container[str] = ()) -> pa.Table:
    """Return cells such as 0,5 as 0.5, except in columns that must stay exact."""
    pattern = f"^(?:{_DECIMAL_COMMA.pattern})$"
    columns = [
        column
        if name in exact
        else pc.if_else(
            pc.match_substring_regex(column, pattern),
            pc.replace_substring(column, ",", "."),
            column,
        )
        for name, column in zip(cells.column_names, cells.columns, strict=True)
    ]
    return pa.table(columns, names=cells.column_names)


def read_points(cells: Sequence[str], delimiter: str) -> list[str]:
    """Return the cells of one record with decimal points.

    >>> read_points(["0,5", "a,b"], ";"), read_points(["0,5"], ",")
    (['0.5', 'a,b'], ['0,5'])
    """
    if delimiter == ",":
        return list(cells)
    return [c.replace(",", ".") if _DECIMAL_COMMA.fullmatch(c) else c for c in cells]


def has_decimal_commas(cells: Sequence[str], delimiter: str) -> bool:
    """Return whether a cell of a record is a number with a decimal comma."""
    return delimiter != "," and any(_DECIMAL_COMMA.fullmatch(cell) for cell in cells)
