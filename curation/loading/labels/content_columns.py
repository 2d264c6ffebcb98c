"""Which columns of a table hold the pictures and the texts."""

from __future__ import annotations

import pyarrow as pa

from curation.loading.formats.read_only_sources import Headless
from curation.loading.formats.table import Table
from curation.loading.labels.column_names import report_headless
from curation.loading.report_builder import ReportBuilder
from curation.loading.vocabulary import FILE_COLUMNS, IMAGE_SUFFIXES, TEXT_COLUMNS, find_column

SAMPLE_ROWS = 200  # rows that are read to see what a column holds
MIN_WORDS = 3  # the mean number of words in a cell, below which a column holds no sentences


def find_image_column(table: Table) -> str | None:
    """Return the column of pictures, or of the names of picture files; None if it is unclear."""
    if table.image_columns:
        return find_column(table.image_columns, FILE_COLUMNS) or table.image_columns[0]
    lower: dict[str, str] = {c.strip().lower(): c for c in reversed(table.data.column_names)}
    for name in FILE_COLUMNS:
        if name in lower and _holds_image_names(table, lower[name]):
            return lower[name]
    others = [column for column in table.data.column_names if _holds_image_names(table, column)]
    return others[0] if len(others) == 1 else None


def _holds_image_names(table: Table, column: str) -> bool:
    if table.kind(column) != "text":
        return False
    head = table.data.column(column).slice(0, SAMPLE_ROWS)
    if pa.types.is_dictionary(head.type):
        head = head.cast(head.type.value_type)
    return any(str(name).lower().endswith(IMAGE_SUFFIXES) for name in head.to_pylist() if name)


def find_text_column(table: Table, label: str, report: ReportBuilder) -> str | None:
    """Return the column of texts by its name; without a header, the only one with sentences."""
    texts: list[str] = [
        c for c in table.data.column_names if c != label and table.kind(c) == "text"
    ]
    if table.format != Headless.name:
        return find_column(texts, TEXT_COLUMNS)
    found = [c for c in texts if _holds_sentences(table, c)]
    if len(found) != 1:
        return None
    report_headless(table, found[0], "texts: no other column holds sentences", report)
    return found[0]


def _holds_sentences(table: Table, column: str) -> bool:
    head = table.text(column).slice(0, SAMPLE_ROWS).to_pylist()
    return sum(len((cell or "").split()) for cell in head) >= MIN_WORDS * len(head)
