"""Recently opened datasets: a short list of paths in the user's folder, newest first."""

from __future__ import annotations

import json
import os
from pathlib import Path

from curation.paths import user_folder

MAX_RECENT = 8


def recent_file() -> Path:
    """Return where the list is kept."""
    return user_folder() / "recent.json"


def list_recent() -> list[str]:
    """Return the recently opened paths that still exist; none if the list cannot be read."""
    try:
        kept = json.loads(recent_file().read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return []
    paths = [path for path in kept if isinstance(path, str)] if isinstance(kept, list) else []
    return [path for path in dict.fromkeys(paths) if _exists(path)][:MAX_RECENT]


def add_recent(path: Path) -> None:
    """Put a path at the top of the list. A list that cannot be written is ignored."""
    opened = str(path.resolve())
    kept = [opened, *(each for each in list_recent() if each != opened)][:MAX_RECENT]
    try:
        file = recent_file()
        file.parent.mkdir(parents=True, exist_ok=True)
        draft = file.with_name(f"{file.name}.{os.getpid()}")
        draft.write_text(json.dumps(kept, ensure_ascii=True, indent=1), encoding="utf-8")
        draft.replace(file)
    except OSError:
        return


def _exists(path: str) -> bool:
    try:
        return Path(path).exists()
    except (OSError, ValueError):
        return False
