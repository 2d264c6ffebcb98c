"""Recently opened datasets: a short list of paths and addresses in the user's folder."""

from __future__ import annotations

from pathlib import Path

from curation.storage.remote_address import is_address
from curation.ui.shell.user_files import read_json, update_json

FILE = "recent.json"
MAX_RECENT = 8


def list_recent() -> list[str]:
    """Return the recently opened paths that still exist, newest first, and all addresses.

    There are none if the list cannot be read.
    """
    return _find_existing(read_json(FILE))


def _find_existing(kept: object) -> list[str]:
    paths = [path for path in kept if isinstance(path, str)] if isinstance(kept, list) else []
    return [path for path in dict.fromkeys(paths) if _exists(path)][:MAX_RECENT]


def add_recent(place: Path | str) -> None:
    """Put a path or address at the top of the list. A list that cannot be written is ignored."""
    opened = str(place.resolve()) if isinstance(place, Path) else place

    def put_first(kept: object) -> list[str]:
        rest = (each for each in _find_existing(kept) if each != opened)
        return [opened, *rest][:MAX_RECENT]

    update_json(FILE, put_first)


def _exists(path: str) -> bool:
    try:
        return is_address(path) or Path(path).exists()
    except (OSError, ValueError):
        return False
