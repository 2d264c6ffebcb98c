"""The files of a dataset, and how splits and shards are named."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any

from curation.errors import ContentError, CurationError
from curation.loading.formats.registry import TABLE_SUFFIXES, is_table, remove_suffix
from curation.loading.overrides import ALL_SPLITS
from curation.loading.report_builder import Stop, list_few, stop
from curation.loading.table_parts import PartSet, find_part_sets, is_part_set, list_part_files
from curation.loading.vocabulary import SHARD_FOLDERS, SPLITS
from curation.paths import describe_place, personal_folder, resolve_inside
from curation.storage.grants import find_granted, find_mirror
from curation.storage.remote_address import is_address

TABLE_SHARD = re.compile(
    r"(?P<stem>.+)-(?P<number>\d{5})-of-(?P<total>\d{5})\.(?P<ending>parquet|arrow)", re.IGNORECASE
)
FOLD = re.compile(r"(?:(?<=[_\-. ])|^)(?:fold|cv|kfold|split)[_\-. ]?(?P<number>\d{1,3})(?!\d)")
NOUNS = {"probs": "probabilities", "true_labels": "true labels", "classes": "class names"}
SAVED_SPLITS = "dataset_dict.json"
ALL_SHARDS = "-*."  # in a name such as train-*.parquet, which stands for all shards of a table


@dataclass(frozen=True)
class Parts:
    """The files of a dataset, relative to its root; `folders` holds one folder per class."""

    root: Path
    labels: str | None = None
    probs: tuple[str, ...] = ()
    classes: str | None = None
    true_labels: str | None = None
    folders: str | None = None
    ids: str | None = None  # an array that holds only ids
    sheet: str | None = None  # of a workbook with the labels
    prob_sheet: str | None = None  # of a workbook with the probabilities

    def path(self, name: str) -> Path:
        if os.path.isabs(name) and Path(name).parent == personal_folder(self.root):
            return Path(name)  # made for this dataset, and kept outside because it is read-only
        return part_path(self.root, name)

    @property
    def probs_with_labels(self) -> bool:
        """Return whether the probabilities are in the label file, so that rows need no joining."""
        return not self.probs or (self.probs == (self.labels,) and self.prob_sheet is None)

    @property
    def label_files(self) -> list[str]:
        """Return the files with the labels: one file, or all shards of a table."""
        if self.labels is None:
            return []
        return list_shards(self.root, self.labels) if is_part_set(self.labels) else [self.labels]


def part_path(root: Path, name: str) -> Path:
    """Return the path of a part; stop if it is outside the root, or does not exist."""
    mirror = find_mirror(root)
    if is_address(name):
        granted = find_granted(name)
        if granted is not None:
            return granted.copy.files / PurePosixPath(name).name
        inside = mirror.address.find_name(name) if mirror is not None else None
        if mirror is None or inside is None:
            raise address_refused(name, "labels or --probs")
        root, name = mirror.copy.files, inside
    if os.path.isabs(name) and Path(name).is_relative_to(root):
        name = str(Path(name).relative_to(root))
    try:
        path = resolve_inside(root, name)
    except ContentError as error:
        raise stop(
            code="part.refused",
            where=name or "a part without a name",
            what=f"{error.reason}.",
            fix=error.remedy,
            why="A dataset may come from anywhere, so nothing outside its folder is read.",
        ) from error
    if not path.is_file():
        raise stop(
            code="part.missing",
            where=name,
            what=f"{describe_place(path) or f'there is no such file in {root.name or root}'}.",
            fix="Name an existing file, relative to the dataset's folder.",
            why="If a file is named, no other file is used instead.",
        )
    if mirror is not None:
        mirror.ensure(path.relative_to(mirror.copy.files.resolve()).as_posix())
    return path


def address_refused(address: str, option: str) -> Stop:
    """Return the stop at an address that the data names, but nobody who loads it."""
    return stop(
        code="part.refused",
        where=address[:200],
        what="it is outside the folder that was opened.",
        fix=f"If you trust it, name it yourself: --{option.replace('_', '-')} {address[:200]}",
        why="A dataset may come from anyone, so it cannot choose which storage is read.",
    )


def ambiguous(candidates: Sequence[str], override: str) -> Stop:
    """Return the stop that asks which file is meant; splits can also be read together."""
    choices: list[dict[str, Any]] = [{override: each} for each in candidates]
    splits = [FileName.of(each).split for each in candidates]
    together = None not in splits and len(set(splits)) == len(splits)
    folds = all(str(each).startswith("fold") for each in splits)
    if together and override == "probs" and folds:
        choices.append({"probs": sorted(candidates, key=_number)})
    elif together:
        choices.append({"splits": ALL_SPLITS})
    elif override in ("labels", "probs"):
        sets = find_part_sets(each for each in candidates if is_table(each))
        choices += [{override: _name_parts(each, override)} for each in sets]
    kind = "labels" if override == "splits" else override
    return stop(
        code=f"folder.ambiguous_{kind}",
        where=" or ".join(candidates[:3]),
        what=f"several files could be the {NOUNS.get(override, override)}: {list_few(candidates)}."
        if override != "splits"
        else f"the dataset is in several folders: {list_few(candidates)}.",
        fix=f'Pass the right one, such as {override}="{candidates[0]}".',
        why="The wrong file would give wrong findings without a warning.",
        count=len(candidates),
        choices=choices,
    )


def _name_parts(parts: PartSet, override: str) -> Any:
    return list(parts.files) if override == "probs" else parts.name


def _number(name: str) -> int:
    """Return the number of a fold, to put 10 after 9."""
    return int("".join(filter(str.isdigit, FileName.of(name).split or "")) or -1)


@dataclass(frozen=True)
class FileName:
    """A file's name split into its parts: `train_labels.csv` is the labels of train.

    >>> FileName.of("data/train_labels.csv"), FileName.of("test-00000-of-00001.parquet")
    (FileName(stem='labels', split='train'), FileName(stem='', split='test'))
    >>> FileName.of("train/metadata.csv")
    FileName(stem='metadata', split='train')
    """

    stem: str
    split: str | None

    @classmethod
    def of(cls, name: str) -> FileName:
        last = PurePosixPath(name).name
        if last.startswith("part-*") and (written := PurePosixPath(name).parent.name):
            return cls.of(written)  # Spark's folder labels.csv
        if shard := TABLE_SHARD.fullmatch(last):
            stem = shard["stem"]
        else:
            stem = last.partition(ALL_SHARDS)[0] if ALL_SHARDS in last else remove_suffix(last)
        stem, fold = _take_fold(stem.lower())
        words = re.split(r"[_\-.\s]+", stem)
        splits = [word for word in words if word in SPLITS]
        rest = "_".join(word for word in words if word not in SPLITS)
        folder = PurePosixPath(name).parent.name.lower()
        splits = splits or [folder] * (folder in SPLITS)
        return cls(rest, fold or (splits[0] if len(splits) == 1 else None))


def _take_fold(stem: str) -> tuple[str, str | None]:
    """Return a name without its fold, and the fold.

    >>> _take_fold("preds_fold_3"), _take_fold("fold0"), _take_fold("labels")
    (('preds', 'fold3'), ('', 'fold0'), ('labels', None))
    """
    match = FOLD.search(stem)
    if match is None:
        return stem, None
    rest = stem[: match.start()] + stem[match.end() :]
    return rest.strip("_-. "), f"fold{int(match['number'])}"


def find_shards(root: Path, files: Sequence[str]) -> list[str]:
    """Return the tables that are stored in shards, in the root or in its folder data/.

    A single shard keeps its name; several are named together, as `train-*.parquet`.
    """
    if not any(map(TABLE_SHARD.fullmatch, files)):
        files = _shards_below(root)
    tables: dict[str, list[str]] = {}
    for name in files:
        if match := TABLE_SHARD.fullmatch(name):
            tables.setdefault(match["stem"], []).append(name)
    return sorted(_one_name(stem, names) for stem, names in tables.items())


def _shards_below(root: Path) -> list[str]:
    for folder in SHARD_FOLDERS:
        try:
            entries = sorted(os.listdir(root / folder))
        except OSError:
            continue
        if found := [f"{folder}/{entry}" for entry in entries if TABLE_SHARD.fullmatch(entry)]:
            return found
    return []


def _one_name(stem: str, names: Sequence[str]) -> str:
    match = TABLE_SHARD.fullmatch(names[0])
    assert match is not None
    together = f"{stem}{ALL_SHARDS}{match['ending']}"
    return names[0] if int(match["total"]) == 1 == len(names) else together


def find_metadata(root: Path) -> list[str]:
    """Return the tables next to the pictures of a split, as in Hugging Face's ImageFolder."""
    names = (f"{split}/metadata{end}" for split in sorted(SPLITS) for end in TABLE_SUFFIXES)
    return [name for name in names if (root / name).is_file()]


def find_saved_splits(root: Path) -> list[str]:
    """Return the tables of a DatasetDict that Hugging Face's save_to_disk wrote, one per split."""
    try:
        saved = json.loads(part_path(root, SAVED_SPLITS).read_bytes())["splits"]
        splits = [str(each) for each in saved]
    except (Stop, OSError, ValueError, KeyError, TypeError):
        return []
    found = []
    for split in splits:
        try:
            entries = sorted(os.listdir(resolve_inside(root, split)))
        except (CurationError, OSError):
            continue
        found += [f"{split}/{each}" for each in find_shards(root, entries)]
    return found


def list_shards(root: Path, name: str) -> list[str]:
    """Return the files of a name such as `train-*.parquet`, in order; stop if one is missing."""
    folder, _, last = name.partition(ALL_SHARDS)[0].rpartition("/")
    prefix = f"{folder}/" if folder else ""
    try:
        entries = sorted(os.listdir(resolve_inside(root, folder) if folder else root))
    except (CurationError, OSError, ValueError):
        entries = []
    found = (TABLE_SHARD.fullmatch(entry) for entry in entries)
    matches = [match for match in found if match and match["stem"] == last]
    if not matches:
        return list_part_files(root, name)
    totals = {int(match["total"]) for match in matches}
    numbers = [int(match["number"]) for match in matches]
    if len(totals) > 1 or numbers != list(range(min(totals))):
        total = max(totals)
        raise stop(
            code="shards.missing",
            where=name,
            what=f"only {len(matches)} of {total} shards exist: "
            f"{', '.join(map(str, numbers[:20]))}.",
            fix=f"Fetch all {total} files, or name one of them as labels in curation.toml.",
            why="Rows after the gap would get the probabilities of other examples.",
            count=max(total - len(matches), 1),
        )
    return [prefix + match.string for match in matches]
