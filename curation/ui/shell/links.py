"""Links between the pages that keep the dataset and the settings."""

from __future__ import annotations

import re
from pathlib import PurePath
from typing import Literal

import streamlit as st
from streamlit.errors import StreamlitPageNotFoundError

from curation.paths import find_dashboard
from curation.ui.shell import state
from curation.ui.widgets import literal_text

Width = Literal["content", "stretch"]
LINKED = ("data", "fix", "method", "threshold", "collisions", "labels", "title")
OVERVIEW, NOISE, REVIEW, EXPORT = (
    "overview.py", "pages/1_Noise.py", "pages/3_Review.py", "pages/4_Export.py",
)  # fmt: skip

# The logo above the menu: a matrix of three classes with one confused pair.
BRAND = f'<div class="cu-brand"><i aria-hidden="true">{"<b></b>" * 9}</i>Curation</div>'


def linked(**parameters: object) -> dict[str, str]:
    """Return the parameters of a link to the same dataset, analysed the same way."""
    kept = {name: st.query_params[name] for name in LINKED if name in st.query_params}
    return kept | {name: str(value) for name, value in parameters.items() if value is not None}


def has_page(page: str) -> bool:
    """Return whether a page exists."""
    return (find_dashboard() / page).is_file()


def show_link(
    page: str, label: str, *, key: str, primary: bool = False, **parameters: object
) -> None:
    """Show a link to another page if it exists; text from the dataset in `label` is escaped."""
    if not has_page(page):
        return
    with st.container(key=f"primary-{key}" if primary else key, width="content"):
        _link(page, label, linked(**parameters))


def show_navigation() -> None:
    """Show the pages in the sidebar, each as it was left.

    Streamlit's own menu would drop the link's parameters.
    """
    st.html(BRAND)
    folder = find_dashboard() / "pages"
    pages = sorted(f"pages/{path.name}" for path in folder.glob("*.py"))
    for page in [OVERVIEW, *pages] if pages else []:
        _link(
            page,
            literal_text.in_markdown(_title(page)),
            linked(**state.recall_page(page)),
            width="stretch",
        )


def _link(page: str, label: str, parameters: dict[str, str], width: Width = "content") -> None:
    try:
        st.page_link(page, label=label, query_params=parameters, width=width)
    except StreamlitPageNotFoundError:
        return  # this page was started on its own, without the others


def _title(page: str) -> str:
    """Return a page's name as the menu shows it.

    >>> _title("pages/3_Review.py"), _title("overview.py")
    ('Review', 'Overview')
    """
    if page == OVERVIEW:
        return "Overview"
    return re.sub(r"^\d+[_ -]*", "", PurePath(page).stem).replace("_", " ")
