"""Which file of a folder is which part, by names and shapes; stops if that is unclear."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from curation.errors import CurationError
from curation.loading.dataset_parts import Parts, ambiguous
from curation.loading.discovery.class_files import find_class_file, find_class_lines
from curation.loading.discovery.class_maps import find_class_map
from curation.loading.discovery.folder_listing import (
    find_only_file,
    list_files,
    list_readable,
    list_split_folders,
)
from curation.loading.discovery.label_advice import advise_labels
from curation.loading.discovery.label_files import choose_folders, find_ids, find_labels
from curation.loading.discovery.not_found_advice import (
    advise_partitions,
    advise_renaming,
    list_below,
    list_folders,
)
from curation.loading.discovery.prob_files import find_probs
from curation.loading.discovery.sheet_search import find_sheets
from curation.loading.formats.registry import TABLE_SUFFIXES, advise, is_archive
from curation.loading.overrides import MANIFEST, Options, merge, read_manifest
from curation.loading.part_paths import part_path
from curation.loading.probs.made_probs import personal_place
from curation.loading.report_builder import ReportBuilder, list_few, stop
from curation.loading.vocabulary import TRUE_STEMS
from curation.paths import describe_place, resolve_inside

VERSION_LOGS = ("_delta_log", ".hoodie")  # of Delta Lake and Hudi
NAME_LABELS = "Name the file labels.csv, or set it as labels in curation.toml."
FILL_FOLDER = (
    "Put a table of labels into the folder, such as labels.csv with the columns id and label, and "
    "the model's probabilities, such as probs.npy."
)


def open_place(path: Path, overrides: Options, report: ReportBuilder) -> tuple[Path, Options]:
    """Return the dataset's root, and its settings from the manifest and the overrides."""
    try:
        is_file, is_folder = path.is_file(), path.is_dir()
    except (OSError, ValueError):
        is_file = is_folder = False
    if not is_file and not is_folder:
        raise stop(
            code="path.missing",
            where=str(path),
            what=f"{describe_place(path) or 'there is no such file or folder'}.",
            fix="Name an existing folder, table or curation.toml.",
            why="There is nothing to read.",
        )
    if is_folder:
        manifest = path / MANIFEST
        found = read_manifest(part_path(path, MANIFEST)) if manifest.exists() else Options()
        return path.resolve(), merge(found, overrides)
    root = path.resolve().parent if path.is_symlink() else path.parent.resolve()
    if path.suffix.lower() == ".toml":
        return root, merge(read_manifest(path), overrides)
    if (root / MANIFEST).exists():
        report.add_auto_fix(
            code="manifest.not_read",
            where=path.name,
            what=f"the {MANIFEST} next to it is not used.",
            fix=f"To use it, open the folder or {MANIFEST} itself.",
            why="A file that is opened directly is read on its own.",
        )
    return root, merge(Options(labels=path.resolve().name), overrides)


def find_parts(root: Path, options: Options, report: ReportBuilder) -> Parts:
    """Return the parts of a dataset: those that were named, and the others by searching."""
    files = list_files(root)
    if options.labels is None:
        _refuse_versions(root, files)
    suffixes = (*TABLE_SUFFIXES, ".npy")
    true = options.true_labels or find_only_file(files, TRUE_STEMS, suffixes, "true_labels")
    classes = find_class_file(root, files, options)
    rest = [name for name in files if name not in (true, classes, options.features)]
    probs = _named_probs(options) or find_probs(root, rest, options)
    if classes is None and options.classes is None and options.labels is None:
        classes = find_class_lines(root, rest, probs)
    if classes is None and options.classes is None:
        unnamed = [name for name in rest if name not in (options.labels, *probs)]
        classes = find_class_map(root, unnamed, probs, report)
    rest = [name for name in rest if name != classes]
    probs = probs or _find_personal_probs(root, options, report)
    labels, folders = _find_labels_or_folders(root, rest, probs, options, report)
    if labels is None and folders is None and true is not None and options.true_labels is None:
        labels, true = true, None  # what a model is scored against is what was given
        _report_true_as_given(labels, report)
    if not probs and labels and is_archive(labels):
        probs = (labels,)
    if labels is None and folders is None:
        raise _no_labels(root, files, used=(*probs, classes, true))
    ids = find_ids(root, [name for name in rest if name not in (labels, *probs)])
    parts = Parts(root, labels, probs, classes, true, folders, ids)
    parts = replace(parts, sheet=options.sheet, prob_sheet=options.prob_sheet)
    return find_sheets(parts, options, report)


def _find_labels_or_folders(
    root: Path,
    files: Sequence[str],
    probs: tuple[str, ...],
    options: Options,
    report: ReportBuilder,
) -> tuple[str | None, str | None]:
    """Return the file with the labels, or the folder that holds one folder for each class."""
    if options.labels is not None:
        is_folder = _is_folder(root, options.labels)
        return (None, options.labels) if is_folder else (options.labels, None)
    unused = [name for name in files if name not in probs]
    labels = find_labels(root, unused, probs, options, report)
    return labels, choose_folders(root, probs, report) if labels is None else None


def _no_labels(root: Path, files: Sequence[str], used: Sequence[str | None]) -> Exception:
    """Return the stop for a folder without labels; if it has splits, the stop asks for one."""
    if splits := list_split_folders(root):
        return ambiguous(splits, "splits")
    below = list_below(root)
    return stop(
        code="folder.no_labels",
        where=root.name or str(root),
        what=f"no labels found; {_describe(root, files, below)}.",
        fix=advise(files)
        or advise_renaming(root, files)
        or advise_partitions(root)
        or advise_labels(root, files)
        or (NAME_LABELS if files or below else FILL_FOLDER),
        why="Label errors are found by comparing labels with a model's probabilities.",
        choices=[{"labels": name} for name in (*list_readable(files, used), *below)],
    )


def _describe(root: Path, files: Sequence[str], below: Sequence[str]) -> str:
    """Return what a folder holds, in words."""
    if not files and not below and (folders := list_folders(root)):
        return f"the folder holds only folders: {list_few(folders)}"
    if not files and not below:
        return "the folder is empty"
    here = f"the folder holds {list_few(files)}" if files else ""
    inside = f"in folders below it there are {list_few(below)}" if below else ""
    return ", and ".join(filter(None, [here, inside]))


def _refuse_versions(root: Path, files: Sequence[str]) -> None:
    """Stop at a table that keeps its old files: only its log knows which still count."""
    log = next((name for name in VERSION_LOGS if (root / name).is_dir()), None)
    parts = [name for name in files if name.endswith(".parquet")]
    if log is None or len(parts) < 2:
        return
    raise stop(
        code="folder.versions",
        where=root.name or str(root),
        what=f"it is a table with versions ({log}): some of its {len(parts)} files may be old.",
        fix="Save the current version as one file, such as DeltaTable(path).to_pandas().to_parquet("
        '"data.parquet") of the package deltalake.',
        why="Rows that were deleted or changed since would be read again.",
        count=len(parts),
    )


def _report_true_as_given(name: str, report: ReportBuilder) -> None:
    report.add_auto_fix(
        code="table.true_as_given",
        where=name,
        what="it is read as the labels to check: there are no others.",
        fix="If another file holds the labels, pass it as labels.",
        why="A model is scored against labels that are called true, but these are the given ones.",
    )


def _find_personal_probs(root: Path, options: Options, report: ReportBuilder) -> tuple[str, ...]:
    """Return the probabilities in the user's own folder, made because this one is read-only."""
    place = personal_place(root, options.labels)
    if not place.is_file():
        return ()
    report.add_auto_fix(
        code="probs.personal",
        where=place.name,
        what=f"the probabilities are read from {place}.",
        fix="To use others, name them as probs, or delete that file.",
        why="The dataset's folder cannot be written, so what was made for it is kept elsewhere.",
    )
    return (str(place),)


def _is_folder(root: Path, name: str) -> bool:
    try:
        return name != "." and resolve_inside(root, name).is_dir()
    except (CurationError, OSError, ValueError):
        return False


def _named_probs(options: Options) -> tuple[str, ...]:
    if isinstance(options.probs, str):
        return (options.probs,)
    return tuple(options.probs or ())
