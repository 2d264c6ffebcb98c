"""The way from labels without probabilities to the first issue: one button, and its progress."""

from __future__ import annotations

import streamlit as st

import curation
from curation.errors import BlockedError, CurationError
from curation.loading.part_reading import MAKE_PROBS
from curation.modelling.folds import FOLDS, RareClassError
from curation.report import Report, Severity
from curation.roles import Right
from curation.ui.shell import visitor
from curation.ui.shell.jobs import Job, JobKey, all_jobs
from curation.ui.shell.opening import Source, forget_source
from curation.ui.shell.polling import show_progress
from curation.ui.widgets.literal_text import in_markdown

MISSING = "folder.no_probabilities"
EXPLANATION = (
    "Label errors are found by comparing each label with a model that has **not** seen it. "
    f"Curation can train one here: it splits the examples into {FOLDS} parts, and predicts each "
    "part by a model trained on the others. It learns from the texts, from the pictures (or from "
    "`embeddings.npy`, which is far better for photographs) or from the other columns. A few "
    "thousand examples take seconds, a hundred thousand texts a few minutes. Nothing leaves this "
    "machine."
)


def lacks_only_probabilities(error: BlockedError) -> bool:
    """Return whether a dataset could be opened if it had probabilities."""
    return {each.code for each in error.report.of(Severity.BLOCK)} == {MISSING}


def without_missing(report: Report) -> Report:
    """Return a report without what the panel says itself: that there are no probabilities.

    It stays if there is more to say: files or columns that could be meant, or one that is not read.
    """
    rest = tuple(
        each
        for each in report.diagnoses
        if each.code != MISSING or each.offers or each.fix != MAKE_PROBS
    )
    return Report(rest, report.passed)


def find_fault(source: Source) -> BaseException | None:
    """Return what broke while probabilities were made, if it is nothing that a person can fix."""
    job = _find_job(source)
    error = job.future.exception() if job is not None and job.done else None
    return None if isinstance(error, CurationError) else error


def is_making(source: Source) -> bool:
    """Return whether probabilities are being made for a dataset now."""
    job = _find_job(source)
    return job is not None and not job.done


def show_panel(source: Source) -> None:
    """Show the button that makes probabilities, its progress, or why it failed."""
    job = _find_job(source)
    if job is not None and not job.done:
        show_progress(job)
        _draw_button(source, disabled=True)  # without it, the old one would stay while we poll
        st.button("Cancel", key="cancel-probs", on_click=all_jobs().cancel, args=(job.key,))
        st.caption("This continues if you leave or reload the page. If it is cancelled or "
                   "interrupted, it later continues from the finished parts.")  # fmt: skip
        return
    if job is not None and job.future.exception() is None:
        forget_source(source)
        st.rerun()
    st.markdown(EXPLANATION)
    error = job.future.exception() if job is not None else None
    if isinstance(error, CurationError):
        st.error(f"**{in_markdown(error.problem)}**\n\n{in_markdown(error.remedy)}",
                 icon=":material/block:")  # fmt: skip
    _draw_button(source, rare=isinstance(error, RareClassError))
    st.caption("They are saved next to the data as `probs.npz`, or in your own data folder if that "
               "is read-only. `curate probs` has more choices.")  # fmt: skip


def _draw_button(source: Source, *, rare: bool = False, disabled: bool = False) -> None:
    reason = visitor.why_not(Right.MODEL)
    st.button(
        "Make them anyway" if rare else "Make probabilities",
        key="make-probs", type="primary", icon=":material/model_training:",
        disabled=disabled or reason is not None, help=reason,
        on_click=_start, args=(source, rare),
    )  # fmt: skip


def _key(source: Source, allow_rare: bool) -> JobKey:
    return ("probs", source, allow_rare)


def _find_job(source: Source) -> Job | None:
    """Return the job of this dataset, whoever started it; one that is running comes first."""
    found = [all_jobs().find(_key(source, allow_rare)) for allow_rare in (True, False)]
    jobs = [job for job in found if job is not None]
    return next((job for job in jobs if not job.done), jobs[0] if jobs else None)


def _start(source: Source, allow_rare: bool) -> None:
    if visitor.why_not(Right.MODEL) is not None:  # the button is off then
        return

    def work(job: Job) -> list[str]:
        options = {key: value for key, value in source.options.items() if key != "probs"}
        job.report("Reading labels", 0.0)
        data = curation.load_labelled(source.place, **options)
        source.check_elsewhere(data)
        made = curation.make_probs(data, allow_rare=allow_rare, progress=job.report)
        return made.describe()

    for each in (True, False):
        all_jobs().cancel(_key(source, each))  # a failed one is tried again
    all_jobs().get(_key(source, allow_rare), work)
