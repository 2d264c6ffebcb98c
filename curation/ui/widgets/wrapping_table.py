"""A small table of figures by name, whose cells are never cut: long names take several lines."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from curation.ui.widgets.literal_text import escape

Cell = str | int | tuple[str, str]  # of two texts, the second is smaller


def show_table(heads: Sequence[str], rows: Sequence[Sequence[Cell]]) -> None:
    """Show a table with a row of headings; for long tables, `st.dataframe` is better.

    The first column holds names; all others hold figures, which are aligned on the right.
    """
    head = _write_row("th", heads)
    body = "".join(_write_row("td", row) for row in rows)
    st.html(f'<table class="cu-table"><thead>{head}</thead><tbody>{body}</tbody></table>')


def _write_row(tag: str, cells: Sequence[Cell]) -> str:
    """Return a row as HTML.

    >>> _write_row("td", ("<b>", 1200))
    '<tr><td>&lt;b&gt;</td><td class="number">1,200</td></tr>'
    """
    kinds = ("", *[' class="number"'] * (len(cells) - 1))
    shown = zip(kinds, cells, strict=True)
    return f"<tr>{''.join(f'<{tag}{kind}>{_write(cell)}</{tag}>' for kind, cell in shown)}</tr>"


def _write(cell: Cell) -> str:
    """Return what is in a cell as HTML.

    >>> _write(("64 %", "42 to 83 %"))
    '64 %<small>42 to 83 %</small>'
    """
    if isinstance(cell, int):
        return f"{cell:,}"
    if isinstance(cell, str):
        return escape(cell)
    return f"{escape(cell[0])}<small>{escape(cell[1])}</small>"
