"""A page that cannot be shown yet, or at all: its progress, what is wrong, and what to do."""

from __future__ import annotations

from typing import Any

import streamlit as st

from curation.errors import BlockedError, CurationError, FileChangedError
from curation.report import Severity
from curation.ui.server.script_faults import log_fault
from curation.ui.shell import state
from curation.ui.shell.dataset_chooser import show_chooser
from curation.ui.shell.doctor_report import show_fixes, show_report
from curation.ui.shell.jobs import Cancelled, Job, all_jobs
from curation.ui.shell.mapping_panel import show_mapping, survey
from curation.ui.shell.opening import Source, forget_source
from curation.ui.shell.polling import rerun_if_waiting, show_progress
from curation.ui.shell.probability_maker_panel import (
    find_fault,
    is_making,
    lacks_only_probabilities,
    show_panel,
    without_missing,
)
from curation.ui.shell.uploads import discard_upload
from curation.ui.widgets.literal_text import escape, in_markdown

WATCHED = "watched job"  # in the session: the job this visitor waits for, and its dataset


class Pending(Exception):
    """The work is not done yet."""

    def __init__(self, job: Job) -> None:
        super().__init__(job.stage)
        self.job = job


def show(reason: Exception, source: Source) -> None:
    """Show why a page cannot be shown, and what can be done about it."""
    if isinstance(reason, Pending):
        show_chooser(source)
        _show_progress(reason.job, source)
        return
    if isinstance(reason, Cancelled):
        _show_cancelled(source)
    elif isinstance(reason, BlockedError):
        _show_blocked(reason, source)
    elif isinstance(reason, FileChangedError):
        _headline("The files of this dataset have changed", source.name)
        show_changed(reason, source)
    elif isinstance(reason, CurationError):
        _show_problem(reason.problem, reason.remedy, source)
    else:
        _show_our_fault(reason, source)
    show_chooser(source, expanded=True)  # below, because the problem comes first
    rerun_if_waiting()


def watch(job: Job, source: Source) -> None:
    """Remember the job that this visitor waits for."""
    st.session_state[WATCHED] = (job, source)


def was_cancelled(source: Source) -> bool:
    """Return whether the job that this visitor waited for was cancelled, here or elsewhere.

    A cancelled job is forgotten at once, and requesting it would start it again.
    """
    job, of = st.session_state.get(WATCHED, (None, None))
    return job is not None and of == source and job.cancelled


def _show_progress(job: Job, source: Source) -> None:
    _headline("Opening the dataset", source.name)
    watch(job, source)
    show_progress(job)
    st.button("Cancel", key="cancel-job", on_click=all_jobs().cancel, args=(job.key,))
    st.caption("This continues if you leave or reload the page.")
    rerun_if_waiting()


def _show_cancelled(source: Source) -> None:
    _headline("Opening was cancelled", source.name)
    st.write("Nothing was changed. Open it again, or choose another dataset below.")
    st.button(
        "Open it again", key="open-again", type="primary", on_click=_open_again, args=(source,)
    )


def _show_blocked(error: BlockedError, source: Source) -> None:
    if lacks_only_probabilities(error):
        if (fault := find_fault(source)) is not None:
            _show_our_fault(fault, source)
            return
        said = "This dataset has labels, but no probabilities yet"
        _headline("Making probabilities" if is_making(source) else said, source.name)
        show_panel(source)
        show_fixes(source)
        show_report(without_missing(error.report), source)
        if not is_making(source):
            _show_found(error, source, "Do you have probabilities? Say where")
        _offer_another_look(source)
        return
    if any(each.offers for each in error.report.of(Severity.BLOCK)):
        _headline("This dataset needs a decision before it can be opened", source.name)
        st.write("Your files were not changed. Fix what is marked as blocked yourself, or have it "
                 "fixed on load.")  # fmt: skip
    else:
        _headline("This dataset cannot be opened as it is", source.name)
    show_fixes(source)
    show_report(error.report, source)
    _show_found(error, source)
    _offer_another_look(source)


def _show_found(
    error: BlockedError, source: Source, heading: str = "Say what each file is"
) -> None:
    """Show the files that were found, and let the person say what each is."""
    if not any(each.is_read for each in survey(source.path)[0]):
        _discard_upload(source)
        return
    st.subheader(heading, anchor=False)
    st.html(f'<div class="cu-quiet">{escape(error.found)}</div>')
    show_mapping(source)


def show_changed(error: FileChangedError, source: Source) -> None:
    """Show which file changed after it was loaded, and offer to load it again."""
    st.warning(f"**{in_markdown(error.problem)}** {in_markdown(error.remedy)}")
    st.write("Decisions that were saved before are kept, and compared with the new files.")
    st.button(
        "Load the dataset again", key="load-again", type="primary", icon=":material/refresh:",
        on_click=_open_again, args=(source,),
    )  # fmt: skip


def _show_problem(problem: str, remedy: str, source: Source) -> None:
    _headline("This dataset cannot be opened", source.name)
    st.error(f"**{in_markdown(problem)}**\n\n{in_markdown(remedy)}", icon=":material/block:")
    if source.overrides != "{}":
        st.button("Open it without fixes", key="no-fixes", on_click=state.forget, args=("fix",))
    _offer_another_look(source)


def _show_our_fault(error: BaseException, source: Source) -> None:
    number = log_fault("opening a dataset failed", error)
    _headline("Something went wrong on our side", source.name)
    st.error(
        f"The dataset could not be opened, and it is not your fault. The details are in the "
        f"server's log under number {number}.", icon=":material/error:",
    )  # fmt: skip
    _offer_another_look(source)


def _discard_upload(source: Source) -> None:
    """Do not keep uploaded files that no fix can open."""
    if discard_upload(source.path):
        st.caption("The uploaded files were deleted. Upload them again once they are corrected.")


def _offer_another_look(source: Source) -> None:
    st.button(
        "Read the files again", key="look-again", icon=":material/refresh:", on_click=_open_again,
        args=(source,), help="Use this after you have changed the files.",
    )  # fmt: skip


def _open_again(source: Source) -> None:
    st.session_state.pop(WATCHED, None)
    forget_source(source)


def _headline(words: str, name: Any) -> None:
    st.subheader(words, anchor=False)
    st.html(f'<div class="cu-quiet" style="overflow-wrap:anywhere">{escape(name)}</div>')
