"""Small lists that the dashboard keeps in the user's folder, as JSON."""

from __future__ import annotations

import json
import os
from typing import Any

from curation.paths import user_folder


def read_json(name: str) -> Any:
    """Return what a file holds; None if there is none, or it cannot be read."""
    try:
        return json.loads((user_folder() / name).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None


def write_json(name: str, value: Any) -> bool:
    """Replace a file as a whole, and return whether that was possible."""
    file = user_folder() / name
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        draft = file.with_name(f"{name}.{os.getpid()}")
        draft.write_text(json.dumps(value, ensure_ascii=True, indent=1), encoding="utf-8")
        draft.replace(file)
    except OSError:
        return False
    return True
