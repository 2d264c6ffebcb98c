"""The review page: which queue is asked for, and the component that walks through it."""

from __future__ import annotations

from typing import Any, cast

import streamlit as st

from curation import review
from curation.analysis import ORDERS, Order
from curation.core.matrix import IntArray
from curation.dataset import Dataset
from curation.review import STATUSES, Filters, Status
from curation.ui import deciding, literal, review_component, state
from curation.ui.reviewing import Desk
from curation.ui.setup import Frame

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
QUEUE_NAMES = {"once": "Each item once", "everyone": "Everyone sees everything"}
ANSWERS, SNAPSHOT, LINK = "review.answers", "review.snapshot", "review.link"


def show(frame: Frame) -> None:
    """Show the filters and, below them, the queue they ask for."""
    st.html("<style>.block-container{padding-top:4.2rem}</style>")  # clear of Streamlit's own bar
    with st.sidebar:  # where the store's notices do not push the example down
        store = deciding.current_store(frame)
    curator = deciding.current_curator()
    if store is None:
        st.stop()
    filters, status, view, everyone, size = _show_filters(frame)
    desk = Desk(
        frame=frame,
        store=store,
        curator=curator,
        filters=filters,
        status=status,
        everyone=everyone,
        first=st.query_params.get("id"),
        closed=deciding.why_not(store),
    )
    _converse(desk, view, size)


@st.fragment
def _converse(desk: Desk, view: str, size: int) -> None:
    """Answer the browser's last message; runs again, alone, at each message."""
    rows = _snapshot(desk)

    def take_in() -> None:
        # A callback: nothing of Streamlit's is called before everything is written.
        _take_in(desk, rows)

    _take_in(desk, rows)  # after a reconnection no callback runs, but the message is there
    sent = review_component.last_message()
    sent.setdefault("link", st.query_params.get("at"))
    data = desk.answer(sent, st.session_state.get(ANSWERS, {}), rows)
    data["view"] = view
    data |= desk.grid(sent, rows, size) if view == "grid" else desk.around(sent, rows)
    review_component.show(data, take_in)


def _take_in(desk: Desk, rows: IntArray) -> None:
    sent = review_component.last_message()
    if sent.get("store") != desk.store_key:  # said to another store, or under another name
        return
    known = st.session_state.get(ANSWERS, {})
    st.session_state[ANSWERS] = desk.take(sent.get("log") or [], known, rows)


def _snapshot(desk: Desk) -> IntArray:
    """Return the queue's rows; those with a certain status stay listed while they are decided."""
    kept = st.session_state.get(SNAPSHOT)
    if kept is None or kept[0] != (desk.key, id(desk.frame.findings)):
        kept = ((desk.key, id(desk.frame.findings)), desk.rows())
        st.session_state[SNAPSHOT] = kept
    rows: IntArray = kept[1]
    return rows


# ---- the filters


def _show_filters(frame: Frame) -> tuple[Filters, Status, str, bool, int]:
    dataset = frame.dataset
    _follow_link(dataset)
    names = dict(zip(dataset.class_ids, frame.class_names, strict=True))
    classes = (ANY, *dataset.class_ids)

    def called(each: str) -> str:
        return names.get(each, "any class")

    with st.container(horizontal=True, vertical_alignment="bottom"):
        with st.popover("Filters"):
            given = _choose(st.selectbox, "Given", "given", classes, ANY, format_func=called)
            true = _choose(st.selectbox, "Suggested", "true", classes, ANY, format_func=called)
            order, queue, size = _more()
        status = _choose(
            st.selectbox, "Status", "status", STATUSES, "undecided", width=190,
            format_func=lambda each: STATUS_NAMES[each], label_visibility="collapsed",
        )  # fmt: skip
        search = _search()
        view = _choose(
            st.segmented_control, "View", "view", tuple(VIEW_NAMES), "one",
            format_func=lambda each: VIEW_NAMES[each], label_visibility="collapsed",
        )  # fmt: skip
    st.session_state[LINK] = {
        name: st.query_params[name] for name in LINKED if name in st.query_params
    }
    filters = Filters(
        method=frame.settings.method,
        order=order,
        given=review.find_class(dataset, given),
        suggested=review.find_class(dataset, true),
        search=search,
    )
    return filters, cast(Status, status), view, queue == "everyone", int(size)


def _more() -> tuple[Order, str, str]:
    order = _choose(
        st.selectbox, "Order", "order", ORDERS, "normalized_margin",
        format_func=lambda each: each.replace("_", " "),
    )  # fmt: skip
    queue = _choose(
        st.selectbox, "Several curators", "queue", tuple(QUEUE_NAMES), "once",
        format_func=lambda each: QUEUE_NAMES[each],
    )  # fmt: skip
    st.caption(
        "Each item once: what anybody decided is done. Everyone sees everything: each curator "
        "judges alone, and disagreements are listed."
    )
    size = _choose(st.selectbox, "Examples in the grid", "size", GRID_SIZES, "24")
    return cast(Order, order), queue, size


def _follow_link(dataset: Dataset) -> None:
    """Take over what a link from elsewhere says; what it does not say, it does not restrict."""
    said = {name: st.query_params[name] for name in LINKED if name in st.query_params}
    if not said or said == st.session_state.get(LINK):
        return
    state.forget(*(name for name in LINKED if name not in said))
    for name in ("given", "true"):
        if name in said:
            found = review.find_class(dataset, said[name])
            if found is None:
                st.info(
                    f"The link names a class that is not here: {literal.in_markdown(said[name])}."
                )
            state.keep(name, ANY if found is None else dataset.class_ids[found], ANY)


def _choose(widget: Any, label: str, name: str, *options: Any, **more: Any) -> str:
    """Show a kept setting; whoever changes it leaves the one example that a link named."""
    before = st.session_state.get(f"review.{name}")
    chosen = state.choose(widget, label, name, *options, **more)
    if before is not None and before != chosen and name not in ("view", "size"):
        state.forget("id")
    st.session_state[f"review.{name}"] = chosen
    return chosen


def _search() -> str:
    key = "widget.search"
    current = state.recall("search", "")
    if st.session_state.get(key) != current:
        st.session_state[key] = current

    def changed() -> None:
        state.keep("search", str(st.session_state[key]))
        state.forget("id")

    st.text_input(
        "Search", key=key, on_change=changed, placeholder="Search id, text, columns",
        label_visibility="collapsed", width="stretch",
    )  # fmt: skip
    return current
