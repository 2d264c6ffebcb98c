"""Which file of a folder is which part, by names and shapes; stops if that is unclear."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path

from curation.errors import CurationError
from curation.loading.discovery.class_files import find_class_map
from curation.loading.discovery.label_advice import advise_labels
from curation.loading.discovery.label_files import choose_folders, find_ids, find_labels
from curation.loading.discovery.prob_files import find_probs, peek_array
from curation.loading.discovery.search_advice import (
    advise_partitions,
    advise_renaming,
    list_below,
    list_folders,
)
from curation.loading.formats.excel import Excel
from curation.loading.formats.excel_sheets import find_sheet_roles
from curation.loading.formats.registry import (
    TABLE_SUFFIXES,
    advise,
    find_format,
    find_suffix,
    is_archive,
    is_array,
    is_table,
    peek_table,
    remove_suffix,
)
from curation.loading.overrides import MANIFEST, Options, merge, read_manifest
from curation.loading.parts import FileName, Parts, ambiguous, part_path
from curation.loading.probs.made_probs import personal_place
from curation.loading.report_builder import ReportBuilder, Stop, list_few, stop
from curation.loading.table_parts import is_part_set
from curation.loading.vocabulary import CLASS_STEMS, FILE_COLUMNS, TRUE_STEMS
from curation.paths import describe_place, is_text, resolve_inside

MODEL_CONFIG, MAX_CONFIG_BYTES = "config.json", 2**24
CLASS_LINES = ("labels.txt", "label.txt", "labels.json", "label.json")
VERSION_LOGS = ("_delta_log", ".hoodie")  # of Delta Lake and Hudi
MAX_CHOICES = 12  # files that are offered; the screen that maps them has all
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
    true = options.true_labels or _only(files, TRUE_STEMS, (*TABLE_SUFFIXES, ".npy"), "true_labels")
    classes = options.classes if isinstance(options.classes, str) else None
    if options.classes is None:
        classes = _only(files, CLASS_STEMS, (".txt", ".json", *TABLE_SUFFIXES), "classes")
        classes = None if classes and _names_files(root, classes) else classes
        classes = classes or _find_model_config(root, files)
    rest = [name for name in files if name not in (true, classes, options.features)]
    probs = _named_probs(options) or find_probs(root, rest, options)
    if classes is None and options.classes is None and options.labels is None:
        classes = _find_class_lines(root, rest, probs)
    if classes is None and options.classes is None:
        unnamed = [name for name in rest if name not in (options.labels, *probs)]
        classes = find_class_map(root, unnamed, probs, report)
    rest = [name for name in rest if name != classes]
    if not probs:
        probs = _find_personal_probs(root, options, report)
    labels, folders = options.labels, None
    if labels is not None and _is_folder(root, labels):
        labels, folders = None, labels
    elif labels is None:
        unused = [name for name in rest if name not in probs]
        labels = find_labels(root, unused, probs, options, report)
        folders = choose_folders(root, probs, report) if labels is None else None
    if labels is None and folders is None and true is not None and options.true_labels is None:
        labels, true = true, None  # what a model is scored against is what was given
        _report_true_as_given(labels, report)
    if not probs and labels and is_archive(labels):
        probs = (labels,)
    if labels is None and folders is None and (splits := list_split_folders(root)):
        raise ambiguous(splits, "splits")
    if labels is None and folders is None:
        below = list_below(root)
        raise stop(
            code="folder.no_labels",
            where=root.name or str(root),
            what=f"no labels found; {_describe(root, files, below)}.",
            fix=advise(files)
            or advise_renaming(root, files)
            or advise_partitions(root)
            or advise_labels(root, files)
            or (NAME_LABELS if files or below else FILL_FOLDER),
            why="Label errors are found by comparing labels with a model's probabilities.",
            choices=[
                {"labels": name}
                for name in (*list_readable(files, (*probs, classes, true)), *below)
            ],
        )
    ids = find_ids(root, [name for name in rest if name not in (labels, *probs)])
    parts = Parts(root, labels, probs, classes, true, folders, ids)
    parts = replace(parts, sheet=options.sheet, prob_sheet=options.prob_sheet)
    return _find_sheets(parts, options, report)


def _find_sheets(parts: Parts, options: Options, report: ReportBuilder) -> Parts:
    """Return the parts with the sheets of a workbook that has labels and probabilities apart."""
    own = parts.labels
    if own is None or is_part_set(own) or not isinstance(find_format(own), Excel):
        return parts
    roles = find_sheet_roles(parts.path(own), own, options.memory_limit)
    if options.sheet is None and len(roles.labels) > 1:
        raise _ask_for_sheet(own, "xlsx.sheets", "labels", roles.labels, "sheet")
    if parts.probs not in ((), (own,)):
        return parts
    sheet = options.sheet or (*roles.labels, None)[0]
    if options.prob_sheet is not None:
        return replace(parts, probs=(own,), sheet=sheet)
    if not roles.probs:
        return parts
    if len(roles.probs) > 1:
        raise _ask_for_sheet(own, "xlsx.prob_sheet", "probabilities", roles.probs, "prob_sheet")
    report.add_auto_fix(
        code="xlsx.prob_sheet",
        where=own,
        what=f"the labels are read from sheet {sheet!r}, the probabilities from sheet "
        f"{roles.probs[0]!r}.",
        fix="If other sheets are meant, pass them as sheet and prob_sheet.",
        why="The first names a column of labels; on the other, a row adds up to 1.",
    )
    return replace(parts, probs=(own,), sheet=sheet, prob_sheet=roles.probs[0])


def _ask_for_sheet(
    where: str, code: str, noun: str, titles: Sequence[str], option: str
) -> Exception:
    return stop(
        code=code,
        where=where,
        what=f"several sheets could hold the {noun}: {list_few(titles)}.",
        fix=f'Pass the right one, such as {option}="{titles[0]}".',
        why="The wrong sheet would give wrong findings without a warning.",
        count=len(titles),
        choices=[{option: each} for each in titles],
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
    """Stop at a table that keeps its old files, of which only its log knows which still count."""
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


def _find_class_lines(root: Path, files: Sequence[str], probs: Sequence[str]) -> str | None:
    """Return a labels.txt that lists the classes, as TensorFlow Lite's and Teachable Machine's do.

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
    """Return whether a table has a column of file names: its rows are examples, and no classes."""
    try:
        found = peek_table(part_path(root, name))
    except Stop:
        return False
    return found is not None and any(c.strip().lower() in FILE_COLUMNS for c in found.columns)


def list_readable(files: Iterable[str], used: Sequence[str | None]) -> list[str]:
    """Return the files that could be read as a table or an array, and are nothing else yet."""
    able = [f for f in files if find_format(f) is not None and f not in used]
    return [f for f in able if f != MODEL_CONFIG][:MAX_CHOICES]


def _report_true_as_given(name: str, report: ReportBuilder) -> None:
    report.add_auto_fix(
        code="table.true_as_given",
        where=name,
        what="it is read as the labels to check: there are no others.",
        fix="If another file holds the labels, pass it as labels.",
        why="What a model is scored against is called true, but it is what was given.",
    )


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


def _find_model_config(root: Path, files: Sequence[str]) -> str | None:
    """Return a model's config.json if it names the classes, as Hugging Face's transformers do."""
    if MODEL_CONFIG not in files:
        return None
    try:
        path = part_path(root, MODEL_CONFIG)
        named = path.stat().st_size < MAX_CONFIG_BYTES and json.loads(path.read_bytes())
    except (Stop, OSError, ValueError, RecursionError):
        return None
    names_classes = isinstance(named, dict) and isinstance(named.get("id2label"), dict)
    return MODEL_CONFIG if names_classes else None


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


def _stem(name: str) -> str:
    return remove_suffix(name).lower().replace("-", "_")


def _only(
    files: Iterable[str], stems: Sequence[str], suffixes: Iterable[str], override: str
) -> str | None:
    """Return the file of one of these names; stop if there are several."""
    able = [f for f in files if find_suffix(f) in suffixes]
    found = [f for f in able if _stem(f) in stems]
    if not found:  # as in cifar10_test_set_index_to_label.json
        found = [f for f in able if _stem(f).endswith(tuple(f"_{stem}" for stem in stems))]
    if len(found) > 1:
        raise ambiguous(found, override)
    return found[0] if found else None
