"""The filters above the queue: which examples are asked for, and how they are shown."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, cast

import streamlit as st

from curation.analysis.findings import ORDERS, Order
from curation.dataset import Dataset
from curation.review.example_status import STATUSES, Status
from curation.review.review_queue import Filters
from curation.ui.shell import state
from curation.ui.shell.setup import Frame
from curation.ui.widgets import literal_text

ANY = ""
LINKED = ("given", "true", "status", "search", "order", "queue", "view", "id")
GRID_SIZES = ("24", "40", "60")
STATUS_NAMES = {
    "undecided": "to decide",
    "decided": "decided",
    "skipped": "skipped",
    "needs_review": "needs a second look",
    "all": "all",
}
VIEW_NAMES = {"one": "One by one", "grid": "Grid"}
QUEUE_NAMES = {"once": "Each example once", "everyone": "Everyone sees everything"}


@dataclass(frozen=True)
class FilterChoice:
    """What the filters above the queue say."""

    filters: Filters
    search: str
    status: Status
    view: str
    everyone: bool
    size: int
    curators: bool  # whether to show who decided what


def show_filters(frame: Frame) -> FilterChoice:
    """Show the filters, with what the link says, and return what they say now."""
    dataset = frame.dataset
    _follow_link(dataset)
    classes = (ANY, *map(str, range(len(frame.class_names))))

    def name_class(each: str) -> str:
        return frame.class_names[int(each)] if each else "any class"

    with st.container(horizontal=True, vertical_alignment="bottom"):
        with st.popover("Filters"):
            given = _choose(st.selectbox, "Given", "given", classes, ANY, format_func=name_class)
            true = _choose(st.selectbox, "Suggested", "true", classes, ANY, format_func=name_class)
            order, queue, size, curators = _show_more_filters()
        status = _choose(
            st.selectbox, "Status", "status", STATUSES, "undecided", width=190,
            format_func=lambda each: STATUS_NAMES[each], label_visibility="collapsed",
        )  # fmt: skip
        search = _show_search()
        view = _choose(
            st.segmented_control, "View", "view", tuple(VIEW_NAMES), "one",
            format_func=lambda each: VIEW_NAMES[each], label_visibility="collapsed",
        )  # fmt: skip
    filters = Filters(
        method=frame.settings.method,
        order=order,
        given=dataset.find_class(given),
        suggested=dataset.find_class(true),
    )
    everyone = queue == "everyone"
    return FilterChoice(filters, search, cast(Status, status), view, everyone, int(size), curators)


def _show_more_filters() -> tuple[Order, str, str, bool]:
    order = _choose(
        st.selectbox, "Order", "order", ORDERS, "normalized_margin",
        format_func=lambda each: each.replace("_", " "),
    )  # fmt: skip
    queue = _choose(
        st.selectbox, "Several curators", "queue", tuple(QUEUE_NAMES), "once",
        format_func=lambda each: QUEUE_NAMES[each],
    )  # fmt: skip
    st.caption(
        "Each example once: what one curator has decided is done. Everyone sees everything: each "
        "curator judges alone, and disagreements are listed."
    )
    curators = state.switch("Show who decided what", "curators")
    size = _choose(st.selectbox, "Examples in the grid", "size", GRID_SIZES, "24")
    return cast(Order, order), queue, size, curators


def _follow_link(dataset: Dataset) -> None:
    """Set the filters to what the link says, and clear those that it does not name.

    Other pages keep a pair of classes too, which must not narrow this queue unnoticed.
    """
    state.forget(*(name for name in LINKED if name not in st.query_params))
    for name in ("given", "true"):
        text = st.query_params.get(name)
        if text is None:
            continue
        found = dataset.find_class(text)
        if found is None:
            quoted = literal_text.in_markdown(text)
            st.info(f"The link names a class that this dataset does not have: {quoted}.")
        state.keep(name, ANY if found is None else str(found), ANY)


def _choose(widget: Any, label: str, name: str, *options: Any, **more: Any) -> str:
    """Show a kept setting; a change leaves the example and the page that a link named."""
    before = st.session_state.get(f"review.{name}")
    chosen = state.choose(widget, label, name, *options, **more)
    if before is not None and before != chosen and name not in ("view", "size"):
        state.forget("id", "page")
    st.session_state[f"review.{name}"] = chosen
    return chosen


def _show_search() -> str:
    key = "widget.search"
    current = state.recall("search", "")
    if st.session_state.get(key) != current:
        st.session_state[key] = current

    def changed() -> None:
        state.keep("search", str(st.session_state[key]))
        state.forget("id", "page")

    st.text_input(
        "Search", key=key, on_change=changed, placeholder="Search id, text, columns",
        label_visibility="collapsed", width="stretch",
    )  # fmt: skip
    return current
