"""The model's probabilities as stored, in the order of their file."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TypeVar

import numpy as np

from curation.core.matrix import read_blocks
from curation.loading.formats.base import Array, TableFile, TableFormat
from curation.loading.formats.disk_array import DiskArray
from curation.loading.formats.npy import Header, Npy, open_npy
from curation.loading.formats.npz import Npz, open_npz, read_member
from curation.loading.formats.number_columns import SAMPLE_ROWS, SUM_TOLERANCE
from curation.loading.formats.registry import SUFFIXES, advise, find_format
from curation.loading.formats.sparse_archives import refuse_sparse
from curation.loading.formats.table import Table
from curation.loading.formats.table_shards import read_shards
from curation.loading.probs.made_probs import note_made, read_columns
from curation.loading.report_builder import ReportBuilder, list_few, stop
from curation.loading.row_keys import Keys, archive_keys
from curation.loading.vocabulary import PROB_ARRAYS

Stored = TypeVar("Stored", Array, DiskArray)


ARRAY_SHARD = re.compile(r"(?P<stem>.*?)[-_.]?(?P<number>\d+)(?:-of-\d+)?\.npy")


@dataclass(frozen=True)
class StoredProbs:
    """Arrays of probabilities as stored, with their column names and row keys.

    A single array of one dimension holds a binary model's probability of one class.
    """

    parts: tuple[Array | DiskArray, ...]
    where: str
    columns: tuple[str, ...] | None = None
    keys: Keys = Keys()
    source_columns: tuple[str, ...] = ()  # the columns of the table that hold the numbers

    @property
    def shape(self) -> tuple[int, ...]:
        return (sum(len(part) for part in self.parts), *self.parts[0].shape[1:])

    @property
    def binary(self) -> bool:
        return len(self.shape) == 1 or self.shape[1] == 1

    @property
    def num_classes(self) -> int:
        return 2 if self.binary else self.shape[1]

    def predict(self) -> list[str]:
        """Return the name of the most likely class of each row; its number if it has no name."""
        if self.binary:
            return []
        names = self.columns or tuple(str(place) for place in range(self.num_classes))
        return [
            names[place]
            for part in self.parts
            for _, _, block in read_blocks(part, 0, len(part))
            for place in block.argmax(axis=1).tolist()
        ]


def read_probabilities(
    paths: Sequence[Path],
    names: Sequence[str],
    report: ReportBuilder,
    *,
    memory_limit: int,
    encoding: str | None = None,
    id_column: str | None = None,
    array: str | None = None,
    sheet: str | None = None,
) -> StoredProbs | Table:
    """Return the probabilities in one file, or in numbered shards read as one.

    A table is returned as it is. `from_table` chooses the columns that are classes, once the labels
    and classes are known.
    """
    if len(paths) > 1 and isinstance(find_format(paths[0].name), TableFormat):
        return _read_table_shards(paths, names, report, memory_limit, encoding)
    if len(paths) > 1:
        return _read_shards(paths, names, report)
    path, name = paths[0], names[0]
    format_ = find_format(path.name)
    if isinstance(format_, Npy):
        return StoredProbs((check_array(open_npy(path, name), name, report),), name)
    if isinstance(format_, Npz):
        return read_archive(path, name, report, memory_limit=memory_limit, key=array)
    if isinstance(format_, TableFormat):
        file = TableFile(path, name, memory_limit, encoding, id_column=id_column, sheet=sheet)
        found = format_.read_numbers(file, report)
        return found if isinstance(found, Table) else StoredProbs((found,), name)
    raise stop(
        code="probs.format",
        where=name,
        what=f"files ending in '{path.suffix}' cannot be read as probabilities.",
        fix=advise([name]) or f"Save them as one of {', '.join(SUFFIXES)}.",
        why="The format is known from the ending. Pickles are never read: loading one runs the "
        "code in it.",
    )


def check_array(array: Stored, where: str, report: ReportBuilder) -> Stored:
    """Return the array if its type and dimensions can be probabilities."""
    if array.dtype.kind not in "fiub":
        raise stop(
            code="probs.type",
            where=where,
            what=f"the values are of type {array.dtype}, not real numbers.",
            fix="Save the probabilities as float32: np.save(path, probs.astype('float32')).",
            why="Only real numbers can be probabilities.",
        )
    if array.ndim == 3 and array.shape.count(1) == 1:
        array = _without_axis(array, where, report)
    if array.ndim not in (1, 2):
        raise stop(
            code="probs.dimensions",
            where=where,
            what=f"the array has shape {array.shape}; expected (examples, classes).",
            fix="Save one row for each example and one column for each class. If the first axis "
            'counts several models or passes, save their mean: np.save("probs.npy", '
            "probs.mean(axis=0)).",
            why="Each example needs one probability for each class.",
        )
    if array.size == 0:
        raise stop(
            code="probs.no_rows",
            where=where,
            what=f"the array of shape {array.shape} is empty.",
            fix="Save it again.",
            why="No label can be checked without probabilities.",
        )
    if array.dtype.kind != "f":
        report.add_auto_fix(
            code="probs.type",
            where=where,
            what=f"{array.dtype} values are read as float64.",
            fix="If these are predicted classes and not probabilities, save the probabilities.",
            why="Probabilities are rarely whole numbers.",
        )
    return array


def _without_axis(array: Stored, where: str, report: ReportBuilder) -> Stored:
    """Return an array of shape (n, 1, m), (n, m, 1) or (1, n, m) as (n, m)."""
    plain = array.squeeze()
    report.add_auto_fix(
        code="probs.dimensions",
        where=where,
        what=f"the array of shape {array.shape} is read as {plain.shape}.",
        fix="If its axes mean something else, save one row for each example and one column for "
        "each class.",
        why="An axis of length 1 holds nothing that could be lost.",
    )
    return plain


def _read_table_shards(
    paths: Sequence[Path],
    names: Sequence[str],
    report: ReportBuilder,
    memory_limit: int,
    encoding: str | None,
) -> Table:
    """Return several tables as one, such as the predictions of each fold."""
    table = read_shards(paths, names, report, memory_limit=memory_limit, encoding=encoding)
    where = f"{names[0]} to {names[-1]}"
    report.add_auto_fix(
        code="probs.shards",
        where=where,
        what=f"{len(paths)} tables are read as one.",
        fix="If they are not parts of one table, name the right file as probs in curation.toml.",
        why="The rows of the tables follow one another, in the order of the tables.",
        count=len(paths),
    )
    return replace(table, name=where)


def _read_shards(paths: Sequence[Path], names: Sequence[str], report: ReportBuilder) -> StoredProbs:
    parts = [open_npy(path, name) for path, name in zip(paths, names, strict=True)]
    _check_numbering(names)
    where = f"{names[0]} to {names[-1]}"
    for part, name in zip(parts, names, strict=True):
        if part.ndim != 2 or part.shape[1:] != parts[0].shape[1:] or part.dtype.kind not in "fiub":
            raise stop(
                code="probs.shards",
                where=name,
                what=f"this shard has shape {part.shape} ({part.dtype}); {names[0]} has "
                f"{parts[0].shape} ({parts[0].dtype}).",
                fix="Save all shards with the same columns.",
                why="Shards that differ cannot be rows of one matrix.",
            )
    filled = tuple(part for part in parts if len(part))
    if not filled:
        raise stop(
            code="probs.no_rows",
            where=where,
            what="all shards are empty.",
            fix="Save them again.",
            why="No label can be checked without probabilities.",
        )
    check_array(filled[0], where, report)
    report.add_auto_fix(
        code="probs.shards",
        where=where,
        what=f"{len(paths)} shards are read as one matrix.",
        fix="If they are not parts of one matrix, name the right file as probs in curation.toml.",
        why="The rows of the shards follow one another, in the order of the shards.",
        count=len(paths),
    )
    return StoredProbs(filled, where)


def shard_number(name: str) -> int:
    """Return which shard a file is; -1 if its name has no number.

    >>> shard_number("probs-00012.npy"), shard_number("probs.npy")
    (12, -1)
    """
    match = ARRAY_SHARD.fullmatch(name)
    return int(match["number"]) if match else -1


def _check_numbering(names: Sequence[str]) -> None:
    found = [shard_number(name) for name in names]
    if min(found) < 0:
        return  # listed in an override, in the order that counts
    gaps = sorted(set(range(found[0], found[-1] + 1)) - set(found))
    if gaps or found[0] > 1:
        raise stop(
            code="probs.shards_missing",
            where=f"{names[0]} to {names[-1]}",
            what=f"shards are missing: number {list_few(gaps or [0])}.",
            fix="Copy all shards into the folder.",
            why="Rows after the gap would belong to other examples.",
        )


def read_archive(
    path: Path, name: str, report: ReportBuilder, *, memory_limit: int, key: str | None = None
) -> StoredProbs:
    """Return the probabilities in an .npz archive, with the ids in it if there are any.

    `key` is the array that a person named.
    """
    headers = open_npz(path, name, memory_limit=memory_limit)
    key = choose_prob_array(path, name, headers, key)
    where = f"{name}, array {key!r}"
    array = check_array(read_member(path, name, key), where, report)
    columns = read_columns(path, name, headers)
    note_made(path, name, headers, report)
    return StoredProbs((array,), where, columns, archive_keys(path, name, headers))


def choose_prob_array(
    path: Path, name: str, headers: Mapping[str, Header], named: str | None
) -> str:
    """Return the array of probabilities: the one that was named, or else by name, shape or sums."""
    if named is not None and named in headers:
        return named
    refuse_sparse(headers, name)
    lower = {key.lower(): key for key in reversed(list(headers))}
    known = [lower[each] for each in PROB_ARRAYS if each in lower]
    able = [key for key, header in headers.items() if _can_be_probs(header)]
    if named is None and known:
        return known[0]
    wide = [key for key in able if len(headers[key].shape) == 2]
    if named is None and len(wide) > 1:
        wide = [key for key in wide if _adds_up(read_member(path, name, key))]
    if named is None and len(wide) == 1:
        return wide[0]
    raise stop(
        code="npz.no_probabilities",
        where=name,
        what="it is unclear which array holds the probabilities; there are "
        f"{list_few(map(str, headers), most=12)}."
        if named is None
        else f"there is no array {named!r}; there are {list_few(map(str, headers), most=12)}.",
        fix="Save it under the name pred_probs, or name it as prob_array.",
        why="With another array as the probabilities, every finding would be wrong.",
        override={"prob_array": able[0]} if able else {},
        choices=[{"prob_array": key} for key in able],
    )


def _can_be_probs(header: Header) -> bool:
    return len(header.shape) in (1, 2) and header.dtype.kind == "f"


def _adds_up(array: Array) -> bool:
    sums = np.asarray(array[:SAMPLE_ROWS], dtype=np.float64).sum(axis=1)
    return bool(np.all(np.abs(sums - 1) <= SUM_TOLERANCE))
