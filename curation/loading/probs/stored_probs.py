"""The model's probabilities as some file stores them, still in the order of that file."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import pyarrow as pa

from curation.loading.formats.base import Array, TableFormat
from curation.loading.formats.decimal_commas import read_decimal_commas
from curation.loading.formats.file_faults import too_large
from curation.loading.formats.npy import Npy, open_npy
from curation.loading.formats.npz import Npz, open_npz, read_member
from curation.loading.formats.number_columns import (
    from_lists,
    holds_written_lists,
    note_row_numbers,
    read_written_lists,
    stack,
)
from curation.loading.formats.registry import SUFFIXES, advise, find_format
from curation.loading.formats.table import Table
from curation.loading.probs.prob_columns import Choice, KnownClasses, choose_columns, find_columns
from curation.loading.probs.rival_columns import settle_columns, settle_list
from curation.loading.report_builder import ReportBuilder, list_few, stop
from curation.loading.row_keys import Keys, archive_keys, table_keys
from curation.loading.vocabulary import PROB_ARRAYS, PROB_LIST_COLUMNS, exact_columns

ARRAY_SHARD = re.compile(r"(?P<stem>.*?)[-_.]?(?P<number>\d+)(?:-of-\d+)?\.npy")


@dataclass(frozen=True)
class StoredProbs:
    """Arrays of probabilities as stored, with the column names and row ids that came along.

    One array of one dimension holds a yes/no model's probability of yes.
    """

    parts: tuple[Array, ...]
    where: str
    columns: tuple[str, ...] | None = None
    keys: Keys = Keys()
    source_columns: tuple[str, ...] = ()  # of the table that the numbers were taken from

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
        """Return the name of the most likely class of each row; its number where it has none."""
        if self.binary:
            return []
        names = self.columns or tuple(str(place) for place in range(self.num_classes))
        return [names[place] for part in self.parts for place in part.argmax(axis=1).tolist()]


def read_probabilities(
    paths: Sequence[Path],
    names: Sequence[str],
    report: ReportBuilder,
    *,
    memory_limit: int,
    encoding: str | None = None,
    id_column: str | None = None,
) -> StoredProbs | Table:
    """Return the probabilities in one file, or in numbered shards read as one.

    A table is returned as it is: which of its columns are classes is settled by `from_table`,
    once the labels and classes are known.
    """
    if len(paths) > 1:
        return _read_shards(paths, names, report)
    path, name = paths[0], names[0]
    format_ = find_format(path.name)
    if isinstance(format_, Npy):
        return StoredProbs((check_array(open_npy(path, name), name, report),), name)
    if isinstance(format_, Npz):
        return read_archive(path, name, report, memory_limit=memory_limit)
    if isinstance(format_, TableFormat):
        found = format_.read_numbers(
            path, name, report, memory_limit=memory_limit, encoding=encoding, id_column=id_column
        )
        return found if isinstance(found, Table) else StoredProbs((found,), name)
    raise stop(
        code="probs.format",
        where=name,
        what=f"files ending in '{path.suffix}' are not read as probabilities.",
        fix=advise([name]) or f"Save them as one of {', '.join(SUFFIXES)}.",
        why="A file is read as what its name says; loading a pickle runs whatever code is in it.",
    )


def check_array(array: Array, where: str, report: ReportBuilder) -> Array:
    """Return the array if its type and dimensions can be probabilities."""
    if array.dtype.kind not in "fiub":
        raise stop(
            code="probs.type",
            where=where,
            what=f"the values are of type {array.dtype}, not real numbers.",
            fix="Save the probabilities as float32: np.save(path, probs.astype('float32')).",
            why="Only real numbers can be probabilities.",
        )
    if array.ndim not in (1, 2):
        raise stop(
            code="probs.dimensions",
            where=where,
            what=f"the array has shape {array.shape}; expected (examples, classes).",
            fix="Save one row for each example and one column for each class.",
            why="Each example needs one probability for each class.",
        )
    if array.size == 0:
        raise stop(
            code="probs.no_rows",
            where=where,
            what=f"the array of shape {array.shape} is empty.",
            fix="Save it again.",
            why="Without probabilities no label can be judged.",
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
            why="Without probabilities no label can be judged.",
        )
    check_array(filled[0], where, report)
    report.add_auto_fix(
        code="probs.shards",
        where=where,
        what=f"{len(paths)} shards are read as one matrix.",
        fix="If they are not parts of one matrix, name the right file as probs in curation.toml.",
        why="Their rows are taken for the examples one after the other, in the shards' order.",
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
        return  # named one by one in an override: that order counts
    gaps = sorted(set(range(found[0], found[-1] + 1)) - set(found))
    if gaps or found[0] > 1:
        raise stop(
            code="probs.shards_missing",
            where=f"{names[0]} to {names[-1]}",
            what=f"shards are missing: number {list_few(gaps or [0])}.",
            fix="Copy all shards into the folder.",
            why="Rows after the gap would belong to other examples.",
        )


def read_archive(path: Path, name: str, report: ReportBuilder, *, memory_limit: int) -> StoredProbs:
    """Return the probabilities in an .npz archive, with the ids in it if there are any."""
    headers = open_npz(path, name, memory_limit=memory_limit)
    key = next((each for each in PROB_ARRAYS if each in headers), None)
    if key is None:
        flat = [k for k, h in headers.items() if len(h.shape) == 2 and h.dtype.kind == "f"]
        if len(flat) != 1:
            raise stop(
                code="npz.no_probabilities",
                where=name,
                what=f"which array holds the probabilities? It has {list_few(headers)}.",
                fix="Save it under the name pred_probs.",
                why="Another array taken for probabilities would give wrong findings.",
            )
        key = flat[0]
    where = f"{name}, array {key!r}"
    array = check_array(read_member(path, name, key), where, report)
    return StoredProbs((array,), where, keys=archive_keys(path, name, headers))


def list_column(table: Table, *, named: bool) -> str | None:
    """Return the one column of lists of numbers that is called probabilities, or the one that
    is not: that may be anything, such as the place of a box in a picture.
    """
    lists = [
        column
        for column in table.data.column_names
        if table.kind(column) == "list"
        and _holds_numbers(table, column)
        and (column.strip().lower() in PROB_LIST_COLUMNS) == named
    ]
    return lists[0] if len(lists) == 1 else None


def _holds_numbers(table: Table, column: str) -> bool:
    kind = table.data.schema.field(column).type
    return hasattr(kind, "value_type") and bool(
        pa.types.is_floating(kind.value_type) or pa.types.is_integer(kind.value_type)
    )


def from_table(
    table: Table, known: KnownClasses, report: ReportBuilder, *, memory_limit: int
) -> StoredProbs:
    """Return the probabilities in a table: a list column, or one column for each class."""
    table = _with_decimal_points(table, known, report)
    nested = _from_named_column(table, known, report, memory_limit)
    if nested is None and find_columns(table, known, ReportBuilder()) is None:
        nested = _from_unnamed_lists(table, known, report)
    if nested is not None:
        return nested
    note_row_numbers(table.data.column_names, table.text, table.name, report)
    choice = choose_columns(table, known, report)
    if not choice.columns:
        raise stop(
            code="probs.columns",
            where=table.name,
            what=f"no columns of probabilities; found {list_few(table.columns)}.",
            fix="Name them by class, or p_<class>.",
            why="Without probabilities no label can be judged.",
        )
    return _from_columns(table, choice, known, report, memory_limit)


def find_in_labels(
    table: Table,
    known: KnownClasses,
    report: ReportBuilder,
    *,
    memory_limit: int,
    unnamed_lists: bool = True,
) -> StoredProbs | None:
    """Return the probabilities in a table of labels, if it holds any.

    Columns that name classes count for more than a list that nobody called probabilities.
    """
    table = _with_decimal_points(table, known, report)
    nested = _from_named_column(table, known, report, memory_limit)
    if nested is not None:
        return nested
    choice = find_columns(table, known, report)
    if choice is not None:
        return _from_columns(table, choice, known, report, memory_limit)
    return _from_unnamed_lists(table, known, report) if unnamed_lists else None


def _with_decimal_points(table: Table, known: KnownClasses, report: ReportBuilder) -> Table:
    exact = exact_columns(table.data.column_names, known.id_column)
    return read_decimal_commas(table, exact, report)


def _from_unnamed_lists(
    table: Table, known: KnownClasses, report: ReportBuilder
) -> StoredProbs | None:
    column = list_column(table, named=False)
    if column is None:
        return None
    report.add_auto_fix(
        code="probs.list_column",
        where=f"{table.name}, column {column!r}",
        what="its lists of numbers are read as the probabilities.",
        fix="If they are something else, name the file of the probabilities as probs in "
        "curation.toml, or call the right column pred_probs.",
        why="It is the only column of lists, and no columns are named by class.",
    )
    return _from_lists(table, column, table.data.column(column), known)


def _from_named_column(
    table: Table, known: KnownClasses, report: ReportBuilder, memory_limit: int
) -> StoredProbs | None:
    """Return the probabilities that one column holds: as lists, as text of lists, or by class."""
    column = list_column(table, named=True)
    if column is not None:
        found = _from_lists(table, column, table.data.column(column), known)
        settle_list(table, column, found.parts[0], known, report)
        return found
    for column in table.data.column_names:
        if column.lower() not in PROB_LIST_COLUMNS:
            continue
        where = f"{table.name}, column {column!r}"
        if pa.types.is_struct(table.data.schema.field(column).type):
            inner = pa.Table.from_struct_array(table.data.column(column))
            inside = replace(table, data=inner, name=where)
            choice = choose_columns(inside, known, report)
            found = _from_columns(inside, choice, known, report, memory_limit)
            keys = table_keys(table, (column,), known.id_column)
            return replace(found, where=where, keys=keys, source_columns=(column,))
        if table.kind(column) == "text" and holds_written_lists(table, column):
            report.add_auto_fix(
                code="probs.written_lists",
                where=where,
                what="lists written as text are read as numbers.",
                fix="If they are something else, save the probabilities in a file of their own.",
                why="A table such as CSV has no lists, only text that looks like them.",
            )
            lists = read_written_lists(table.text(column), where)
            found = _from_lists(table, column, lists, known)
            settle_list(table, column, found.parts[0], known, report)
            return found
    return None


def _from_lists(
    table: Table, column: str, lists: pa.ChunkedArray, known: KnownClasses
) -> StoredProbs:
    array = from_lists(lists, f"{table.name}, column {column!r}")
    keys = table_keys(table, (column,), known.id_column)
    return StoredProbs((array,), table.name, keys=keys, source_columns=(column,))


def _from_columns(
    table: Table, choice: Choice, known: KnownClasses, report: ReportBuilder, memory_limit: int
) -> StoredProbs:
    needed = len(table) * len(choice.columns) * 8
    if needed > memory_limit:
        raise too_large(table.name, needed, memory_limit)
    array = stack(table, choice.columns)
    settle_columns(table, choice, array, report)
    names = choice.names if len(choice.columns) > 1 else None  # one: of which class, is asked
    keys = table_keys(table, choice.columns, known.id_column)
    return StoredProbs((array,), table.name, names, keys, choice.columns)
