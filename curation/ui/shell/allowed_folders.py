"""Which folders of the server a team may open, upload to and export into.

The access file lists them. Without it, one person uses their own machine and all of its folders.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Iterable
from pathlib import Path

from curation.errors import InputError
from curation.paths import user_folder
from curation.storage.remote_address import Address
from curation.ui.server.access_file import find_access
from curation.ui.shell.visitor import current_actor

_log = logging.getLogger("curation.access")


def may_open(path: Path) -> bool:
    """Return whether a path is inside the folders for data, or for uploads."""
    access = find_access()
    if access is None:
        return True
    folders = access.folders
    return is_inside(path, [*folders.open, *([folders.upload] if folders.upload else [])])


def check_open(path: Path) -> None:
    """Refuse to open a path outside the folders for data, without saying whether it exists."""
    access = find_access()
    if access is not None and not may_open(path):
        log_refusal("open", path)
        raise InputError(
            f"{path} is outside the folders that may be opened here.",
            f"Open a dataset in {_list(access.folders.open)}.",
        )


def check_export(path: Path) -> None:
    """Refuse to write an export outside the folders for exports."""
    access = find_access()
    if access is not None and not is_inside(path, access.folders.export):
        log_refusal("export to", path)
        raise InputError(
            f"NOT exported: {path} is outside the folders for exports.",
            f"Choose a folder in {_list(access.folders.export)}.",
        )


def find_export_folder() -> Path | None:
    """Return where exports go unless somebody says otherwise; None if a team may write nowhere."""
    access = find_access()
    if access is None:
        return Path.home() / "curation-exports"
    return access.folders.export[0] if access.folders.export else None


def find_upload_folder() -> Path | None:
    """Return where uploads are saved; None if a team may not upload."""
    access = find_access()
    return user_folder() / "uploads" if access is None else access.folders.upload


def is_inside(path: Path, folders: Iterable[Path]) -> bool:
    """Return whether a path, with every link followed, is one of these folders or inside one."""
    try:
        real = Path(os.path.realpath(path))
    except (OSError, ValueError):
        return False
    return any(real.is_relative_to(os.path.realpath(folder)) for folder in folders)


def find_storage() -> tuple[Address, ...] | None:
    """Return the addresses in object storage that a team may open; None if there is no team."""
    access = find_access()
    return None if access is None else access.folders.storage


def log_refusal(what: str, path: Path | str) -> None:
    name = current_actor().name
    _log.warning("refused %r to %s %r: it is outside the folders for that", name, what, str(path))


def _list(folders: Iterable[Path]) -> str:
    return " or ".join(map(str, folders)) or "the demo data: an admin has opened no other folder"
