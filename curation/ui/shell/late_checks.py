"""Checks that read every picture go on beside the open page, and the report grows when they end."""

from __future__ import annotations

import logging

import streamlit as st

from curation.dataset import Dataset
from curation.report import Report
from curation.ui.shell import cache
from curation.ui.shell.jobs import JobKey, all_jobs
from curation.ui.shell.polling import wait

_log = logging.getLogger(__name__)
_SHOWN = "late_checks.shown"  # in the session: what this run of the page has said
THINGS = {"image": "pictures", "text": "texts", "index": "examples"}


def describe_rest(dataset: Dataset) -> str:
    """Return what is still being checked, in words; empty if nothing is."""
    words = _describe(dataset)
    st.session_state[_SHOWN] = words
    return words


def follow(dataset: Dataset) -> None:
    """Make the remaining checks; the page runs again until it says how they ended.

    Called when everything else is drawn, because the checks would slow that down.
    """
    shown = st.session_state.pop(_SHOWN, "")
    if not dataset.checks.done:
        job = all_jobs().get(_key(dataset), lambda job: _finish(dataset))
        if not job.done:
            wait()
            return
    if _describe(dataset) != shown:  # they ended since it was drawn
        st.rerun()


def _describe(dataset: Dataset) -> str:
    if dataset.checks.done:
        return ""
    job = all_jobs().find(_key(dataset))
    if job is not None and job.done:
        return f"the {THINGS[dataset.kind]} could not be checked"
    return f"still checking the {THINGS[dataset.kind]}"


def _finish(dataset: Dataset) -> Report:
    try:
        return dataset.checks.finish()
    except Exception:
        _log.exception("checking the content failed")
        raise


def _key(dataset: Dataset) -> JobKey:
    return ("check", cache.identify(dataset))
