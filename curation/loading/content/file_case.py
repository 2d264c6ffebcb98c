"""File names whose case differs from that in a table: img_1.jpg is img_1.JPG on the camera's card.

Windows and macOS open such a file; Linux does not.
"""

from __future__ import annotations

import os
from pathlib import Path

from curation.errors import CurationError
from curation.paths import resolve_inside


class CasedNames:
    """Finds files in any case; each folder is listed once, when its first file is looked for."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self._folders: dict[str, dict[str, str]] = {}

    def find(self, name: str) -> str:
        """Return the name of a file as it is on disk; as it is if there is none, or are several."""
        folder, _, last = name.rpartition("/")
        if folder not in self._folders:
            self._folders[folder] = self._list(folder)
        listed = self._folders[folder]
        actual = listed.get(last.lower(), "")
        return f"{folder}/{actual}" if actual and folder else actual or name

    def _list(self, folder: str) -> dict[str, str]:
        try:
            names = os.listdir(resolve_inside(self._root, folder) if folder else self._root)
        except (CurationError, OSError, ValueError):
            return {}
        found: dict[str, str] = {}
        for each in names:
            found[each.lower()] = "" if each.lower() in found else each
        return found
