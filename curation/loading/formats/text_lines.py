"""Text files with one label per line, or with a file name or a text next to it.

A file name comes before its label, and fastText writes a label before its text.

When the file is written back, only the labels of decided lines change.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, ClassVar

import numpy as np
import pyarrow as pa

from curation.dataset import Dataset
from curation.loading.formats.base import Array, Peek, TableFile, TextFormat
from curation.loading.formats.csv_bytes import find_lines
from curation.loading.formats.edits import Edits, check_old, check_rows
from curation.loading.formats.file_faults import NO_LIMIT
from curation.loading.formats.label_reading_code import quote
from curation.loading.formats.number_columns import as_number
from curation.loading.formats.table import Table
from curation.loading.formats.text_encoding import as_utf8, encode_back, split_mark
from curation.loading.report_builder import ReportBuilder, list_few, stop
from curation.loading.vocabulary import IMAGE_SUFFIXES, LABEL_COLUMNS

PEEK_BYTES = 2**16
LABEL, FILE, TEXT = "label", "file", "text"  # names for the columns, since the file has none
MARK = "__label__"  # of fastText
_MARKED = re.compile(rf"{MARK}(?P<label>\S+)(?P<gap>\s+)(?P<text>(?!{MARK}).*)")
_SCORED = re.compile(rf"(?:{MARK}\S+ [0-9.eE+-]+ ?)+")
_ENDINGS = "|".join(re.escape(ending) for ending in IMAGE_SUFFIXES)
_NAMED = re.compile(
    rf"(?P<file>\S.*?(?:{_ENDINGS}))(?P<gap>[ \t,;]+)(?P<label>.*\S)", re.IGNORECASE
)


@dataclass(frozen=True)
class _Lines:
    """The lines that are rows: the first may be a header, blank ones at the end are not."""

    texts: list[str]
    header: str | None
    pattern: re.Pattern[str] | None = None  # what each line matches, if it holds more than a label

    @property
    def columns(self) -> tuple[str, ...]:
        if self.pattern is None:
            return (LABEL,)
        return (FILE, LABEL) if self.pattern is _NAMED else (LABEL, TEXT)


class TextLines(TextFormat):
    """Plain text without columns, in which each line is a label."""

    name = "txt"
    suffixes: ClassVar[tuple[str, ...]] = (".txt",)
    no_flags = "A text file cannot hold a flag column"

    def read(self, file: TableFile, report: ReportBuilder) -> Table:
        raw = self.read_bytes(file.path, file.name, file.memory_limit)
        data, bom = as_utf8(raw, file.name, file.encoding)
        lines = _split(data.decode())
        if not lines.texts:
            raise stop(
                code="table.no_rows",
                where=file.name,
                what="the file holds no labels.",
                fix="Write one label per line.",
                why="There is nothing to check.",
            )
        _refuse_table(data.decode(), file.name)
        if lines.pattern is None and is_marked(data):
            raise stop(
                code="labels.lists",
                where=file.name,
                what=f"not every line has one {MARK}, and then a text.",
                fix="Write one label before each text.",
                why="Confident learning assumes one given label and one true label per example.",
            )
        columns = {LABEL: lines.texts}
        if lines.pattern is not None:
            matches = [lines.pattern.fullmatch(text) for text in lines.texts]
            columns = {name: [m[name] for m in matches if m] for name in lines.columns}
        data_table = pa.table({key: pa.array(each, pa.string()) for key, each in columns.items()})
        encoding = file.encoding or "utf-8"
        return Table(file.path, file.name, self.name, data_table, encoding=encoding, bom=bom)

    def read_numbers(self, file: TableFile, report: ReportBuilder) -> Table | Array:
        """Return a matrix as np.savetxt writes it; one number per line is a column."""
        raw = self.read_bytes(file.path, file.name, file.memory_limit)
        data, _ = as_utf8(raw, file.name, file.encoding)
        if (scores := _read_scores(data.decode().splitlines())) is not None:
            return Table(file.path, file.name, self.name, scores)
        rows = [re.split(r"[\s,;]+", line.strip()) for line in data.decode().splitlines()]
        rows = [row for row in rows if row != [""] and not row[0].startswith("#")]
        numbers = [[as_number(cell) for cell in row] for row in rows]
        odd = next((k for k, row in enumerate(numbers) if None in row), None)
        wide = {len(row) for row in rows}
        if not rows or odd is not None or len(wide) != 1:
            raise stop(
                code="probs.not_a_number",
                where=file.name if odd is None else f"{file.name}, line {odd + 1}",
                what="the lines do not all hold the same number of numbers."
                if odd is None
                else f"{' '.join(rows[odd])[:80]!r} holds something other than numbers.",
                fix='Save the probabilities with np.save("probs.npy", probs).',
                why="Each example needs one probability for each class.",
            )
        return np.array(numbers, dtype=np.float64)

    def peek(self, path: Path) -> Peek:
        head = self.read_head(path, PEEK_BYTES).decode("utf-8-sig", errors="ignore")
        lines = _split(head[: head.rfind("\n") + 1] or head)
        return Peek(lines.columns, {name: "other" for name in lines.columns})

    def count_rows(self, path: Path) -> int | None:
        return self.count_lines(path)

    def rewrite(
        self, dataset: Dataset, edits: Edits, file: BinaryIO, *, spreadsheet_safe: bool
    ) -> int:
        raw, name = self.read_source(dataset)
        mark, encoding, data = split_mark(raw, dataset.source.encoding, name)
        pieces = b"".join(_rewrite(data, edits, name, dataset.num_source_rows))
        file.write(mark)
        file.write(encode_back(pieces.decode(), encoding, name))
        return dataset.num_source_rows

    def reading_code(self, dataset: Dataset, name: str) -> list[str]:
        source = dataset.source
        assert source.path is not None
        raw = self.read_bytes(source.path, source.path.name, NO_LIMIT)
        data, _ = as_utf8(raw, source.path.name, source.encoding)
        lines = _split(data.decode())
        encoding = "utf-8-sig" if source.bom and source.encoding == "utf-8" else source.encoding
        first = "" if lines.header is None else "[1:]"
        code = [
            f"with open({quote(name)}, encoding={quote(encoding)}) as file:",
            f'    labels = pd.Series(file.read().rstrip().split("\\n"){first})',
        ]
        if lines.pattern is not None:
            flags = "(?i)" if lines.pattern.flags & re.IGNORECASE else ""
            code.append(f'labels = labels.str.extract(r"{flags}{lines.pattern.pattern}")["label"]')
        return code


def _split(text: str) -> _Lines:
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    while lines and not lines[-1].strip():
        lines.pop()
    header = lines.pop(0) if lines and _is_header(lines) else None
    fitting = (p for p in (_NAMED, _MARKED) if lines and all(map(p.fullmatch, lines)))
    return _Lines(lines, header, next(fitting, None))


def _refuse_table(text: str, name: str) -> None:
    """Stop if the first line names columns: the lines are rows of a table, not labels."""
    first = text.lstrip("\ufeff\r\n").splitlines()[0]
    cells = [cell.strip(" \"'").lower() for cell in re.split(r"[\t,;|]| (?=\")", first)]
    if len(cells) < 2 or set(cells).isdisjoint(LABEL_COLUMNS):
        return
    raise stop(
        code="table.format",
        where=name,
        what=f"it is not a list of labels but a table, with the columns {list_few(cells)}.",
        fix="Name it .tsv if tabs separate the cells, and otherwise .csv. In R, use write.csv.",
        why="The format is known from the ending of the name, never guessed.",
    )


def lists_pictures(head: bytes) -> bool:
    """Return whether the first lines of a file name a picture and its label, as ImageNet's do.

    >>> lists_pictures(b"cat/1.jpg 0\\ndog/2.jpg 1\\n"), lists_pictures(b"cat/1.jpg\\ndog/2.jpg\\n")
    (True, False)
    """
    lines = head.decode(errors="replace").splitlines()[: -1 if len(head) > 1 else None]
    return bool(lines) and all(_NAMED.fullmatch(line) for line in lines)


def is_marked(head: bytes) -> bool:
    """Return whether a file begins as fastText's do."""
    return head.startswith(MARK.encode())


def _read_scores(lines: list[str]) -> pa.Table | None:
    """Return the scores that fastText's predict-prob prints, by class; None for other lines."""
    lines = [line.strip() for line in lines if line.strip()]
    if not lines or not all(map(_SCORED.fullmatch, lines)):
        return None
    cells = [line.split() for line in lines]
    rows = [
        {name.removeprefix(MARK): float(score) for name, score in zip(c[::2], c[1::2], strict=True)}
        for c in cells
    ]
    names = sorted({name for row in rows for name in row})
    return pa.table({name: pa.array([row.get(name, 0.0) for row in rows]) for name in names})


def _is_header(lines: list[str]) -> bool:
    """Return whether the first line is the name of the column, which no other line holds."""
    return lines[0].strip().lower() in LABEL_COLUMNS and lines[0] not in lines[1:]


def _rewrite(data: bytes, edits: Edits, name: str, count: int) -> Iterator[bytes]:
    """Yield the lines of the new file; a line has no room for a mark, so marked lines stay."""
    every = find_lines(data)
    lines = _split(data.decode())
    first = 0 if lines.header is None else 1
    check_rows(edits, min(len(every) - first, count), name)
    wanted = {row: place for place, row in enumerate(edits.rows.tolist())}
    out = set() if edits.flag else set(edits.out.tolist())
    for line in range(len(every)):
        begin, stop, after = (int(each[line]) for each in (every.starts, every.stops, every.ends))
        row = line - first
        if row in out:
            continue
        text = data[begin:stop].decode()
        if row in wanted:
            match = lines.pattern.fullmatch(text) if lines.pattern is not None else None
            start, end = (0, len(text)) if match is None else match.span("label")
            check_old(text[start:end], edits.old[wanted[row]], row, name)
            text = text[:start] + edits.new[wanted[row]] + text[end:]
        yield text.encode() + data[stop:after]
