"""Numbers on cards: a title, a value in large letters, and a note."""

from __future__ import annotations

from curation.ui.widgets.literal_text import escape

LONG_VALUE = 18  # characters from which a value is written smaller


def make_card(title: str, value: str, note: str, *, first: bool = False) -> str:
    """Return a card as HTML; the first one of a page stands out."""
    long = " long" if len(value) > LONG_VALUE else ""
    return (
        f'<div class="cu-card{" first" if first else ""}"><div class="k">{escape(title)}</div>'
        f'<div class="v{long}">{escape(value)}</div><div class="n">{escape(note)}</div></div>'
    )
