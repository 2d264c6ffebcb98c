"""Links to one example on the Review page, flagged or not: from a tile, and from a row of a table.

A tile is a link like any other, so it can be opened in a new tab. A plain click on one does not
reload the page: a part of the page that nobody sees reports it, and the page is changed within
the session.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, urlencode

import pandas as pd
import streamlit as st

from curation.ui.shell.links import REVIEW, has_page, linked
from curation.ui.widgets.literal_text import escape

KEY = "open-example"

_component = st.components.v2.component(
    "curation_open_example",
    js=Path(__file__).with_name("open_example.js").read_text(encoding="utf-8"),
)


def link_example(example_id: str, content: str) -> str:
    """Return HTML as a link to an example; as it is where there is no Review page."""
    if not has_page(REVIEW):
        return content
    address = f"Review?{urlencode(linked(at=example_id))}"
    words = escape(f"Review {example_id}")
    return (
        f'<a class="cu-open" href="{escape(address)}" target="_self" title="{words}" '
        f'aria-label="{words}">{content}</a>'
    )


def follow_clicks() -> None:
    """Go to the example whose tile was clicked; every page with tiles calls this first."""
    opened = _component(key=KEY, on_opened_change=lambda: None).opened
    if opened and has_page(REVIEW):
        st.switch_page(REVIEW, query_params=dict(parse_qsl(str(opened).lstrip("?"))))


def show_examples(table: pd.DataFrame, ids: Sequence[str], key: str, **options: Any) -> None:
    """Show a table with an example in each row, which a click on the row opens."""
    chosen = st.dataframe(
        table, key=key, hide_index=True, on_select="rerun", selection_mode="single-cell", **options
    )
    cells = chosen["selection"]["cells"]
    if cells and has_page(REVIEW):
        st.switch_page(REVIEW, query_params=linked(at=ids[int(cells[0][0])]))
