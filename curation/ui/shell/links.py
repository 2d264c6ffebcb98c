"""Links between the pages, which carry the dataset and the settings along."""

from __future__ import annotations

import re
from pathlib import PurePath
from typing import Literal

import streamlit as st
from streamlit.errors import StreamlitPageNotFoundError

from curation.paths import find_dashboard
from curation.ui.widgets import literal_text

Width = Literal["content", "stretch"]
LINKED = ("data", "fix", "method", "threshold", "collisions", "labels")
OVERVIEW, NOISE, REVIEW, EXPORT = (
    "app.py", "pages/1_Noise.py", "pages/3_Review.py", "pages/4_Export.py",
)  # fmt: skip

# The name over the menu: three classes by three, and one pair that is confused.
BRAND = (
    """<style>
.cu-brand{display:flex;align-items:center;gap:.6rem;font-size:1.15rem;font-weight:700;
 padding:0 0 .7rem .5rem;letter-spacing:-.01em}
[data-testid="stSidebarUserContent"]{margin-top:-3.2rem}
.cu-brand i{display:grid;grid-template-columns:repeat(3,.42rem);gap:.1rem}
.cu-brand b{height:.42rem;border-radius:.1rem;background:rgba(128,128,128,.28)}
.cu-brand b:nth-child(4n+1){background:#3f8fd2}
.cu-brand b:nth-child(6){background:#e2711d}
</style><div class="cu-brand"><i aria-hidden="true">"""
    + "<b></b>" * 9
    + "</i>Curation</div>"
)

# A page link that looks like the primary button: it can be opened in a new tab, a button cannot.
PRIMARY_STYLE = """<style>
[class*="st-key-primary-"] a{background:#0b5fa5;border-radius:.5rem;padding:.5rem 1.1rem;
 justify-content:center;white-space:nowrap}
[class*="st-key-primary-"] a:hover,[class*="st-key-primary-"] a:focus-visible{background:#084a82}
[class*="st-key-primary-"] a *{color:#fff!important;font-weight:600}
</style>"""


def linked(**parameters: object) -> dict[str, str]:
    """Return the parameters of a link to the same dataset, analysed the same way."""
    kept = {name: st.query_params[name] for name in LINKED if name in st.query_params}
    return kept | {name: str(value) for name, value in parameters.items() if value is not None}


def has_page(page: str) -> bool:
    """Tell whether a page is there; the dashboard grows page by page."""
    return (find_dashboard() / page).is_file()


def show_link(
    page: str, label: str, *, key: str, primary: bool = False, **parameters: object
) -> None:
    """Show a link to another page if there is one; `label` is our own words and literal text."""
    if not has_page(page):
        return
    with st.container(key=f"primary-{key}" if primary else key, width="content"):
        _link(page, label, linked(**parameters))


def show_navigation() -> None:
    """Show the pages in the sidebar. Streamlit's own menu would drop the link's parameters."""
    st.html(BRAND)
    folder = find_dashboard() / "pages"
    pages = sorted(f"pages/{path.name}" for path in folder.glob("*.py"))
    for page in [OVERVIEW, *pages] if pages else []:
        _link(page, literal_text.in_markdown(_title(page)), linked(), width="stretch")


def _link(page: str, label: str, parameters: dict[str, str], width: Width = "content") -> None:
    try:
        st.page_link(page, label=label, query_params=parameters, width=width)
    except StreamlitPageNotFoundError:
        return  # this page was started by itself, and there is no other


def _title(page: str) -> str:
    """Return a page's name as the menu shows it.

    >>> _title("pages/3_Review.py"), _title("app.py")
    ('Review', 'Overview')
    """
    if page == OVERVIEW:
        return "Overview"
    return re.sub(r"^\d+[_ -]*", "", PurePath(page).stem).replace("_", " ")
