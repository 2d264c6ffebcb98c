"""Labels as given or with your decisions: the choice, its analysis, and how it is described."""

from __future__ import annotations

import numpy as np
import streamlit as st

from curation.errors import CurationError, StoreError
from curation.review.corrected_dataset import Comparison, compare
from curation.review.example_status import CODE_OF
from curation.review.ledger import Ledger
from curation.store import Action, ClassAction
from curation.ui.shell import cache, state
from curation.ui.shell.decision_progress import find_ledger
from curation.ui.shell.frame import Frame
from curation.ui.shell.jobs import Job, all_jobs
from curation.ui.shell.polling import show_progress
from curation.ui.widgets.literal_text import show_error
from curation.wording import count_of

CHOICES = {"given": "Labels as given", "decided": "With your decisions"}
HOW_DECIDED_LABELS_COUNT = (
    "The same analysis, thresholds included, run again on the labels as decided so far. "
    "Relabelled examples have their new label, excluded ones are left out, as are those given a "
    "new class, which the model does not know. Merged classes count as one, and everything else is "
    "as given. Where curators disagree, the latest decision counts. A "
    "label that a person confirmed counts like any other, so the numbers remain the model's."
)
CHANGING = tuple(CODE_OF[action] for action in Action if action.changes_dataset)


def choose_labels(frame: Frame) -> Frame:
    """Show the choice of labels if decisions change any, and return the frame to show.

    Until the analysis is done, that is the frame as given; the page must end with
    `rerun_if_waiting`.
    """
    try:
        ledger = find_ledger(frame)
        if ledger is None or not _changes_labels(frame, ledger):
            return frame
    except StoreError:
        return frame  # the sidebar says so
    chosen = state.choose(
        st.segmented_control, "Labels", "labels", tuple(CHOICES), "given", required=True,
        format_func=CHOICES.get, label_visibility="collapsed",
    )  # fmt: skip
    return frame if chosen == "given" else _show_decided(frame, _start(frame, ledger))


def _changes_labels(frame: Frame, ledger: Ledger) -> bool:
    """Return whether decisions change any label: by relabelling, excluding or merging."""

    def work() -> bool:
        if np.isin(ledger.codes(), CHANGING).any():
            return True
        return any(each.action is ClassAction.MERGE for each in ledger.store.class_decisions())

    store, last = cache.identify(ledger.store), ledger.last
    return cache.of_analysis(frame.findings, ("labels changed", store, last), work)


def _start(frame: Frame, ledger: Ledger) -> Job:
    """Return the job that analyses the labels as decided so far; older jobs are forgotten."""
    dataset, findings, settings = frame.dataset, frame.findings, frame.settings
    store, last = ledger.store, ledger.last

    def work(job: Job) -> Comparison:
        job.report("Reading the decisions", 0.0)
        log = [entry for entry in store.log() if entry.seq <= last]
        return compare(
            dataset, findings, log, threshold=settings.threshold, collisions=settings.collisions,
            progress=lambda stage, share: job.report(f"With your decisions: {stage}", share),
        )  # fmt: skip

    mine = ("compare", cache.identify(findings), cache.identify(store))
    all_jobs().forget(lambda key: key[:3] == mine and key[3] != last)
    return all_jobs().get((*mine, last), work)


def _show_decided(frame: Frame, job: Job) -> Frame:
    try:
        comparison: Comparison = job.wait()
    except TimeoutError:
        show_progress(job)
        st.caption("The page shows the labels as given until this is done.")
        return frame
    except CurationError as error:
        show_error(error)
        return frame
    shown = Frame(
        frame.source,
        comparison.corrected.dataset,
        comparison.findings,
        frame.settings,
        comparison,
    )
    st.caption(_explain(shown, comparison), help=HOW_DECIDED_LABELS_COUNT)
    return shown


def _explain(frame: Frame, comparison: Comparison) -> str:
    """Return what the decisions changed, and that the estimate is still the model's."""
    corrected = comparison.corrected
    done = [
        f"{corrected.relabelled:,} relabelled" if corrected.relabelled else "",
        f"{corrected.excluded:,} left out" if corrected.excluded else "",
        f"{corrected.beyond:,} given a new class and left out" if corrected.beyond else "",
        f"{count_of(corrected.merged, 'class', 'classes')} merged" if corrected.merged else "",
    ]
    words = f"{', '.join(each for each in done if each) or 'Nothing changed'}; the rest as given."
    confirmed = int(corrected.confirmed.sum())
    if not confirmed:
        return words
    doubted = int((frame.findings.mask(frame.settings.method) & corrected.confirmed).sum())
    return (
        f"{words} This is still the model's estimate: of the {count_of(confirmed, 'label')} that "
        f"people chose or confirmed, it doubts {f'{doubted:,}' if doubted else 'none'}."
    )


def describe_change(now: float, before: float) -> str:
    """Return by how much two numbers differ, rounded as they are on screen.

    >>> describe_change(168.4, 321.6), describe_change(7, 7.2), describe_change(8, 4)
    ('154 fewer than as given', 'no change', '4 more than as given')
    """
    difference = round(now) - round(before)
    if difference == 0:
        return "no change"
    return f"{abs(difference):,} {'fewer' if difference < 0 else 'more'} than as given"
