"""Lists of classes under names that say little: told by what they hold, and by their length."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from curation.loading.dataset_parts import ambiguous
from curation.loading.discovery.file_peeks import peek_array
from curation.loading.file_names import plain_stem
from curation.loading.formats.npy import read_npy, text_array
from curation.loading.formats.registry import find_suffix, is_array
from curation.loading.part_paths import part_path
from curation.loading.report_builder import ReportBuilder, Stop, list_few
from curation.loading.vocabulary import CLASS_STEMS

MAX_BYTES = 2**20
# Keras' class_indices, fastai's vocab, scikit-learn's LabelEncoder, label_num_to_disease_map
CLASS_WORDS = frozenset(
    "class classes label labels category categories target targets vocab encoder".split()
)
LISTED = ("vocab", "categories", "target_names", "class_labels", "labels_list")
ARRAYS = (*CLASS_STEMS, "classes_", "label_encoder", "label_encoder_classes", "le_classes", *LISTED)


def find_class_map(
    root: Path, files: Sequence[str], probs: Sequence[str], report: ReportBuilder
) -> str | None:
    """Return the file that names the class of each column of an array; None if there is none.

    It numbers the classes from 0, or lists them, and has as many as there are columns.
    """
    header = peek_array(root, probs[0]) if probs else None
    if header is None or len(header.shape) != 2:
        return None
    found = {name: names for name in files if (names := _read_names(root, name, header.shape[1]))}
    if not found:
        _warn_of_unread(root, files, probs[0], report)
        return None
    if len(set(found.values())) > 1:
        raise ambiguous(list(found), "classes")
    chosen, names = next(iter(found.items()))
    report.add_auto_fix(
        code="classes.found",
        where=chosen,
        what=f"it is read as the classes, in the order of the columns: {list_few(names)}.",
        fix="If it is something else, list the classes in classes.txt, in the order of the columns "
        f"of {probs[0]}.",
        why=f"It names {len(names)} classes, and the probabilities have as many columns.",
        count=len(names),
    )
    return chosen


def _warn_of_unread(root: Path, files: Sequence[str], probs: str, report: ReportBuilder) -> None:
    """Warn of a file that is named as a list of classes, but is in a format that is not read."""
    unread = [name for name in files if plain_stem(name) in ARRAYS and _is_unread(root, name)]
    if not unread:
        return
    report.add_warning(
        code="classes.unread",
        where=unread[0],
        what="it seems to list the classes, and is not read; the columns are taken in the order of "
        "their numbers, or of the alphabet.",
        fix="Write the names of the classes into classes.txt, one per line, in the order of the "
        f'columns of {probs}: open("classes.txt", "w").write("\\n".join(encoder.classes_)).',
        why="In another order, most labels would look wrong.",
    )


def _is_unread(root: Path, name: str) -> bool:
    if is_array(name):  # of Python objects
        return peek_array(root, name) is None
    return find_suffix(name) in (".pkl", ".pickle", ".joblib", ".pt", ".pth", ".yaml", ".yml")


def _read_names(root: Path, name: str, count: int) -> tuple[str, ...] | None:
    """Return the classes that a file lists, if there are as many as this; None otherwise."""
    if not _may_list_classes(name):
        return None
    try:
        path = part_path(root, name)
        found = _list_names(path, name) if path.stat().st_size <= MAX_BYTES else None
    except (Stop, OSError, ValueError, RecursionError):
        return None  # not a list of classes
    return tuple(found) if found and len(set(found)) == len(found) == count else None


def _may_list_classes(name: str) -> bool:
    """Return whether a file's name allows it to be a list of classes.

    >>> _may_list_classes("class_indices.json"), _may_list_classes("train_001.json")
    (True, False)
    """
    stem = plain_stem(name)
    if find_suffix(name) == ".json":
        return not CLASS_WORDS.isdisjoint(re.split(r"[\W_]+", stem))
    return stem in ARRAYS if is_array(name) else find_suffix(name) == ".txt" and stem in LISTED


def _list_names(path: Path, name: str) -> list[str] | None:
    if is_array(name):
        array = np.asarray(read_npy(path, name, memory_limit=MAX_BYTES))
        return text_array(array, name).to_pylist() if array.ndim == 1 else None
    if find_suffix(name) == ".txt":
        return path.read_text(encoding="utf-8").splitlines()
    return _from_json(json.loads(path.read_bytes()), plain_stem(name))


def _from_json(found: Any, stem: str) -> list[str] | None:
    """Return names from {name: number} or {number: name}; from a list, if the file is named so.

    >>> _from_json({"dog": 1, "cat": 0}, "class_indices"), _from_json({"cat": 3}, "class_weight")
    (['cat', 'dog'], None)
    """
    if isinstance(found, list):
        return found if stem in LISTED and all(isinstance(each, str) for each in found) else None
    if not isinstance(found, dict):
        return None
    numbers = list(range(len(found)))
    values = list(found.values())
    if all(type(value) is int for value in values) and sorted(values) == numbers:
        return sorted(found, key=lambda name: int(found[name]))
    if set(found) == set(map(str, numbers)) and all(isinstance(value, str) for value in values):
        return [found[str(number)] for number in numbers]
    return None
