"""Writes probabilities with their classes and ids, completely or not at all."""

from __future__ import annotations

import errno
import json
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from curation.dataset import LabelledData
from curation.errors import InputError
from curation.loading.probs import made_probs
from curation.paths import PACKAGE, writable
from curation.whole_files import write_whole

_FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
MAX_SUM_ERROR = 0.01


def save_probs(
    dataset: LabelledData,
    pred_probs: Any,
    *,
    columns: Sequence[str] | None = None,
    out: str | os.PathLike[str] | None = None,
    made: Mapping[str, Any] | None = None,
) -> Path:
    """Save a model's probabilities where `load` finds them, and return the file.

    `pred_probs` has a row for each example of the dataset, in its order. `columns` names the class
    of each column, by name or id; without it they are in the order of `dataset.class_names`. The
    file holds ids and classes, so that `load` and `curate check` join rows and columns by name.
    It is written next to the data, or to the user's data folder if that is read-only. `made` is
    kept as it is, as JSON.

        data = curation.load_labelled("photos")
        curation.save_probs(data, probs, columns=["cat", "dog"])
    """
    matrix = _check_matrix(dataset, pred_probs)
    names = _check_columns(dataset, columns, matrix.shape[1])
    place = Path(out) if out is not None else find_place(dataset)
    if place.suffix != ".npz":
        raise InputError(f"{place.name} does not end in .npz.", "Choose a name that does.")
    ids = dataset.ids.astype(str)
    if np.array_equal(ids, dataset.source_rows.astype(str)):  # without ids, rows go by position
        matrix, ids = _spread(dataset, matrix)
    arrays = {
        made_probs.MATRIX: matrix,
        made_probs.COLUMNS: np.array(names, dtype=str),
        made_probs.IDS: ids,
        made_probs.MADE: np.array(json.dumps(dict(made or {}))),
    }
    _write(place, arrays)
    return place


def find_place(data: LabelledData) -> Path:
    """Return where the probabilities of a dataset are saved."""
    label_file = data.named_labels
    inside_package = data.root.resolve().is_relative_to(PACKAGE)  # an upgrade would delete it
    if writable(data.root) and not inside_package:
        return data.root / made_probs.name_made(label_file)
    return made_probs.personal_place(data.root, label_file)


def _check_matrix(data: LabelledData, pred_probs: Any) -> Any:
    matrix = np.asarray(pred_probs)
    if matrix.ndim != 2 or matrix.dtype.kind not in "fiu" or len(matrix) != len(data):
        raise InputError(
            f"Probabilities of shape {matrix.shape} do not fit {len(data):,} examples and "
            f"{len(data.class_names)} classes.",
            "Pass one row per example, in the order of the dataset, and one column per class.",
        )
    off = np.abs(matrix.sum(axis=1, dtype=np.float64) - 1)
    if not np.isfinite(matrix).all() or (matrix < 0).any() or (off > MAX_SUM_ERROR).any():
        row = int(np.argmax(~(off <= MAX_SUM_ERROR) | (matrix < 0).any(axis=1)))
        raise InputError(
            f"Row {row} ({data.ids[row]}) is not a row of probabilities: it adds up to "
            f"{matrix[row].sum():.3g}.",
            "Pass them after softmax: no number below 0, and each row adds up to 1.",
        )
    return matrix.astype(np.float32)


def _check_columns(data: LabelledData, columns: Sequence[str] | None, wide: int) -> list[str]:
    names = list(data.class_ids if columns is None else map(str, columns))
    right = sorted(names) in (sorted(data.class_ids), sorted(data.class_names))
    if len(names) != wide or not right:
        missing = sorted(set(data.class_names) - set(names))[:5]
        raise InputError(
            f"{wide} columns named {', '.join(names[:5])} do not fit the {len(data.class_names)} "
            f"classes" + (f": {', '.join(missing)} are missing." if missing else "."),
            "Name each class once, in the order of the columns.",
        )
    return names


def _spread(data: LabelledData, matrix: Any) -> tuple[Any, Any]:
    """Return a row for each row of the label file; those without a label get equal chances."""
    whole = np.full((data.num_source_rows, matrix.shape[1]), 1 / matrix.shape[1], np.float32)
    whole[data.source_rows] = matrix
    return whole, np.arange(data.num_source_rows).astype(str)


def _write(place: Path, arrays: Mapping[str, Any]) -> None:
    try:
        with write_whole(place, durable=True) as file:
            np.savez(file, allow_pickle=False, **arrays)
    except OSError as error:
        why = "the disk is full" if error.errno in _FULL else error.strerror or str(error)
        raise InputError(
            f"The probabilities were NOT saved: {place} cannot be written ({why}).",
            "Make room or choose another file. What was computed is kept and used the next time.",
        ) from error
