"""A dataset in memory, independent of the files it came from."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, Protocol

import numpy as np
from numpy.typing import NDArray

from curation.class_names import find_class
from curation.core.matrix import Probabilities
from curation.errors import FileChangedError
from curation.fingerprint import (
    FileHashes,
    UnknownHash,
    content_chunks,
    hash_bytes,
    matrix_chunks,
    text_chunks,
)
from curation.report import Checks, Report

if TYPE_CHECKING:
    from PIL import Image

Kind = Literal["image", "text", "index"]
PARTS = ("ids", "labels", "classes", "probabilities", "content")  # what a fingerprint covers
LabelKind = Literal["text", "integer", "float", "boolean", "mixed"]


@dataclass(frozen=True)
class Picture:
    """A picture ready to show, and what a person should know about how it is shown.

    `original_size` is the width and height in the file, turned upright.
    """

    image: Image.Image
    note: str = ""
    original_size: tuple[int, int] = (0, 0)


class Content(Protocol):
    """What the examples show, opened one at a time and only when needed.

    Content that cannot be opened raises `ContentError` with a reason to show instead.
    """

    @property
    def kind(self) -> Kind: ...

    def __len__(self) -> int: ...

    def image(self, row: int, *, size: int | None = None) -> Picture:
        """Return the picture of an example, upright and in RGB, no larger than `size` pixels."""

    def text(self, row: int) -> str:
        """Return the complete text of an example, unchanged."""

    def digest(self, row: int) -> str:
        """Return a hash of the example's content, the same wherever the dataset is stored.

        Content that cannot be read has a fixed digest; this never raises.
        """

    def check(self, row: int, *, deep: bool = False) -> None:
        """Raise `ContentError` if the content cannot be shown; `deep` decodes it to be sure."""

    def take(self, rows: NDArray[np.int64]) -> Content:
        """Return the content of only these rows, in this order."""


@dataclass(frozen=True)
class LabelSource:
    """Where the labels were read, in enough detail to write them back byte for byte.

    In a CSV file, cells are quoted with `"`, which is doubled inside a cell. Its blank lines are
    not rows, unless the table has one column: then a blank line is a row without a label.
    `label_kind` is the type of the label cells, so that a number is written back as a number; in
    CSV files it is always "text". `stamp` is the file's size and modification time when it was
    read, so that a file that changed since is never written back.
    """

    path: Path | None  # None for one folder per class
    format: str  # its name in loading.formats.registry
    label_column: str | None = None  # in an .npz archive, the name of the array
    id_column: str | None = None
    encoding: str = "utf-8"  # without the byte order mark: see `bom`
    delimiter: str | None = None  # None if the format has none
    bom: bool = False
    label_kind: LabelKind = "text"
    stamp: tuple[int, int] | None = None  # bytes, nanoseconds
    more: tuple[Path, ...] = ()  # further shards of the table, whose rows follow

    @property
    def paths(self) -> tuple[Path, ...]:
        """Return every file with labels, in order."""
        return () if self.path is None else (self.path, *self.more)

    @property
    def called(self) -> str:
        """Return the name of the label file or files; empty for one folder per class."""
        others = f" and {len(self.more)} more" if self.more else ""
        return f"{self.path.name}{others}" if self.path else ""

    @property
    def is_unchanged(self) -> bool:
        """Return whether the label files are still as they were when they were read."""
        return self.stamp is None or read_stamp(*self.paths) == self.stamp


def read_stamp(*paths: Path) -> tuple[int, int] | None:
    """Return the total size and the summed modification times of files; None if one is missing."""
    try:
        found = [path.stat() for path in paths]
    except OSError:
        return None
    return sum(each.st_size for each in found), sum(each.st_mtime_ns for each in found)


def hash_labels(labels: NDArray[np.int64]) -> str:
    """Return the hash of class indices, as in a fingerprint."""
    return hash_bytes([np.ascontiguousarray(labels, dtype="<i8").data])


def hash_classes(names: Sequence[str], ids: Sequence[str]) -> str:
    """Return the hash of the classes, as in a fingerprint."""
    return hash_bytes([json.dumps([list(names), list(ids)]).encode()])


class Remote(Protocol):
    """Where the files of a dataset come from, if not all of them are on this machine."""

    @property
    def address(self) -> str | None:
        """Return the address of the dataset itself; None if only parts of it are elsewhere."""

    def check_unchanged(self) -> None:
        """Raise `FileChangedError` if a file has changed since it was fetched."""

    def fetch(self, place: str) -> Path | None:
        """Return the copy of a file, by its address or by where its copy is; None if unknown."""


@dataclass(frozen=True, kw_only=True)
class LabelledData:
    """Examples with their given labels and what they look like, from which a model can learn.

    Row k of everything is the same example. `source_rows[k]` is its row in the label file,
    counted from 0 without the header: rows without a label are in the file but not here.
    `class_ids` differ even for classes of the same name; without ids they equal the names.
    `label_values[j]` is how class j is written in the label file.
    """

    name: str  # the name of its folder or file
    root: Path  # the folder it was read from
    ids: NDArray[np.object_]  # (n,) one id per example
    labels: NDArray[np.int64]  # (n,) the given labels, as class indices
    class_names: tuple[str, ...]  # (m,) in the order of the class indices
    class_ids: tuple[str, ...]  # (m,) different for each class
    label_values: tuple[str, ...]  # (m,) as written in the label file
    content: Content  # the pictures or texts, opened one at a time
    extras: Mapping[str, Any]  # column name -> (n,) values, kept and shown with the example
    source: LabelSource  # where the labels were read
    source_rows: NDArray[np.int64]  # (n,) the row of each example in the label file
    num_source_rows: int  # rows of the label file, with those that have no label
    checks: Checks  # what the doctor found so far, and what is still to be checked
    named_labels: str | None = None  # the label file, if it was opened or named, not just found
    true_labels: NDArray[np.int64] | None = None  # (n,) where known; below 0 means unknown
    settings: Mapping[str, Any] = field(default_factory=dict)  # what was inferred
    remote: Remote | None = None  # where its files come from, if not from this machine

    @property
    def kind(self) -> Kind:
        """Return whether examples are images, texts, or known only by their index."""
        return self.content.kind

    @property
    def report(self) -> Report:
        """Return what the doctor found; waits for checks that are still to be made."""
        return self.checks.finish()

    def __len__(self) -> int:
        return len(self.labels)

    def __repr__(self) -> str:
        """Return what it is in one line; see `dataset.settings` and `dataset.report` for more."""
        examples = {"image": "pictures", "text": "texts", "index": "examples"}[self.kind]
        classes = f"{len(self.class_names)} classes"
        return f"<{type(self).__name__} {self.name!r}: {len(self):,} {examples}, {classes}>"

    def find_class(self, text: str) -> int | None:
        """Return the class that a text in a link means: see `class_names.find_class`."""
        return find_class(text, self.class_names, self.class_ids)

    def cells(self, row: int) -> dict[str, Any]:
        """Return what the other columns hold for one example."""
        at = getattr(self.extras, "at", None)  # of a table, which can read one row alone
        if at is not None:
            return dict(at(row))
        return {name: self.extras[name][row] for name in self.extras}

    @cached_property
    def row_of(self) -> Mapping[str, int]:
        """Return the row of each id."""
        return {str(each): row for row, each in enumerate(self.ids)}


@dataclass(frozen=True, kw_only=True, repr=False)
class Dataset(LabelledData):
    """Labelled data with a model's probabilities: what is analysed, reviewed and exported.

    `fingerprint` changes when any of ids, labels, classes, probabilities or content does, and
    stays when the folder is moved; `fingerprint_parts` shows which of them changed.
    """

    pred_probs: Probabilities  # (n, m) a column for each class; may be a file on disk

    def check_unchanged(self) -> None:
        """Raise `FileChangedError` if its labels or probabilities on disk are no longer these."""
        if not self.source.is_unchanged:
            raise FileChangedError(self.source.called, "was changed, moved or deleted")
        if hasattr(self.pred_probs, "check_unchanged"):
            self.pred_probs.check_unchanged()
        if self.remote is not None:
            self.remote.check_unchanged()

    @cached_property
    def fingerprint_parts(self) -> Mapping[str, str]:
        """Return a hash of each part: ids, labels, classes, probabilities, content."""
        files = FileHashes(self.root)
        parts = {part: self._hash_part(part, files) for part in PARTS}
        files.save()
        return parts

    def known_hashes(self, *parts: str) -> tuple[str, ...] | None:
        """Return the hashes of some parts; None if a file would have to be read for them.

        The hash of an unchanged file is known from the last time that it was read.
        """
        if "fingerprint_parts" in vars(self):
            return tuple(self.fingerprint_parts[part] for part in parts)
        files = FileHashes(self.root, only_known=True)
        try:
            return tuple(self._hash_part(part, files) for part in parts)
        except UnknownHash:
            return None

    def _hash_part(self, part: str, files: FileHashes) -> str:
        if part == "ids":
            return hash_bytes(text_chunks(self.ids.tolist()))
        if part == "labels":
            return hash_labels(self.labels)
        if part == "classes":
            return hash_classes(self.class_names, self.class_ids)
        if part == "probabilities":
            return hash_bytes(matrix_chunks(self.pred_probs, files))
        return hash_bytes(content_chunks(self.content, files))

    @cached_property
    def fingerprint(self) -> str:
        """Return one hash of everything that decisions depend on."""
        text = "".join(f"{part}={self.fingerprint_parts[part]}\n" for part in PARTS)
        return hashlib.sha256(text.encode()).hexdigest()
