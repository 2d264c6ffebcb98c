"""What is in the folder? Parts known by their names and shapes; where in doubt, ask."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from curation.errors import CurationError
from curation.loading.arrays import Header, open_npz, read_header
from curation.loading.folder import find_class_folders
from curation.loading.manifest import MANIFEST, Options, merge, read_manifest
from curation.loading.notes import Notes, Stop, listing, stop
from curation.loading.paths import resolve_inside
from curation.loading.probabilities import MEMBER_NAMES, SHARD, shard_number
from curation.loading.splits import ALL_SHARDS, Name, count_rows, find_shards, list_shards
from curation.loading.splits import SHARD as SHARD_OF_TABLE
from curation.loading.tables import SUFFIXES

# What files of labels are called, the plainest first; words such as train and test aside, so
# that the last, nothing, is train.csv.
LABEL_STEMS = (
    *"labels given_labels noisy_labels label targets y annotations".split(),
    *"metadata data dataset examples".split(),
    "",
)
LABEL_COLUMNS = "label given_label target y class labels noisy_label noisy_labels targets".split()
LABEL_MEMBERS = ("labels", "noisy_labels", "given_labels", "label", "y", "targets")
PROB_STEMS = (
    "pred_probs probs probabilities predicted_probabilities predictions pred_prob proba probas "
    "psx softmax logits scores"
).split()
FEATURE_STEMS = "x features feature embeddings embedding inputs data".split()  # no probabilities
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

    @property
    def label_files(self) -> list[str]:
        """Return the files with the labels: one, or the shards that one name stands for."""
        if self.labels is None:
            return []
        return list_shards(self.root, self.labels) if ALL_SHARDS in self.labels else [self.labels]


def part_path(root: Path, name: str) -> Path:
    """Return where a part lies; stop if that is outside the root, or nowhere."""
    if os.path.isabs(name) and Path(name).is_relative_to(root):
        name = str(Path(name).relative_to(root))
    try:
        path = resolve_inside(root, name)
    except CurationError as error:
        raise stop("part.refused", name, f"{error.problem}.", error.remedy) from error
    if not path.is_file():
        raise stop(
            "part.missing",
            name,
            f"there is no such file in {root.name or root}.",
            "Correct the name; parts are named from the dataset's folder.",
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
            "path.missing", str(path), "there is no such file or folder.", "Check the spelling."
        )
    if is_folder:
        manifest = path / MANIFEST
        said = read_manifest(part_path(path, MANIFEST)) if manifest.exists() else Options()
        return path.resolve(), merge(said, overrides)
    root = path.resolve().parent if path.is_symlink() else path.parent.resolve()
    if path.suffix.lower() == ".toml":
        return root, merge(read_manifest(path), overrides)
    return root, merge(Options(labels=path.resolve().name), overrides)


def find_parts(root: Path, options: Options, notes: Notes) -> Parts:
    """Return the parts of a dataset: those that were named, and the rest by looking."""
    files = _list_files(root)
    true = options.true_labels or _only(files, TRUE_STEMS, (*SUFFIXES, ".npy"), "true_labels")
    classes = options.classes if isinstance(options.classes, str) else None
    if options.classes is None:
        classes = _only(files, CLASS_STEMS, (".txt", ".json", ".csv", ".tsv"), "classes")
    rest = [name for name in files if name not in (true, classes)]
    probs = _named_probs(options) or _find_probs(root, rest, options)
    labels = options.labels
    if labels is None:
        unused = [name for name in rest if name not in probs]
        labels = _find_labels(root, unused, probs, options, notes)
    if not probs and labels and labels.lower().endswith(".npz"):
        probs = (labels,)
    folders = find_class_folders(root) if labels is None else None
    if labels is None and folders is None:
        raise stop(
            "folder.no_labels",
            root.name or str(root),
            f"no labels found; the folder holds {listing(files) or 'no files'}.",
            "Name the file with labels=..., or call it labels.csv.",
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
        split = Name.of(options.labels).split if options.labels else None
        fitting = [f for f in found if split is not None and Name.of(f).split == split]
        if len(found) > 1 and len(fitting) != 1:
            raise _ambiguous(found, "probs")
        if len(found) > 1:
            return (fitting[0],)  # labels of one split were asked for, and these are of the same
        if found:
            return (found[0],)
    return ()


def _looks_like_probs(root: Path, name: str) -> bool:
    header = _peek(root, name) if Name.of(name).stem not in FEATURE_STEMS else None
    return header is not None and len(header.shape) == 2 and header.dtype.kind == "f"


def _peek(root: Path, name: str) -> Header | None:
    if not name.lower().endswith(".npy"):
        return None
    try:
        with part_path(root, name).open("rb") as file:
            return read_header(file, name)
    except (Stop, OSError):
        return None  # whatever it is, it is not known by its shape


def _find_labels(
    root: Path, files: Sequence[str], probs: tuple[str, ...], options: Options, notes: Notes
) -> str | None:
    tables = [*(f for f in files if _is_table(f)), *find_shards(root, files)]
    arrays = [f for f in files if f.lower().endswith(".npy")]
    named = [f for f in (*tables, *arrays) if Name.of(f).stem in LABEL_STEMS]
    if named:
        holding = [f for f in named if _can_hold_labels(root, f, options.label_column)]
        return _best_named(root, holding or named, probs, notes)
    if find_class_folders(root) is not None:  # the folders are the labels, unless a table says so
        tables = [f for f in (*tables, *probs) if _names_labels(root, f, options.label_column)]
        return tables[0] if len(tables) == 1 else None
    flat = [f for f in arrays if (h := _peek(root, f)) and len(h.shape) == 1]
    archives = [f for f in (*files, *probs) if _archive_has_labels(root, f)]
    holding = [f for f in tables if _names_labels(root, f, options.label_column)]
    for candidates in (holding, tables, flat, archives):
        if candidates:
            return _only_one(root, candidates, probs, notes)
    if probs and Path(probs[0]).suffix.lower() in SUFFIXES:
        return probs[0]  # one table may hold both
    return None


def _can_hold_labels(root: Path, name: str, asked: str | None) -> bool:
    if not name.lower().endswith(".npy"):
        return _names_labels(root, name, asked)
    header = _peek(root, name)  # features are a matrix of floats, labels are not
    return header is None or len(header.shape) < 2 or header.dtype.kind != "f"


def _is_table(name: str) -> bool:
    return Path(name).suffix.lower() in SUFFIXES and not SHARD_OF_TABLE.fullmatch(name)


def _best_named(root: Path, candidates: Sequence[str], probs: tuple[str, ...], notes: Notes) -> str:
    """Return the file whose name says most plainly that it holds the labels."""
    rank = {f: LABEL_STEMS.index(Name.of(f).stem) for f in candidates}
    best = [f for f in candidates if rank[f] == min(rank.values())]
    chosen = _only_one(root, best, probs, notes)
    passed = [f for f in candidates if f not in best]
    if passed:
        notes.auto(
            "folder.labels_chosen",
            chosen,
            f"it is read as the labels, by its name; {listing(passed)} could hold labels too.",
            f'If another one is meant, pass it, such as labels="{passed[0]}".',
            why="What is read from the wrong file is wrong in every row.",
            count=len(candidates),
        )
    return chosen


def _only_one(root: Path, candidates: Sequence[str], probs: tuple[str, ...], notes: Notes) -> str:
    """Return the one file, or the one that goes with the probabilities; stop if that is unclear."""
    if len(candidates) == 1:
        return candidates[0]
    split = Name.of(probs[0]).split if probs else None
    fitting = [f for f in candidates if split is not None and Name.of(f).split == split]
    reason = f"as {probs[0]} is of the {split} split, too" if split else ""
    if len(fitting) != 1 and probs:
        counts = [count_rows(root, name) for name in probs]
        total = None if None in counts else sum(each or 0 for each in counts)
        fitting = [f for f in candidates if total is not None and count_rows(root, f) == total]
        reason = f"as it has as many rows as the probabilities, {total}"
    if len(fitting) != 1 or len({Name.of(f).split for f in candidates}) < len(candidates):
        raise _ambiguous(candidates, "labels")
    others = [f for f in candidates if f not in fitting]
    notes.auto(
        "folder.split_chosen",
        fitting[0],
        f"it is read as the labels, {reason}, and not {listing(others)}.",
        f'If another one is meant, pass it, such as labels="{others[0]}".',
        why="Labels of one split with probabilities of another would be wrong in every row.",
        count=len(candidates),
    )
    return fitting[0]


def _names_labels(root: Path, name: str, asked: str | None) -> bool:
    """Tell by a table's first line or its schema whether it has a column of labels."""
    try:
        path = part_path(root, list_shards(root, name)[0] if name.endswith(ALL_SHARDS) else name)
        if path.suffix.lower() in (".parquet", ".pq"):
            columns = pq.read_schema(path).names
        elif Path(name).suffix.lower() in SUFFIXES:
            with path.open("rb") as file:
                columns = re.split(r"\W+", file.readline(HEAD_BYTES).decode("utf-8", "replace"))
        else:
            return False
    except (Stop, OSError, pa.ArrowException):
        return False
    return any(column.lower() in LABEL_COLUMNS or column == asked for column in columns)


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
