"""Arrays kept in the user's cache, so that what took minutes is there the next time."""

from __future__ import annotations

import zipfile
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np

from curation.paths import cache_folder
from curation.whole_files import write_whole

KEPT = 12  # files; with a million examples, one has 90 MB


def read_arrays(key: str) -> dict[str, Any] | None:
    """Return what was saved under a key; None if nothing usable was."""
    try:
        with _path(key).open("rb") as file, np.load(file, allow_pickle=False) as arrays:
            return dict(arrays)
    except (OSError, ValueError, EOFError, KeyError, zipfile.BadZipFile):
        return None


def save_arrays(key: str, arrays: Mapping[str, Any]) -> None:
    """Save arrays as a whole, and drop the oldest; if there is no room, go on without."""
    path = _path(key)
    with suppress(OSError):
        with write_whole(path) as file:
            np.savez(file, allow_pickle=False, **arrays)
        kept = sorted(path.parent.glob("*.npz"), key=lambda each: each.stat().st_mtime)
        for oldest in kept[:-KEPT]:
            oldest.unlink(missing_ok=True)


def _path(key: str) -> Path:
    return cache_folder() / "neighbours" / f"{key}.npz"
