"""Which queue is asked for: what the link and the filters say, and how it is shown."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from curation.core.matrix import BoolArray
from curation.neighbours import Neighbours
from curation.neighbours.map_area import read_area
from curation.review.audit_queue import BLIND_SCOPES
from curation.review.example_search import Search, find_matches
from curation.review.example_status import STATUSES, Status
from curation.review.filter_link import PARAMETERS, default_scope, read_filters, read_status
from curation.review.ledger import Ledger
from curation.review.queue_filters import (
    FOUND_BY_NEIGHBOURS,
    SCOPES,
    FilterMasks,
    Filters,
    QueueSource,
)
from curation.ui.review.filter_panel import show_panel
from curation.ui.review.filter_widgets import PLACE, Choices, pick, write
from curation.ui.shell import cache, state
from curation.ui.shell.jobs import Job, all_jobs
from curation.ui.shell.links import REVIEW
from curation.ui.shell.neighbour_job import describe_source, get_neighbours, show_offer
from curation.ui.shell.setup import Frame
from curation.ui.widgets import literal_text
from curation.wording import SCOPE_NAMES, STATUS_NAMES

GRID_SIZES = ("24", "40", "60", "120")
VIEW_NAMES = {"one": "One by one", "grid": "Grid"}
QUEUE_NAMES = {"once": "Each example once", "everyone": "Everyone sees everything"}
VIEWS = Choices(tuple(VIEW_NAMES), VIEW_NAMES.__getitem__)
QUEUES = Choices(tuple(QUEUE_NAMES), QUEUE_NAMES.__getitem__)
WHY_NEIGHBOURS = (
    "Review then shows the nearest examples next to each one, can order the list by them, and "
    "lists near-duplicates and outliers."
)
IN_LINK = (*PARAMETERS, *PLACE, "view", "curators")  # what Review keeps in its link


@dataclass(frozen=True)
class FilterChoice:
    """What the filters say: the queue, and how it is shown."""

    source: QueueSource
    filters: Filters
    status: Status
    view: str
    everyone: bool
    size: int
    curators: bool  # whether to show who decided what


def show_filters(frame: Frame, ledger: Ledger, curator: str) -> FilterChoice | Job | None:
    """Show the filters and return what they say.

    A search that is not done yet is returned; None if the filters need neighbours that nobody has
    asked for.
    """
    link = read_link()
    filters, unknown = read_filters(link, frame.dataset, frame.settings.method)
    for text in unknown:
        quoted = literal_text.in_markdown(text)
        st.info(f"The link names a class that this dataset does not have: {quoted}.")
    status, everyone = read_status(link), link.get("queue") == "everyone"
    scope_place, status_place, view = _show_bar(link, filters)
    waiting = _find_search(frame, filters)
    if waiting is not None:
        return waiting
    neighbours = get_neighbours(frame)
    if neighbours is None and filters.needs_neighbours:
        show_offer(frame, f"This list needs to know which examples are similar. {WHY_NEIGHBOURS}")
        return None
    _check_area(filters, neighbours)
    source = QueueSource(
        frame.dataset, frame.findings, ledger, curator if everyone else None,
        search=lambda search: _search_job(frame, search).wait(), merges=frame.merges,
        neighbours=neighbours,
    )  # fmt: skip
    masks = FilterMasks(source, filters)
    with scope_place:
        _show_scope(masks, status)
    with status_place:
        _show_status(status)
    with st.sidebar:
        show_panel(masks, frame.class_names)
        _show_neighbours(frame, neighbours)
        size, curators = _show_more(link)
    return FilterChoice(source, filters, status, view, everyone, size, curators)


def _show_bar(
    link: Mapping[str, str], filters: Filters
) -> tuple[DeltaGenerator, DeltaGenerator, str]:
    """Show the search and the view; return the places of scope and status, and the view."""
    with st.container(horizontal=True, vertical_alignment="bottom", key="review-bar"):
        scope_place, status_place = st.container(width=170), st.container(width=170)
        write(
            "Search", "search", filters.search, label_visibility="collapsed", width="stretch",
            placeholder="Search id, text, class, notes, columns",
        )  # fmt: skip
        view = pick(
            st.segmented_control, "View", "view", VIEWS, _read_view(link), default="one",
            is_filter=False, label_visibility="collapsed",
        )  # fmt: skip
    return scope_place, status_place, view


def _check_area(filters: Filters, neighbours: Neighbours | None) -> None:
    area = read_area(filters.area)
    if area is not None and neighbours is not None and not area.fits(neighbours):
        st.info("The link names a part of another map: the dataset or its features have changed.")


def _show_neighbours(frame: Frame, neighbours: Neighbours | None) -> None:
    with st.expander("Similar examples", expanded=neighbours is None):
        if neighbours is None:
            show_offer(frame, WHY_NEIGHBOURS)
        else:
            st.caption(describe_source(neighbours))


def read_link() -> dict[str, str]:
    """Return what the link says; it is also what the menu will link to from other pages."""
    if "id" in st.query_params:  # as links of version 0.1 named an example
        st.query_params["at"] = st.query_params.pop("id")
    state.keep_page(
        REVIEW, {name: st.query_params[name] for name in IN_LINK if name in st.query_params}
    )
    return st.query_params.to_dict()


def _read_view(link: Mapping[str, str]) -> str:
    return "grid" if link.get("view") == "grid" else "one"


def _find_search(frame: Frame, filters: Filters) -> Job | None:
    """Return a search that the filters need and that is not done yet."""
    for search in (filters.text_search, filters.column_search):
        if search is None:
            continue
        job = _search_job(frame, search)
        try:
            job.wait()
        except TimeoutError:
            return job
    return None


def _search_job(frame: Frame, search: Search) -> Job:
    dataset = frame.dataset

    def work(job: Job) -> BoolArray:
        return find_matches(dataset, search, progress=job.report)

    return all_jobs().get(("search", cache.identify(dataset), search), work)


def _show_scope(masks: FilterMasks, status: Status) -> None:
    scope = masks.filters.scope
    sizes = {"all": len(masks.source.dataset)}
    sizes["flagged"] = int(np.count_nonzero(masks.source.findings.mask(masks.filters.method)))
    ledger, sizes = masks.source.ledger, sizes | _count_found(masks.source)
    # without an audit there is none to offer
    hidden = set() if ledger is not None and ledger.audits() else set(BLIND_SCOPES)
    hidden |= {each for each in FOUND_BY_NEIGHBOURS if not sizes[each]}
    offered = [each for each in SCOPES if each not in hidden or each == scope]
    scopes = Choices(tuple(offered), SCOPE_NAMES.__getitem__, sizes.get)
    pick(
        st.selectbox, "Examples", "scope", scopes, scope,
        default=default_scope(status), label_visibility="collapsed",
    )  # fmt: skip


def _count_found(source: QueueSource) -> dict[str, int]:
    """Return how many examples each further kind of finding has."""
    return {each: len(SCOPES[each].find(source, Filters())) for each in FOUND_BY_NEIGHBOURS}


def _show_status(status: Status) -> None:
    """Show the statuses without counts: deciding changes them, and only the header follows."""
    pick(
        st.selectbox, "Status", "status", Choices(STATUSES, STATUS_NAMES.__getitem__), status,
        default="undecided", label_visibility="collapsed",
    )  # fmt: skip


def _show_more(link: Mapping[str, str]) -> tuple[int, bool]:
    with st.expander("Curators and grid"):
        pick(
            st.selectbox, "Several curators", "queue", QUEUES,
            "everyone" if link.get("queue") == "everyone" else "once", default="once",
            help="Each example once: what one curator has decided is done, and what is in front of "
            "one of them is not given to another. Everyone sees "
            "everything: each curator judges alone, and disagreements are listed.",
        )  # fmt: skip
        curators = state.switch("Show who decided what", "curators")
        size = state.choose(st.selectbox, "Examples in the grid", "size", GRID_SIZES, "24")
    return int(size), curators
