"""Components of the pages: their ES modules are joined into one script.

Each module comes once, after those that it imports.

Streamlit loads a component's JavaScript in one of two ways (tried with 1.67 in Chromium):

- From a string, as we do. The browser gets it as one `blob:` address, from which a relative
  import finds nothing, so the modules have to be joined first.
- From files, in the `asset_dir` that a `pyproject.toml` declares. Imports between the files work.
  But Streamlit finds that declaration only through an installed distribution whose name is that
  of its package. Ours is not (`confident-curation` holds `curation`), and a checkout that is run
  without being installed has none. The files are also served as cacheable, under addresses
  without a version, so a browser could mix the modules of two releases.

Joining takes a few milliseconds when the server starts. The editor, eslint, tsc and node all see
ordinary modules.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import streamlit as st

# Named imports from a file beside this one, over one or several lines. No other form is joined.
IMPORT = re.compile(r'^import \{[^{}]*\} from "\./([\w.-]+)";\n', re.MULTILINE)
EXPORT = re.compile(r"^export (?=(?:async function|class|const|function|let)\b)", re.MULTILINE)
RENAMED = re.compile(r"^import \{[^{}]*\bas\b.*", re.MULTILINE)
LEFT_OVER = re.compile(r"^(?:import\b|export (?!default\b)).*", re.MULTILINE)


def make_component(name: str, folder: Path, page: str, entry: str) -> Any:
    """Return the component whose HTML and CSS are called `page` and whose script is `entry`."""
    html, css = (
        (folder / f"{page}.{kind}").read_text(encoding="utf-8") for kind in ("html", "css")
    )
    return st.components.v2.component(name, html=html, css=css, js=join_modules(folder / entry))


def join_modules(entry: Path) -> str:
    """Return a module and all that it imports as the text of one module.

    Names at the top level of the modules must differ, since all of them end up together. The
    browser refuses the bundle otherwise.
    """
    texts: dict[Path, str] = {}
    _collect(entry, texts, [])
    return "\n".join(texts.values())


def _collect(path: Path, texts: dict[Path, str], importers: list[Path]) -> None:
    """Add a module's text to `texts`, after the texts of the modules that it imports."""
    if path in importers:
        raise ValueError(f"{path.name} imports itself by way of {importers[-1].name}.")
    text = path.read_text(encoding="utf-8")
    for name in IMPORT.findall(text):
        if path.parent / name not in texts:
            _collect(path.parent / name, texts, [*importers, path])
    texts[path] = EXPORT.sub("", IMPORT.sub("", text))
    unknown = LEFT_OVER.search(texts[path]) or RENAMED.search(text)
    if unknown:
        raise ValueError(f"{path.name}: this line cannot be joined: {unknown[0]}")
