"""The cleaned labels: the user's own file in its own format, with only what was decided changed."""

from __future__ import annotations

from typing import BinaryIO

import numpy as np
from numpy.typing import NDArray

from curation.core.matrix import BoolArray
from curation.dataset import Dataset
from curation.errors import InputError
from curation.loading.formats import csv_write, jsonl_write, npy_write, parquet_write
from curation.loading.formats.class_folders import list_class_folders
from curation.loading.formats.npy import open_npz, read_member
from curation.loading.labels.examples import read_stamp
from curation.loading.report_builder import ReportBuilder, Stop
from curation.review.cleaning_plan import Plan


def cleaned_name(dataset: Dataset) -> str:
    """Return what the file of cleaned labels is called."""
    source = dataset.source
    own = source.path is not None and source.format != "npz"
    return "cleaned_labels" + (source.path.suffix.lower() if own and source.path else ".csv")


def check_unchanged(dataset: Dataset) -> None:
    """Stop if the label file is not as it was when the dataset was loaded."""
    source = dataset.source
    if source.path is None or source.stamp is None:
        return
    if read_stamp(*source.paths) != source.stamp:
        raise InputError(
            f"{source.called} was changed, moved or deleted since the dataset was loaded.",
            "Load the dataset again, look at the decisions that still fit, and export then.",
        )


def write_labels(plan: Plan, file: BinaryIO) -> int:
    """Write the cleaned labels, and return how many rows the label file has."""
    source, edits, safe = plan.dataset.source, plan.edits, plan.settings.spreadsheet_safe
    path = source.path
    if path is None or source.format == "npz":
        return _write_table(plan, file)
    if source.format == "csv":
        return csv_write.rewrite_delimited(path, source, edits, file, spreadsheet_safe=safe)
    if source.format == "jsonl":
        return jsonl_write.rewrite_jsonl(path, source, edits, file)
    if source.format == "parquet":
        return parquet_write.rewrite_parquet(source, edits, file)
    return npy_write.rewrite_npy(path, edits, file, plan.dataset.label_values)


def _write_table(plan: Plan, file: BinaryIO) -> int:
    """Write ids and labels of an archive or of folders, rows without a label included."""
    dataset = plan.dataset
    ids, texts = _archived(dataset) if dataset.source.path else _in_folders(dataset)
    out = np.zeros(len(ids), bool)
    out[plan.edits.out] = True
    for row, text in zip(plan.edits.rows.tolist(), plan.edits.new, strict=True):
        texts[row] = text
    npy_write.write_pairs(
        ids,
        texts,
        out,
        file,
        flag=plan.edits.flag,
        spreadsheet_safe=plan.settings.spreadsheet_safe,
    )
    return len(ids)


def _archived(dataset: Dataset) -> tuple[NDArray[np.object_], list[str]]:
    path, key = dataset.source.path, dataset.source.label_column or "labels"
    assert path is not None
    try:
        headers = open_npz(path, path.name, memory_limit=2**62)
        labels = read_member(path, path.name, key)
        ids = read_member(path, path.name, "ids") if "ids" in headers else np.arange(len(labels))
    except Stop as error:
        raise InputError(error.diagnosis.what, error.diagnosis.fix) from error
    values = labels if labels.ndim == 1 else labels.reshape(len(labels), -1)[:, 0]
    texts = [str(each) for each in values.tolist()]
    names = np.array([str(each) for each in ids.tolist()], dtype=object)
    return _with_known(dataset, names, texts)


def _in_folders(dataset: Dataset) -> tuple[NDArray[np.object_], list[str]]:
    names, texts = list_class_folders(
        dataset.root, dataset.settings.get("labels", "."), ReportBuilder()
    )
    ids = np.array(names, dtype=object)
    rows = dataset.source_rows
    if len(ids) <= rows[-1] or (ids[rows] != dataset.ids).any():
        raise InputError(
            "The files in the class folders changed since the dataset was loaded.",
            "Load the dataset again, and export then.",
        )
    return _with_known(dataset, ids, texts)


def _with_known(
    dataset: Dataset, ids: NDArray[np.object_], texts: list[str]
) -> tuple[NDArray[np.object_], list[str]]:
    ids[dataset.source_rows] = dataset.ids
    for row, label in zip(dataset.source_rows.tolist(), dataset.labels.tolist(), strict=True):
        texts[row] = dataset.label_values[label]
    return ids, texts


def keep_mask(plan: Plan, num_rows: int) -> BoolArray:
    """Return which rows of the label file stay; rows without a label always do."""
    keep = np.ones(num_rows, bool)
    keep[plan.dataset.source_rows[np.flatnonzero(plan.out)]] = False
    return keep
