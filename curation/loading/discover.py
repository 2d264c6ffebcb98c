"""What is in the folder? Parts known by their names and shapes; where in doubt, ask."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from curation.errors import ContentError
from curation.loading.arrays import Header, open_npz, read_header
from curation.loading.folder import find_class_folders
from curation.loading.manifest import MANIFEST, Options, merge, read_manifest
from curation.loading.notes import Stop, listing, stop
from curation.loading.paths import describe_place, resolve_inside
from curation.loading.probabilities import MEMBER_NAMES, SHARD, shard_number
from curation.loading.tables import SUFFIXES

LABEL_STEMS = (
    "labels given_labels noisy_labels label train_labels test_labels targets y annotations "
    "metadata data dataset examples train test"
).split()
LABEL_COLUMNS = "label given_label target y class labels noisy_label noisy_labels targets".split()
LABEL_MEMBERS = ("labels", "noisy_labels", "given_labels", "label", "y", "targets")
PROB_STEMS = (
    "pred_probs probs probabilities predicted_probabilities predictions pred_prob proba probas "
    "psx softmax logits scores"
).split()
HEAD_BYTES = 2**16  # of a table's first line
CLASS_STEMS = ("classes", "class_names", "classnames", "label_names")
TRUE_STEMS = ("true_labels", "true_label", "y_true", "gold_labels", "correct_labels")
PROB_SUFFIXES = (".npy", ".npz", ".csv", ".tsv", ".parquet", ".pq", ".jsonl")


@dataclass(frozen=True)
class Parts:
    """The files a dataset is made of, named from its root; `folders` is one folder per class."""

    root: Path
    labels: str | None = None
    probs: tuple[str, ...] = ()
    classes: str | None = None
    true_labels: str | None = None
    folders: str | None = None

    def path(self, name: str) -> Path:
        return part_path(self.root, name)


def part_path(root: Path, name: str) -> Path:
    """Return where a part lies; stop if that is outside the root, or nowhere."""
    if os.path.isabs(name) and Path(name).is_relative_to(root):
        name = str(Path(name).relative_to(root))
    try:
        path = resolve_inside(root, name)
    except ContentError as error:
        raise stop(
            "part.refused",
            name or "a part without a name",
            f"{error.reason}.",
            error.remedy,
            why="A dataset may come from anyone, so nothing outside its folder is read.",
        ) from error
    if not path.is_file():
        raise stop(
            "part.missing",
            name,
            f"{describe_place(path) or f'there is no such file in {root.name or root}'}.",
            "Name a file that is there; parts are named from the dataset's folder.",
            why="A part that was named is never looked for under another name.",
        )
    return path


def open_place(path: Path, overrides: Options) -> tuple[Path, Options]:
    """Return the dataset's root, and all that was said about it, by a manifest and overrides."""
    try:
        is_file, is_folder = path.is_file(), path.is_dir()
    except (OSError, ValueError):
        is_file = is_folder = False
    if not is_file and not is_folder:
        raise stop(
            "path.missing",
            str(path),
            f"{describe_place(path) or 'there is no such file or folder'}.",
            "Name a folder, a table or a curation.toml that is there.",
            why="There is nothing to read.",
        )
    if is_folder:
        manifest = path / MANIFEST
        said = read_manifest(part_path(path, MANIFEST)) if manifest.exists() else Options()
        return path.resolve(), merge(said, overrides)
    root = path.resolve().parent if path.is_symlink() else path.parent.resolve()
    if path.suffix.lower() == ".toml":
        return root, merge(read_manifest(path), overrides)
    return root, merge(Options(labels=path.resolve().name), overrides)


def find_parts(root: Path, options: Options) -> Parts:
    """Return the parts of a dataset: those that were named, and the rest by looking."""
    files = _list_files(root)
    true = options.true_labels or _only(files, TRUE_STEMS, (*SUFFIXES, ".npy"), "true_labels")
    classes = options.classes if isinstance(options.classes, str) else None
    if options.classes is None:
        classes = _only(files, CLASS_STEMS, (".txt", ".json", ".csv", ".tsv"), "classes")
    rest = [name for name in files if name not in (true, classes)]
    probs = _named_probs(options) or _find_probs(root, rest, options)
    labels = options.labels or _find_labels(root, [n for n in rest if n not in probs], probs)
    if not probs and labels and labels.lower().endswith(".npz"):
        probs = (labels,)
    folders = find_class_folders(root) if labels is None else None
    if labels is None and folders is None:
        raise stop(
            "folder.no_labels",
            root.name or str(root),
            f"no labels found; the folder holds {listing(files) or 'no files'}.",
            "Name the file with labels=..., or call it labels.csv.",
            why="Label errors are found by comparing labels with a model's probabilities.",
        )
    return Parts(root, labels, probs, classes, true, folders)


def _named_probs(options: Options) -> tuple[str, ...]:
    if isinstance(options.probs, str):
        return (options.probs,)
    return tuple(options.probs or ())


def _list_files(root: Path) -> list[str]:
    try:
        with os.scandir(root) as entries:
            names = [e.name for e in entries if not e.name.startswith(".") and e.is_file()]
    except OSError as error:
        raise stop(
            "folder.unreadable",
            root.name or str(root),
            f"the folder cannot be read: {error.strerror}.",
            "Check that you may read it.",
            why="What is in it cannot be found out.",
        ) from error
    return sorted(name for name in names if name != MANIFEST and _is_text(name))


def _is_text(name: str) -> bool:
    try:
        name.encode()
    except UnicodeEncodeError:
        return False
    return True


def _stem(name: str) -> str:
    return Path(name).stem.lower().replace("-", "_")


def _only(
    files: Iterable[str], stems: Sequence[str], suffixes: Iterable[str], override: str
) -> str | None:
    """Return the file of one of these names; stop if there are several."""
    found = [f for f in files if _stem(f) in stems and Path(f).suffix.lower() in suffixes]
    if len(found) > 1:
        raise _ambiguous(found, override)
    return found[0] if found else None


def _ambiguous(candidates: Sequence[str], override: str) -> Stop:
    return stop(
        f"folder.ambiguous_{override}",
        " or ".join(candidates[:3]),
        f"several files could be the {override}: {listing(candidates)}.",
        f'Pass the one that is, such as {override}="{candidates[0]}".',
        why="The wrong file of two would give wrong findings without a word.",
        count=len(candidates),
        override={override: candidates[0]},
    )


def _find_probs(root: Path, files: Sequence[str], options: Options) -> tuple[str, ...]:
    able = [f for f in files if Path(f).suffix.lower() in PROB_SUFFIXES and f != options.labels]
    shards = [
        f for f in able if (m := SHARD.fullmatch(f)) and _stem(m["stem"] + ".npy") in PROB_STEMS
    ]
    exact = [f for f in able if _stem(f) in PROB_STEMS]
    if shards and not exact:
        return tuple(sorted(shards, key=shard_number))  # by number: as text, 100 is before 11
    if shards:
        raise _ambiguous([*exact, *shards], "probs")
    similar = [f for f in able if any(stem in _stem(f) for stem in PROB_STEMS[:4])]
    shaped = [f for f in able if _looks_like_probs(root, f)]
    for found in (exact, similar, shaped):
        if len(found) > 1:
            raise _ambiguous(found, "probs")
        if found:
            return (found[0],)
    return ()


def _looks_like_probs(root: Path, name: str) -> bool:
    header = _peek(root, name)
    return header is not None and len(header.shape) == 2 and header.dtype.kind == "f"


def _peek(root: Path, name: str) -> Header | None:
    if not name.lower().endswith(".npy"):
        return None
    try:
        with part_path(root, name).open("rb") as file:
            return read_header(file, name)
    except (Stop, OSError):
        return None  # whatever it is, it is not known by its shape


def _find_labels(root: Path, files: Sequence[str], probs: tuple[str, ...]) -> str | None:
    able = [f for f in files if Path(f).suffix.lower() in (*SUFFIXES, ".npy")]
    for stem in LABEL_STEMS:
        found = [f for f in able if _stem(f) == stem]
        if len(found) > 1:
            raise _ambiguous(found, "labels")
        if found:
            return found[0]
    tables = [f for f in able if Path(f).suffix.lower() in SUFFIXES]
    if find_class_folders(root) is not None:  # the folders are the labels, unless a table says so
        tables = [f for f in (*tables, *probs) if _names_labels(root, f)]
        return tables[0] if len(tables) == 1 else None
    arrays = [f for f in able if (h := _peek(root, f)) and len(h.shape) == 1]
    archives = [f for f in (*files, *probs) if _archive_has_labels(root, f)]
    for candidates in (tables, arrays, archives):
        if len(candidates) > 1:
            raise _ambiguous(candidates, "labels")
        if candidates:
            return candidates[0]
    if probs and Path(probs[0]).suffix.lower() in SUFFIXES:
        return probs[0]  # one table may hold both
    return None


def _names_labels(root: Path, name: str) -> bool:
    """Tell by a table's first line or its schema whether it has a column of labels."""
    try:
        path = part_path(root, name)
        if name.lower().endswith(".parquet"):
            columns = pq.read_schema(path).names
        elif Path(name).suffix.lower() in SUFFIXES:
            with path.open("rb") as file:
                columns = re.split(r"\W+", file.readline(HEAD_BYTES).decode("utf-8", "replace"))
        else:
            return False
    except (Stop, OSError, pa.ArrowException):
        return False
    return any(column.lower() in LABEL_COLUMNS for column in columns)


def _archive_has_labels(root: Path, name: str) -> bool:
    if not name.lower().endswith(".npz"):
        return False
    try:
        headers = open_npz(part_path(root, name), name, memory_limit=2**62)
    except Stop:
        return True  # let the reader say what is wrong with it
    return any(key in headers for key in LABEL_MEMBERS)


def archive_probs(headers: Iterable[str]) -> bool:
    """Tell whether an archive names an array of probabilities."""
    return any(key in headers for key in MEMBER_NAMES)
