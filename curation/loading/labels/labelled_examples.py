"""The examples as the label file lists them: labels, ids, and the columns next to them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from curation.core.matrix import IntArray
from curation.dataset import LabelSource
from curation.loading.formats.base import Array
from curation.loading.formats.class_folders import list_class_folders
from curation.loading.formats.npy import open_npy, text_array
from curation.loading.formats.npz import open_npz, read_member
from curation.loading.formats.number_columns import note_row_numbers
from curation.loading.formats.parquet import read_shards
from curation.loading.formats.registry import is_archive, is_array, read_table
from curation.loading.formats.table import Table
from curation.loading.labels.example_columns import (
    can_be_labels,
    check_asked_column,
    choose_label_column,
    find_column,
    find_image_column,
    find_text_column,
    settle_label_arrays,
    warn_of_rejected,
)
from curation.loading.labels.label_cells import Cells
from curation.loading.overrides import Options
from curation.loading.parts import Parts
from curation.loading.report_builder import ReportBuilder, Stop, list_few, stop
from curation.loading.row_keys import Keys, archive_keys, table_keys
from curation.loading.vocabulary import (
    LABEL_ARRAYS,
    TRUE_COLUMNS,
    find_id_column,
)


@dataclass(frozen=True)
class Examples:
    """One label file, column by column; what is None was not there."""

    cells: Cells
    source: LabelSource
    ids: pa.ChunkedArray | None = None
    table: Table | None = None
    image_column: str | None = None
    text_column: str | None = None
    files: Sequence[str] | None = None  # one folder per class: the file of each example
    images: Array | None = None  # in an .npz
    class_names: tuple[str, ...] | None = None  # that came inside the file
    true_cells: Cells | None = None
    other_columns: tuple[str, ...] = field(default=())
    asked_ids: bool = False  # a person said which column the ids are
    inner_keys: Keys | None = None  # of an .npz, or in an array next to the labels

    def __len__(self) -> int:
        return len(self.cells.values)

    @property
    def keys(self) -> Keys:
        """Return what rows can be joined to those of other files by."""
        if self.inner_keys is not None:
            return self.inner_keys
        if self.table is not None:
            label, name = self.source.label_column, self.source.id_column
            taken = tuple(c for c in (label, self.text_column) if c and c != name)
            keys = table_keys(self.table, taken, name)
            return replace(keys, asked=self.asked_ids, label=label, apart=frozenset())
        files = self.ids if self.files is not None else None
        return Keys(self.ids, files, self.cells.where)


def read_examples(parts: Parts, options: Options, report: ReportBuilder) -> Examples:
    """Return the examples of a dataset, from a table, an array, an archive or folders."""
    if parts.labels is None:
        return _from_folders(parts, report)
    names = parts.label_files
    paths = [parts.path(name) for name in names]
    stamp = read_stamp(*paths)  # before they are read: what changes them afterwards is noticed
    if len(paths) == 1:
        examples = read_label_file(paths[0], names[0], options, report)
    else:
        table = read_shards(paths, names, memory_limit=options.memory_limit)
        report.add_auto_fix(
            code="labels.shards",
            where=parts.labels,
            what=f"{len(paths)} shards are read as one table.",
            fix="If they are not parts of one table, name the right file as labels in "
            "curation.toml.",
            why="Their rows are taken for the examples one after the other, in the shards' order.",
            count=len(paths),
        )
        examples = _from_table(table, options, report)
    return replace(examples, source=replace(examples.source, stamp=stamp, more=tuple(paths[1:])))


def read_stamp(*paths: Path) -> tuple[int, int] | None:
    """Return the size and the time of change of files, added up; None if one cannot be asked."""
    try:
        found = [path.stat() for path in paths]
    except OSError:
        return None
    return sum(each.st_size for each in found), sum(each.st_mtime_ns for each in found)


def read_label_file(path: Path, name: str, options: Options, report: ReportBuilder) -> Examples:
    """Return the examples that one file lists."""
    if is_array(path.name):
        cells = cells_of_array(open_npy(path, name), name, options, report)
        return Examples(cells, LabelSource(path, "npy", label_kind=cells.kind))
    if is_archive(path.name):
        return _from_archive(path, name, options, report)
    table = read_table(
        path,
        name,
        report,
        encoding=options.encoding,
        delimiter=options.delimiter,
        memory_limit=options.memory_limit,
    )
    return _from_table(table, options, report)


def _from_table(table: Table, options: Options, report: ReportBuilder) -> Examples:
    note_row_numbers(table.data.column_names, table.text, table.name, report)
    warn_of_rejected(table, report)
    label = choose_label_column(table, options.label_column, report)
    cells = cells_of_column(table, label)
    ids = check_asked_column(table, options.id_column, "id_column")
    ids = ids or find_id_column([c for c in table.data.column_names if c != label])
    image = check_asked_column(table, options.image_column, "image_column") or find_image_column(
        table
    )
    text = check_asked_column(table, options.text_column, "text_column") or find_text_column(
        table, label
    )
    true = find_column(table.data.column_names, TRUE_COLUMNS)
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
        asked_ids=options.id_column is not None,
    )


def cells_of_column(table: Table, column: str) -> Cells:
    """Return a column of labels as text."""
    where = f"{table.name}, column {column!r}"
    kind = table.kind(column) if column in table.data.column_names else "other"
    if kind == "list":
        raise stop(
            code="labels.lists",
            where=where,
            what="the labels are lists: multi-label is not supported yet.",
            fix="Keep one label for each example.",
            why="Confident learning compares one given label with one true one.",
        )
    if kind == "other":
        raise stop(
            code="labels.type",
            where=where,
            what="the cells are neither text nor numbers.",
            fix="Choose another column.",
            why="A label is a word or a whole number.",
        )
    return Cells(table.text(column), kind, where)


def cells_of_array(array: Array, where: str, options: Options, report: ReportBuilder) -> Cells:
    """Return an array of labels as text; one dimension, or one column, or one-hot if agreed."""
    if array.size == 0:
        raise stop(
            code="labels.no_rows",
            where=where,
            what="it holds no labels (0 rows).",
            fix="Save it again.",
            why="There is nothing to judge.",
        )
    if array.dtype.kind not in "iubfUS":
        raise stop(
            code="labels.type",
            where=where,
            what=f"labels of type {array.dtype} are not read.",
            fix="Save integers.",
            why="A label is a word or a whole number.",
        )
    if array.ndim == 2 and array.shape[1] > 1:
        array = _one_hot(array, where, options.labels_are == "onehot")
    if array.ndim == 2:
        report.add_auto_fix(
            code="labels.column",
            where=where,
            what=f"a column of shape {array.shape} is read as labels.",
            fix="If these are not the labels, name the right file as labels in curation.toml.",
            why="Labels have one dimension; a column of them means the same.",
            count=len(array),
        )
        array = array[:, 0]
    if array.ndim != 1:
        raise stop(
            code="labels.shape",
            where=where,
            what=f"labels have shape {array.shape}.",
            fix="Save one for each example.",
            why="Each example needs one label.",
        )
    if array.dtype.kind == "f":
        return Cells(pa.chunked_array([_float_cells(array)]), "float", where)
    if array.dtype.kind in "US":
        return Cells(text_array(array, where), "text", where)
    if array.dtype.kind == "b":
        report.add_auto_fix(
            code="labels.boolean",
            where=where,
            what="false and true are read as 0 and 1.",
            fix="If true is the first column, save the labels as 0 and 1 the other way round.",
            why="Labels number the columns, and the columns are counted from 0.",
            count=len(array),
        )
    return Cells(_integer_cells(array), "boolean" if array.dtype.kind == "b" else "integer", where)


def plain_labels(array: Array) -> pa.ChunkedArray | None:
    """Return an array that could be labels as text; None if it holds anything else."""
    try:
        cells = cells_of_array(array, "", Options(labels_are="onehot"), ReportBuilder())
    except Stop:
        return None
    return cells.values if can_be_labels(cells.values) else None


def _integer_cells(array: Array) -> pa.ChunkedArray:
    values, places = np.unique(np.asarray(array), return_inverse=True)
    texts = pa.array([str(int(value)) for value in values], pa.string())
    return pa.chunked_array([pc.take(texts, pa.array(places.reshape(-1)))])


@np.errstate(all="ignore")  # what is no number becomes a missing cell
def _float_cells(array: Array) -> pa.Array:
    values, places = np.unique(np.asarray(array, dtype=np.float64), return_inverse=True)
    texts = [None if value != value else repr(float(value)) for value in values]
    return pc.take(pa.array(texts, pa.string()), pa.array(places.reshape(-1)))


@np.errstate(all="ignore")  # what is no number is neither 0 nor 1
def _one_hot(array: Array, where: str, agreed: bool) -> Array:
    numeric = array.dtype.kind in "iubf"
    one_hot = numeric and bool(
        ((array == 0) | (array == 1)).all() and (array.sum(axis=1) == 1).all()
    )
    if one_hot and agreed:
        return np.asarray(array.argmax(axis=1))
    if one_hot:
        raise stop(
            code="labels.onehot",
            where=where,
            what=f"the labels are one-hot, of shape {array.shape}.",
            fix='Pass labels_are="onehot" to take the column that is 1.',
            why="Columns of 0 and 1 may also be several labels for each example.",
            count=len(array),
            override={"labels_are": "onehot"},
        )
    raise stop(
        code="labels.lists",
        where=where,
        what=f"labels have shape {array.shape}: multi-label is not supported yet.",
        fix="Keep one label for each example.",
        why="Confident learning compares one given label with one true one.",
    )


def _from_archive(path: Path, name: str, options: Options, report: ReportBuilder) -> Examples:
    headers = open_npz(path, name, memory_limit=options.memory_limit)
    key = options.label_column or next((k for k in LABEL_ARRAYS if k in headers), None)
    if key is None or key not in headers:
        raise stop(
            code="npz.no_labels",
            where=name,
            what=f"which array holds the labels? It has {list_few(headers)}.",
            fix="Save it under the name labels, or name it as label_column in curation.toml.",
            why="Another array taken for the labels would give wrong findings.",
        )

    def member(each: str) -> Any:
        return read_member(path, name, each) if each in headers else None

    cells = cells_of_array(member(key), f"{name}, array {key!r}", options, report)
    if options.label_column is None:
        others = [k for k in LABEL_ARRAYS if k in headers and k != key]
        arrays = {k: found for k in others if (found := plain_labels(member(k))) is not None}
        settle_label_arrays(name, key, cells.values, arrays, report)
    true, images, names = (member(k) for k in ("true_labels", "images", "class_names"))
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


def _from_folders(parts: Parts, report: ReportBuilder) -> Examples:
    files, labels = list_class_folders(parts.root, parts.folders or ".", report)
    cells = Cells(pa.chunked_array([pa.array(labels, pa.string())]), "text", "folder names")
    ids = pa.chunked_array([pa.array(files, pa.string())])
    return Examples(cells, LabelSource(None, "folders"), ids=ids, files=files)


def name_examples(examples: Examples, keep: IntArray) -> NDArray[np.object_]:
    """Return the ids of the examples that stay; where there are none, their row numbers."""
    if examples.ids is None:
        return np.array([str(row) for row in keep.tolist()], dtype=object)
    ids: NDArray[np.object_] = examples.ids.to_numpy()
    return np.asarray(ids[keep] if len(keep) < len(ids) else ids, dtype=object)
