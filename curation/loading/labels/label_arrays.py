"""Arrays of labels as cells: one dimension, one column, or one-hot rows."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from curation.loading.formats.base import Array
from curation.loading.formats.npy import text_array
from curation.loading.labels.label_cells import Cells
from curation.loading.labels.label_columns import can_be_labels
from curation.loading.overrides import Options
from curation.loading.report_builder import ReportBuilder, Stop, stop


def cells_of_array(array: Array, where: str, options: Options, report: ReportBuilder) -> Cells:
    """Return an array of labels as text; one-hot labels only if a person agreed."""
    _refuse_unreadable(array, where)
    if array.ndim == 2 and array.shape[1] > 1:
        array = _one_hot(array, where, options.labels_are == "onehot")
    if array.ndim == 2:
        array = _take_column(array, where, report)
    if array.ndim != 1:
        raise stop(
            code="labels.shape",
            where=where,
            what=f"the labels have shape {array.shape}.",
            fix="Save one label for each example.",
            why="Each example needs one label.",
        )
    if array.dtype.kind == "f":
        return Cells(pa.chunked_array([_float_cells(array)]), "float", where)
    if array.dtype.kind in "US":
        return Cells(text_array(array, where), "text", where)
    if array.dtype.kind == "b":
        _report_booleans(array, where, report)
    return Cells(_integer_cells(array), "boolean" if array.dtype.kind == "b" else "integer", where)


def _refuse_unreadable(array: Array, where: str) -> None:
    if array.size == 0:
        raise stop(
            code="labels.no_rows",
            where=where,
            what="it holds no labels (0 rows).",
            fix="Save it again.",
            why="There is nothing to check.",
        )
    if array.dtype.kind not in "iubfUS":
        raise stop(
            code="labels.type",
            where=where,
            what=f"labels of type {array.dtype} cannot be read.",
            fix="Save integers.",
            why="A label is a word or a whole number.",
        )


def _take_column(array: Array, where: str, report: ReportBuilder) -> Array:
    """Return the only column of a matrix, and report that it is read as labels."""
    report.add_auto_fix(
        code="labels.column",
        where=where,
        what=f"a column of shape {array.shape} is read as labels.",
        fix="If these are not the labels, name the right file as labels in curation.toml.",
        why="Labels should have one dimension; a single column means the same.",
        count=len(array),
    )
    return array[:, 0]


def _report_booleans(array: Array, where: str, report: ReportBuilder) -> None:
    report.add_auto_fix(
        code="labels.boolean",
        where=where,
        what="false and true are read as 0 and 1.",
        fix="If true means the first column, save the labels as numbers, with true as 0.",
        why="Labels are column indices, and the columns are counted from 0.",
        count=len(array),
    )


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


@np.errstate(all="ignore")  # NaN becomes a missing cell
def _float_cells(array: Array) -> pa.Array:
    values, places = np.unique(np.asarray(array, dtype=np.float64), return_inverse=True)
    texts = [None if value != value else repr(float(value)) for value in values]
    return pc.take(pa.array(texts, pa.string()), pa.array(places.reshape(-1)))


@np.errstate(all="ignore")  # NaN is neither 0 nor 1
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
            fix='Pass labels_are="onehot" to use the column that is 1.',
            why="Columns of 0 and 1 may also mean several labels per example.",
            count=len(array),
            override={"labels_are": "onehot"},
        )
    raise stop(
        code="labels.lists",
        where=where,
        what=f"labels have shape {array.shape}: multi-label is not supported yet.",
        fix="Keep one label for each example.",
        why="Confident learning assumes one given label and one true label per example.",
    )
