"""How much memory the columns of a Parquet file take once they are read.

The sizes in the footer are those of the file, in which a long text that occurs a million times may
be stored once. So text is measured with each value kept once, before it is read as text.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

VALUE_BYTES = {"BOOLEAN": 1, "INT32": 4, "INT64": 8, "INT96": 12, "FLOAT": 4, "DOUBLE": 8}
OFFSET_BYTES = 8  # where each text begins
BATCH_ROWS = 65_536
BUFFER_BYTES = 2**16  # read at a time where only the beginning of a column is needed
FEW_ROWS = 64  # where every occurrence of a value takes memory


def estimate_bytes(path: Path, columns: Collection[str], limit: int) -> int:
    """Return about how many bytes columns take when read; stops counting above the limit."""
    with pq.ParquetFile(path, pre_buffer=False, buffer_size=BUFFER_BYTES) as file:
        total, texts = _add_up(file, columns, limit)
    if not texts or total > limit:
        return total
    kept_once = {name for name, can_be in texts.items() if can_be}
    with pq.ParquetFile(path, read_dictionary=sorted(kept_once)) as file:
        for size in _measure(file, kept_once, set(texts) - kept_once):
            total += size
            if total > limit:
                break
    return total


def _add_up(
    file: pq.ParquetFile, columns: Collection[str], limit: int
) -> tuple[int, dict[str, bool]]:
    """Return the bytes that the footer states, and which columns of text have to be measured.

    Those are the columns that could exceed the limit if every value were as long as all together;
    for each, whether its values can be read with each kept once.
    """
    total, texts = 0, dict[str, bool]()
    for number in range(file.metadata.num_row_groups):
        # All columns are read first: pyarrow crashes when asked about a single one that a broken
        # footer describes wrongly.
        next(file.iter_batches(1, row_groups=[number], columns=list(columns)), None)
        group = file.metadata.row_group(number)
        for place in range(group.num_columns):
            chunk, path = group.column(place), file.schema.column(place).path
            name = path.split(".")[0]
            if name not in columns:
                continue
            stored, count = max(chunk.total_uncompressed_size, 0), max(chunk.num_values, 0)
            if chunk.physical_type in VALUE_BYTES:
                total += count * VALUE_BYTES[chunk.physical_type]
                continue
            total += count * OFFSET_BYTES
            if stored * count > limit and _may_repeat(chunk):
                texts[name] = texts.get(name, True) and path == name and not _is_delta(chunk)
            else:
                total += stored
    return total, texts


def _may_repeat(chunk: Any) -> bool:
    """Return whether a column may store a text only once although it occurs many times."""
    return chunk.has_dictionary_page or not set(chunk.encodings) <= {"PLAIN", "RLE", "BIT_PACKED"}


def _is_delta(chunk: Any) -> bool:
    return any(each.startswith("DELTA") for each in chunk.encodings)


def _measure(file: pq.ParquetFile, kept_once: set[str], others: set[str]) -> Iterator[int]:
    """Yield the bytes of texts, a batch at a time."""
    for names, rows in ((kept_once, BATCH_ROWS), (others, FEW_ROWS)):
        for batch in file.iter_batches(rows, columns=sorted(names)) if names else ():
            yield sum(_count_bytes(column) for column in batch.columns)


def _count_bytes(column: Any) -> int:
    """Return the bytes of the texts in a column, counted as often as they occur.

    >>> _count_bytes(pa.array(["abc", "abc", None, "d"]).dictionary_encode())
    7
    """
    if not pa.types.is_dictionary(column.type):
        return int(column.nbytes)
    lengths = pc.binary_length(column.dictionary)
    return int(pc.sum(pc.take(lengths, column.indices)).as_py() or 0)
