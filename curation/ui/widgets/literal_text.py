"""Text from the dataset, shown literally: never as Markdown, HTML or a colour code.

Ids, class names, file names, notes and texts come from files that anyone may have written.
"""

from __future__ import annotations

import html
import re

import streamlit as st

from curation.errors import CurationError
from curation.wording import isolate

# Streamlit makes links of these, escaped or not, unless something stands inside them.
_BARE_LINK = re.compile(r"(?<=http)(?=s?://)|(?<=www)(?=\.)|(?<=@)(?=[\w-])", re.I)
_WORD_JOINER = "\u2060"  # takes no space, and allows no line break
_MARKDOWN = re.compile(r"([\\`*_{}\[\]()#+\-.!:$~<>|&])")


def escape(text: object) -> str:
    """Return text for use inside HTML that we write."""
    return html.escape(str(text), quote=True)


def in_markdown(text: object) -> str:
    r"""Return text for use inside Markdown that we write, such as a button's label.

    Right-to-left text does not change the order of the words around it, and an address does not
    become a link: an invisible character stands inside it.

    >>> in_markdown(":red[x] **b**")
    '\\:red\\[x\\] \\*\\*b\\*\\*'
    """
    unlinked = _BARE_LINK.sub(_WORD_JOINER, isolate(str(text)))
    return _MARKDOWN.sub(r"\\\1", unlinked).replace("\n", " ")


def paragraph(text: object) -> None:
    """Show a text complete and unchanged, with its line breaks."""
    st.html(f'<div style="white-space:pre-wrap;overflow-wrap:anywhere">{escape(text)}</div>')


def show_error(error: CurationError) -> None:
    """Show what is wrong and what to do about it."""
    st.error(f"**{in_markdown(error.problem)}**\n\n{in_markdown(error.remedy)}")
