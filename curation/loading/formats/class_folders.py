"""One folder per class: the label of a picture or of a text file is the name of its folder.

The cleaned labels are written as a table of file names and labels.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from itertools import islice
from pathlib import Path
from typing import BinaryIO

from curation.dataset import Dataset
from curation.errors import CurationError, InputError
from curation.loading.formats.edits import Edits
from curation.loading.formats.id_label_table import ExportedAsTable, write_id_labels
from curation.loading.report_builder import ReportBuilder, stop
from curation.loading.vocabulary import IMAGE_SUFFIXES, SOUND_SUFFIXES, SPLITS, TEXT_SUFFIXES
from curation.paths import is_text, resolve_inside

MIN_TEXTS = 2  # text files in the folder of a class


class ClassFolders(ExportedAsTable):
    """Folders of pictures or of text files; there is no label file."""

    name = "folders"
    origin = "The labels are the names of folders"

    def rewrite(
        self, dataset: Dataset, edits: Edits, file: BinaryIO, *, spreadsheet_safe: bool
    ) -> int:
        names, texts = list_class_folders(
            dataset.root, dataset.settings.get("labels", "."), ReportBuilder()
        )
        rows = dataset.source_rows.tolist()
        if len(names) <= rows[-1] or [names[row] for row in rows] != dataset.ids.tolist():
            raise InputError(
                "The files in the class folders have changed since the dataset was loaded.",
                "Load the dataset again, then export.",
            )
        return write_id_labels(dataset, names, texts, edits, file, safe=spreadsheet_safe)


def find_class_folders(root: Path) -> list[str]:
    """Return the folders that hold one folder per class: the root, or folders such as train."""
    return _find_folders(root, _is_image, 1)


def find_example_folders(root: Path) -> list[str]:
    """Return the folders with one folder per class, of pictures or else of text files.

    One text file in a folder may be a note about it, so a class has several.
    """
    return find_class_folders(root) or _find_folders(root, _is_text_file, MIN_TEXTS)


def find_recording_folders(root: Path) -> list[str]:
    """Return the folders with one folder of sound files per class."""
    return _find_folders(root, lambda name: name.lower().endswith(SOUND_SUFFIXES), 1)


def _find_folders(root: Path, fits: Callable[[str], bool], least: int) -> list[str]:
    folders = _subfolders(root)
    if _are_classes([each for each in folders if _holds(root / each, fits, least)]):
        return ["."]
    found = []
    for folder in folders:
        inner = _subfolders(root / folder)
        if _are_classes([each for each in inner if _holds(root / folder / each, fits, least)]):
            found.append(folder)
    return found


def _are_classes(folders: Sequence[str]) -> bool:
    """Return whether folders can be classes: several, and not only train and test.

    >>> _are_classes(["cat", "dog"]), _are_classes(["train", "val"])
    (True, False)
    """
    return len(folders) >= 2 and not all(name.lower() in SPLITS for name in folders)


def _subfolders(folder: Path) -> list[str]:
    try:
        with os.scandir(folder) as entries:
            found = [e.name for e in entries if e.is_dir() and not e.name.startswith(".")]
    except OSError:
        return []
    return sorted(name for name in found if is_text(name))


def _is_image(name: str) -> bool:
    return name.lower().endswith(IMAGE_SUFFIXES) and not name.startswith(".")


def _is_text_file(name: str) -> bool:
    return name.lower().endswith(TEXT_SUFFIXES) and not name.startswith(".")


def _holds(folder: Path, fits: Callable[[str], bool], least: int) -> bool:
    """Return whether a folder holds at least this many files whose names fit."""
    try:
        with os.scandir(folder) as entries:
            names = (entry.name for entry in entries if fits(entry.name))
            return sum(1 for _ in islice(names, least)) == least
    except OSError:
        return False


def list_class_folders(root: Path, base: str, report: ReportBuilder) -> tuple[list[str], list[str]]:
    """Return the file names from the root, in order, and the label of each.

    The order is that of torchvision's ImageFolder: classes by name, files by name.
    """
    names: list[str] = []
    labels: list[str] = []
    skipped: list[str] = []
    prefix = "" if base == "." else f"{base}/"
    folders = _subfolders(root / base)
    pictures = any(_holds(root / base / label, _is_image, 1) for label in folders)
    fits = _is_image if pictures else _is_text_file
    for label in folders:
        try:
            folder = resolve_inside(root, f"{prefix}{label}")
            files = sorted(name for name in os.listdir(folder) if fits(name))
        except (CurationError, OSError):
            skipped.append(label)
            continue
        readable = [name for name in files if is_text(name)]
        names += [f"{prefix}{label}/{name}" for name in readable]
        labels += [label] * len(readable)
        skipped += [name.encode(errors="replace").decode() for name in files if not is_text(name)]
    _warn_of_skipped(skipped, base, report)
    if not names:
        raise stop(
            code="folder.no_images",
            where=base,
            what="the folder holds no images and no text files.",
            fix="Put images or .txt files into its class folders.",
            why="There is nothing to check.",
        )
    return names, labels


def _warn_of_skipped(skipped: Sequence[str], base: str, report: ReportBuilder) -> None:
    if not skipped:
        return
    report.add_warning(
        code="folder.skipped",
        where=base,
        what=f"{len(skipped)} folders or files lead outside the dataset's folder, or have no "
        "readable name; they are not read.",
        fix="Copy them into the dataset's folder under plain names.",
        why="Files that are not read are neither checked nor exported.",
        count=len(skipped),
        first_rows=skipped,
    )
