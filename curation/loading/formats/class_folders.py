"""One folder per class: each picture's label is the name of the folder it lies in."""

from __future__ import annotations

import os
from pathlib import Path

from curation.errors import CurationError
from curation.loading.report_builder import ReportBuilder, stop
from curation.loading.vocabulary import IMAGE_SUFFIXES
from curation.paths import resolve_inside


def find_class_folders(root: Path) -> list[str]:
    """Return the folders whose folders are classes: the root, or those in it, such as train."""
    folders = _subfolders(root)
    if sum(_has_images(root / folder) for folder in folders) >= 2:
        return ["."]
    found = []
    for folder in folders:
        inner = _subfolders(root / folder)
        if sum(_has_images(root / folder / each) for each in inner) >= 2:
            found.append(folder)
    return found


def _subfolders(folder: Path) -> list[str]:
    try:
        with os.scandir(folder) as entries:
            found = [e.name for e in entries if e.is_dir() and not e.name.startswith(".")]
    except OSError:
        return []
    return sorted(name for name in found if _is_text(name))


def _is_text(name: str) -> bool:
    try:
        name.encode()
    except UnicodeEncodeError:  # bytes that are no UTF-8: the name could not be shown or stored
        return False
    return True


def _is_image(name: str) -> bool:
    return name.lower().endswith(IMAGE_SUFFIXES) and not name.startswith(".")


def _has_images(folder: Path) -> bool:
    try:
        with os.scandir(folder) as entries:
            return any(_is_image(entry.name) for entry in entries)
    except OSError:
        return False


def list_class_folders(root: Path, base: str, report: ReportBuilder) -> tuple[list[str], list[str]]:
    """Return the file names from the root, in order, and the label of each.

    The order is that of torchvision's ImageFolder: classes by name, files by name.
    """
    names: list[str] = []
    labels: list[str] = []
    skipped = []
    prefix = "" if base == "." else f"{base}/"
    for label in _subfolders(root / base):
        try:
            folder = resolve_inside(root, f"{prefix}{label}")
            files = sorted(name for name in os.listdir(folder) if _is_image(name))
        except (CurationError, OSError):
            skipped.append(label)
            continue
        names += [f"{prefix}{label}/{name}" for name in files if _is_text(name)]
        labels += [label] * sum(_is_text(name) for name in files)
        skipped += [name.encode(errors="replace").decode() for name in files if not _is_text(name)]
    if skipped:
        report.add_warning(
            code="folder.skipped",
            where=base,
            what=f"{len(skipped)} folders or files lead outside the root, or have no readable "
            "name; "
            "they are left out.",
            fix="Copy them into the root under plain names.",
            why="Files that are left out are neither judged nor exported.",
            count=len(skipped),
            first_rows=skipped,
        )
    if not names:
        raise stop(
            code="folder.no_images",
            where=base,
            what="no images in it.",
            fix="Put images into the folders.",
            why="There is nothing to judge.",
        )
    return names, labels
