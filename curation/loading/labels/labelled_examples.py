"""The examples as the label file lists them: labels, ids, and the columns next to them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from curation.core.matrix import IntArray
from curation.dataset import LabelSource, read_stamp
from curation.loading.content.picture_arrays import find_picture_array
from curation.loading.dataset_parts import Parts
from curation.loading.formats.base import Array, TableFile
from curation.loading.formats.class_folders import list_class_folders
from curation.loading.formats.npy import Header, read_npy, text_array
from curation.loading.formats.npz import open_npz, read_member
from curation.loading.formats.number_columns import note_row_numbers
from curation.loading.formats.registry import count_rows, is_archive, is_array, read_table
from curation.loading.formats.table import Table
from curation.loading.formats.table_shards import read_shards
from curation.loading.labels.annotation_rows import read_annotation_rows
from curation.loading.labels.annotators import MAJORITY_COLUMN, take_majority
from curation.loading.labels.column_names import check_named_column
from curation.loading.labels.content_columns import find_image_column, find_text_column
from curation.loading.labels.label_arrays import cells_of_array, plain_labels
from curation.loading.labels.label_cells import Cells
from curation.loading.labels.label_column_choice import choose_label_column
from curation.loading.labels.label_lists import unwrap_labels
from curation.loading.labels.onehot_columns import read_onehot_columns
from curation.loading.labels.rejected_labels import warn_of_rejected
from curation.loading.labels.rival_labels import settle_label_arrays
from curation.loading.overrides import Options
from curation.loading.report_builder import ReportBuilder, Stop, list_few, stop
from curation.loading.row_keys import Keys, archive_keys, table_keys
from curation.loading.vocabulary import (
    ID_STEMS,
    LABEL_ARRAYS,
    NAME_ARRAYS,
    TRUE_COLUMNS,
    find_column,
    find_id_column,
)


@dataclass(frozen=True)
class Examples:
    """One label file, column by column; None for a part that it does not have."""

    cells: Cells
    source: LabelSource
    ids: pa.ChunkedArray | None = None
    table: Table | None = None
    image_column: str | None = None
    text_column: str | None = None
    files: Sequence[str] | None = None  # one folder per class: the file of each example
    images: Array | None = None  # of an .npz archive
    class_names: tuple[str, ...] | None = None  # stored in the file itself
    true_cells: Cells | None = None
    other_columns: tuple[str, ...] = field(default=())
    ids_were_named: bool = False  # a person named the id column
    inner_keys: Keys | None = None  # of an .npz, or in an array next to the labels

    def __len__(self) -> int:
        return len(self.cells.values)

    @property
    def keys(self) -> Keys:
        """Return the keys that join these rows to the rows of other files."""
        if self.inner_keys is not None:
            return self.inner_keys
        if self.table is not None:
            label, name = self.source.label_column, self.source.id_column
            taken = tuple(c for c in (label, self.text_column) if c is not None and c != name)
            keys = table_keys(self.table, taken, name)
            return replace(keys, ids_were_named=self.ids_were_named, label=label, apart=frozenset())
        files = self.ids if self.files is not None else None
        return Keys(self.ids, files, self.cells.where)


def read_examples(parts: Parts, options: Options, report: ReportBuilder) -> Examples:
    """Return the examples of a dataset, from a table, an array, an archive or folders."""
    if parts.labels is None:
        return _from_folders(parts, report)
    names = parts.label_files
    paths = [parts.path(name) for name in names]
    stamp = read_stamp(*paths)  # before reading, so that a later change is noticed
    if len(paths) == 1:
        options = replace(options, sheet=parts.sheet)
        examples = _read_with_header(paths[0], names[0], parts, options, report)
    else:
        table = read_shards(
            paths, names, report, memory_limit=options.memory_limit, encoding=options.encoding,
            delimiter=options.delimiter, no_header=bool(options.no_header),
        )  # fmt: skip
        report.add_auto_fix(
            code="labels.shards",
            where=parts.labels,
            what=f"{len(paths)} shards are read as one table.",
            fix="If they are not parts of one table, name the right file as labels in "
            "curation.toml.",
            why="The rows of the shards follow one another, in the order of the shards.",
            count=len(paths),
        )
        examples = _from_table(table, options, report)
    return replace(examples, source=replace(examples.source, stamp=stamp, more=tuple(paths[1:])))


def _read_with_header(
    path: Path, name: str, parts: Parts, options: Options, report: ReportBuilder
) -> Examples:
    """Return the examples of a file, without a header if its number of rows shows that."""
    with_header = ReportBuilder()
    try:
        examples = read_label_file(path, name, options, with_header)
        report.add_all(with_header)
        return examples
    except Stop as stopped:
        missing = stopped.diagnosis.override == {"no_header": True}
        if not missing or options.no_header is not None:
            raise
        probs = [count_rows(parts.path(each)) for each in parts.probs]
        lines = count_rows(path)  # without the first
        if not probs or lines is None or None in probs or lines + 1 != sum(p or 0 for p in probs):
            raise
    report.add_auto_fix(
        code="table.no_header",
        where=name,
        what="its first line is read as a row: the probabilities have as many rows as the file "
        "has lines.",
        fix="If the first line holds names, write others, such as id,label.",
        why="Otherwise the first example would be read as names, and lost.",
    )
    return read_label_file(path, name, replace(options, no_header=True), report)


def read_label_file(path: Path, name: str, options: Options, report: ReportBuilder) -> Examples:
    """Return the examples that one file lists."""
    if is_array(path.name):
        array = read_npy(path, name, memory_limit=options.memory_limit)
        cells = cells_of_array(array, name, options, report)
        return Examples(cells, LabelSource(path, "npy", label_kind=cells.kind))
    if is_archive(path.name):
        return _from_archive(path, name, options, report)
    file = TableFile(
        path, name, options.memory_limit, options.encoding, options.delimiter,
        sheet=options.sheet, no_header=bool(options.no_header),
    )  # fmt: skip
    return _from_table(read_table(file, report), options, report)


def _from_table(table: Table, options: Options, report: ReportBuilder) -> Examples:
    if options.id_column is None:
        note_row_numbers(table.data.column_names, table.text, table.name, report)
    table, label = _find_labels(table, options, report)
    cells = cells_of_column(table, label)
    ids = check_named_column(table, options.id_column, "id_column")
    if ids is None:
        ids = find_id_column([c for c in table.data.column_names if c != label])
    image = check_named_column(table, options.image_column, "image_column")
    image = image or find_image_column(table)
    text = check_named_column(table, options.text_column, "text_column")
    text = text or find_text_column(table, label, report)
    check_named_column(table, options.title_column, "title_column")
    true = find_column([c for c in table.data.column_names if c != label], TRUE_COLUMNS)
    source = LabelSource(
        table.path, table.format, label, ids, table.encoding, table.delimiter, table.bom, cells.kind
    )
    used = {label, ids, image, text, true}
    return Examples(
        cells,
        source,
        ids=None if ids is None else table.text(ids),
        table=table,
        image_column=image,
        text_column=text,
        class_names=table.class_names.get(label),
        true_cells=None if true is None else cells_of_column(table, true),
        other_columns=tuple(c for c in table.data.column_names if c not in used),
        ids_were_named=options.id_column is not None,
    )


def _find_labels(table: Table, options: Options, report: ReportBuilder) -> tuple[Table, str]:
    """Return the table with one row per example, and its column of labels."""
    table = read_annotation_rows(table, report)
    if options.label_column is None and options.majority_of is None:
        table = read_onehot_columns(table, agreed=options.labels_are == "onehot")
    warn_of_rejected(table, options.label_column, report)
    if options.majority_of is None:
        return table, choose_label_column(table, options.label_column, report)
    for column in options.majority_of:
        check_named_column(table, column, "majority_of")
    return take_majority(table, options.majority_of, report), MAJORITY_COLUMN


def cells_of_column(table: Table, column: str) -> Cells:
    """Return a column of labels as text."""
    where = f"{table.name}, column {column!r}"
    kind = table.kind(column) if column in table.data.column_names else "other"
    if kind == "list":
        return Cells(*unwrap_labels(table, column, where), where)
    if kind == "other":
        raise stop(
            code="labels.type",
            where=where,
            what="the cells are neither text nor numbers.",
            fix="Choose another column.",
            why="A label is a word or a whole number.",
        )
    return Cells(table.text(column), kind, where)


def _from_archive(path: Path, name: str, options: Options, report: ReportBuilder) -> Examples:
    headers = open_npz(path, name, memory_limit=options.memory_limit)
    key = choose_label_array(name, headers, options.label_column, report)

    def member(each: str) -> Any:
        return read_member(path, name, each) if each in headers else None

    cells = cells_of_array(member(key), f"{name}, array {key!r}", options, report)
    if options.label_column is None:
        rank = {name: place for place, name in enumerate(LABEL_ARRAYS)}
        others = [k for k in headers if k.lower() in rank and k != key]
        others.sort(key=lambda each: rank[each.lower()])
        arrays = {k: found for k in others if (found := plain_labels(member(k))) is not None}
        settle_label_arrays(name, key, cells.values, arrays, report)
    true, names = (member(k) for k in ("true_labels", "class_names"))
    pictures = find_picture_array(headers, len(cells.values), options.image_column)
    images = None if pictures is None else member(pictures)
    keys = archive_keys(path, name, headers)
    return Examples(
        cells,
        LabelSource(path, "npz", key, label_kind=cells.kind),
        ids=keys.ids,
        inner_keys=keys,
        images=images,
        class_names=None
        if names is None
        else tuple(text_array(names, f"{name}, array 'class_names'").to_pylist()),
        true_cells=None
        if true is None
        else cells_of_array(true, f"{name}, array 'true_labels'", options, ReportBuilder()),
    )


def choose_label_array(
    name: str, headers: Mapping[str, Header], named: str | None, report: ReportBuilder
) -> str:
    """Return the array of labels: the one named, a usual name, or the only one that fits."""
    flat = [k for k, h in headers.items() if _is_flat(h) and h.dtype.kind in "iubUS"]
    flat = [k for k in flat if k.lower() not in {*ID_STEMS, *NAME_ARRAYS}]
    lower = {key.lower(): key for key in reversed(list(headers))}
    known = [lower[each] for each in LABEL_ARRAYS if each in lower]
    if named in headers and named is not None:
        return named
    if named is None and known:
        return known[0]
    if named is None and len(flat) == 1:
        report.add_auto_fix(
            code="npz.label_arrays",
            where=name,
            what=f"array {flat[0]!r} is read as the labels: no other can be.",
            fix="If it holds something else, save the labels under the name labels.",
            why="Only its shape and its type show what it is.",
        )
        return flat[0]
    raise stop(
        code="npz.no_labels",
        where=name,
        what=f"it is unclear which array holds the labels; there are {list_few(headers, most=12)}.",
        fix="Save it under the name labels, or name it as label_column in curation.toml.",
        why="With another array as the labels, every finding would be wrong.",
        override={"label_column": flat[0]} if flat else {},
        choices=[{"label_column": each} for each in flat],
    )


def _is_flat(header: Header) -> bool:
    """Return whether an array has one value per example, in one dimension or in one column."""
    return len(header.shape) == 1 or (len(header.shape) == 2 and header.shape[1] == 1)


def _from_folders(parts: Parts, report: ReportBuilder) -> Examples:
    files, labels = list_class_folders(parts.root, parts.folders or ".", report)
    cells = Cells(pa.chunked_array([pa.array(labels, pa.string())]), "text", "folder names")
    ids = pa.chunked_array([pa.array(files, pa.string())])
    return Examples(cells, LabelSource(None, "folders"), ids=ids, files=files)


def name_examples(examples: Examples, keep: IntArray) -> NDArray[np.object_]:
    """Return the ids of the examples that are kept; without ids, their row numbers."""
    if examples.ids is None:
        return np.array(list(map(str, keep.tolist())), dtype=object)
    ids: NDArray[np.object_] = examples.ids.to_numpy()
    return np.asarray(ids[keep] if len(keep) < len(ids) else ids, dtype=object)
