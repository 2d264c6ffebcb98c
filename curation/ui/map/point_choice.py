"""Which examples are on the map, where, and in which colours."""

from __future__ import annotations

import logging
from dataclasses import dataclass

import numpy as np
import streamlit as st
from numpy.typing import NDArray

from curation.charts import point_colours
from curation.charts.point_colours import PointColours
from curation.core.matrix import BoolArray
from curation.dataset import Dataset
from curation.errors import CurationError, StoreError
from curation.neighbours import Neighbours
from curation.neighbours.map_layouts import INSTALL_UMAP, Layout, find_places, has_umap, make_umap
from curation.review.example_status import CODE_OF, UNDECIDED, Codes
from curation.review.flagged_examples import mark_flagged
from curation.ui.shell import cache, state
from curation.ui.shell.decision_progress import find_ledger
from curation.ui.shell.jobs import Cancelled, Job, JobKey, all_jobs
from curation.ui.shell.neighbour_job import describe_source, get_neighbours, show_offer
from curation.ui.shell.polling import show_progress
from curation.ui.shell.setup import Frame, is_dark
from curation.ui.widgets.literal_text import show_error
from curation.wording import ACTION_NAMES, count_of

_log = logging.getLogger(__name__)

COLOURS = {
    "given": "given label",
    "suggested": "suggested label",
    "margin": "margin",
    "decision": "decision",
}
LAYOUT_NAMES = {"pca": "principal axes (PCA)", "umap": "UMAP"}
UMAP_TIME = "Half a minute to start, and about a minute for each hundred thousand examples; once."
WHY = (
    "The map places similar examples close to each other. Draw around some of them to see what "
    "they are, and to review exactly those."
)


@dataclass(frozen=True, eq=False)
class MapChoice:
    """What the map shows; arrays have one entry per example of the dataset."""

    neighbours: Neighbours
    layout: Layout
    places: NDArray[np.uint16]
    colour_by: str
    colours: PointColours
    shown: BoolArray
    only_flagged: bool
    only_undecided: bool


def require_neighbours(frame: Frame) -> Neighbours | None:
    """Return the neighbours; shows an offer to find them if there are none yet."""
    neighbours = get_neighbours(frame)
    if neighbours is not None:
        return neighbours
    show_offer(frame, WHY, primary=True)
    return None


def show_choices(frame: Frame, neighbours: Neighbours) -> MapChoice | None:
    """Show what can be chosen, and return the choice; None while UMAP is at work."""
    with st.container(horizontal=True, vertical_alignment="bottom", key="map-bar"):
        colour_by = state.choose(
            st.segmented_control, "Colour by", "colour", tuple(COLOURS), "given", required=True,
            format_func=COLOURS.get,
        )  # fmt: skip
        chosen = state.choose(
            st.segmented_control, "Layout", "layout", tuple(LAYOUT_NAMES), "pca",
            required=True, format_func=LAYOUT_NAMES.get,
        )  # fmt: skip
        only_flagged = state.switch("Only flagged", "only_flagged")
        only_undecided = state.switch("Only undecided", "only_undecided")
    codes = _read_codes(frame)
    shown = neighbours.usable.copy()
    if only_flagged:
        shown &= mark_flagged(frame.findings, frame.settings.method, frame.merges)
    if only_undecided:
        shown &= codes == UNDECIDED
    layout: Layout = "umap" if chosen == "umap" and has_umap() else "pca"
    if layout != chosen:
        st.info(
            f"UMAP is not installed. Run `{INSTALL_UMAP}` where Curation is installed, and start "
            "it again. Until then, the map shows the principal axes.",
            icon=":material/download:",
        )
    places = _find_places(frame, neighbours, layout)
    if places is None:
        return None
    st.caption(_describe(neighbours, shown, layout))
    return MapChoice(
        neighbours, layout, places, colour_by, _choose_colours(frame, colour_by, codes),
        shown, only_flagged, only_undecided,
    )  # fmt: skip


def _read_codes(frame: Frame) -> Codes:
    """Return the status of each example; all undecided where the decisions cannot be read."""
    try:
        ledger = find_ledger(frame)
    except StoreError:
        ledger = None  # the sidebar says so
    return np.zeros(len(frame.dataset), np.int8) if ledger is None else ledger.codes()


def _choose_colours(frame: Frame, colour_by: str, codes: Codes) -> PointColours:
    findings, names = frame.findings, frame.class_names
    if colour_by == "margin":
        return point_colours.colour_margins(findings.normalized_margin, dark=is_dark())
    if colour_by == "decision":
        actions = {code: ACTION_NAMES[action] for action, code in CODE_OF.items()}
        return point_colours.colour_decisions(codes, actions)
    if colour_by == "suggested":
        flagged = mark_flagged(findings, frame.settings.method, frame.merges)
        return point_colours.colour_classes(findings.suggested_labels, names, flagged)
    return point_colours.colour_classes(findings.labels, names)


def _find_places(frame: Frame, neighbours: Neighbours, layout: Layout) -> NDArray[np.uint16] | None:
    """Return the places of a layout; None as long as UMAP has not made them."""
    if layout == "pca":
        return neighbours.places
    job = all_jobs().find(_umap_key(frame.dataset))
    if job is None:
        kept = find_places(neighbours, layout)
        if kept is None:
            _offer_umap(frame, neighbours)
        return kept
    try:
        places: NDArray[np.uint16] = job.wait()
        return places
    except TimeoutError:
        show_progress(job)
        _draw_umap_button(frame, neighbours, disabled=True)  # without it, the old one would stay
        st.caption("You can go on working: this continues if you leave the page.")
        return None
    except CurationError as error:
        show_error(error)
    except Exception:
        st.error("UMAP could not lay out these examples. The server's log says why.")
    _offer_umap(frame, neighbours)
    return None


def _offer_umap(frame: Frame, neighbours: Neighbours) -> None:
    _draw_umap_button(frame, neighbours)
    st.caption(UMAP_TIME)


def _draw_umap_button(frame: Frame, neighbours: Neighbours, *, disabled: bool = False) -> None:
    st.button(
        "Lay out with UMAP", key="make-umap", icon=":material/bubble_chart:", disabled=disabled,
        on_click=_start_umap, args=(frame.dataset, neighbours),
    )  # fmt: skip


def _umap_key(dataset: Dataset) -> JobKey:
    return ("neighbours", cache.identify(dataset), "umap")


def _start_umap(dataset: Dataset, neighbours: Neighbours) -> None:
    def work(job: Job) -> NDArray[np.uint16]:
        try:
            return make_umap(dataset, neighbours, job.report)
        except (CurationError, Cancelled):
            raise
        except Exception:
            _log.exception("the layout by UMAP failed")
            raise

    all_jobs().cancel(_umap_key(dataset))  # a failed one is tried again
    all_jobs().get(_umap_key(dataset), work)


def _describe(neighbours: Neighbours, shown: BoolArray, layout: Layout) -> str:
    by = (
        "the two directions in which they differ most"
        if layout == "pca"
        else "UMAP; distances between clusters mean little"
    )
    return f"{count_of(int(shown.sum()), 'example')}, by {by}. {describe_source(neighbours)}"
