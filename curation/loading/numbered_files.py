"""Tables in numbered files: Spark's part-00000-<id>-c000.csv, shard_0.parquet, data_1.csv.

All files of a table are named together, with a star in place of the number: `shard_*.parquet`.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from curation.errors import CurationError
from curation.loading.report_builder import stop
from curation.paths import resolve_inside

STAR = "*"
SUCCESS = "_SUCCESS"  # what Spark writes into a folder once all of its parts are there
_SPARK = re.compile(
    r"part-(?P<number>\d{5})(?:-[\w-]+)?(?:\.c\d{3})?"
    r"(?P<ending>(?:\.(?:snappy|zstd|lz4|gz))?\.[a-z]+(?:\.gz)?)"
)
_NUMBERED = re.compile(r"(?P<stem>.*?)(?P<number>\d+)(?P<ending>\.[a-z]+(?:\.gz)?)", re.IGNORECASE)
_PART_WORDS = frozenset("part parts shard shards chunk chunks partition".split())
_VERSION_WORDS = frozenset(
    "v ver version rev epoch run seed model annotator rater coder worker round iter".split()
)


@dataclass(frozen=True)
class ShardSet:
    """The files of one table, in order, and the name that stands for all of them."""

    name: str
    files: tuple[str, ...]
    sure: bool  # the names say that these are shards, not versions or years


def is_shard_set(name: str) -> bool:
    """Return whether a name stands for all files of a table, such as `shard_*.parquet`."""
    return f"{STAR}." in PurePosixPath(name).name


def find_shard_sets(names: Iterable[str]) -> list[ShardSet]:
    """Return the tables in several numbered files; numbers count from 0 or 1, without a gap.

    >>> [each.name for each in find_shard_sets(["shard_1.csv", "shard_0.csv", "a_2024.csv"])]
    ['shard_*.csv']
    """
    found: dict[str, dict[str, int]] = {}
    for name in names:
        folder, _, last = name.rpartition("/")
        prefix = f"{folder}/" if folder else ""
        if match := _SPARK.fullmatch(last):
            pattern = f"{prefix}part-{STAR}{match['ending']}"
        elif (match := _NUMBERED.fullmatch(last)) and not _counts_versions(match["stem"]):
            pattern = f"{prefix}{match['stem']}{STAR}{match['ending']}"
        else:
            continue
        found.setdefault(pattern, {})[name] = int(match["number"])
    return [
        ShardSet(
            pattern, tuple(sorted(files, key=lambda each: (files[each], each))), _is_sure(pattern)
        )
        for pattern, files in found.items()
        if len(files) > 1 and (_is_spark(files) or _counts(sorted(files.values())))
    ]


def _counts_versions(stem: str) -> bool:
    """Return whether a number counts versions or models of a table, not its shards.

    >>> _counts_versions("labels_v"), _counts_versions("data_")
    (True, False)
    """
    words = [word for word in re.split(r"[\W_]+", stem.lower()) if word]
    return bool(words) and words[-1] in _VERSION_WORDS


def _is_spark(files: Iterable[str]) -> bool:
    """Return whether Spark named the files; it leaves out parts without rows."""
    return all(map(is_spark_part, files))


def is_spark_part(name: str) -> bool:
    """Return whether Spark named a file: part-00000, and perhaps the id of what wrote it."""
    return _SPARK.fullmatch(PurePosixPath(name).name) is not None


def _counts(numbers: Sequence[int]) -> bool:
    return numbers[0] in (0, 1) and list(numbers) == list(range(numbers[0], numbers[-1] + 1))


def _is_sure(pattern: str) -> bool:
    words = re.split(r"[\W_]+", PurePosixPath(pattern).name.partition(STAR)[0].lower())
    return not _PART_WORDS.isdisjoint(words)


def find_written_folders(root: Path) -> list[ShardSet]:
    """Return the tables that Spark wrote as folders, such as `labels.csv/part-*.csv`."""
    try:
        with os.scandir(root) as entries:
            folders = sorted(e.name for e in entries if e.is_dir() and not e.name.startswith("."))
    except OSError:
        return []
    found: list[ShardSet] = []
    for folder in folders:
        try:
            names = os.listdir(resolve_inside(root, folder))
        except (CurationError, OSError):
            continue
        if SUCCESS in names:
            parts = sorted(f"{folder}/{name}" for name in names if _SPARK.fullmatch(name))
            found += find_shard_sets(parts) or [ShardSet(each, (each,), True) for each in parts]
    return found


def list_numbered_files(root: Path, name: str) -> list[str]:
    """Return the files that a name such as `shard_*.parquet` stands for, in order."""
    folder = name.rpartition("/")[0]
    try:
        entries = os.listdir(resolve_inside(root, folder) if folder else root)
    except (CurationError, OSError, ValueError):
        entries = []
    prefix = f"{folder}/" if folder else ""
    sets = {each.name: each for each in find_shard_sets(f"{prefix}{entry}" for entry in entries)}
    if name not in sets:
        raise stop(
            code="shards.missing",
            where=name,
            what="there are no such files that are numbered from 0 or 1 without a gap.",
            fix="Fetch all files of the table, or name one of them as labels in curation.toml.",
            why="Rows after a gap would get the probabilities of other examples.",
        )
    return list(sets[name].files)
