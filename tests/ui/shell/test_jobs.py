"""Long work outside the script: started once, shared, stopped, forgotten, and honest."""

import threading

import pytest
import streamlit as st

from curation.ui.shell import jobs, unavailable_page
from curation.ui.shell.jobs import Cancelled, Jobs
from curation.ui.shell.opening import Source

A = ("load", "a")
WAIT_SECONDS = 10  # each wait here ends at once where the code is right


@pytest.fixture
def registry():
    return Jobs()


def test_a_second_request_shares_the_running_job(registry):
    go, calls = threading.Event(), []

    def work(job):
        calls.append(job)
        go.wait(WAIT_SECONDS)
        return "done"

    first, second = registry.get(A, work), registry.get(A, work)
    go.set()
    assert first is second
    assert second.future.result(WAIT_SECONDS) == "done"
    assert registry.get(A, work) is first and len(calls) == 1


def test_a_job_reports_its_progress(registry):
    started, go = threading.Event(), threading.Event()

    def work(job):
        job.report("Counting", 0.5)
        started.set()
        go.wait(WAIT_SECONDS)

    job = registry.get(A, work)
    started.wait(WAIT_SECONDS)
    assert (job.stage, job.share, job.done) == ("Counting", 0.5, False)
    go.set()


def test_cancelling_stops_a_job_at_its_next_report(registry):
    begun, stopped = threading.Event(), threading.Event()

    def work(job):
        begun.set()
        try:
            while True:
                job.report("Counting", 0.5)
        finally:
            stopped.set()

    job = registry.get(A, work)
    begun.wait(WAIT_SECONDS)
    registry.cancel(A)
    assert stopped.wait(WAIT_SECONDS)
    with pytest.raises(Cancelled):
        job.future.result(WAIT_SECONDS)
    assert registry.get(A, lambda job: "again").future.result(WAIT_SECONDS) == "again"


def test_a_job_that_another_visitor_cancelled_is_not_started_again(registry, monkeypatch):
    monkeypatch.setattr(st, "session_state", {})
    source = Source("/data/large")
    job = registry.get(("load", source), lambda job: job.stopping.wait(10))
    assert not unavailable_page.was_cancelled(source)
    unavailable_page.watch(job, source)
    assert not unavailable_page.was_cancelled(source)
    registry.cancel(job.key)  # between two looks of this visitor
    assert unavailable_page.was_cancelled(source) and not unavailable_page.was_cancelled(
        Source("/data/other")
    )


def test_a_job_cancelled_while_it_waits_never_starts(registry):
    go, begun = threading.Event(), []
    for place in range(jobs.WORKERS):
        registry.get(("load", place), lambda job: go.wait(WAIT_SECONDS))
    waiting = registry.get(("load", "late"), lambda job: begun.append(job))
    assert waiting.stage == "Waiting for other work to finish"  # of whatever kind
    registry.cancel(("load", "late"))
    go.set()
    with pytest.raises(Cancelled):
        waiting.future.result(WAIT_SECONDS)
    assert not begun


def test_errors_are_raised_for_everyone_who_requests_the_result(registry):
    def work(job):
        raise ValueError("no")

    with pytest.raises(ValueError, match="no"):
        registry.get(A, work).future.result(WAIT_SECONDS)


def test_the_job_used_longest_ago_is_dropped_and_running_ones_stay(registry):
    go, kept = threading.Event(), jobs.RESULTS_KEPT["load"]
    running = registry.get(("load", "running"), lambda job: go.wait(WAIT_SECONDS))
    for place in range(kept + 1):
        registry.get(("load", place), lambda job: "old").future.result(WAIT_SECONDS)
    assert registry.get(("load", "running"), lambda job: None) is running
    assert registry.get(("load", 0), lambda job: "new").future.result(WAIT_SECONDS) == "new"
    latest = registry.get(("load", kept), lambda job: "new")
    assert latest.future.result(WAIT_SECONDS) == "old"
    go.set()


def test_finished_jobs_can_be_forgotten_by_what_they_belong_to(registry):
    for key in (("load", "a"), ("load", "b")):
        registry.get(key, lambda job: "old").future.result(WAIT_SECONDS)
    registry.forget(lambda key: "a" in key)
    assert registry.get(("load", "a"), lambda job: "new").future.result(WAIT_SECONDS) == "new"
    assert registry.get(("load", "b"), lambda job: "new").future.result(WAIT_SECONDS) == "old"


def test_each_kind_of_work_keeps_its_own_number_of_results():
    registry = Jobs({"load": 1, "compare": 2})
    loaded = registry.get(A, lambda job: "loaded")
    loaded.future.result(WAIT_SECONDS)
    for place in range(3):
        registry.get(("compare", place), lambda job: "old").future.result(WAIT_SECONDS)
    registry.get(("compare", 3), lambda job: "new").future.result(WAIT_SECONDS)
    again = registry.get(("compare", 0), lambda job: "again")
    assert again.future.result(WAIT_SECONDS) == "again"
    assert registry.get(A, lambda job: "again") is loaded


def test_one_kind_of_work_does_not_wait_for_another(registry):
    go = threading.Event()
    for place in range(jobs.WORKERS):
        registry.get(("load", place), lambda job: go.wait(WAIT_SECONDS))
    assert registry.get(("write", "a"), lambda job: "done").future.result(WAIT_SECONDS) == "done"
    go.set()
