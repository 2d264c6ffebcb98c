"""JSON Lines files: one object per line, every error with its line number.

When the file is written back, only the values of decided labels change.
"""

from __future__ import annotations

import codecs
import json
from pathlib import Path
from typing import Any, BinaryIO, ClassVar

from curation.dataset import Dataset
from curation.loading.formats.base import Peek, TableFile, TextFormat
from curation.loading.formats.edits import Edits
from curation.loading.formats.json_columns import (
    DuplicateKey,
    decode,
    decode_as_written,
    repeated_key,
)
from curation.loading.formats.jsonl_writing import rewrite_jsonl
from curation.loading.formats.label_reading_code import quote, read_column
from curation.loading.formats.record_registry import (
    flatten_first,
    is_record,
    make_table,
    peek_records,
)
from curation.loading.formats.table import Table
from curation.loading.formats.text_encoding import decode_text
from curation.loading.report_builder import ReportBuilder, stop

PEEK_BYTES = 2**20  # read to find the first line


class Jsonl(TextFormat):
    """One JSON object per line; a key that a line lacks is a missing cell."""

    name = "jsonl"
    suffixes: ClassVar[tuple[str, ...]] = (".jsonl", ".ndjson", ".manifest")

    def read(self, file: TableFile, report: ReportBuilder) -> Table:
        raw = self.read_bytes(file.path, file.name, file.memory_limit)
        data, bom = decode_text(raw, file.name, file.encoding)
        text = data.decode()
        rows = _read_rows(text, file.name)
        return make_table(rows, lambda: _as_written(text), file, self.name, report, bom=bom)

    def peek(self, path: Path) -> Peek:
        head = self.read_head(path, PEEK_BYTES).removeprefix(codecs.BOM_UTF8)
        return peek_records([json.loads(head.lstrip().split(b"\n", 1)[0])])

    def first_rows(self, path: Path, count: int) -> list[tuple[str, ...]]:
        head = self.read_head(path, PEEK_BYTES).removeprefix(codecs.BOM_UTF8)
        lines = [line for line in head.split(b"\n")[:-1] or [head] if line.strip()]
        rows = flatten_first([json.loads(line) for line in lines[:count]])
        return [tuple(_written(row.get(key)) for key in rows[0]) for row in rows]

    def count_rows(self, path: Path) -> int | None:
        return self.count_lines(path)

    def rewrite(
        self, dataset: Dataset, edits: Edits, file: BinaryIO, *, spreadsheet_safe: bool
    ) -> int:
        raw, name = self.read_source(dataset)
        return rewrite_jsonl(raw, dataset.source, edits, file, name)

    def reading_code(self, dataset: Dataset, name: str) -> list[str]:
        source = dataset.source
        encoding = ', encoding="utf-8-sig"' if source.bom else ""
        read = f"pd.read_json({quote(name)}, lines=True, dtype=False{encoding})"
        return read_column(read, source.label_column or "label")


def _as_written(text: str) -> list[Any]:
    """Return the rows with their fractions as written."""
    return [decode_as_written(line) for line in text.split("\n") if line.strip()]


def _written(value: Any) -> str:
    if value is None or isinstance(value, str):
        return value or ""
    return json.dumps(value, ensure_ascii=False)


def _read_rows(text: str, name: str) -> list[Any]:
    rows = []
    lines = text.split("\n")
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        row = _parse(line, name, number, last=number == len(lines))
        if not is_record(row):
            raise stop(
                code="jsonl.not_an_object",
                where=f"{name}, line {number}",
                what=f"found {type(row).__name__} instead of an object {{...}}.",
                fix='Write one object per line, such as {"id": "a", "label": "cat"}.',
                why="Without names, it is unclear which value is the label.",
            )
        rows.append(row)
    return rows


def _parse(line: str, name: str, number: int, *, last: bool) -> Any:
    try:
        return decode(line)
    except DuplicateKey as error:
        raise repeated_key(f"{name}, line {number}", error) from error
    except (ValueError, RecursionError) as error:
        reason = error.msg if isinstance(error, json.JSONDecodeError) else str(error)
        # A file that was cut off ends in the middle of a line; a complete one ends with a line end.
        cut = " The file is cut off: its last line is incomplete." if last else ""
        raise stop(
            code="jsonl.broken",
            where=f"{name}, line {number}",
            what=f"not valid JSON: {reason[:200]}.{cut}",
            fix="Fix the line, or save the file again.",
            why="If it were skipped, every row after it would shift.",
        ) from error
