"""What an example without a picture or text is called on the pages: its id, or any column."""

from __future__ import annotations

import streamlit as st

from curation.dataset import Dataset
from curation.ui.shell import state

NAME = "title"  # in the link
BY_ID = "(id)"


def show_choice(dataset: Dataset) -> None:
    """Show the choice in the sidebar, if there is anything to choose from."""
    if has_titles(dataset):
        state.choose(
            st.selectbox, "Call each example by", NAME, [BY_ID, *dataset.extras], _usual(dataset),
            format_func=lambda each: "its id" if each == BY_ID else each,
        )  # fmt: skip


def has_titles(dataset: Dataset) -> bool:
    """Return whether examples are known by the columns of a table only."""
    return dataset.kind == "index" and bool(dataset.extras)


def chosen_column(dataset: Dataset) -> str | None:
    """Return the column that the examples are called by; None if it is their id."""
    column = state.find(NAME) or _usual(dataset)
    return column if has_titles(dataset) and column in dataset.extras else None


def find_title(dataset: Dataset, row: int) -> str | None:
    """Return what an example is called; None if that is its id, or its cell is empty."""
    return read_title(dataset, row, chosen_column(dataset))


def read_title(dataset: Dataset, row: int, column: str | None) -> str | None:
    """Return what an example is called in a column; see `find_title`."""
    return None if column is None else dataset.cells(row).get(column) or None


def _usual(dataset: Dataset) -> str:
    return str(dataset.settings.get("title_column", BY_ID))
