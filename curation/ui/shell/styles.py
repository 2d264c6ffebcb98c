"""The style sheets of the pages: one for all of them, and one beside each part that has its own."""

from __future__ import annotations

import re
from pathlib import Path

from curation.ui.shell import cache

FOLDER = Path(__file__).parents[1]  # of everything that is drawn
SHARED, DARK = FOLDER / "shell/style.css", FOLDER / "shell/dark_theme.css"
COMPONENT = FOLDER / "review/component"  # has a document of its own, with its own style


def read_styles(*, dark: bool) -> str:
    """Return every style sheet as one, read once; the dark one last, where it is asked for."""
    return cache.of_server(("styles", dark), lambda: _join(list_sheets(dark=dark)))


def list_sheets(*, dark: bool) -> list[Path]:
    """Return the files in the order they apply: the shared one, the parts, the dark one."""
    parts = [
        path
        for path in sorted(FOLDER.rglob("*.css"))
        if path not in (SHARED, DARK) and COMPONENT not in path.parents
    ]
    return [SHARED, *parts, *([DARK] if dark else [])]


def _join(sheets: list[Path]) -> str:
    """Return the sheets in one piece, without comments, which are for readers of the files."""
    text = "\n".join(path.read_text(encoding="utf-8") for path in sheets)
    return re.sub(r"/\*.*?\*/", "", text, flags=re.DOTALL)
