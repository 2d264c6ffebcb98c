"""Where an export must not go: onto an input, onto other files, or where writing fails."""

from __future__ import annotations

import errno
import json
import os
from pathlib import Path
from typing import Any

from curation.dataset import Dataset
from curation.errors import InputError
from curation.paths import writable
from curation.wording import list_first

TOOL = "confident-curation"
MANIFEST = "manifest.json"
_JUNK = {".DS_Store", "Thumbs.db", "desktop.ini"}  # left in a folder by file managers


def check_destination(out: Path, inputs: list[Path], root: Path) -> None:
    """Stop unless `out` does not exist, is empty, or is an export that may be replaced."""
    if out == root or out in root.parents or any(_holds(out, each) for each in inputs):
        raise InputError(
            f"The export would replace {out}, which holds the dataset itself.",
            "Choose another folder, such as one next to the dataset.",
        )
    if os.path.ismount(out):
        raise InputError(
            f"{out} is a mount point, which cannot be replaced as a whole.",
            "Choose a folder inside it.",
        )
    if not os.path.lexists(out):
        _check_parent(out)
        return
    if not out.is_dir():
        raise InputError(f"{out} is a file.", "Choose a folder that does not exist yet.")
    if any(out.iterdir()) and not is_export(out):
        raise InputError(
            f"{out} exists and holds files that no export wrote: {_list_foreign_files(out)}.",
            "Choose a folder that does not exist yet. Nothing was changed.",
        )
    if not writable(out) or not writable(out.parent):
        raise cannot_write(out, PermissionError(errno.EACCES, "it is read-only"))


def _holds(folder: Path, path: Path) -> bool:
    real = Path(os.path.realpath(path))
    return real == folder or folder in real.parents


def _check_parent(out: Path) -> None:
    near = next((each for each in out.parents if each.exists()), out.parent)
    if not near.is_dir():
        raise cannot_write(out, NotADirectoryError(errno.ENOTDIR, f"{near} is not a folder"))
    if not writable(near):
        raise cannot_write(out, PermissionError(errno.EACCES, f"{near} is read-only"))


def cannot_write(out: Path, error: OSError) -> InputError:
    """Return the error for a folder that cannot be written, raised before any computation."""
    return InputError(
        f"NOT exported: {out} cannot be written: {error.strerror or error}.",
        "Choose another folder that you can write to.",
    )


def is_export(folder: Path) -> bool:
    """Return whether a folder holds an export and nothing else."""
    listed = _listed(folder)
    return bool(listed) and not _others(folder, listed)


def _list_foreign_files(folder: Path) -> str:
    return list_first(sorted(_others(folder, _listed(folder))), 3)


def _others(folder: Path, listed: set[str]) -> set[str]:
    return {each.name for each in folder.iterdir()} - listed - _JUNK


def _listed(folder: Path) -> set[str]:
    found = read_manifest(folder)
    files = found.get("files")
    return {MANIFEST, *files} if found.get("tool") == TOOL and isinstance(files, dict) else set()


def read_manifest(folder: Path) -> dict[str, Any]:
    """Return the manifest in a folder; empty if there is none or it cannot be read."""
    try:
        found: Any = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


def list_inputs(dataset: Dataset) -> list[Path]:
    """Return the files that an export must never replace."""
    names: list[str] = []
    for part in ("labels", "probs", "classes", "true_labels"):
        value = dataset.settings.get(part)
        names += [value] if isinstance(value, str) else list(value or [])
    paths = [dataset.root / name for name in names]
    return [*paths, *dataset.source.paths]
