"""Long work outside the script: a click does not restart it, and visitors share it.

Streamlit stops a running script at the next click. So loading and analysing run in their own
threads, kept for the whole server; pages only ask how far a job is.

The key of a job is a tuple. It begins with the kind of work, which sets how many results stay in
memory and which threads do it; the rest identifies the job among those of its kind:

    load          source
    analyse       source, identity of the dataset, threshold, collisions
    check         identity of the dataset
    fingerprint   identity of the dataset
    save          identity of the findings
    ledger        source, identity of the dataset
    compare       identity of the findings, address of the store, number of its last entry
    merge         identity of the findings, class kept, class taken in, method
    search        identity of the dataset, what is looked for
    write         a new id for each export
    probs         source, whether classes of one example are allowed
    neighbours    identity of the dataset, whether to read, find or lay them out
    benefit       step, identity of the findings, address of the store, number of its last entry,
                  what is chosen on the page
    features      identity of the dataset
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any

from curation.ui.shell import cache

JobKey = tuple[Hashable, ...]

RESULTS_KEPT = {  # per kind; the least recently used is dropped first
    "load": 6,
    "analyse": 6,
    "check": 6,  # the doctor's report
    "fingerprint": 12,
    "save": 6,  # nothing is kept but that it is done
    "ledger": 12,
    "compare": 3,  # with a million examples each takes about 100 MB
    "merge": 200,  # a few numbers each
    "search": 12,  # one byte per example
    "write": 12,
    "probs": 6,  # a few sentences each
    "neighbours": 6,  # with a million examples each takes about 90 MB
    "benefit": 12,  # a few bits per example and run
    "features": 6,  # a few numbers per column and class
}
WORKERS = 2  # threads for each kind
WAIT_SECONDS = 0.8  # how long a page waits for a job before it shows how far it is


class Cancelled(Exception):
    """Nobody wants the result of the job anymore."""


@dataclass
class Job:
    """One piece of work: its current stage, its progress, and finally its result."""

    key: JobKey
    future: Future[Any] = field(default_factory=Future)
    stage: str = "Waiting for other work to finish"
    share: float = 0.0
    stopping: threading.Event = field(default_factory=threading.Event)

    def report(self, stage: str, share: float) -> None:
        """Record the progress; raises Cancelled if nobody wants the result anymore."""
        if self.stopping.is_set():
            raise Cancelled
        self.stage, self.share = stage, min(max(share, 0.0), 1.0)

    def wait(self) -> Any:
        """Return the result if it is ready soon; raises TimeoutError if not."""
        return self.future.result(WAIT_SECONDS)

    @property
    def done(self) -> bool:
        return self.future.done()

    @property
    def cancelled(self) -> bool:
        return self.stopping.is_set()


class Jobs:
    """Every job of this server by its key, the most recently used last."""

    def __init__(self, results_kept: Mapping[str, int] = RESULTS_KEPT) -> None:
        self._results_kept = results_kept
        self._jobs: dict[str, OrderedDict[JobKey, Job]] = {
            kind: OrderedDict() for kind in results_kept
        }
        self._lock = threading.Lock()
        self._pools = {
            kind: ThreadPoolExecutor(WORKERS, thread_name_prefix=f"curation-{kind}")
            for kind in results_kept
        }

    def get(self, key: JobKey, work: Callable[[Job], Any]) -> Job:
        """Return the job of this key, starting it if there is none."""
        kind = str(key[0])
        with self._lock:
            jobs = self._jobs[kind]
            job = jobs.get(key)
            if job is None:
                job = jobs[key] = Job(key)
                self._pools[kind].submit(self._run, job, work)
            jobs.move_to_end(key)
            self._drop_oldest(kind)
            return job

    def find(self, key: JobKey) -> Job | None:
        """Return the job of this key, whoever started it; None if nobody did."""
        with self._lock:
            return self._jobs[str(key[0])].get(key)

    def cancel(self, key: JobKey) -> None:
        """Stop a job at its next report, and forget it; the next request starts it again."""
        with self._lock:
            job = self._jobs[str(key[0])].pop(key, None)
        if job is not None:
            job.stopping.set()

    def forget(self, belongs: Callable[[JobKey], bool]) -> None:
        """Forget finished jobs, such as those of a dataset whose files have changed."""
        with self._lock:
            for jobs in self._jobs.values():
                for key in [key for key, job in jobs.items() if job.done and belongs(key)]:
                    del jobs[key]

    def _drop_oldest(self, kind: str) -> None:
        jobs = self._jobs[kind]
        finished = [key for key, job in jobs.items() if job.done]
        for key in finished[: max(0, len(jobs) - self._results_kept[kind])]:
            del jobs[key]

    @staticmethod
    def _run(job: Job, work: Callable[[Job], Any]) -> None:
        try:
            if job.cancelled:
                raise Cancelled
            job.future.set_result(work(job))
        except BaseException as error:  # raised for everyone who requests the result
            job.future.set_exception(error)


def all_jobs() -> Jobs:
    """Return the jobs of this server."""
    return cache.of_server(("jobs",), Jobs)
