"""What a model learns from: texts, embeddings, pictures or the other columns of a table."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

import numpy as np

from curation.core.matrix import BoolArray, IntArray, ShareDone
from curation.dataset import LabelledData
from curation.errors import ContentError, InputError
from curation.loading.content.feature_file import find_feature_file
from curation.loading.formats.npy import open_npy
from curation.loading.report_builder import Stop
from curation.modelling.folds import join_units, number_values
from curation.modelling.picture_features import WEAK, describe_pictures
from curation.modelling.table_features import choose_columns, make_table
from curation.modelling.text_features import count_words, has_features, normalize_text
from curation.wording import count_of, verb_of

GROUP_COLUMNS = ("group", "groups", "group_id")
MOST_UNUSABLE = 0.5  # share of the examples without usable content, beyond which this is refused
MIN_DISTINCT = 0.5  # share of distinct rows, below which equal rows of numbers are not copies

FeatureKind = Literal["text", "dense", "table"]


@dataclass(frozen=True, eq=False)
class Features:
    """The features of n examples; `usable` says which can be learned from and predicted.

    Examples with the same number in `copies` have the same content.
    """

    kind: FeatureKind
    matrix: Any  # (n, ...) an array, a sparse matrix or a data frame
    usable: BoolArray
    copies: IntArray
    source: str  # in words
    notes: list[str] = field(default_factory=list)


def find_features(
    data: LabelledData, given: str | Path | np.ndarray | None, share_done: ShareDone
) -> Features:
    """Return what a model can learn from: what is given, else embeddings.npy, else the content."""
    given = find_feature_file(data) if given is None else given
    if given is not None:
        return _from_array(data, given)
    if data.kind == "text":
        return _from_texts(data, share_done)
    if data.kind == "image":
        return _from_pictures(data, share_done)
    return _from_columns(data)


def find_kind(data: LabelledData) -> FeatureKind:
    """Return the kind of features that `find_features` would make, without making them."""
    if find_feature_file(data) is not None or data.kind == "image":
        return "dense"
    return "text" if data.kind == "text" else "table"


def _from_array(data: LabelledData, given: str | Path | np.ndarray) -> Features:
    array, name = open_features(data, given)
    matrix = check_finite(array, name)
    return Features("dense", matrix, np.ones(len(data), bool), _find_equal(matrix), name)


def open_features(data: LabelledData, given: str | Path | np.ndarray) -> tuple[Any, str]:
    """Return features with one row per example, a file still on disk, and their name."""
    name = "the features" if isinstance(given, np.ndarray) else Path(given).name
    array = given if isinstance(given, np.ndarray) else _open_array(Path(given), name)
    if len(array.shape) != 2 or array.dtype.kind not in "fiub" or array.shape[1] == 0:
        raise InputError(
            f"{name}: an array of shape {array.shape} and type {array.dtype} cannot be features.",
            "Save one row of numbers per example.",
        )
    if array.shape[0] == data.num_source_rows != len(data):
        array = np.asarray(array)[data.source_rows]
    if array.shape[0] != len(data):
        raise InputError(
            f"{name}: {count_of(array.shape[0], 'row')} for {count_of(len(data), 'example')}.",
            "Save one row per example, in the order of the label file.",
        )
    return array, name


def check_finite(array: Any, name: str, first: int = 0) -> Any:
    """Return rows as numbers that are all finite; `first` is the number of their first row."""
    matrix = np.asarray(array, dtype=np.float32)
    bad = np.flatnonzero(~np.isfinite(matrix).all(axis=1))
    if len(bad):
        raise InputError(
            f"{name}: {count_of(len(bad), 'row')} {verb_of(len(bad), 'holds', 'hold')} NaN or "
            f"infinity; the first is row {first + bad[0]}.",
            "Compute these rows again, or leave the examples out.",
        )
    return matrix


def _open_array(path: Path, name: str) -> Any:
    if not path.is_file():
        raise InputError(f"There is no file {path}.", "Pass an .npy with one row per example.")
    try:
        return open_npy(path, name)
    except Stop as error:
        raise InputError(error.diagnosis.what, error.diagnosis.fix) from error


def _from_texts(data: LabelledData, share_done: ShareDone) -> Features:
    texts = list(_read_texts(data))
    counts = count_words(texts, share_done)
    usable = has_features(counts)
    _check_usable(usable, data, "have no text", "Pass another text_column, or fill in the texts.")
    copies = number_values(normalize_text(text) or None for text in texts)
    notes = _note_unusable(usable, data, "has no text", "have no text")
    return Features("text", counts, usable, copies, "words and parts of words", notes)


def _read_texts(data: LabelledData) -> Iterator[str]:
    for row in range(len(data)):
        try:
            yield data.content.text(row) or ""
        except ContentError:
            yield ""


def _from_pictures(data: LabelledData, share_done: ShareDone) -> Features:
    matrix, usable = describe_pictures(data.content, share_done)
    _check_usable(usable, data, "cannot be read", "Check the files, or save embeddings.npy.")
    said = ("picture cannot be read", "pictures cannot be read")
    notes = [*_note_unusable(usable, data, *said), WEAK]
    copies = _find_equal(matrix, usable)
    return Features("dense", matrix, usable, copies, "edges, colours and small pixels", notes)


def _from_columns(data: LabelledData) -> Features:
    columns, repeating = choose_columns(data.extras, data.labels)
    columns = [name for name in columns if name.strip().lower() not in GROUP_COLUMNS]
    if not columns:
        raise InputError(
            "There is nothing to learn from: no text, no pictures, no other columns.",
            "Save features as embeddings.npy, one row per example, or name a text_column.",
        )
    table = make_table(data.extras, columns)
    notes = [f"The column {each!r} repeats the label and is left out." for each in repeating]
    copies = number_values(map(tuple, table.astype(str).to_numpy()))
    if copies.max() + 1 < MIN_DISTINCT * len(copies):
        copies = np.arange(len(copies))
    usable = np.ones(len(data), bool)
    return Features("table", table, usable, copies, count_of(len(columns), "column"), notes)


def _find_equal(matrix: Any, usable: BoolArray | None = None) -> IntArray:
    """Return the same number for rows that are equal; rows that are not usable are on their own."""
    keys: list[bytes | None] = [np.ascontiguousarray(row).tobytes() for row in matrix]
    if usable is not None:
        keys = [key if can else None for key, can in zip(keys, usable, strict=True)]
    copies = number_values(keys)
    few = copies.max() + 1 < MIN_DISTINCT * len(copies)
    return np.arange(len(copies)) if few else copies


def _check_usable(usable: BoolArray, data: LabelledData, said: str, remedy: str) -> None:
    lost = int((~usable).sum())
    if lost > MOST_UNUSABLE * len(data):
        first = ", ".join(map(str, data.ids[~usable][:3]))
        raise InputError(
            f"{lost:,} of {count_of(len(data), 'example')} {said}: {first} and so on.", remedy
        )


def _note_unusable(usable: BoolArray, data: LabelledData, one: str, several: str) -> list[str]:
    lost = np.flatnonzero(~usable)
    if not len(lost):
        return []
    first = ", ".join(map(str, data.ids[lost[:3]]))
    more = " and so on" if len(lost) > 3 else ""
    return [
        f"{count_of(len(lost), 'example')}: {verb_of(len(lost), one, several)} ({first}{more}). "
        "They get the share of each class as their probabilities."
    ]


def find_units(
    data: LabelledData, features: Features, group_column: str | None
) -> tuple[IntArray, list[str]]:
    """Return which examples stay in one fold, copies and groups, and notes on them."""
    column = group_column or next(
        (name for name in data.extras if name.strip().lower() in GROUP_COLUMNS), None
    )
    groupings, notes = [features.copies], []
    copies = len(data) - int(features.copies.max() + 1)
    if copies:
        notes.append(f"{count_of(copies, 'copy', 'copies')} stay with their originals.")
    if column is not None:
        if column not in data.extras:
            raise InputError(
                f"There is no column {column!r}.", f"Choose from {', '.join(data.extras)}."
            )
        groupings.append(number_values(each or None for each in data.extras[column].tolist()))
        notes.append(f"Examples with the same {column!r} stay together.")
    return join_units(*groupings), notes
