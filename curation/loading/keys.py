"""Which rows of two files are of one example: by their ids, or by the files they name."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from curation.loading.folder import IMAGE_SUFFIXES
from curation.loading.notes import listing, stop
from curation.loading.numbers import FILE_NAMES, find_id_column
from curation.loading.tables import Table

_WHOLE_AS_FLOAT = r"^-?[0-9]+\.0$"
_ENDING = "(?i)(" + "|".join(ending.replace(".", r"\.") for ending in IMAGE_SUFFIXES) + ")$"


@dataclass(frozen=True)
class Keys:
    """What the rows of a file are known by; None where it has no such column."""

    ids: pa.ChunkedArray | None = None
    files: pa.ChunkedArray | None = None
    where: str = ""


@dataclass(frozen=True)
class Match:
    """The row of the other file for each of mine, null where it has none; and what joined them."""

    rows: Any
    mine: pa.ChunkedArray
    theirs: pa.ChunkedArray
    key: str  # "id" or "file name"
    how: str  # the same, and what had to be overlooked

    @property
    def complete(self) -> bool:
        return bool(self.rows.null_count == 0)


def table_keys(table: Table, taken: tuple[str, ...] = (), id_column: str | None = None) -> Keys:
    """Return the columns of a table that say which example a row is.

    `taken` are columns of something else; `id_column` is what the label table calls its ids.
    """
    free = [column for column in table.data.column_names if column not in taken]
    lower = {column.strip().lower(): column for column in reversed(free)}
    ids = id_column if id_column in free else find_id_column(free)
    files = next((lower[name] for name in FILE_NAMES if name in lower), None)
    return Keys(
        None if ids is None else table.text(ids),
        None if files is None else table.text(files),
        table.name,
    )


def match_rows(mine: Keys, theirs: Keys) -> Match | None:
    """Return which rows belong together; None where only their place can tell.

    Ids join where both files have them, else file names. A file that has ids and one that has
    file names are joined only if every one of mine is found.
    """
    if mine.ids is not None and theirs.ids is not None:
        return _match(mine.ids, theirs.ids, "id")
    if mine.files is not None and theirs.files is not None:
        _check_files(mine, theirs)
        return _match(mine.files, theirs.files, "file name")
    for ours, others in ((mine.ids, theirs.files), (mine.files, theirs.ids)):
        if ours is not None and others is not None and _unique(ours) and _unique(others):
            match = _match(ours, others, "file name")
            if match.complete:
                return match
    return None


def _match(mine: pa.ChunkedArray, theirs: pa.ChunkedArray, key: str) -> Match:
    exact = Match(_find(mine, theirs), mine, theirs, key, key)
    if exact.complete:
        return exact
    for form, overlooked in _FORMS:
        ours, others = form(mine), form(theirs)
        if ours.equals(mine) and others.equals(theirs):
            continue
        if _unique(ours) and _unique(others):
            match = Match(_find(ours, others), mine, theirs, key, f"{key}, {overlooked}")
            if match.complete:  # anything less might be chance
                return match
    return exact


def _find(mine: pa.ChunkedArray, theirs: pa.ChunkedArray) -> Any:
    if mine.equals(theirs) and mine.null_count == 0:  # also where two rows share a key
        return pa.array(np.arange(len(mine)))
    return pc.index_in(mine.combine_chunks(), value_set=theirs.combine_chunks(), skip_nulls=True)


def _unique(values: pa.ChunkedArray) -> bool:
    return values.null_count == 0 and len(pc.unique(values)) == len(values)


def _whole(values: pa.ChunkedArray) -> pa.ChunkedArray:
    """Return ids that are whole numbers written as 1.0, all of them, as 1."""
    if not pc.all(pc.match_substring_regex(values, _WHOLE_AS_FLOAT)).as_py():
        return values
    return pc.replace_substring(values, ".0", "", max_replacements=1)


def _plain(values: pa.ChunkedArray) -> pa.ChunkedArray:
    return pc.replace_substring_regex(pc.replace_substring(values, "\\", "/"), r"^(\./)+", "")


def _last(values: pa.ChunkedArray) -> pa.ChunkedArray:
    return pc.replace_substring_regex(_plain(values), r"^.*/", "")


def _stem(values: pa.ChunkedArray) -> pa.ChunkedArray:
    return pc.replace_substring_regex(_last(values), _ENDING, "")


_FORMS: tuple[tuple[Callable[[pa.ChunkedArray], pa.ChunkedArray], str], ...] = (
    (_whole, "1.0 taken for 1"),
    (_plain, "whichever way slashes lean"),
    (_last, "without the folders"),
    (_stem, "without folders and endings such as .jpg"),
)


def _check_files(mine: Keys, theirs: Keys) -> None:
    """Stop at a file that two rows name, unless both files list the same ones in one order."""
    assert mine.files is not None and theirs.files is not None
    if mine.files.equals(theirs.files):
        return
    for keys, files in ((mine, mine.files), (theirs, theirs.files)):
        if _unique(files):
            continue
        counts = files.value_counts()
        odd = counts.filter(pc.greater(counts.field("counts"), 1)).field("values").to_pylist()
        raise stop(
            "files.duplicate",
            keys.where,
            f"{len(odd)} file names occur more than once or are empty: {listing(odd)}."
            if odd
            else "a row names no file.",
            "Give both files an id column to be joined by.",
            why="Both files name the file of each row, in another order: which of two rows with "
            "one name is meant cannot be told.",
            count=max(len(odd), 1),
            rows=odd[:5],
        )
