"""What a file format can do. Each format is one module and one line in `registry`."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, BinaryIO, ClassVar, Literal

from numpy.typing import NDArray

from curation.dataset import Dataset
from curation.loading.formats.edits import Edits
from curation.loading.formats.file_faults import NO_LIMIT, check_size, refuse_pointer, unreadable
from curation.loading.formats.table import Table
from curation.loading.report_builder import ReportBuilder

LINES_BLOCK_BYTES = 2**24  # read at a time to count lines
PREVIEW_BYTES = 2**26  # a larger file is not read whole for a preview

Array = NDArray[Any]
Held = Literal["number", "list", "other"]


@dataclass(frozen=True)
class Peek:
    """The columns of a table and what the first row holds in each, from its first bytes."""

    columns: tuple[str, ...]
    first_row: Mapping[str, Held]


@dataclass(frozen=True)
class TableFile:
    """A table to read, and what is already known about it."""

    path: Path
    name: str  # for messages: the path from the dataset's root
    memory_limit: int  # in bytes
    encoding: str | None = None  # None for UTF-8
    delimiter: str | None = None  # None to detect it
    id_column: str | None = None  # stays text among numbers
    sheet: str | None = None  # of a workbook; None to find it
    no_header: bool = False  # the first line is a row


class Format(ABC):
    """A kind of file that can hold labels, and how they are written back."""

    name: ClassVar[str]
    suffixes: ClassVar[tuple[str, ...]] = ()  # in lower case
    export_suffix: ClassVar[str | None] = None  # of cleaned labels, if it differs
    no_flags: ClassVar[str] = ""  # why excluded rows cannot be marked in the file, if so

    def count_rows(self, path: Path) -> int | None:
        """Return the number of rows without reading their cells; None if that is not possible."""
        return None

    @abstractmethod
    def rewrite(
        self, dataset: Dataset, edits: Edits, file: BinaryIO, *, spreadsheet_safe: bool
    ) -> int:
        """Write the label file with only the edited cells changed; return how many rows it had."""

    @abstractmethod
    def reading_code(self, dataset: Dataset, name: str) -> list[str]:
        """Return lines of Python that read what `rewrite` wrote to a file of this name.

        They set `labels`, a Series of text with an entry for each row, and may use pd and np.
        """


class TableFormat(Format):
    """A format whose files are tables with named columns."""

    @abstractmethod
    def read(self, file: TableFile, report: ReportBuilder) -> Table:
        """Return the table in a file; a format ignores the settings that it does not have."""

    def read_numbers(self, file: TableFile, report: ReportBuilder) -> Table | Array:
        """Return a table of probabilities; a table without a header becomes a matrix."""
        return self.read(file, report)

    @abstractmethod
    def peek(self, path: Path) -> Peek:
        """Return the columns, from the beginning of the file; may raise any exception."""

    def first_rows(self, path: Path, count: int) -> list[tuple[str, ...]]:
        """Return the cells of the first rows, in the order of `peek`; may raise any exception.

        A format that can read the beginning of a file alone should do that instead.
        """
        table = self.read(TableFile(path, path.name, PREVIEW_BYTES), ReportBuilder())
        head = replace(table, data=table.data.slice(0, count))
        columns = [head.text(name).to_pylist() for name in table.data.column_names]
        return [tuple(cell or "" for cell in row) for row in zip(*columns, strict=True)]


class TextFormat(TableFormat):
    """A table written as lines of text. A compressed variant replaces how bytes are read."""

    def open(self, path: Path) -> BinaryIO:
        """Return the text of the file as a stream of bytes."""
        return path.open("rb")

    def read_bytes(self, path: Path, name: str, memory_limit: int) -> bytes:
        """Return all bytes of the text; stop if they need too much memory."""
        check_size(path, name, memory_limit)
        try:
            data = path.read_bytes()
        except OSError as error:
            raise unreadable(name, error) from error
        refuse_pointer(data, name)
        return data

    def read_source(self, dataset: Dataset) -> tuple[bytes, str]:
        """Return all bytes of the label file, to write them back, and its name for messages."""
        path = dataset.source.path
        assert path is not None
        return self.read_bytes(path, path.name, NO_LIMIT), path.name

    def read_head(self, path: Path, size: int) -> bytes:
        """Return the first bytes of the text."""
        with self.open(path) as file:
            return file.read(size)

    def count_lines(self, path: Path) -> int:
        """Return the number of lines; a cell that runs over two lines counts twice."""
        count, last = 0, b"\n"
        for block in self.read_blocks(path):
            count += block.count(b"\n")
            last = block[-1:]
        return count + (last != b"\n")

    def read_blocks(self, path: Path) -> Iterator[bytes]:
        """Yield the text in blocks that fit into memory."""
        with self.open(path) as file:
            while block := file.read(LINES_BLOCK_BYTES):
                yield block
