"""A small preview of each file in a dataset's folder: its columns, their types, its first rows."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from curation import wording
from curation.loading.discovery.file_survey import FoundFile, write_shape
from curation.ui.widgets.literal_text import escape

MAX_COLUMNS = 24  # of a table; the others are counted
MAX_CELL_CHARACTERS = 60


def show_previews(files: Sequence[FoundFile], more: int) -> None:
    """Show what was found, file by file; text from the files is shown literally."""
    cards = "".join(_card(each) for each in files)
    rest = f'<div class="cu-quiet">and {wording.count_of(more, "more file")}</div>' if more else ""
    st.html(f'<div class="cu-files">{cards}{rest}</div>')


def _card(found: FoundFile) -> str:
    name = "This folder" if found.name == "." else found.name
    return (
        f'<div class="cu-file"><div><b>{escape(name)}</b> '
        f'<span class="cu-quiet">{escape(_describe(found))}</span></div>{_table(found)}</div>'
    )


def _describe(found: FoundFile) -> str:
    if found.folders:
        return f"a folder for each class: {', '.join(found.folders[:MAX_COLUMNS])}"
    if found.pictures:
        return wording.count_of(found.pictures, "picture")
    if found.shape is not None:
        return f"{write_shape(found.shape)} · {found.dtype}"
    if not found.columns:
        return (found.advice or "not read").removeprefix(f"{found.name}: ")
    rows = [] if found.count is None else [wording.count_of(found.count, "row")]
    kind = "array" if found.name.lower().endswith(".npz") else "column"
    return " · ".join([*rows, wording.count_of(len(found.columns), kind)])


def _table(found: FoundFile) -> str:
    """Return the columns and the first rows as HTML; nothing if there are none."""
    columns = found.columns[:MAX_COLUMNS]
    if not columns and not found.rows:
        return ""
    more = len(found.columns) - len(columns)
    head = "".join(
        f"<th>{escape(name or '(no name)')}<small>{escape(found.types.get(name, ''))}</small></th>"
        for name in columns
    )
    head += f"<th>and {more:,} more</th>" if more else ""
    body = "".join(
        f"<tr>{''.join(f'<td>{escape(_cut(cell))}</td>' for cell in row[:MAX_COLUMNS])}</tr>"
        for row in found.rows
    )
    top = f"<thead><tr>{head}</tr></thead>" if columns else ""
    return f'<div class="cu-scroll"><table>{top}<tbody>{body}</tbody></table></div>'


def _cut(cell: str) -> str:
    return wording.shorten(cell, MAX_CELL_CHARACTERS) if cell else ""
