"""Which file or folder holds the labels, and how to choose among several candidates."""

from __future__ import annotations

import codecs
import re
from collections.abc import Sequence
from pathlib import Path

from curation.errors import CurationError
from curation.loading.dataset_parts import ambiguous
from curation.loading.discovery.file_peeks import peek_array, peek_file
from curation.loading.file_names import TABLE_SHARD, FileName
from curation.loading.formats import registry
from curation.loading.formats.class_folders import (
    find_class_folders,
    find_example_folders,
    list_class_folders,
)
from curation.loading.formats.file_faults import NO_LIMIT
from curation.loading.formats.npy import Header
from curation.loading.formats.npz import open_npz
from curation.loading.formats.registry import (
    find_suffix,
    is_archive,
    is_array,
    is_table,
    peek_table,
    remove_suffix,
)
from curation.loading.formats.sparse_archives import is_sparse
from curation.loading.formats.text_lines import is_marked, lists_pictures
from curation.loading.huggingface_shards import (
    find_metadata,
    find_saved_splits,
    find_shards,
    list_shards,
)
from curation.loading.join.row_matching import match_rows
from curation.loading.labels.labelled_examples import read_label_file
from curation.loading.labels.rival_labels import WHICH, given_first, labels_agree, rows_that_differ
from curation.loading.numbered_files import find_shard_sets, find_written_folders, is_shard_set
from curation.loading.overrides import Options
from curation.loading.part_paths import part_path
from curation.loading.report_builder import ReportBuilder, Stop, list_few, stop
from curation.loading.vocabulary import (
    ID_STEMS,
    LABEL_ARRAYS,
    LABEL_COLUMNS,
    LABEL_STEMS,
    PREDICTED_STEMS,
)
from curation.paths import resolve_inside

HEAD_BYTES = 4096
MAX_LOOKED_AT = 20  # files of a table in parts; reading compares all
# how a JSON object that is a table begins: pandas' split form, COCO, or one row per line
# (Datumaro lists the classes first, FiftyOne the samples)
TABLE_KEYS = re.compile(
    rb'"columns"\s*:|"(?:images|annotations|categories|samples)"\s*:\s*\[|\}\r?\n\{'
    rb'|"categories"\s*:\s*\{\s*"label"'
)
MIXED_SUFFIXES = (".json", ".txt")  # of files that may be a table, or anything else


def find_labels(
    root: Path,
    files: Sequence[str],
    probs: tuple[str, ...],
    options: Options,
    report: ReportBuilder,
) -> str | None:
    """Return the file with the labels; None if there is none, or if folders are the labels."""
    tables = _list_tables(root, files)
    arrays = [f for f in files if is_array(f)]
    named = [f for f in (*tables, *arrays) if FileName.of(f).stem in LABEL_STEMS]
    if named:
        holding = [f for f in named if can_hold_labels(root, f, options.label_column)]
        return _best_named(root, holding or named, probs, options, report)
    if find_class_folders(root):  # the folders are the labels, unless a table has labels
        tables = [f for f in (*tables, *probs) if _names_labels(root, f, options.label_column)]
        return tables[0] if len(tables) == 1 else None
    flat = [f for f in arrays if (h := peek_array(root, f)) and len(h.shape) == 1]
    flat = [f for f in flat if remove_suffix(f).lower() not in {*ID_STEMS, *PREDICTED_STEMS}]
    archives = [f for f in (*files, *probs) if _archive_has_labels(root, f)]
    holding = [f for f in tables if _names_labels(root, f, options.label_column)]
    for candidates in (holding, tables, flat, archives):
        if candidates:
            return _only_one(root, candidates, probs, report)
    if probs and is_table(probs[0]):
        return probs[0]  # one table may hold both
    return None


def list_label_files(root: Path, files: Sequence[str]) -> list[str]:
    """Return the tables and arrays whose names are those of label files."""
    able = [*_list_tables(root, files), *(f for f in files if is_array(f))]
    return [f for f in able if FileName.of(f).stem in LABEL_STEMS]


def _list_tables(root: Path, files: Sequence[str]) -> list[str]:
    tables = [f for f in files if _is_whole_table(root, f)]
    sets = [each for each in find_shard_sets(tables) if each.sure and _are_alike(root, each.files)]
    in_parts = {name for each in sets for name in each.files}
    tables = [f for f in tables if f not in in_parts]
    tables += [each.name for each in (*sets, *find_written_folders(root))]
    return [*tables, *find_shards(root, files), *find_metadata(root), *find_saved_splits(root)]


def _are_alike(root: Path, names: Sequence[str]) -> bool:
    """Return whether files have the same columns, as far as looking at some of them shows."""
    some = [*names[:MAX_LOOKED_AT], names[-1]]
    peeks = [peek_file(root, name) for name in some if (root / name).stat().st_size]
    return None not in peeks and len({each.columns for each in peeks if each}) == 1


def can_hold_labels(root: Path, name: str, label_column: str | None) -> bool:
    """Return whether a file named as labels can hold them: features are a matrix of floats."""
    if not is_array(name):
        return _names_labels(root, name, label_column)
    header = peek_array(root, name)
    return header is None or len(header.shape) < 2 or header.dtype.kind != "f"


def _is_whole_table(root: Path, name: str) -> bool:
    if not is_table(name) or TABLE_SHARD.fullmatch(name):
        return False
    if find_suffix(name) not in MIXED_SUFFIXES:
        return True
    if FileName.of(name).stem in LABEL_STEMS[:-1]:
        return True  # if it is not a table, reading it reports why
    if find_suffix(name) == ".txt":
        head = _read_head(root, name)
        return is_marked(head) or lists_pictures(head)
    return _is_array_of_rows(root, name)


def _is_array_of_rows(root: Path, name: str) -> bool:
    """Return whether a .json file is a table; others are the settings of a program."""
    head = _read_head(root, name)
    if head.startswith(b"{") and not TABLE_KEYS.search(head):
        return False
    return head.startswith((b"[", b"{")) and peek_file(root, name) is not None


def _read_head(root: Path, name: str) -> bytes:
    try:
        with part_path(root, name).open("rb") as file:
            return file.read(HEAD_BYTES).removeprefix(codecs.BOM_UTF8).lstrip()
    except (Stop, OSError):
        return b""


def find_ids(root: Path, files: Sequence[str]) -> str | None:
    """Return the array of ids or file names in the folder, found by its name."""
    named = [f for f in files if remove_suffix(f).lower() in ID_STEMS]
    found = [f for f in named if (h := peek_array(root, f)) and _can_be_ids(h)]
    return found[0] if len(found) == 1 else None


def _can_be_ids(header: Header) -> bool:
    return len(header.shape) == 1 and header.dtype.kind in "iuUS"


def _best_named(
    root: Path,
    candidates: Sequence[str],
    probs: tuple[str, ...],
    options: Options,
    report: ReportBuilder,
) -> str:
    """Return the file whose name is the clearest one for labels."""
    rank = {f: LABEL_STEMS.index(FileName.of(f).stem) for f in candidates}
    best = [f for f in candidates if rank[f] == min(rank.values())]
    chosen = _only_one(root, best, probs, report)
    passed = [f for f in candidates if f not in best]
    for other in passed:
        _refuse_difference(root, chosen, other, options)
    if passed:
        report.add_auto_fix(
            code="folder.labels_chosen",
            where=chosen,
            what=f"it is read as the labels because of its name; {list_few(passed)} could hold "
            "labels too.",
            fix=f'To use another one, pass it, such as labels="{passed[0]}".',
            why="Labels from the wrong file would be wrong in every row.",
            count=len(candidates),
        )
    return chosen


def _refuse_difference(root: Path, chosen: str, other: str, options: Options) -> None:
    """Stop if two files that could be the labels disagree about the same examples."""
    if FileName.of(chosen).split != FileName.of(other).split:
        return
    if is_shard_set(chosen) or is_shard_set(other):
        return
    try:
        one, two = (
            read_label_file(part_path(root, name), name, options, ReportBuilder())
            for name in (chosen, other)
        )
        match = match_rows(one.keys, two.keys)
    except Stop:
        return  # not a table of labels; if it was chosen, reading it reports why
    mine, theirs = one.cells.values, two.cells.values
    if match is not None:
        mine = mine.filter(match.rows.is_valid())
        theirs = theirs.take(match.rows.drop_null())
    if len(mine) != len(theirs) or not len(mine) or labels_agree(mine, theirs):
        return
    rows, both = rows_that_differ(mine, theirs), given_first([chosen, other])
    raise stop(
        code="folder.ambiguous_labels",
        where=f"{chosen} or {other}",
        what=f"both could be the labels, and they differ in {len(rows)} of {len(mine)} rows.",
        fix=f'Pass the one to check, such as labels="{both[0]}".',
        why=WHICH,
        count=len(rows),
        first_rows=(f"row {row}" for row in rows),
        choices=[{"labels": each} for each in both],
    )


def _only_one(
    root: Path, candidates: Sequence[str], probs: tuple[str, ...], report: ReportBuilder
) -> str:
    """Return the only file, or the one that fits the probabilities; stop if that is unclear."""
    if len(candidates) == 1:
        return candidates[0]
    split = FileName.of(probs[0]).split if probs else None
    fitting = [f for f in candidates if split is not None and FileName.of(f).split == split]
    reason = f"because {probs[0]} is also of the {split} split" if split else ""
    if len(fitting) != 1 and probs:
        counts = [count_rows(root, name) for name in probs]
        total = None if None in counts else sum(each or 0 for each in counts)
        fitting = [f for f in candidates if total is not None and _count(root, f) == total]
        reason = f"because it has as many rows as the probabilities, {total}"
    if len(fitting) != 1 or len({FileName.of(f).split for f in candidates}) < len(candidates):
        raise ambiguous(candidates, "labels")
    others = [f for f in candidates if f not in fitting]
    report.add_auto_fix(
        code="folder.split_chosen",
        where=fitting[0],
        what=f"it is read as the labels instead of {list_few(others)}, {reason}.",
        fix=f'To use another one, pass it, such as labels="{others[0]}".',
        why="Labels of one split with probabilities of another would be wrong in every row.",
        count=len(candidates),
    )
    return fitting[0]


def _names_labels(root: Path, name: str, label_column: str | None) -> bool:
    """Return whether a column of a table is named like labels."""
    try:
        path = part_path(root, list_shards(root, name)[0] if is_shard_set(name) else name)
    except Stop:
        return False  # reading it reports why
    peek = peek_table(path)
    columns = () if peek is None else peek.columns
    return any(c.strip().lower() in LABEL_COLUMNS or c == label_column for c in columns)


def _archive_has_labels(root: Path, name: str) -> bool:
    if not is_archive(name):
        return False
    try:
        headers = open_npz(part_path(root, name), name, memory_limit=NO_LIMIT)
    except Stop:
        return True  # reading it reports what is wrong
    if is_sparse(headers):
        return False
    flat = [
        key for key, h in headers.items() if h.shape[1:] in ((), (1,)) and h.dtype.kind in "iub"
    ]
    flat = [key for key in flat if key.lower() not in ID_STEMS]
    return any(key.lower() in LABEL_ARRAYS for key in headers) or bool(flat)


def choose_folders(root: Path, probs: tuple[str, ...], report: ReportBuilder) -> str | None:
    """Return the folder of class folders; of several, the one that fits the probabilities."""
    found = find_example_folders(root)
    return _only_one(root, found, probs, report) if found else None


def _count(root: Path, name: str) -> int | None:
    if (root / name).is_dir():
        return len(list_class_folders(root, name, ReportBuilder())[0])
    return count_rows(root, name)


def count_rows(root: Path, name: str) -> int | None:
    """Return the number of rows without reading their cells; None if that is not possible.

    In a text file, lines are counted: a cell that spans two lines counts twice.
    """
    try:
        if is_shard_set(name):
            counts = [count_rows(root, each) for each in list_shards(root, name)]
            return None if None in counts else sum(each or 0 for each in counts)
        return registry.count_rows(resolve_inside(root, name))
    except (CurationError, Stop, OSError, ValueError):  # reading it reports why
        return None
