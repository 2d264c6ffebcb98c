"""The files and folders in a dataset's folder."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from pathlib import Path

from curation.loading.dataset_parts import ambiguous
from curation.loading.file_names import FileName, plain_stem
from curation.loading.formats.registry import find_format, find_suffix
from curation.loading.overrides import MANIFEST
from curation.loading.report_builder import stop
from curation.paths import is_text

MODEL_CONFIG = "config.json"  # of Hugging Face's transformers; it may name the classes
MAX_CHOICES = 12  # files that are offered; the screen that maps them has all


def list_files(root: Path) -> list[str]:
    """Return the files in a folder, except the manifest, hidden files and unreadable names."""
    try:
        with os.scandir(root) as entries:
            names = [e.name for e in entries if not e.name.startswith(".") and e.is_file()]
    except OSError as error:
        raise stop(
            code="folder.unreadable",
            where=root.name or str(root),
            what=f"the folder cannot be read: {error.strerror}.",
            fix="Check that you may read it.",
            why="Its files cannot be listed.",
        ) from error
    return sorted(name for name in names if name != MANIFEST and is_text(name))


def list_readable(files: Iterable[str], used: Sequence[str | None]) -> list[str]:
    """Return the files that could be read as a table or an array, and are nothing else yet."""
    able = [f for f in files if find_format(f) is not None and f not in used]
    return [f for f in able if f != MODEL_CONFIG][:MAX_CHOICES]


def list_split_folders(root: Path) -> list[str]:
    """Return the folders named as splits or folds that hold data files of their own."""
    try:
        with os.scandir(root) as entries:
            names = [e.name for e in entries if e.is_dir() and not e.name.startswith(".")]
    except OSError:
        return []
    named = [name for name in sorted(names) if FileName.of(name).split is not None]
    return [name for name in named if _holds_data(root / name)]


def _holds_data(folder: Path) -> bool:
    try:
        names = os.listdir(folder)
    except OSError:
        return False
    return MANIFEST in names or any(find_format(name) is not None for name in names)


def find_only_file(
    files: Iterable[str], stems: Sequence[str], suffixes: Iterable[str], override: str
) -> str | None:
    """Return the file of one of these names; stop if there are several."""
    able = [f for f in files if find_suffix(f) in suffixes]
    found = [f for f in able if plain_stem(f) in stems]
    if not found:  # as in cifar10_test_set_index_to_label.json
        found = [f for f in able if plain_stem(f).endswith(tuple(f"_{stem}" for stem in stems))]
    if len(found) > 1:
        raise ambiguous(found, override)
    return found[0] if found else None
