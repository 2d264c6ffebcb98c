"""Small lists that the dashboard keeps in the user's folder, as JSON."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

from curation.file_lock import FileLock
from curation.paths import user_folder
from curation.whole_files import write_whole

_one_at_a_time = threading.Lock()  # of this process; other processes wait for the file lock


def read_json(name: str) -> Any:
    """Return what a file holds; None if there is none, or it cannot be read."""
    try:
        return _read(user_folder() / name)
    except OSError:
        return None


def update_json(name: str, change: Callable[[Any], Any]) -> bool:
    """Replace what a file holds by what `change` makes of it; return whether that was possible.

    Nobody else changes the file meanwhile, so that nothing saved is lost. `change` gets None if
    there is no file, or none that it could understand. What it raises leaves the file as it is.
    """
    file = user_folder() / name
    lock = FileLock(file.with_name(f"{name}.lock"))
    with _one_at_a_time:
        try:
            file.parent.mkdir(parents=True, exist_ok=True)
            lock.acquire(shared=False)  # False if the file system knows no locks: then without
            kept = _read(file)
            with write_whole(file) as draft:
                draft.write(json.dumps(change(kept), ensure_ascii=True, indent=1).encode())
        except OSError:  # a file that is there and cannot be read now is never replaced
            return False
        finally:
            lock.release()
    return True


def _read(file: Path) -> Any:
    try:
        return json.loads(file.read_text(encoding="utf-8"))
    except (FileNotFoundError, ValueError):
        return None
