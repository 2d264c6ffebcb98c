"""The fixes chosen for each dataset, kept in the user's folder so that they survive a restart."""

from __future__ import annotations

import json
from pathlib import Path

from curation.ui.shell.user_files import read_json, update_json

FILE = "fixes.json"
NO_FIXES = "{}"
MAX_KEPT = 200  # datasets; the oldest are forgotten


def recall_fixes(path: Path) -> str:
    """Return the fixes that a person chose for a dataset, as JSON; none if none are kept."""
    fixes = _check(read_json(FILE)).get(str(path.resolve()))
    return fixes if isinstance(fixes, str) and _is_object(fixes) else NO_FIXES


def keep_fixes(path: Path, fixes: str) -> None:
    """Keep the fixes chosen for a dataset. A file that cannot be written is ignored."""
    name = str(path.resolve())
    if fixes == _check(read_json(FILE)).get(name, NO_FIXES) == NO_FIXES:
        return

    def put_last(found: object) -> dict[str, object]:
        kept = {each: value for each, value in _check(found).items() if each != name}
        if fixes != NO_FIXES:
            kept[name] = fixes
        return dict(list(kept.items())[-MAX_KEPT:])

    update_json(FILE, put_last)


def _check(kept: object) -> dict[str, object]:
    return kept if isinstance(kept, dict) else {}


def _is_object(text: str) -> bool:
    try:
        return isinstance(json.loads(text), dict)
    except (ValueError, RecursionError):
        return False
