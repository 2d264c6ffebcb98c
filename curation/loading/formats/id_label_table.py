"""A CSV table of ids and labels, for labels that cannot be written back to their source."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Sequence
from typing import BinaryIO, ClassVar

from curation.dataset import Dataset
from curation.loading.formats.base import Format
from curation.loading.formats.csv_writing import csv_lines
from curation.loading.formats.edits import FLAG, Edits
from curation.loading.formats.label_reading_code import read_csv

LABEL = "label"  # the column of labels


class ExportedAsTable(Format):
    """Labels that cannot be written back where they were: the export is a table of ids and labels.

    Rows without a label are named by their number.
    """

    export_suffix: ClassVar[str | None] = ".csv"

    @property
    @abstractmethod
    def origin(self) -> str:
        """Return where the labels are, as the beginning of a sentence."""

    def rewrite(
        self, dataset: Dataset, edits: Edits, file: BinaryIO, *, spreadsheet_safe: bool
    ) -> int:
        count = dataset.num_source_rows
        ids = [str(row) for row in range(count)]
        return write_id_labels(dataset, ids, [""] * count, edits, file, safe=spreadsheet_safe)

    def reading_code(self, dataset: Dataset, name: str) -> list[str]:
        return read_csv(name, LABEL)


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
    yield ("id", LABEL, FLAG) if edits.flag else ("id", LABEL)
    for row, (each, text) in enumerate(zip(ids, texts, strict=True)):
        if edits.flag:
            yield each, text, "true" if row in out else "false"
        elif row not in out:
            yield each, text
