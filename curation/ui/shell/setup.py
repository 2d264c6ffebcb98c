"""What every page starts with: configuration, the dataset in the link, its findings, the sidebar.

A page of `pages/` may be the first that a server ever runs, without app.py. So nothing is set up
there alone: each page calls `setup` first, which returns a `Frame` or stops with a friendly note.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any, cast

import streamlit as st

from curation import wording
from curation.analysis.findings import METHODS, Findings, Method
from curation.core.count import Collisions, Threshold
from curation.ui.shell import (
    curator_name,
    dataset_chooser,
    decision_progress,
    state,
    unavailable_page,
)
from curation.ui.shell.cache import of_analysis
from curation.ui.shell.claimed_examples import release_noted
from curation.ui.shell.fix_memory import NO_FIXES
from curation.ui.shell.frame import Frame as Frame  # every page gets it from here
from curation.ui.shell.frame import Settings
from curation.ui.shell.jobs import Cancelled, Job
from curation.ui.shell.links import show_navigation
from curation.ui.shell.opening import (
    Source,
    analysis_job,
    default_source,
    loading_job,
    usual_fixes,
)
from curation.ui.shell.reconnection import come_back
from curation.ui.shell.result_in_sight import follow_results
from curation.ui.shell.styles import read_styles
from curation.ui.shell.unavailable_page import Pending
from curation.ui.shell.visitor import require_visitor
from curation.ui.widgets import example_titles
from curation.ui.widgets.example_links import follow_clicks
from curation.ui.widgets.literal_text import escape

PERCENTILES = ("50", "75", "90", "95")
THRESHOLDS = ("mean", *PERCENTILES)
COLLISIONS = tuple(wording.COLLISION_NAMES)
REVIEW_TITLE = "Review"


def setup(title: str, *, choosing: bool = False, counting: bool = True) -> Frame:
    """Prepare a page and return its frame, or stop with a note on what to do.

    `choosing` shows the ways to open another dataset at the top of the page. `counting` shows in
    the sidebar how much is decided; a page that counts on its own switches it off.
    """
    configure(title)
    require_visitor()
    if title != REVIEW_TITLE:
        release_noted()
    source = current_source()
    settings = read_settings()
    try:
        frame = _prepare(source, settings)
    except Exception as reason:  # shown as a message with a next step
        unavailable_page.show(reason, source)
        st.stop()
    if choosing:
        dataset_chooser.show_chooser(source)
    show_sidebar(frame, counting=counting)
    return frame


def configure(title: str) -> None:
    st.set_page_config(page_title=f"{title} · Curation", page_icon="🔎", layout="wide")
    state.enter_page(title)
    st.html(f"<style>{read_styles(dark=is_dark())}</style>")
    with st.sidebar:
        show_navigation()
        come_back()
        follow_results()
        follow_clicks()


def is_dark() -> bool:
    return st.context.theme.type == "dark"


def current_source() -> Source:
    """Return the dataset in the link, or the session's, or the command's, or a demo."""
    name = state.recall("data", default_source())
    fixes = state.find("fix") or usual_fixes(name)
    state.keep("fix", fixes, NO_FIXES)
    return Source(name, fixes)


def read_settings() -> Settings:
    """Return the settings in the link; their widgets are drawn once the findings are ready."""
    method = state.recall_choice("method", METHODS, "confident_joint")
    threshold = state.recall_choice("threshold", THRESHOLDS, "mean")
    collisions = state.recall_choice("collisions", COLLISIONS, "argmax")
    level: Threshold = "mean" if threshold == "mean" else float(threshold)
    return Settings(cast(Method, method), level, cast(Collisions, collisions))


def _prepare(source: Source, settings: Settings) -> Frame:
    if unavailable_page.was_cancelled(source):
        raise Cancelled
    loaded = loading_job(source)
    dataset = _wait(loaded)
    dataset.check_unchanged()
    analysed = analysis_job(source, loaded, settings.threshold, settings.collisions)
    frame = Frame(source, dataset, _wait(analysed), settings)
    return replace(frame, merges=decision_progress.find_merges(frame))


def _wait(job: Job) -> Any:
    try:
        return job.wait()
    except TimeoutError:
        raise Pending(job) from None


def show_sidebar(frame: Frame, *, counting: bool) -> None:
    """Show the dataset, how many issues it has, how they were found, and the curator."""
    dataset = frame.dataset
    singular, plural = wording.KIND_NAMES[dataset.kind]
    classes = wording.count_of(len(dataset.class_names), "class", "classes")
    flagged = len(frame.issues())
    share = wording.write_share(flagged / len(dataset))
    with st.sidebar:
        st.html(
            f'<div class="cu-side"><div class="cu-name">{escape(dataset.name)}</div>'
            f'<div class="cu-quiet">{wording.count_of(len(dataset), singular, plural)}'
            f" · {classes}</div>"
            f'<div class="cu-flagged"><b>{flagged:,}</b> flagged'
            f' <span class="cu-quiet">· {share}</span></div></div>'
        )
        if counting:
            decision_progress.show_decided(frame)
        decision_progress.show_place(frame)
        with st.popover("Method and threshold", width="stretch", icon=":material/tune:"):
            show_settings(frame)
        example_titles.show_choice(dataset)
    curator_name.show_curator()


def show_settings(frame: Frame) -> None:
    """Show the settings of the analysis, with how many examples each method would flag."""
    counts = of_analysis(frame.findings, ("flag counts",), lambda: _count_flags(frame.findings))
    method = state.choose(
        st.selectbox, "Which examples are flagged", "method", METHODS, "confident_joint",
        format_func=lambda each: f"{wording.METHOD_NAMES[each]} — {counts[each]:,} flagged",
    )  # fmt: skip
    st.caption(wording.METHOD_HELP[method])
    state.choose(
        st.selectbox, "Class threshold", "threshold", THRESHOLDS, "mean",
        help=wording.THRESHOLD_HELP,
        format_func=lambda each: "mean self-confidence" if each == "mean"
        else f"{each}th percentile of self-confidence",
    )  # fmt: skip
    state.choose(
        st.selectbox, "When several thresholds are reached, take", "collisions", COLLISIONS,
        "argmax", help=wording.COLLISIONS_HELP, format_func=wording.COLLISION_NAMES.get,
    )  # fmt: skip
    st.caption("These settings are part of the page's link.")


def _count_flags(findings: Findings) -> dict[str, int]:
    return {method: int(findings.mask(method).sum()) for method in METHODS}
