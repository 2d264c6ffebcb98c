"""Checking on a job repeatedly, by running the page again.

A fragment that runs by itself would be lighter. But on a slow server, its output can arrive after
the page around it was replaced, and then the browser fails to draw the page at all.
"""

from __future__ import annotations

import time

import streamlit as st

from curation.ui.shell.jobs import Job

POLL_SECONDS = 0.4  # between two checks
_WAITING = "polling.waiting"  # in the session: something on this page is not ready yet


def show_progress(job: Job) -> None:
    """Show the progress of a job; the page must end with `rerun_if_waiting`."""
    st.progress(job.share, text=f"{job.stage} … {job.share:.0%}")
    wait()


def wait() -> None:
    """Note that something is not ready yet; the page must end with `rerun_if_waiting`."""
    st.session_state[_WAITING] = True


def rerun_if_waiting() -> None:
    """Run the page again soon if it waits for a job; every page calls this last."""
    if st.session_state.pop(_WAITING, False):
        time.sleep(POLL_SECONDS)
        st.rerun()
