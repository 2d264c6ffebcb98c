"""What to say if labels or probabilities were not found: what is there, and what to do."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Sequence
from pathlib import Path

from curation.errors import CurationError
from curation.loading.formats.registry import find_format, find_suffix
from curation.loading.formats.unsupported import ADVICE
from curation.loading.vocabulary import IMAGE_SUFFIXES
from curation.paths import is_text, resolve_inside
from curation.storage.grants import find_mirror

MAX_BELOW = 12  # files in folders below that are offered
MAX_ENTRIES = 1000  # of a folder that are looked at
MAX_FOLDERS = 50
MAX_TEXTS = 3  # more .txt files in a folder are examples, not tables
DEPTH = 2
MIN_PICTURES = 5  # in a folder of pictures
HEAD_BYTES = 4096
MAX_FETCHED_BYTES = 2**24  # of an object in storage, to see whether it only needs another ending
_PARTITION = re.compile(r"\w+=.*")  # how Hive, Spark and pandas name such a folder
# what a service calls its output: Vertex AI's prediction.results-00000-of-00001, SageMaker's .out
_RESULTS = re.compile(r".*\.results-\d+-of-\d+|.*\.out", re.IGNORECASE)


def list_below(root: Path, depth: int = DEPTH, prefix: str = "") -> list[str]:
    """Return the tables and arrays in the folders of a folder, the nearest first."""
    found: list[str] = []
    for folder in _list(root, prefix, folders=True)[:MAX_FOLDERS]:
        inside = f"{prefix}{folder}/"
        names = [name for name in _list(root, inside) if find_format(name) is not None]
        texts = [name for name in names if find_suffix(name) == ".txt"]
        if len(texts) > MAX_TEXTS:
            names = [name for name in names if name not in texts]
        found += [inside + name for name in names]
        if depth > 1:
            found += list_below(root, depth - 1, inside)
    return sorted(found, key=lambda name: (name.count("/"), name))[:MAX_BELOW]


def list_folders(root: Path) -> list[str]:
    """Return the folders in a folder."""
    return _list(root, "", folders=True)


def _list(root: Path, prefix: str, *, folders: bool = False) -> list[str]:
    """Return the files or the folders in a folder inside the root."""
    try:
        folder = resolve_inside(root, prefix.rstrip("/")) if prefix else root
        with os.scandir(folder) as entries:
            names = [e.name for e in entries if e.is_dir() == folders][:MAX_ENTRIES]
    except (CurationError, OSError):
        return []
    return sorted(name for name in names if not name.startswith(".") and is_text(name))


def advise_pictures(root: Path) -> str:
    """Return what to do about pictures without labels; "" if there are none."""
    for prefix in ("", *(f"{folder}/" for folder in _list(root, "", folders=True)[:MAX_FOLDERS])):
        names = [name for name in _list(root, prefix) if name.lower().endswith(IMAGE_SUFFIXES)]
        if len(names) >= MIN_PICTURES:
            return (
                f"The pictures in {prefix or 'the folder'} need labels. If their names hold them, "
                f"as in {names[0]}, write them into labels.csv: pd.DataFrame({{'image': names, "
                "'label': [name.split('.')[0] for name in names]}).to_csv('labels.csv')."
            )
    return ""


def advise_partitions(root: Path) -> str:
    """Return what to do about a table that is split by the values of a column; "" if none is."""
    folders = [name for name in _list(root, "", folders=True) if _PARTITION.fullmatch(name)]
    if len(folders) < 2:
        return ""
    return (
        f"The table is split into folders such as {folders[0]}, whose names hold a column: save it "
        'as one file with pd.read_parquet(folder).to_parquet("data.parquet").'
    )


def advise_renaming(root: Path, files: Iterable[str]) -> str:
    """Return which file only needs another ending; "" if there is none.

    The format is known from the ending and never guessed, but a person can be told.
    """
    for name in files:
        if find_format(name) is not None or (find_suffix(name) in ADVICE):
            continue
        ending = _suggest_ending(_read_head(root, name))
        if ending:
            written = " It is the output of a service." if _RESULTS.fullmatch(name) else ""
            return (
                f"{name} looks like {ending[1:].upper()}, but the format is known from the "
                f"ending alone: rename it to {name}{ending}.{written}"
            )
    return ""


def _suggest_ending(head: bytes) -> str:
    """Return the ending for the first bytes of a table; "" if they are not of a table.

    >>> _suggest_ending(b"5.1,cat\\n4.9,dog\\n"), _suggest_ending(b'{"a": 1}\\n{"a": 2}\\n')
    ('.csv', '.jsonl')
    """
    try:
        lines = head[: head.rfind(b"\n")].decode().splitlines()[:20]
    except UnicodeError:
        return ""
    if len(lines) < 2:
        return ""
    if all(line.startswith("{") and line.endswith("}") for line in lines):
        return ".jsonl"
    return next((e for mark, e in (("\t", ".tsv"), (",", ".csv")) if _splits(lines, mark)), "")


def _splits(lines: Sequence[str], mark: str) -> bool:
    counts = {line.count(mark) for line in lines}
    return len(counts) == 1 and 0 not in counts


def _read_head(root: Path, name: str) -> bytes:
    try:
        mirror = find_mirror(root)
        if mirror is not None and mirror.objects[name].size <= MAX_FETCHED_BYTES:
            mirror.ensure(name)
        with resolve_inside(root, name).open("rb") as file:
            return file.read(HEAD_BYTES)
    except (CurationError, OSError, KeyError):
        return b""
