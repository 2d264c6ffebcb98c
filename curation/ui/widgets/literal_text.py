"""Text from the dataset, shown literally: never as Markdown, HTML or a colour code.

Ids, class names, file names, notes and texts come from files that anyone may have written.
"""

from __future__ import annotations

import html
import re

import streamlit as st

from curation.errors import CurationError
from curation.wording import isolate

_MARKDOWN = re.compile(r"([\\`*_{}\[\]()#+\-.!:$~<>|&])")


def escape(text: object) -> str:
    """Return text for use inside HTML that we write."""
    return html.escape(str(text), quote=True)


def in_markdown(text: object) -> str:
    r"""Return text for use inside Markdown that we write, such as a button's label.

    Right-to-left text leaves the order of our own words alone.

    >>> in_markdown(":red[x] **b**")
    '\\:red\\[x\\] \\*\\*b\\*\\*'
    """
    return _MARKDOWN.sub(r"\\\1", isolate(str(text))).replace("\n", " ")


def paragraph(text: object) -> None:
    """Show a text whole and untouched, line breaks kept."""
    st.html(f'<div style="white-space:pre-wrap;overflow-wrap:anywhere">{escape(text)}</div>')


def show_error(error: CurationError) -> None:
    """Show what is wrong and what to do about it."""
    st.error(f"**{in_markdown(error.problem)}**\n\n{in_markdown(error.remedy)}")
