"""Examples side by side: pictures or texts with a line under each, in one piece of HTML.

One element holds all of them and reserves their space, so that nothing moves as pictures load.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import streamlit as st

from curation.dataset import Dataset
from curation.errors import CurationError
from curation.ui.widgets.browser_content import FETCHING, longest_wait, pictures
from curation.ui.widgets.example_links import link_example
from curation.ui.widgets.example_titles import find_title
from curation.ui.widgets.literal_text import escape
from curation.wording import shorten

THUMBNAIL_PIXELS = 192  # on the longer side, twice what is shown, for sharp screens
EXCERPT_CHARACTERS = 220


@dataclass(frozen=True)
class Tile:
    """One example: its row, and the words under it."""

    row: int
    caption: str
    detail: str = ""


def show_gallery(dataset: Dataset, tiles: Sequence[Tile], *, width: str = "8.5rem") -> None:
    """Show examples as a grid, each of which a click opens on the Review page.

    If a picture cannot be shown, the reason is in its place.
    """
    if dataset.kind == "image":
        for tile in tiles:
            pictures().get(dataset, tile.row, THUMBNAIL_PIXELS)  # start all, then wait
    wide = "15rem" if dataset.kind == "text" else width
    figures = "".join(_figure(dataset, tile) for tile in tiles)
    st.html(f'<div class="cu-grid" style="--cu-w:{wide}">{figures}</div>')


def _figure(dataset: Dataset, tile: Tile) -> str:
    detail = f"<small>{escape(tile.detail)}</small>" if tile.detail else ""
    shown = f"{_content(dataset, tile.row)}<figcaption>{escape(tile.caption)}{detail}</figcaption>"
    return f'<figure class="cu-tile">{link_example(str(dataset.ids[tile.row]), shown)}</figure>'


def _content(dataset: Dataset, row: int) -> str:
    name = str(dataset.ids[row])
    if dataset.kind == "index":
        return f'<div class="cu-id">{escape(shorten(find_title(dataset, row) or name, 40))}</div>'
    try:
        if dataset.kind == "text":
            text = dataset.content.text(row)
            more = "…" if len(text) > EXCERPT_CHARACTERS else ""
            return f'<div class="cu-text">{escape(text[:EXCERPT_CHARACTERS])}{more}</div>'
        source, tiny = thumbnail(dataset, row)
    except CurationError as error:
        return f'<div class="cu-none">{escape(error.problem)}</div>'
    pixelated = ";image-rendering:pixelated" if tiny else ""
    return f'<img src="{source}" alt="{escape(name)}" style="{pixelated}" loading="lazy">'


def thumbnail(dataset: Dataset, row: int, size: int = THUMBNAIL_PIXELS) -> tuple[str, bool]:
    """Return a small picture as a data URL, and whether the original is tiny.

    It is made once and kept for all visitors, like the pictures of the Review page.
    """
    try:
        shown = pictures().get(dataset, row, size).result(longest_wait(dataset))
    except TimeoutError:
        shown = FETCHING
    if shown["kind"] in ("missing", "waiting"):
        raise CurationError(shown["reason"], shown["remedy"])
    assert shown["kind"] == "image"  # this is asked only of a dataset of pictures
    return shown["src"], shown["tiny"]
