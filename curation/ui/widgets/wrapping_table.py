"""A small table whose cells continue on the next line instead of being cut."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from curation.ui.widgets.literal_text import escape

Cell = str | int | tuple[str, str]  # a number stands right; of two texts, the second is smaller


def show_table(heads: Sequence[str], rows: Sequence[Sequence[Cell]]) -> None:
    """Show a table with a row of headings; for long tables, `st.dataframe` is better."""
    head = "".join(f"<th>{escape(each)}</th>" for each in heads)
    body = "".join(f"<tr>{''.join(map(_write_cell, row))}</tr>" for row in rows)
    st.html(f'<table class="cu-table"><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>')


def _write_cell(cell: Cell) -> str:
    """Return a cell as HTML.

    >>> _write_cell(1200), _write_cell("<b>")
    ('<td class="number">1,200</td>', '<td>&lt;b&gt;</td>')
    >>> _write_cell(("64 %", "42 to 83 %"))
    '<td>64 %<small>42 to 83 %</small></td>'
    """
    if isinstance(cell, int):
        return f'<td class="number">{cell:,}</td>'
    if isinstance(cell, str):
        return f"<td>{escape(cell)}</td>"
    return f"<td>{escape(cell[0])}<small>{escape(cell[1])}</small></td>"
