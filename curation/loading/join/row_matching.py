"""How the rows of two files are matched: by ids, file names, or a column that both have."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from curation.loading.join.key_forms import FORMS
from curation.loading.report_builder import list_few, stop
from curation.loading.row_keys import (
    Keys,
    Texts,
    holds_words,
    key_texts,
    plain_name,
    shared_columns,
)
from curation.loading.vocabulary import FILE_COLUMNS, ID_COLUMNS, is_id_name

CHANCE_SHARE = 0.5  # of the keys: if fewer are found, it may be chance


@dataclass(frozen=True)
class Match:
    """The row of the other file for each of mine, null if there is none; and what joined them."""

    rows: Any
    mine: Texts
    theirs: Texts
    key: str  # "id", "file name", or "value" of another column
    how: str  # the same, and what had to be ignored
    columns: tuple[str, str] = ("", "")  # the column's name in each file
    plain: bool = True  # nothing had to be ignored

    @property
    def found(self) -> int:
        return len(self.rows) - int(self.rows.null_count)

    @property
    def complete(self) -> bool:
        return bool(self.rows.null_count == 0)

    @property
    def in_place(self) -> bool:
        """Return whether each row that was found has the same position in both files."""
        return bool(pc.all(pc.equal(self.rows, pa.array(np.arange(len(self.rows))))).as_py())


def match_rows(mine: Keys, theirs: Keys) -> Match | None:
    """Return which rows belong together; None if they can only be joined by position.

    The column that a person named comes first, then an id column with the same name in both files,
    then id columns with different names, then file names, then any other column whose values are
    in both. Ids are joined to file names only if every one of mine is found.
    """
    if mine.ids_were_named and (match := _match_named_ids(mine, theirs)) is not None:
        return match
    shared = shared_columns(mine, theirs)
    shared = {name: pair for name, pair in shared.items() if pair[0] != mine.label}
    ids, files = (_first(shared, names) for names in (ID_COLUMNS, FILE_COLUMNS))
    if ids is not None:
        return _match_columns(mine, theirs, ids, "id")
    both_ids = mine.ids is not None and theirs.ids is not None
    if files is not None and not (both_ids and _repeats(mine, theirs, files)):
        return _match_files(mine, theirs, files)
    if mine.ids is not None and theirs.ids is not None:
        return _match(mine.ids, theirs.ids, "id", (mine.id_name, theirs.id_name))
    if mine.files is not None and theirs.files is not None:
        _check_files(mine, theirs, mine.files, theirs.files)
        names = (mine.file_name, theirs.file_name)
        return _match(mine.files, theirs.files, "file name", names)
    return _match_shared(mine, theirs, shared) or _match_files_and_ids(mine, theirs)


def _match_named_ids(mine: Keys, theirs: Keys) -> Match | None:
    """Return the rows matched by the column that a person named, if the other file has it.

    It may have another name there if it is the first column and holds the same values.
    """
    if mine.table is None or theirs.table is None:
        return None
    name = plain_name(mine.id_name)
    free = [c for c in theirs.table.data.column_names if c not in theirs.apart]
    same = [c for c in free if c == mine.id_name] or [c for c in free if plain_name(c) == name]
    if same:
        return _match_columns(mine, theirs, (mine.id_name, same[0]), "id")
    return match_first_columns(mine, theirs) if theirs.ids is None else None


def match_first_columns(mine: Keys, theirs: Keys, *, numbers_only: bool = False) -> Match | None:
    """Return the rows matched by the first column of each file; None unless the values are alike.

    In place of mine, the column that a person named is used. Each value must occur once in both.
    """
    if mine.table is None or theirs.table is None:
        return None
    ours, others = mine.table.data.column_names[0], theirs.table.data.column_names[0]
    ours = mine.id_name if mine.ids_were_named else ours
    if ours == mine.label or others in theirs.apart:
        return None
    one, other = key_texts(mine, ours), key_texts(theirs, others)
    if one is None or other is None or len(one) != len(other):
        return None
    if (numbers_only and holds_words(one)) or not (_unique(one) and _unique(other)):
        return None
    match = _match(one, other, "id", (ours, others), f"column {ours!r}")
    return match if match.complete else None


def _first(shared: dict[str, tuple[str, str]], names: tuple[str, ...]) -> tuple[str, str] | None:
    return next((shared[name] for name in names if name in shared), None)


def _match_columns(mine: Keys, theirs: Keys, pair: tuple[str, str], key: str) -> Match:
    assert mine.table is not None and theirs.table is not None
    how = key if pair[0] == mine.id_name else f"column {pair[0]!r}"
    return _match(mine.table.text(pair[0]), theirs.table.text(pair[1]), key, pair, how)


def _repeats(mine: Keys, theirs: Keys, pair: tuple[str, str]) -> bool:
    assert mine.table is not None and theirs.table is not None
    return not (_unique(mine.table.text(pair[0])) and _unique(theirs.table.text(pair[1])))


def _match_files(mine: Keys, theirs: Keys, pair: tuple[str, str]) -> Match:
    assert mine.table is not None and theirs.table is not None
    ours, others = mine.table.text(pair[0]), theirs.table.text(pair[1])
    _check_files(mine, theirs, ours, others)
    return _match(ours, others, "file name", pair)


def _check_files(mine: Keys, theirs: Keys, ours: Texts, others: Texts) -> None:
    """Stop if two rows name the same file, unless both files have the same names in order."""
    if ours.equals(others):
        return
    for keys, files in ((mine, ours), (theirs, others)):
        if _unique(files):
            continue
        odd = find_repeated(files)
        raise stop(
            code="files.duplicate",
            where=keys.where,
            what=f"{len(odd)} file names occur more than once or are empty: {list_few(odd)}."
            if odd
            else "a row names no file.",
            fix="Give both files an id column.",
            why="The two files list their rows in different orders, so it is unclear which of two "
            "rows with the same name is meant.",
            count=max(len(odd), 1),
            first_rows=odd[:5],
        )


def _match_files_and_ids(mine: Keys, theirs: Keys) -> Match | None:
    for ours, others, names in (
        (mine.ids, theirs.files, (mine.id_name, theirs.file_name)),
        (mine.files, theirs.ids, (mine.file_name, theirs.id_name)),
    ):
        if ours is not None and others is not None and _unique(ours) and _unique(others):
            match = _match(ours, others, "file name", names)
            if match.complete:
                return match
    return None


def _match_shared(mine: Keys, theirs: Keys, shared: dict[str, tuple[str, str]]) -> Match | None:
    """Return the rows matched by the first column of both files whose values are all different.

    Numbers are used only if the column is named as ids: two rankings hold the same numbers.
    """
    for pair in shared.values():
        ours, others = (key_texts(keys, c) for keys, c in zip((mine, theirs), pair, strict=True))
        if ours is None or others is None:
            continue
        match = _match(ours, others, "value", pair, f"column {pair[0]!r}")
        sure = match.complete and (is_id_name(pair[0]) or holds_words(ours))
        if match.in_place and len(ours) == len(others):
            if sure:
                return match
            continue
        if match.found < CHANCE_SHARE * len(ours) or not (_unique(ours) and _unique(others)):
            continue
        if sure:
            return match
        raise _unsure(match, theirs.where)
    return None


def _unsure(match: Match, where: str) -> Exception:
    places = match.rows.fill_null(-1).to_numpy(zero_copy_only=False)
    odd = np.flatnonzero(places != np.arange(len(places)))
    name = match.columns[0]
    return stop(
        code="rows.shared_column",
        where=where,
        what=f"column {name!r} is in both files, but differs in {len(odd)} of {len(places)} rows; "
        f"{match.found} of its values occur in other rows.",
        fix=f'Pass id_column="{name}" if rows with the same value are the same example; otherwise '
        "leave the column out of one file.",
        why="Joined by position, examples would get the probabilities of others.",
        count=len(odd),
        first_rows=(f"row {row}: {match.mine[row].as_py()!r}" for row in odd[:5].tolist()),
        override={"id_column": name},
    )


def _match(
    mine: Texts, theirs: Texts, key: str, columns: tuple[str, str], how: str | None = None
) -> Match:
    """Return the rows that match, with keys as written or in the form that finds the most."""
    best = Match(_find(mine, theirs), mine, theirs, key, how or key, columns)
    if best.complete:
        return best
    enough = CHANCE_SHARE * min(len(mine), len(theirs))
    for form, ignored in FORMS:
        ours, others = form(mine), form(theirs)
        if ours.equals(mine) and others.equals(theirs):
            continue
        if _unique(ours) and _unique(others):
            words = f"{how or key}, {ignored}"
            match = Match(_find(ours, others), mine, theirs, key, words, columns, plain=False)
            if match.complete:
                return match
            if match.found > best.found and match.found >= enough:
                best = match
    return best


def _find(mine: Texts, theirs: Texts) -> Any:
    if mine.equals(theirs) and mine.null_count == 0:  # even if two rows share a key
        return pa.array(np.arange(len(mine)))
    return pc.index_in(mine.combine_chunks(), value_set=theirs.combine_chunks(), skip_nulls=True)


def _unique(values: Texts) -> bool:
    return values.null_count == 0 and len(pc.unique(values)) == len(values)


def find_repeated(values: Texts) -> list[Any]:
    """Return the values that occur more than once."""
    counts = values.value_counts()
    return list(counts.filter(pc.greater(counts.field("counts"), 1)).field("values").to_pylist())
