"""Examples side by side: pictures or texts with a line under each, in one piece of HTML.

One element for all of them, with room reserved, so that nothing jumps as pictures arrive.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import streamlit as st

from curation.dataset import Dataset
from curation.errors import CurationError
from curation.ui.widgets.browser_content import pictures
from curation.ui.widgets.literal_text import escape
from curation.wording import shorten

THUMBNAIL = 192  # pixels on the longer side, twice what is shown, for sharp screens
EXCERPT = 220  # characters of a text


@dataclass(frozen=True)
class Tile:
    """One example: its row, and the words under it."""

    row: int
    caption: str
    detail: str = ""


STYLE = """<style>
.cu-grid{display:grid;gap:.6rem;grid-template-columns:repeat(auto-fill,minmax(var(--cu-w),1fr))}
.cu-tile{border:1px solid rgba(128,128,128,.25);border-radius:.5rem;overflow:hidden;margin:0;
 display:flex;flex-direction:column}
.cu-tile img{width:100%;height:calc(var(--cu-w)*.9);object-fit:contain;display:block;
 background:rgba(128,128,128,.08)}
.cu-tile .cu-text{margin:.5rem .6rem auto;font-size:.85rem;white-space:pre-wrap;
 overflow-wrap:anywhere;overflow:hidden;display:-webkit-box;-webkit-line-clamp:5;-webkit-box-orient:vertical}
.cu-tile .cu-none{height:calc(var(--cu-w)*.9);display:flex;align-items:center;
 justify-content:center;text-align:center;padding:.5rem;font-size:.8rem;opacity:.7}
.cu-tile .cu-id{padding:.5rem .6rem;font-weight:600;overflow-wrap:anywhere}
.cu-tile .cu-text + figcaption{margin-top:.5rem}
.cu-tile figcaption{padding:.35rem .6rem;font-size:.82rem;line-height:1.25;
 overflow-wrap:anywhere;border-top:1px solid rgba(128,128,128,.2)}
.cu-tile figcaption small{opacity:.7;display:block}
</style>"""


def show_gallery(dataset: Dataset, tiles: Sequence[Tile], *, width: str = "8.5rem") -> None:
    """Show examples as a grid; a picture that cannot be shown says why in its place."""
    if dataset.kind == "image":
        for tile in tiles:
            pictures().get(dataset, tile.row, THUMBNAIL)  # all begin before the first is waited for
    wide = "15rem" if dataset.kind == "text" else width
    figures = "".join(_figure(dataset, tile) for tile in tiles)
    st.html(f'{STYLE}<div class="cu-grid" style="--cu-w:{wide}">{figures}</div>')


def _figure(dataset: Dataset, tile: Tile) -> str:
    detail = f"<small>{escape(tile.detail)}</small>" if tile.detail else ""
    return (
        f'<figure class="cu-tile">{_content(dataset, tile.row)}'
        f"<figcaption>{escape(tile.caption)}{detail}</figcaption></figure>"
    )


def _content(dataset: Dataset, row: int) -> str:
    name = str(dataset.ids[row])
    if dataset.kind == "index":
        return f'<div class="cu-id">{escape(shorten(name, 40))}</div>'
    try:
        if dataset.kind == "text":
            text = dataset.content.text(row)
            more = "…" if len(text) > EXCERPT else ""
            return f'<div class="cu-text">{escape(text[:EXCERPT])}{more}</div>'
        source, tiny = thumbnail(dataset, row)
    except CurationError as error:
        return f'<div class="cu-none">{escape(error.problem)}</div>'
    pixelated = ";image-rendering:pixelated" if tiny else ""
    return f'<img src="{source}" alt="{escape(name)}" style="{pixelated}" loading="lazy">'


def thumbnail(dataset: Dataset, row: int, size: int = THUMBNAIL) -> tuple[str, bool]:
    """Return a small picture as a data URL, and whether the original is tiny.

    It is made once and kept a while for everybody, as the review page's pictures are.
    """
    shown = pictures().get(dataset, row, size).result()
    if shown["kind"] == "missing":
        raise CurationError(shown["reason"], shown["remedy"])
    return shown["src"], shown["tiny"]
