"""Long work outside the script: a click does not restart it, a second visitor shares it.

Streamlit kills a running script at the next click. So loading and analysing run in threads of
their own, kept for the whole server; pages only look at how far a job is.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any

import streamlit as st

KEPT_JOBS = 8  # results that stay in memory; the one used longest ago goes first


class Cancelled(Exception):
    """The person who started the job does not want it any more."""


@dataclass
class Job:
    """One piece of work: what it does now, how far it is, and its result in the end."""

    future: Future[Any] = field(default_factory=Future)
    stage: str = "Waiting"
    share: float = 0.0
    stopping: threading.Event = field(default_factory=threading.Event)

    def report(self, stage: str, share: float) -> None:
        """Say how far it is; raises Cancelled where nobody waits for the result any more."""
        self.stage, self.share = stage, min(max(share, 0.0), 1.0)
        if self.stopping.is_set():
            raise Cancelled

    @property
    def done(self) -> bool:
        return self.future.done()


class Jobs:
    """Every job of this server by its key, the latest used last."""

    def __init__(self) -> None:
        self._jobs: OrderedDict[Hashable, Job] = OrderedDict()
        self._lock = threading.Lock()
        self._pool = ThreadPoolExecutor(2, thread_name_prefix="curation")

    def get(self, key: Hashable, work: Callable[[Job], Any]) -> Job:
        """Return the job of this key, starting it if there is none."""
        with self._lock:
            job = self._jobs.get(key)
            if job is None:
                job = Job()
                self._jobs[key] = job
                self._pool.submit(self._run, job, work)
            self._jobs.move_to_end(key)
            self._drop_oldest()
            return job

    def find(self, key: Hashable) -> Job | None:
        """Return the job of this key if there is one."""
        with self._lock:
            return self._jobs.get(key)

    def cancel(self, key: Hashable) -> None:
        """Stop a job at its next report, and forget it, so that asking again starts anew."""
        with self._lock:
            job = self._jobs.pop(key, None)
        if job is not None:
            job.stopping.set()

    def _drop_oldest(self) -> None:
        finished = [key for key, job in self._jobs.items() if job.done]
        for key in finished[: max(0, len(self._jobs) - KEPT_JOBS)]:
            del self._jobs[key]

    @staticmethod
    def _run(job: Job, work: Callable[[Job], Any]) -> None:
        try:
            job.future.set_result(work(job))
        except BaseException as error:  # handed to whoever asks for the result
            job.future.set_exception(error)


@st.cache_resource
def all_jobs() -> Jobs:
    """Return the jobs of this server."""
    return Jobs()
