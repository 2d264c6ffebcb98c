"""Small files uploaded from a browser: saved on this machine, together with their decisions."""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import tempfile
from collections.abc import Mapping
from pathlib import Path

from curation.errors import InputError
from curation.loading.formats.registry import (
    SUFFIXES,
    TABLE_SUFFIXES,
    find_suffix,
    remove_suffix,
)
from curation.loading.overrides import MANIFEST, write_manifest
from curation.store.location import default_path
from curation.ui.shell.allowed_folders import find_upload_folder

LIMIT_MB = 200  # as in .streamlit/config.toml; all files of a dataset together
KINDS = {  # file types of each part
    "labels": SUFFIXES,
    "probs": SUFFIXES,
    "classes": (".txt", ".json", *TABLE_SUFFIXES),
}


def list_browser_types(part: str) -> list[str]:
    """Return the endings that a browser offers for a part: it knows .gz, and not .csv.gz.

    >>> list_browser_types("classes")[:4]
    ['txt', 'json', 'csv', 'tsv']
    """
    return list(dict.fromkeys(suffix.rpartition(".")[2] for suffix in KINDS[part]))


def uploads_folder() -> Path:
    """Return where uploads are saved, each in its own folder."""
    folder = find_upload_folder()
    if folder is None:
        raise InputError("Nothing can be uploaded to this server.", "Open a path on it instead.")
    return folder


def check_upload(files: Mapping[str, tuple[str, int]]) -> None:
    """Refuse files of the wrong type or size. The browser checks too, but cannot be trusted."""
    if "labels" not in files:
        raise InputError("There is no label file.", "Choose one; it may hold probabilities too.")
    for part, (name, _) in files.items():
        if find_suffix(name) not in KINDS[part]:
            allowed = ", ".join(KINDS[part])
            raise InputError(f"{name} cannot be read as {part}.", f"Choose one of {allowed}.")
    total = sum(size for _, size in files.values())
    if total > LIMIT_MB * 2**20:
        raise InputError(
            f"The files total {total / 2**20:,.0f} MB; the limit is {LIMIT_MB} MB.",
            "Copy them to this machine and open their path.",
        )


def save_upload(files: Mapping[str, tuple[str, memoryview | bytes]]) -> Path:
    """Return a folder with the files, saved under our own names.

    The folder is named after its content: uploading the same files again brings back the
    decisions made on them.
    """
    digest = hashlib.sha256()
    for part, (name, content) in sorted(files.items()):
        digest.update(f"{part}{name}\0{len(content)}\0".encode())
        digest.update(content)
    stem = remove_suffix(files["labels"][0])
    plain = re.sub(r"[^\w-]+", "_", stem)[:40]
    folder = uploads_folder() / f"{plain}-{digest.hexdigest()[:12]}"
    if folder.is_dir():
        return folder
    try:
        _write(folder, files, stem)
    except OSError as error:
        raise InputError(
            f"The files cannot be saved in {folder.parent}: {error.strerror or error}.",
            "Free some space or allow writing to that folder, or copy the files elsewhere on this "
            "machine and open their path.",
        ) from error
    return folder


def discard_upload(folder: Path) -> bool:
    """Delete an upload that cannot be opened; returns whether there was one.

    Nothing is deleted outside the folder of uploads, nor where something was decided.
    """
    path = Path(os.path.abspath(folder))
    if path.parent != find_upload_folder() or not path.is_dir() or default_path(path).exists():
        return False
    shutil.rmtree(path, ignore_errors=True)
    return True


def _write(folder: Path, files: Mapping[str, tuple[str, memoryview | bytes]], stem: str) -> None:
    """Write all files, or none."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    draft = Path(tempfile.mkdtemp(prefix=".", dir=folder.parent))
    try:
        settings = {"name": stem}
        for part, (name, content) in files.items():
            settings[part] = part + find_suffix(name)
            (draft / settings[part]).write_bytes(content)
        write_manifest(draft / MANIFEST, settings)
        draft.rename(folder)
    finally:
        shutil.rmtree(draft, ignore_errors=True)
