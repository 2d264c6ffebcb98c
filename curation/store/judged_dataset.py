"""The dataset that decisions are about, and what tells whether an example is still the same."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Any, Protocol

from curation.errors import StoreError


class DatasetLike(Protocol):
    """The part of a dataset that decisions need."""

    @property
    def root(self) -> Any: ...
    @property
    def labels(self) -> Any: ...
    @property
    def class_names(self) -> Sequence[str]: ...
    @property
    def class_ids(self) -> Sequence[str]: ...
    @property
    def content(self) -> Any: ...
    @property
    def row_of(self) -> Any: ...
    @property
    def source_rows(self) -> Any: ...
    @property
    def fingerprint(self) -> str: ...
    @property
    def fingerprint_parts(self) -> Any: ...


def find_row(dataset: DatasetLike, example_id: str) -> int:
    try:
        return int(dataset.row_of[example_id])
    except KeyError:
        raise StoreError(
            f"NOT saved: the dataset has no example {example_id!r}.",
            "Use an id from the dataset's `ids`; row numbers are not ids.",
        ) from None


def digest(dataset: DatasetLike, row: int) -> str:
    """Return the hash of an example's content; an unreadable one can still be decided.

    Without content, and with its row number as id, an example looks like the one in the same row of
    another table. For such an example, the hash is that of all ids and labels.
    """
    if is_known_by_row_only(dataset, row):
        parts = dataset.fingerprint_parts
        return hashlib.sha256(f"{parts['ids']} {parts['labels']}".encode()).hexdigest()
    try:
        return str(dataset.content.digest(row))
    except OSError:
        return "unreadable"


def is_known_by_row_only(dataset: DatasetLike, row: int) -> bool:
    """Return whether only its row number identifies an example."""
    if getattr(dataset.content, "kind", "") != "index":
        return False
    return bool(dataset.row_of.get(str(int(dataset.source_rows[row]))) == row)
