"""Which file of a folder lists the classes."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

from curation.loading.discovery.file_peeks import peek_array, peek_file
from curation.loading.discovery.folder_listing import MODEL_CONFIG, find_only_file
from curation.loading.formats.registry import TABLE_SUFFIXES, is_array, is_table
from curation.loading.overrides import Options
from curation.loading.part_paths import part_path
from curation.loading.report_builder import Stop
from curation.loading.vocabulary import CLASS_STEMS, FILE_COLUMNS

MAX_CONFIG_BYTES = 2**24  # of a model's config.json or a list of classes
CLASS_LINES = ("labels.txt", "label.txt", "labels.json", "label.json")


def find_class_file(root: Path, files: Sequence[str], options: Options) -> str | None:
    """Return the file that lists the classes: the one named, or one that is called so."""
    if options.classes is not None:
        return options.classes if isinstance(options.classes, str) else None
    found = find_only_file(files, CLASS_STEMS, (".txt", ".json", *TABLE_SUFFIXES), "classes")
    if found is not None and not _names_files(root, found):
        return found
    return _find_model_config(root, files)


def find_class_lines(root: Path, files: Sequence[str], probs: Sequence[str]) -> str | None:
    """Return a labels.txt that lists the classes, as TensorFlow Lite and Teachable Machine write.

    It has one line for each column of the probabilities, and another table has the labels.
    """
    named = [name for name in files if name.lower() in CLASS_LINES]
    tables = [name for name in files if name not in (*named, *probs) and is_table(name)]
    header = peek_array(root, probs[0]) if len(probs) == 1 and is_array(probs[0]) else None
    if len(named) != 1 or not tables or header is None or len(header.shape) != 2:
        return None
    try:
        lines = _read_lines(part_path(root, named[0]))
    except (Stop, OSError, ValueError, RecursionError):
        return None
    fits = len(set(lines)) == len(lines) == header.shape[1] < header.shape[0]
    return named[0] if fits else None


def _read_lines(path: Path) -> list[str]:
    """Return the lines of a text, or the names of a JSON object by number; [] for other JSON."""
    if path.suffix.lower() != ".json":
        return path.read_text(encoding="utf-8").splitlines()
    found = json.loads(path.read_bytes()) if path.stat().st_size < MAX_CONFIG_BYTES else None
    if not isinstance(found, dict) or list(found) != [str(k) for k in range(len(found))]:
        return []
    return [str(name) for name in found.values()]


def _names_files(root: Path, name: str) -> bool:
    """Return whether a table has a column of file names: its rows are examples, not classes."""
    found = peek_file(root, name)
    return found is not None and any(c.strip().lower() in FILE_COLUMNS for c in found.columns)


def _find_model_config(root: Path, files: Sequence[str]) -> str | None:
    """Return a model's config.json if it names the classes, as Hugging Face's models do."""
    if MODEL_CONFIG not in files:
        return None
    try:
        path = part_path(root, MODEL_CONFIG)
        named = path.stat().st_size < MAX_CONFIG_BYTES and json.loads(path.read_bytes())
    except (Stop, OSError, ValueError, RecursionError):
        return None
    names_classes = isinstance(named, dict) and isinstance(named.get("id2label"), dict)
    return MODEL_CONFIG if names_classes else None
