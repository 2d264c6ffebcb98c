"""Files that come in splits or in shards: train and test, train-00000-of-00002.parquet."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from curation.errors import CurationError
from curation.loading.formats import registry
from curation.loading.formats.registry import remove_suffix
from curation.loading.report_builder import Stop, stop
from curation.loading.vocabulary import METADATA_SUFFIXES, SHARD_FOLDERS, SPLITS
from curation.paths import resolve_inside

SHARD = re.compile(r"(?P<stem>.+)-(?P<number>\d{5})-of-(?P<total>\d{5})\.parquet", re.IGNORECASE)
ALL_SHARDS = "-*.parquet"  # how the shards of one table are named together


@dataclass(frozen=True)
class Name:
    """A file's name without its ending, taken apart: `train_labels.csv` is labels of train.

    >>> Name.of("data/train_labels.csv"), Name.of("test-00000-of-00001.parquet")
    (Name(stem='labels', split='train'), Name(stem='', split='test'))
    >>> Name.of("train/metadata.csv")
    Name(stem='metadata', split='train')
    """

    stem: str
    split: str | None

    @classmethod
    def of(cls, name: str) -> Name:
        last = PurePosixPath(name).name
        if shard := SHARD.fullmatch(last):
            stem = shard["stem"]
        else:
            shards = last.endswith(ALL_SHARDS)
            stem = last.removesuffix(ALL_SHARDS) if shards else remove_suffix(last)
        words = re.split(r"[_\-.\s]+", stem.lower())
        splits = [word for word in words if word in SPLITS]
        rest = "_".join(word for word in words if word not in SPLITS)
        folder = PurePosixPath(name).parent.name.lower()
        splits = splits or [folder] * (folder in SPLITS)
        return cls(rest, splits[0] if len(splits) == 1 else None)


def find_shards(root: Path, files: Sequence[str]) -> list[str]:
    """Return the tables that lie in shards, in the root or in its folder data/.

    One whose name says that it is the only shard is named as it is, others as `train-*.parquet`.
    """
    if not any(map(SHARD.fullmatch, files)):
        files = _shards_below(root)
    tables: dict[str, list[str]] = {}
    for name in files:
        if match := SHARD.fullmatch(name):
            tables.setdefault(match["stem"], []).append(name)
    return sorted(_one_name(stem, names) for stem, names in tables.items())


def _shards_below(root: Path) -> list[str]:
    for folder in SHARD_FOLDERS:
        try:
            entries = sorted(os.listdir(root / folder))
        except OSError:
            continue
        if found := [f"{folder}/{entry}" for entry in entries if SHARD.fullmatch(entry)]:
            return found
    return []


def _one_name(stem: str, names: Sequence[str]) -> str:
    match = SHARD.fullmatch(names[0])
    assert match is not None
    return names[0] if int(match["total"]) == 1 == len(names) else f"{stem}{ALL_SHARDS}"


def find_metadata(root: Path) -> list[str]:
    """Return the tables beside the pictures of a split, as Hugging Face's ImageFolder has them."""
    names = (
        f"{split}/metadata{ending}" for split in sorted(SPLITS) for ending in METADATA_SUFFIXES
    )
    return [name for name in names if (root / name).is_file()]


def list_shards(root: Path, name: str) -> list[str]:
    """Return the files that `train-*.parquet` stands for, in order; stop if one is missing."""
    folder, _, last = name.removesuffix(ALL_SHARDS).rpartition("/")
    prefix = f"{folder}/" if folder else ""
    try:
        entries = sorted(os.listdir(resolve_inside(root, folder) if folder else root))
    except (CurationError, OSError, ValueError):
        entries = []
    found = (SHARD.fullmatch(entry) for entry in entries)
    matches = [match for match in found if match and match["stem"] == last]
    totals = {int(match["total"]) for match in matches}
    numbers = [int(match["number"]) for match in matches]
    if not matches or len(totals) > 1 or numbers != list(range(min(totals))):
        total = max(totals, default=0)
        raise stop(
            code="shards.missing",
            where=name,
            what=f"{len(matches)} of {total} shards are there: "
            f"{', '.join(map(str, numbers[:20]))}.",
            fix=f"Fetch all {total} files, or name one of them as labels in curation.toml.",
            why="Rows after a gap would be joined to other examples' probabilities.",
            count=max(total - len(matches), 1),
        )
    return [prefix + match.string for match in matches]


def count_rows(root: Path, name: str) -> int | None:
    """Return how many rows a file has, without reading its cells; None if that is not possible.

    The lines of a text file are counted as they are: a cell that runs over two counts twice.
    """
    try:
        if name.endswith(ALL_SHARDS):
            counts = [count_rows(root, each) for each in list_shards(root, name)]
            return None if None in counts else sum(each or 0 for each in counts)
        return registry.count_rows(resolve_inside(root, name))
    except (CurationError, Stop, OSError, ValueError):  # reading it will say why
        return None
