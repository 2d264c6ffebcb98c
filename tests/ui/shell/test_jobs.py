"""Long work outside the script: started once, shared, stopped, forgotten, and honest."""

import threading

import pytest
import streamlit as st

from curation.ui.shell import jobs, unavailable
from curation.ui.shell.jobs import Cancelled, Jobs
from curation.ui.shell.opening import Source

PATIENCE = 10  # seconds; each wait here ends at once where the code is right


@pytest.fixture
def registry():
    return Jobs()


def test_asking_again_shares_the_job_that_runs(registry):
    go, calls = threading.Event(), []

    def work(job):
        calls.append(job)
        go.wait(PATIENCE)
        return "done"

    first, second = registry.get("a", work), registry.get("a", work)
    go.set()
    assert first is second
    assert second.future.result(PATIENCE) == "done"
    assert registry.get("a", work) is first and len(calls) == 1


def test_a_job_says_how_far_it_is(registry):
    told, go = threading.Event(), threading.Event()

    def work(job):
        job.report("Counting", 0.5)
        told.set()
        go.wait(PATIENCE)

    job = registry.get("a", work)
    told.wait(PATIENCE)
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

    job = registry.get("a", work)
    begun.wait(PATIENCE)
    registry.cancel("a")
    assert stopped.wait(PATIENCE)
    with pytest.raises(Cancelled):
        job.future.result(PATIENCE)
    assert registry.get("a", lambda job: "anew").future.result(PATIENCE) == "anew"


def test_what_another_visitor_cancelled_is_not_begun_anew(registry, monkeypatch):
    monkeypatch.setattr(st, "session_state", {})
    source = Source("/data/large")
    job = registry.get(("load", source), lambda job: job.stopping.wait(10))
    assert not unavailable.was_cancelled(source)
    unavailable.watch(job, source)
    assert not unavailable.was_cancelled(source)
    registry.cancel(job.key)  # between two looks of this visitor
    assert unavailable.was_cancelled(source) and not unavailable.was_cancelled(
        Source("/data/other")
    )


def test_a_job_cancelled_while_it_waits_never_begins(registry):
    go, begun = threading.Event(), []
    for place in range(jobs.WORKERS):
        registry.get(place, lambda job: go.wait(PATIENCE))
    waiting = registry.get("late", lambda job: begun.append(job))
    assert waiting.stage == "Waiting for other work to be done"  # of whatever kind
    registry.cancel("late")
    go.set()
    with pytest.raises(Cancelled):
        waiting.future.result(PATIENCE)
    assert not begun


def test_errors_are_handed_to_whoever_asks(registry):
    def work(job):
        raise ValueError("no")

    with pytest.raises(ValueError, match="no"):
        registry.get("a", work).future.result(PATIENCE)


def test_the_job_used_longest_ago_is_dropped_and_running_ones_stay(registry):
    go = threading.Event()
    running = registry.get("running", lambda job: go.wait(PATIENCE))
    for place in range(jobs.KEPT_JOBS + 1):
        registry.get(place, lambda job: "old").future.result(PATIENCE)
    assert registry.get("running", lambda job: None) is running
    assert registry.get(0, lambda job: "new").future.result(PATIENCE) == "new"
    latest = registry.get(jobs.KEPT_JOBS, lambda job: "new")
    assert latest.future.result(PATIENCE) == "old"
    go.set()


def test_finished_jobs_can_be_forgotten_by_what_they_belong_to(registry):
    for key in (("load", "a"), ("load", "b")):
        registry.get(key, lambda job: "old").future.result(PATIENCE)
    registry.forget(lambda key: "a" in key)
    assert registry.get(("load", "a"), lambda job: "new").future.result(PATIENCE) == "new"
    assert registry.get(("load", "b"), lambda job: "new").future.result(PATIENCE) == "old"


def test_no_two_jobs_have_the_same_number(registry):
    made = [registry.get(place, lambda job: None) for place in range(5)]
    assert len({job.number for job in made}) == 5


def test_a_registry_of_its_own_keeps_as_few_as_it_was_told():
    few = Jobs(2)
    for place in range(3):
        few.get(place, lambda job: "old").future.result(PATIENCE)
    assert few.get(3, lambda job: "new").future.result(PATIENCE) == "new"
    assert few.get(0, lambda job: "anew").future.result(PATIENCE) == "anew"
