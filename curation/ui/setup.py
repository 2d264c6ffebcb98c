"""What every page starts with: configuration, the dataset in the link, its findings, the sidebar.

A page of `pages/` may be the first that a server ever runs, without app.py. So nothing is set up
there alone: each page calls `setup` first, and gets a `Frame` or is stopped with friendly words.
"""

from __future__ import annotations

from concurrent.futures import TimeoutError as StillRunning
from dataclasses import dataclass
from typing import Any, cast

import streamlit as st

from curation import wording
from curation.analysis import METHODS, Findings, Method
from curation.core.count import Collisions, Threshold
from curation.core.matrix import IntArray
from curation.dataset import Dataset
from curation.errors import CurationError
from curation.ui import literal, state
from curation.ui.jobs import Cancelled, Job, all_jobs
from curation.ui.opening import Source, analysis_job, default_source, loading_job

PATIENCE = 0.8  # seconds a page waits for a job before it shows a progress bar
PERCENTILES = ("50", "75", "90", "95")

STYLE = ".block-container{padding:3.6rem 3rem;max-width:1320px}"
# The accent is dark enough for white text on it; as text on a dark ground it is hard to read.
DARK_STYLE = '.stApp [data-variant="segmented_control"][data-selected="true"] p{color:#9ccbf5}'


@dataclass(frozen=True)
class Settings:
    """How the dataset is analysed; one place, and part of the link."""

    method: Method
    threshold: Threshold
    collisions: Collisions


@dataclass(frozen=True)
class Frame:
    """What a page shows: the dataset, its findings, and how they were asked for."""

    source: Source
    dataset: Dataset
    findings: Findings
    settings: Settings

    @property
    def class_names(self) -> tuple[str, ...]:
        return cast(tuple[str, ...], self.findings.class_names)

    def issues(self) -> IntArray:
        """Return the flagged rows by the chosen method, the most suspect first."""
        return self.findings.issues(self.settings.method)

    def link(self, **parameters: object) -> dict[str, str]:
        """Return the parameters of a link to this dataset, analysed the same way."""
        kept = {name: st.query_params[name] for name in LINKED if name in st.query_params}
        return kept | {name: str(value) for name, value in parameters.items() if value is not None}


LINKED = ("data", "fix", "method", "threshold", "collisions")


def setup(title: str) -> Frame:
    """Prepare a page and return its frame, or stop with a note on what to do."""
    configure(title)
    source = current_source()
    dataset = wait_for(loading_job(source), ("load", source), source)
    settings = show_settings()
    key = ("analyse", source, settings.threshold, settings.collisions)
    job = analysis_job(source, dataset, settings.threshold, settings.collisions)
    findings = wait_for(job, key, source)
    frame = Frame(source, dataset, findings, settings)
    show_sidebar(frame)
    return frame


def configure(title: str) -> None:
    st.set_page_config(page_title=f"{title} · Curation", page_icon="🔎", layout="wide")
    st.html(f"<style>{STYLE}{DARK_STYLE if is_dark() else ''}</style>")


def is_dark() -> bool:
    return st.context.theme.type == "dark"


def current_source() -> Source:
    """Return the dataset that the link names, else the session's, else the command's or a demo."""
    default = default_source()
    return Source(state.recall("data", default), state.recall("fix", "{}"))


def wait_for(job: Job, key: Any, source: Source) -> Any:
    """Return a job's result; show how far it is, or what went wrong, and stop the page."""
    try:
        return job.future.result(PATIENCE)
    except StillRunning:
        _show_progress(job, key, source)
    except CurationError as error:
        show_error(error)
    except Cancelled:
        st.info("Cancelled. Nothing was changed.")
    st.stop()


def _show_progress(job: Job, key: Any, source: Source) -> None:
    st.subheader("Opening the dataset")
    st.caption(literal.in_markdown(source.name))

    @st.fragment(run_every=0.4)
    def watch() -> None:
        if job.done:
            st.rerun()
        st.progress(job.share, text=job.stage)

    watch()
    if st.button("Cancel", key="cancel-job"):
        all_jobs().cancel(key)
        state.forget("data", "fix")
        st.rerun()


def show_error(error: CurationError) -> None:
    """Show what is wrong and what to do about it."""
    st.error(f"**{literal.in_markdown(error.problem)}**\n\n{literal.in_markdown(error.remedy)}")


def show_settings() -> Settings:
    """Show the settings that matter, in the sidebar, and return them."""
    with st.sidebar.popover("Method and threshold", width="stretch"):
        method = state.choose(
            st.selectbox, "Flag by", "method", METHODS, "confident_joint",
            format_func=lambda each: wording.METHOD_NAMES[each],
        )  # fmt: skip
        st.caption(wording.METHOD_HELP[method])
        threshold = state.choose(
            st.selectbox, "Threshold of a class", "threshold", ("mean", *PERCENTILES), "mean",
            format_func=lambda each: "its mean self-confidence" if each == "mean"
            else f"its {each}th percentile",
        )  # fmt: skip
        collisions = state.choose(
            st.selectbox, "Confident in several classes", "collisions", ("argmax", "confident"),
            "argmax", format_func=lambda each: "take the likeliest of all (Algorithm 1)"
            if each == "argmax" else "take the likeliest of those (Equation 1)",
        )  # fmt: skip
    level: Threshold = "mean" if threshold == "mean" else float(threshold)
    return Settings(cast(Method, method), level, cast(Collisions, collisions))


def show_sidebar(frame: Frame) -> None:
    """Show which dataset this is and how many issues it has."""
    dataset = frame.dataset
    kind = {"image": "image", "text": "text", "index": "example"}[dataset.kind]
    with st.sidebar:
        st.markdown(f"**{literal.in_markdown(dataset.name)}**")
        st.caption(
            f"{wording.count_of(len(dataset), kind)} · "
            f"{wording.count_of(len(dataset.class_names), 'class', 'classes')}"
        )
        st.caption(f"{wording.count_of(len(frame.issues()), 'issue')} flagged")
