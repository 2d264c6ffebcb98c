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
from itertools import count
from typing import Any

import streamlit as st

KEPT_JOBS = 12  # results that stay in memory; the one used longest ago goes first
WORKERS = 2


class Cancelled(Exception):
    """The person who started the job does not want it any more."""


@dataclass
class Job:
    """One piece of work: what it does now, how far it is, and its result in the end."""

    key: Hashable
    future: Future[Any] = field(default_factory=Future)
    stage: str = "Waiting for other work to be done"
    share: float = 0.0
    stopping: threading.Event = field(default_factory=threading.Event)
    number: int = field(default_factory=count().__next__)  # no two jobs of a server share one

    def report(self, stage: str, share: float) -> None:
        """Say how far it is; raises Cancelled where nobody waits for the result any more."""
        if self.stopping.is_set():
            raise Cancelled
        self.stage, self.share = stage, min(max(share, 0.0), 1.0)

    @property
    def done(self) -> bool:
        return self.future.done()

    @property
    def cancelled(self) -> bool:
        return self.stopping.is_set()


class Jobs:
    """Every job of this server by its key, the latest used last."""

    def __init__(self, kept: int = KEPT_JOBS) -> None:
        self._kept = kept
        self._jobs: OrderedDict[Hashable, Job] = OrderedDict()
        self._lock = threading.Lock()
        self._pool = ThreadPoolExecutor(WORKERS, thread_name_prefix="curation")

    def get(self, key: Hashable, work: Callable[[Job], Any]) -> Job:
        """Return the job of this key, starting it if there is none."""
        with self._lock:
            job = self._jobs.get(key)
            if job is None:
                job = Job(key)
                self._jobs[key] = job
                self._pool.submit(self._run, job, work)
            self._jobs.move_to_end(key)
            self._drop_oldest()
            return job

    def cancel(self, key: Hashable) -> None:
        """Stop a job at its next report, and forget it, so that asking again starts anew."""
        with self._lock:
            job = self._jobs.pop(key, None)
        if job is not None:
            job.stopping.set()

    def forget(self, belongs: Callable[[Hashable], bool]) -> None:
        """Forget finished jobs, such as those of a dataset whose files have changed."""
        with self._lock:
            for key in [key for key, job in self._jobs.items() if job.done and belongs(key)]:
                del self._jobs[key]

    def _drop_oldest(self) -> None:
        finished = [key for key, job in self._jobs.items() if job.done]
        for key in finished[: max(0, len(self._jobs) - self._kept)]:
            del self._jobs[key]

    @staticmethod
    def _run(job: Job, work: Callable[[Job], Any]) -> None:
        try:
            if job.cancelled:
                raise Cancelled
            job.future.set_result(work(job))
        except BaseException as error:  # handed to whoever asks for the result
            job.future.set_exception(error)


@st.cache_resource
def all_jobs() -> Jobs:
    """Return the jobs of this server."""
    return Jobs()
