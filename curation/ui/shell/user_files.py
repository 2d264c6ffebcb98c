"""Small lists that the dashboard keeps in the user's folder, as JSON."""

from __future__ import annotations

import json
from typing import Any

from curation.paths import user_folder
from curation.whole_files import write_whole


def read_json(name: str) -> Any:
    """Return what a file holds; None if there is none, or it cannot be read."""
    try:
        return json.loads((user_folder() / name).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None


def write_json(name: str, value: Any) -> bool:
    """Replace a file as a whole, and return whether that was possible."""
    try:
        with write_whole(user_folder() / name) as file:
            file.write(json.dumps(value, ensure_ascii=True, indent=1).encode())
    except OSError:
        return False
    return True
