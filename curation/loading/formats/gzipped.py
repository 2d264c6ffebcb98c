"""CSV and JSON Lines files compressed with gzip, such as labels.csv.gz.

The content is read and written like a plain file. A gzip file can unpack to a thousand times its
size, so it is unpacked in blocks, and never beyond the memory limit.
"""

from __future__ import annotations

import gzip
import io
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO, ClassVar, cast

from curation.dataset import Dataset
from curation.loading.formats.base import TextFormat
from curation.loading.formats.csv import Csv
from curation.loading.formats.edits import Edits
from curation.loading.formats.file_faults import check_size, no_bytes, too_large, unreadable
from curation.loading.formats.jsonl import Jsonl
from curation.loading.report_builder import stop

BLOCK_BYTES = 2**22  # unpacked at a time
MAX_COUNTED_BYTES = 2**32  # unpacked; beyond it, lines are not counted
MAX_GROWTH = 1032  # gzip cannot unpack to more than this many times the size
MAGIC = b"\x1f\x8b"  # a gzip file begins with these bytes


class Gzipped(TextFormat):
    """Text inside a gzip file; must come before the text format in the list of bases."""

    def open(self, path: Path) -> BinaryIO:
        return cast(BinaryIO, gzip.open(path, "rb"))

    def read_bytes(self, path: Path, name: str, memory_limit: int) -> bytes:
        check_size(path, name, memory_limit)
        try:
            data = b"".join(self._unpack(path, name, memory_limit))
        except EOFError as error:
            raise _cut(name, path) from error
        except (OSError, zlib.error) as error:
            raise unreadable(name, error) from error
        if not data:
            raise no_bytes(name)
        return data

    def read_blocks(self, path: Path) -> Iterator[bytes]:
        return self._unpack(path, path.name, MAX_COUNTED_BYTES)

    def _unpack(self, path: Path, name: str, limit: int) -> Iterator[bytes]:
        """Yield the text in blocks; stop once it is longer than the limit."""
        _check_claimed_size(path, name, limit)
        total = 0
        with self.open(path) as file:
            while block := file.read(BLOCK_BYTES):
                total += len(block)
                if total > limit:
                    raise too_large(name, total, limit)
                yield block

    def rewrite(
        self, dataset: Dataset, edits: Edits, file: BinaryIO, *, spreadsheet_safe: bool
    ) -> int:
        path = dataset.source.path
        rewrite = super().rewrite  # type: ignore[safe-super]  # the next base is Csv or Jsonl
        if path is not None and edits.nothing and not spreadsheet_safe:
            file.write(path.read_bytes())
            return rewrite(dataset, edits, io.BytesIO(), spreadsheet_safe=False)
        # No name and no time in the header, so that the same labels give the same bytes.
        with gzip.GzipFile("", "wb", fileobj=file, mtime=0) as packed:
            inner = cast(BinaryIO, packed)
            return rewrite(dataset, edits, inner, spreadsheet_safe=spreadsheet_safe)


class GzippedCsv(Gzipped, Csv):
    """CSV or TSV, compressed."""

    name = "csv.gz"
    suffixes: ClassVar[tuple[str, ...]] = (".csv.gz", ".tsv.gz")


class GzippedJsonl(Gzipped, Jsonl):
    """JSON Lines, compressed."""

    name = "jsonl.gz"
    suffixes: ClassVar[tuple[str, ...]] = (".jsonl.gz", ".ndjson.gz")


def _check_claimed_size(path: Path, name: str, limit: int) -> None:
    """Stop before unpacking a file that states a size above the limit.

    The size at the end of the file may be wrong, and only counts up to 4 GB, so unpacking checks it
    too.
    """
    with path.open("rb") as file:
        is_gzip = file.read(2) == MAGIC
        file.seek(max(path.stat().st_size - 4, 0))
        claimed = int.from_bytes(file.read(4), "little")
    plausible = claimed <= MAX_GROWTH * path.stat().st_size  # a cut file may end in any bytes
    if is_gzip and plausible and claimed > limit:
        raise too_large(name, claimed, limit)


def _cut(name: str, path: Path) -> Exception:
    return stop(
        code="file.cut",
        where=name,
        what=f"the file is cut off: its {path.stat().st_size} bytes end before the compressed text "
        "does.",
        fix="Copy or save it again.",
        why="Findings from part of a file would be misleading.",
    )
