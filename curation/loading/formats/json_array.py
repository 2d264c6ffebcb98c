"""JSON files: an array of objects, or columns as pandas writes them.

When an array is written back, only the values of decided labels change. Other forms are exported
as a table of ids and labels.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any, BinaryIO, ClassVar

from curation.dataset import Dataset
from curation.loading.formats.base import Peek, TableFile, TextFormat
from curation.loading.formats.edits import Edits
from curation.loading.formats.file_faults import no_rows
from curation.loading.formats.id_label_table import ExportedAsTable
from curation.loading.formats.json_array_writing import rewrite_array
from curation.loading.formats.json_columns import (
    DuplicateKey,
    Record,
    decode,
    decode_as_written,
    repeated_key,
)
from curation.loading.formats.json_datasets import Rows, read_dataset_object
from curation.loading.formats.label_reading_code import quote
from curation.loading.formats.record_form import LABEL
from curation.loading.formats.record_registry import (
    is_record,
    make_table,
    not_of_form,
    peek_records,
)
from curation.loading.formats.table import Table
from curation.loading.formats.text_encoding import decode_text
from curation.loading.report_builder import ReportBuilder, Stop, stop

PROBS = "probs"  # the name of a column of lists, if the file has none
HEAD_CHARACTERS = 100  # read to see what a file begins with
PEEK_BYTES = 2**20  # read to find the first object
# keys around an array of objects
WRAPPERS = ("data", "records", "rows", "examples", "items", "samples")
_DECODE = json.JSONDecoder().raw_decode


class JsonArray(TextFormat):
    """One array of objects, each of which is a row."""

    name = "json"
    suffixes: ClassVar[tuple[str, ...]] = (".json",)

    def read(self, file: TableFile, report: ReportBuilder) -> Table:
        raw = self.read_bytes(file.path, file.name, file.memory_limit)
        data, bom = decode_text(raw, file.name, file.encoding)
        text = data.decode()
        found = _parse_lines(text) or _parse(text, file.name)
        if (dataset := _read_dataset_object(found, file.name)) is not None:
            return self._read_dataset(*dataset, file, report, bom=bom)
        if found == []:
            raise no_rows(file.name)
        rows = _as_rows(found)
        if rows is None:
            raise _no_table(found, file.name)
        of_lines = text[:HEAD_CHARACTERS].lstrip().startswith("{") and isinstance(found, list)
        form = self.name if isinstance(found, list) and not of_lines else JsonColumns.name

        def read_again() -> list[Any]:
            return _parse_lines(text, decode_as_written) or _as_rows(decode_as_written(text)) or []

        return make_table(rows, read_again, file, form, report, bom=bom)

    def _read_dataset(
        self,
        rows: Rows,
        class_names: tuple[str, ...],
        file: TableFile,
        report: ReportBuilder,
        *,
        bom: bool,
    ) -> Table:
        table = make_table(rows, lambda: rows, file, JsonColumns.name, report, bom=bom)
        return replace(table, class_names={LABEL: class_names})

    def peek(self, path: Path) -> Peek:
        head = self.read_head(path, PEEK_BYTES).decode("utf-8-sig", errors="ignore").lstrip()
        if lines := _parse_lines(head[: head.rfind("\n") + 1]):
            return peek_records(lines[:1])
        if head.startswith("["):
            first, _ = _DECODE(head, 1 + len(head[1:]) - len(head[1:].lstrip()))
            return peek_records(_as_rows([first]) or [])
        found = json.loads(path.read_bytes()) if path.stat().st_size <= PEEK_BYTES else {}
        if (dataset := read_dataset_object(found, "")) is not None:
            return peek_records(dataset[0])
        return peek_records(_as_rows(found) or [])

    def rewrite(
        self, dataset: Dataset, edits: Edits, file: BinaryIO, *, spreadsheet_safe: bool
    ) -> int:
        raw, name = self.read_source(dataset)
        return rewrite_array(raw, dataset.source, edits, file, name)

    def reading_code(self, dataset: Dataset, name: str) -> list[str]:
        source = dataset.source
        encoding = ', encoding="utf-8-sig"' if source.bom else ""
        column = quote(source.label_column or LABEL)
        return [
            f"cleaned = pd.read_json({quote(name)}, dtype=False{encoding})",
            f"labels = cleaned.get({column}, cleaned.iloc[:, 0])  # if it is a list of labels",
            'labels = labels.astype("string").astype(object)',
        ]


class JsonColumns(ExportedAsTable):
    """An object that holds a table in another way, such as column by column."""

    name = "json columns"
    origin = "The labels are in a JSON file that is not an array of objects"


def _parse_lines(text: str, parse: Callable[[str], Any] = decode) -> list[Any] | None:
    """Return the objects of a file with one on each line, as Spark writes .json; None for others.

    >>> _parse_lines('{"label": "cat"}\\n{"label": "dog"}\\n'), _parse_lines('{"label": "cat"}')
    ([{'label': 'cat'}, {'label': 'dog'}], None)
    """
    if not text[:HEAD_CHARACTERS].lstrip().startswith("{"):
        return None
    lines = [line for line in text.split("\n") if line.strip()]
    if len(lines) < 2 or not lines[1].lstrip().startswith("{"):
        return None
    try:
        return [parse(line) for line in lines]
    except (ValueError, RecursionError):
        return None


def _parse(text: str, name: str) -> Any:
    try:
        return decode(text)
    except DuplicateKey as error:
        raise repeated_key(name, error) from error
    except (ValueError, RecursionError) as error:
        cut = "" if text.rstrip().endswith(("]", "}")) else " The file is cut off."
        raise stop(
            code="jsonl.broken",
            where=name,
            what=f"not valid JSON: {str(error)[:200]}.{cut}",
            fix="Save the file again; with one object per line, name it .jsonl.",
            why="Findings from part of a file would be misleading.",
        ) from error


def _read_dataset_object(found: Any, name: str) -> tuple[Rows, tuple[str, ...]] | None:
    try:
        return read_dataset_object(found, name)
    except Stop:
        raise
    except Exception as error:  # as in `record_registry`
        raise not_of_form(name, "COCO, Datumaro or FiftyOne", error) from error


def _as_rows(found: Any) -> list[Any] | None:
    """Return the rows of any JSON that is a table; None if it is not a table."""
    if isinstance(found, list):
        if found and all(isinstance(each, str | int) for each in found):
            return [{LABEL: each} for each in found]
        if found and all(_is_row_of_numbers(each) for each in found):
            return [{PROBS: each} for each in found]
        return found if all(map(is_record, found)) else None
    if not isinstance(found, dict) or not found:
        return None
    inner = next((found[key] for key in WRAPPERS if isinstance(found.get(key), list)), None)
    if inner and "columns" in found and all(isinstance(each, list) for each in inner):
        return [dict(zip(found["columns"], each, strict=False)) for each in inner]
    if inner and all(map(is_record, inner)):
        return list(inner)
    if inner and "index" in found and all(isinstance(each, str | int) for each in inner):
        return [{LABEL: each} for each in inner]  # a pandas Series
    return _from_columns(found) or _from_names(found)


def _from_columns(found: Record) -> list[Record] | None:
    """Return rows from {column: [values]} or from pandas' {column: {row: value}}.

    With more keys outside than inside, the outer ones are ids: {id: {column: value}}.
    """
    columns = list(found.values())
    if all(_is_row_of_numbers(each) and len(each) < len(found) for each in columns):
        return [{"id": key, PROBS: each} for key, each in found.items()]
    if all(isinstance(each, dict) and len(each) < len(found) for each in columns):
        return [{"id": key} | each for key, each in found.items()]
    if all(isinstance(each, list) for each in columns):
        if len({len(each) for each in columns}) != 1 or not columns[0]:
            return None
        return [dict(zip(found, row, strict=True)) for row in zip(*columns, strict=True)]
    if all(isinstance(each, dict) for each in columns) and columns[0]:
        keys = list(columns[0])
        if all(list(each) == keys for each in columns):
            return [{name: found[name][key] for name in found} for key in keys]
    return None


def _is_row_of_numbers(value: Any) -> bool:
    """Return whether a value can be the probabilities of one example."""
    return isinstance(value, list) and len(value) > 1 and all(type(e) is float for e in value)


def _from_names(found: Record) -> list[Record] | None:
    """Return rows from {id: label}."""
    if not all(isinstance(each, str | int) for each in found.values()):
        return None
    return [{"id": key, LABEL: value} for key, value in found.items()]


def _no_table(found: Any, name: str) -> Exception:
    kind = "object" if isinstance(found, dict) else "array" if isinstance(found, list) else "value"
    return stop(
        code="jsonl.not_an_object",
        where=name,
        what=f"this JSON {kind} is not a table.",
        fix='Write an array of objects, such as [{"id": "a", "label": "cat"}].',
        why="Without names, it is unclear which value is the label.",
    )
