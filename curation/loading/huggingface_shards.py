"""Tables as Hugging Face stores them: in shards, next to pictures, or one per split."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from pathlib import Path

from curation.errors import CurationError
from curation.loading.file_names import ALL_SHARDS, TABLE_SHARD
from curation.loading.formats.registry import TABLE_SUFFIXES
from curation.loading.numbered_files import list_numbered_files
from curation.loading.part_paths import part_path
from curation.loading.report_builder import Stop, stop
from curation.loading.vocabulary import SHARD_FOLDERS, SPLITS
from curation.paths import resolve_inside

SAVED_SPLITS = "dataset_dict.json"


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
        return list_numbered_files(root, name)
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
