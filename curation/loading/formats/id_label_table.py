"""A CSV table of ids and labels, for labels that cannot be written back to their source."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import BinaryIO

from curation.dataset import Dataset
from curation.loading.formats.csv_writing import csv_lines
from curation.loading.formats.edits import FLAG, Edits


def write_id_labels(
    dataset: Dataset,
    ids: Sequence[str],
    texts: Sequence[str],
    edits: Edits,
    file: BinaryIO,
    *,
    safe: bool,
) -> int:
    """Write ids and labels with their edits, and return the number of rows.

    `ids` and `texts` list every row, including those without a label. For rows that are in the
    dataset, its id and label are used.
    """
    ids, texts = list(ids), list(texts)
    examples = zip(dataset.source_rows.tolist(), dataset.ids, dataset.labels.tolist(), strict=True)
    for row, each, label in examples:
        ids[row], texts[row] = str(each), dataset.label_values[label]
    for row, text in zip(edits.rows.tolist(), edits.new, strict=True):
        texts[row] = text
    file.writelines(csv_lines(_rows(ids, texts, edits), safe=safe))
    return len(ids)


def _rows(ids: Sequence[str], texts: Sequence[str], edits: Edits) -> Iterator[Sequence[str]]:
    out = set(edits.out.tolist())
    yield ("id", "label", FLAG) if edits.flag else ("id", "label")
    for row, (each, text) in enumerate(zip(ids, texts, strict=True)):
        if edits.flag:
            yield each, text, "true" if row in out else "false"
        elif row not in out:
            yield each, text
