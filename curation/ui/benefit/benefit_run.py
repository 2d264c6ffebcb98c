"""Choose what to measure, start it, and watch it: the work is a job, and its result is kept."""

from __future__ import annotations

from dataclasses import dataclass
from typing import cast

import streamlit as st

from curation.dataset import Dataset
from curation.errors import CurationError, StoreError
from curation.modelling.benefit_measure import RUNS, measure_benefit, recall_benefit
from curation.modelling.benefit_result import Benefit
from curation.modelling.benefit_split import MIN_HELD_OUT, Against, DecidedLabels, list_against
from curation.modelling.benefit_trial import count_steps, list_arms
from curation.modelling.classifiers import BUILT_IN
from curation.modelling.example_features import find_kind
from curation.review.benefit_decisions import read_decided
from curation.ui.shell import cache, state
from curation.ui.shell.decision_progress import find_ledger
from curation.ui.shell.jobs import Job, JobKey, all_jobs
from curation.ui.shell.polling import show_progress
from curation.ui.shell.setup import Frame
from curation.ui.widgets.literal_text import show_error

RUN_CHOICES = ("5", str(RUNS), "20")
AGAINST_CHOICES: dict[Against, str] = {
    "true": "the true labels",
    "split": "the test split",
    "confirmed": "labels that people confirmed",
    "given": "the labels as given",
}


@dataclass(frozen=True)
class Request:
    """What is measured: the data with its decisions, and the choices on the page."""

    dataset: Dataset
    decided: DecidedLabels
    state: tuple[str, str, int]  # of the dataset and of the log
    against: Against
    model: str
    runs: int
    frame: Frame

    def key(self, step: str) -> JobKey:
        return ("benefit", step, *self.state, self.against, self.model, self.runs,
                self.frame.settings.method)  # fmt: skip


def choose_request(frame: Frame) -> Request | None:
    """Show the choices and return what to measure; None while the decisions are being read."""
    try:
        ledger = find_ledger(frame)
    except StoreError as error:
        show_error(error)
        return None
    store = cache.identify(ledger.store) if ledger else ""
    now = (cache.identify(frame.findings), store, ledger.last if ledger else 0)

    def read(job: Job) -> DecidedLabels:
        if ledger is None:
            return DecidedLabels.none(frame.dataset)
        log = [entry for entry in ledger.store.log() if entry.seq <= now[2]]
        return read_decided(frame.dataset, frame.findings, log)

    job = all_jobs().get(("benefit", "decided", *now), read)
    try:
        decided: DecidedLabels = job.wait()
    except TimeoutError:
        show_progress(job)
        return None
    possible = list_against(frame.dataset, decided)
    if not possible:
        st.info(f"At least {MIN_HELD_OUT} examples are needed to hold some of them out.")
        return None
    with st.container(horizontal=True, key="benefit-choices", vertical_alignment="bottom"):
        against = state.choose(
            st.selectbox, "Compare predictions with", "against", possible, possible[0],
            format_func=lambda each: AGAINST_CHOICES[cast(Against, each)],
        )  # fmt: skip
        models = tuple(BUILT_IN[find_kind(frame.dataset)])
        model = state.choose(st.selectbox, "Model", "model", models, models[0])
        runs = state.choose(
            st.segmented_control, "Runs", "runs", RUN_CHOICES, str(RUNS), required=True,
            help="Each run holds out other examples, or trains with another seed. More runs give "
            "narrower intervals and take longer.",
        )  # fmt: skip
    return Request(frame.dataset, decided, now, cast(Against, against), model, int(runs), frame)


def find_result(request: Request) -> Benefit | None:
    """Return the result if it is there; else show how to get it, or how far it is."""
    job = all_jobs().find(request.key("run"))
    if job is not None and not job.done:
        show_progress(job)
        _draw_button(request, disabled=True)  # without it, the old one would stay while we poll
        st.button("Cancel", key="benefit-cancel", on_click=all_jobs().cancel, args=(job.key,))
        st.caption(
            "This continues if you leave or reload the page. If it is cancelled or "
            "interrupted, it later continues from the finished runs."
        )
        return None
    if job is not None:
        return _take(job, request)
    kept = all_jobs().get(request.key("kept"), lambda job: _recall(request))
    try:
        found: Benefit | None = kept.wait()
    except TimeoutError:
        show_progress(kept)
        return None
    if found is None:
        _show_start(request)
    return found


def _take(job: Job, request: Request) -> Benefit | None:
    error = job.future.exception()
    if error is None:
        return cast(Benefit, job.future.result())
    if not isinstance(error, CurationError):
        raise error
    show_error(error)
    _show_start(request)
    return None


def _recall(request: Request) -> Benefit | None:
    return recall_benefit(
        request.dataset, decided=request.decided, against=request.against,
        method=request.frame.settings.method, runs=request.runs, model=request.model,
    )  # fmt: skip


def _show_start(request: Request) -> None:
    arms = list_arms(with_decisions=request.decided.changes(request.dataset))
    st.markdown(
        "Train the same model on the labels as given, without the issues that each method finds, "
        "without as many random examples, and with your decisions. Then compare them on examples "
        "that none of them has seen."
    )
    _draw_button(request)
    st.caption(
        f"This trains {request.runs * count_steps(arms):,} models. The first of them show how long "
        "all will take; finished runs are kept if you cancel. Nothing leaves this machine."
    )


def _draw_button(request: Request, *, disabled: bool = False) -> None:
    st.button(
        "Measure it", key="benefit-start", type="primary", icon=":material/science:",
        disabled=disabled, on_click=_start, args=(request,),
    )  # fmt: skip


def _start(request: Request) -> None:
    def work(job: Job) -> Benefit:
        return measure_benefit(
            request.dataset, decided=request.decided, against=request.against,
            method=request.frame.settings.method, runs=request.runs, model=request.model,
            progress=job.report,
        )  # fmt: skip

    all_jobs().cancel(request.key("run"))  # a failed one is tried again
    all_jobs().get(request.key("run"), work)
