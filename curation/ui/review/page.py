"""The review page: which queue is asked for, and the component that walks through it."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from typing import Any, cast
from urllib.parse import urlencode

import streamlit as st

from curation import wording
from curation.analysis.findings import ORDERS, Order
from curation.core.matrix import IntArray
from curation.dataset import Dataset
from curation.errors import StoreError
from curation.paths import find_dashboard
from curation.review.example_status import STATUSES, Status
from curation.review.review_queue import Filters
from curation.store import Action, Store
from curation.ui.review import component
from curation.ui.review.conversation import Desk
from curation.ui.shell import curator_name, page_store, state
from curation.ui.shell.setup import Frame
from curation.ui.widgets import literal_text
from curation.ui.widgets.literal_text import show_error

ANY = ""
LINKED = ("given", "true", "status", "search", "order", "queue", "view", "id")
OPEN, EXAMPLE = " ", "  "  # columns of links and of ids: no curator is called so
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
ANSWERS, SNAPSHOT = "review.answers", "review.snapshot"


@dataclass(frozen=True)
class Asked:
    """What the filters above the queue say."""

    filters: Filters
    search: str
    status: Status
    view: str
    everyone: bool
    size: int
    curators: bool  # whether to show who decided what


def show(frame: Frame) -> None:
    """Show the filters and, below them, the queue they ask for."""
    with st.sidebar:  # where the store's notices do not push the example down
        store = page_store.current_store(frame)
    curator = curator_name.current_curator()
    if store is None:
        st.stop()
    asked = _show_filters(frame)
    desk = Desk(
        frame=frame,
        store=store,
        curator=curator,
        filters=asked.filters,
        search=asked.search,
        status=asked.status,
        everyone=asked.everyone,
        first=st.query_params.get("id"),
        closed=page_store.why_not(store),
    )
    # Pressed by the browser: a server that was started again knows of no fragment to run.
    st.button("Wake", key=component.WAKE)
    _converse(desk, asked.view, asked.size)
    if asked.curators:
        _show_curators(frame, store)


def _show_curators(frame: Frame, store: Store) -> None:
    """Show who decided how much, how far they agree, and where they do not."""
    st.subheader("Curators")
    st.dataframe(
        [
            {
                "curator": each.curator,
                "decided": each.decided,
                **{action.replace("_", " "): each.actions.get(action, 0) for action in Action},
                "seconds each": round(each.seconds / each.decided, 1) if each.decided else None,
            }
            for each in store.progress()
        ],
        hide_index=True,
    )
    for pair in store.agreement():
        kappa = "" if pair.kappa is None else f", Cohen's kappa {pair.kappa:.2f}"
        names = " and ".join(literal_text.in_markdown(each) for each in pair.curators)
        examples = wording.count_of(pair.examples, "example")
        st.caption(f"{names} agree on {pair.agreed:,} of {examples}{kappa}.")
    open_ones = store.disagreements()
    if open_ones:
        st.markdown(f"**They differ on {wording.count_of(len(open_ones), 'example')}**")
        st.caption("Show one: your answer there settles it for everybody.")
        st.dataframe(
            [
                {OPEN: _example_link(frame, each.example_id), EXAMPLE: each.example_id}
                | {word.curator: word.summary for word in (*each.candidates, *each.attempts)}
                for each in open_ones[:200]
            ],
            hide_index=True,
            column_config={
                OPEN: st.column_config.LinkColumn("", display_text="Show it", width="small"),
                EXAMPLE: "example",
            },
        )


def _example_link(frame: Frame, example_id: str) -> str:
    """Return a link to this page with one example first, where others' words are in view."""
    return f"Review?{urlencode(frame.link(status='all', id=example_id))}"


@st.fragment
def _converse(desk: Desk, view: str, size: int) -> None:
    """Answer the browser's last message; runs again, alone, at each message."""
    try:
        rows = _snapshot(desk)
        _take_in(desk, rows)  # after a reconnection no callback runs, but the message is there
        sent = component.last_message()
        sent.setdefault("link", st.query_params.get("at"))
        if sent.get("queue") != desk.key or sent.get("page") is None:  # of this list none is known
            sent["page"] = _linked_page()
        data = desk.answer(sent, st.session_state.get(ANSWERS, {}), rows)
        data |= desk.grid(sent, rows, size) if view == "grid" else desk.around(sent, rows)
    except StoreError as error:
        show_error(error)
        st.caption("What is not saved yet is kept in this tab and saved once this works again.")
        if st.button("Try again", key="review-again"):
            st.rerun(scope="app")  # the store may have to be opened anew
        return
    data |= {"view": view, "export": _export_link(desk.frame)}

    def take_in() -> None:
        # A callback: nothing of Streamlit's is shown before everything is written.
        with suppress(StoreError):  # the run that follows meets it again, and says so
            _take_in(desk, rows)

    component.show(data, take_in)


def _linked_page() -> int:
    """Return the page of the grid that the link names; there they are counted from 1."""
    said = st.query_params.get("page", "")
    return int(said) - 1 if said.isascii() and said.isdigit() and len(said) < 10 else 0


def _take_in(desk: Desk, rows: IntArray) -> None:
    sent = component.last_message()
    if sent.get("store") != desk.store_key:  # said to another store, or under another name
        return
    known = st.session_state.get(ANSWERS, {})
    st.session_state[ANSWERS] = desk.take(sent.get("log") or [], known, rows)


def _export_link(frame: Frame) -> str | None:
    pages = list((find_dashboard() / "pages").glob("*_Export.py"))
    return f"Export?{urlencode(frame.link())}" if pages else None


def _snapshot(desk: Desk) -> IntArray:
    """Return the queue's rows; those with a certain status stay listed while they are decided."""
    kept = st.session_state.get(SNAPSHOT)
    if kept is None or kept[0] != desk.key or kept[1] is not desk.frame.findings:
        kept = (desk.key, desk.frame.findings, desk.rows())
        st.session_state[SNAPSHOT] = kept
    rows: IntArray = kept[2]
    return rows


# ---- the filters


def _show_filters(frame: Frame) -> Asked:
    dataset = frame.dataset
    _follow_link(dataset)
    classes = (ANY, *map(str, range(len(frame.class_names))))

    def called(each: str) -> str:
        return frame.class_names[int(each)] if each else "any class"

    with st.container(horizontal=True, vertical_alignment="bottom"):
        with st.popover("Filters"):
            given = _choose(st.selectbox, "Given", "given", classes, ANY, format_func=called)
            true = _choose(st.selectbox, "Suggested", "true", classes, ANY, format_func=called)
            order, queue, size, curators = _more()
        status = _choose(
            st.selectbox, "Status", "status", STATUSES, "undecided", width=190,
            format_func=lambda each: STATUS_NAMES[each], label_visibility="collapsed",
        )  # fmt: skip
        search = _search()
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
    return Asked(filters, search, cast(Status, status), view, everyone, int(size), curators)


def _more() -> tuple[Order, str, str, bool]:
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
    curators = state.switch("Show who decided what", "curators")
    size = _choose(st.selectbox, "Examples in the grid", "size", GRID_SIZES, "24")
    return cast(Order, order), queue, size, curators


def _follow_link(dataset: Dataset) -> None:
    """Take over what the link says; what it does not say, it does not restrict.

    Other pages keep a pair of classes too. It must not narrow this queue behind one's back.
    """
    state.forget(*(name for name in LINKED if name not in st.query_params))
    for name in ("given", "true"):
        said = st.query_params.get(name)
        if said is None:
            continue
        found = dataset.find_class(said)
        if found is None:
            st.info(f"The link names a class that is not here: {literal_text.in_markdown(said)}.")
        state.keep(name, ANY if found is None else str(found), ANY)


def _choose(widget: Any, label: str, name: str, *options: Any, **more: Any) -> str:
    """Show a kept setting; whoever changes it leaves the example and the page that a link named."""
    before = st.session_state.get(f"review.{name}")
    chosen = state.choose(widget, label, name, *options, **more)
    if before is not None and before != chosen and name not in ("view", "size"):
        state.forget("id", "page")
    st.session_state[f"review.{name}"] = chosen
    return chosen


def _search() -> str:
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
