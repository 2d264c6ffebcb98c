"""The style sheets of the pages: a shared one, and one for each part that needs its own."""

from __future__ import annotations

import re
from pathlib import Path

from curation.ui.shell import cache

FOLDER = Path(__file__).parents[1]  # of all pages and widgets
SHARED, DARK = FOLDER / "shell/style.css", FOLDER / "shell/dark_theme.css"
# Folders of separate documents with their own styles: components, and the pages before the first.
SEPARATE = ("component", "server")


def read_styles(*, dark: bool) -> str:
    """Return all style sheets as one, read once; with `dark`, the dark one comes last."""
    return cache.of_server(("styles", dark), lambda: _join(list_sheets(dark=dark)))


def list_sheets(*, dark: bool) -> list[Path]:
    """Return the files in the order they apply: the shared one, the parts, the dark one."""
    parts = [
        path
        for path in sorted(FOLDER.rglob("*.css"))
        if path not in (SHARED, DARK) and path.parent.name not in SEPARATE
    ]
    return [SHARED, *parts, *([DARK] if dark else [])]


def _join(sheets: list[Path]) -> str:
    """Return the sheets as one text, without comments."""
    text = "\n".join(path.read_text(encoding="utf-8") for path in sheets)
    return re.sub(r"/\*.*?\*/", "", text, flags=re.DOTALL)
