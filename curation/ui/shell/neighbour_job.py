"""Neighbours of the open dataset: read from the cache, found by a job, or offered with a button.

Finding them may take minutes, so a page only starts that by itself if it takes a few seconds.
"""

from __future__ import annotations

import logging
from typing import cast

import streamlit as st

import curation
from curation.dataset import Dataset
from curation.errors import CurationError, InputError
from curation.loading.content.feature_file import find_feature_file
from curation.loading.content.remote_pictures import RemotePictures
from curation.modelling.remaining_time import describe_seconds
from curation.neighbours import Neighbours
from curation.neighbours.nearest_rows import check_size
from curation.neighbours.neighbour_search import name_neighbours, read_kept
from curation.ui.shell import cache
from curation.ui.shell.frame import Frame
from curation.ui.shell.jobs import Cancelled, Job, JobKey, all_jobs
from curation.ui.shell.polling import show_progress, wait
from curation.ui.widgets.literal_text import in_markdown, show_error

_log = logging.getLogger(__name__)

SECONDS_WITHOUT_ASKING = 2.0
# How many examples a second are read and compared, roughly, on two cores.
RATES = {"image": 150, "text": 1_000, "index": 15_000}
FETCHED_PER_SECOND = 20  # pictures from object storage
ROWS_PER_SECOND = 15_000  # of features that are there already


def peek_neighbours(dataset: Dataset) -> Neighbours | None:
    """Return the neighbours if they are at hand; never waits, and starts nothing."""
    for key in (_key(dataset, "find"), _key(dataset, "read")):
        job = all_jobs().find(key)
        if job is not None and job.done and job.future.exception() is None:
            found: Neighbours | None = job.future.result()
            if found is not None:
                return found
    return None


def get_neighbours(frame: Frame) -> Neighbours | None:
    """Return the neighbours; starts reading those kept, and finding them if that is quick."""
    dataset = frame.dataset
    found = peek_neighbours(dataset)
    if found is not None:
        return found
    try:
        found = cast(Neighbours | None, _read(dataset).wait())
        if found is None and estimate_seconds(dataset) <= SECONDS_WITHOUT_ASKING:
            found = cast(Neighbours, _find(dataset).wait())
    except TimeoutError:
        wait()
        return None
    except Exception:  # the offer says what is wrong
        return None
    return found


def show_offer(frame: Frame, why: str, *, primary: bool = False) -> None:
    """Show a button that finds the neighbours, or how far that is, or what went wrong.

    The button stays in its place: while a page polls a job, the browser keeps whatever an earlier
    run has drawn until something else takes its place.
    """
    dataset = frame.dataset
    job = all_jobs().find(_key(dataset, "find"))
    if job is not None and not job.done:
        show_progress(job)
        _show_button(dataset, primary, disabled=True)
        st.button("Cancel", key="cancel-neighbours", on_click=all_jobs().cancel, args=(job.key,))
        st.caption("You can go on working: this continues if you leave the page.")
        return
    error = job.future.exception() if job is not None else None
    if job is not None and error is None:  # they were found since the page looked for them
        st.rerun()
    try:
        check_size(len(dataset))
    except InputError as reason:
        error = reason
    if isinstance(error, CurationError):
        show_error(error)
    elif error is not None and not isinstance(error, Cancelled):
        st.error("The neighbours could not be found. The server's log says why.")
    else:
        st.caption(why)
    _show_button(dataset, primary)
    st.caption(_describe_work(dataset))


def _show_button(dataset: Dataset, primary: bool, *, disabled: bool = False) -> None:
    st.button(
        "Find similar examples", key="find-neighbours", icon=":material/hub:", disabled=disabled,
        type="primary" if primary else "secondary", on_click=_start, args=(dataset,),
    )  # fmt: skip


def describe_source(neighbours: Neighbours) -> str:
    """Return what examples are compared by, as a sentence in Markdown."""
    notes = " ".join(in_markdown(each) for each in neighbours.notes)
    return f"Compared by {in_markdown(neighbours.source)}. {notes}".strip()


def estimate_seconds(dataset: Dataset) -> float:
    """Return how long finding the neighbours takes, roughly."""
    seconds = len(dataset) / ROWS_PER_SECOND
    if dataset.kind == "image" or find_feature_file(dataset) is None:
        seconds += len(dataset) / RATES[dataset.kind]
    if isinstance(dataset.content, RemotePictures):
        seconds += len(dataset) / FETCHED_PER_SECOND
    return seconds


def _describe_work(dataset: Dataset) -> str:
    file = find_feature_file(dataset)
    by = {
        "image": "edges, colours and small pixels, which is weak for photographs; save "
        "embeddings.npy for those",
        "text": "their words",
        "index": "the other columns, or the logarithms of the probabilities",
    }[dataset.kind]
    return (
        f"Examples are compared by {file.name if file else by}. "
        f"This takes {describe_seconds(estimate_seconds(dataset))}, once."
    )


def _key(dataset: Dataset, what: str) -> JobKey:
    return ("neighbours", cache.identify(dataset), what)


def _read(dataset: Dataset) -> Job:
    """Return the job that reads what was found before."""

    def work(job: Job) -> Neighbours | None:
        return read_kept(name_neighbours(dataset), len(dataset))

    return all_jobs().get(_key(dataset, "read"), work)


def _find(dataset: Dataset) -> Job:
    """Return the job that finds the neighbours, starting it if nobody has."""

    def work(job: Job) -> Neighbours:
        try:
            return curation.find_neighbours(dataset, progress=job.report)
        except (CurationError, Cancelled):
            raise
        except Exception:
            _log.exception("finding neighbours failed")
            raise

    return all_jobs().get(_key(dataset, "find"), work)


def _start(dataset: Dataset) -> None:
    job = all_jobs().find(_key(dataset, "find"))
    if job is not None and job.done:
        all_jobs().cancel(job.key)  # a failed one is tried again
    _find(dataset)
