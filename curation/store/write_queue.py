"""A queue of writes: those that arrive during a commit are stored together by the next one.

A commit waits for the disk, and that wait is as long for one decision as for fifty. So one thread,
the leader, runs the writes of all waiting threads in order, in one transaction. No write is
reported as saved before that transaction is on disk. A single writer never waits for another.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

MAX_WRITES_PER_COMMIT = 64  # so that the first of them does not wait long for the last


@dataclass(eq=False)
class PendingWrite:
    """One write in the queue."""

    work: Callable[[Any], Any]
    ready: threading.Event = field(default_factory=threading.Event)
    is_leader: bool = False
    result: Any = None
    error: BaseException | None = None


class WriteQueue:
    """The writes that wait to be stored; one of the threads that submitted them runs them."""

    def __init__(self, run: Callable[[Sequence[PendingWrite]], None]) -> None:
        self._run = run  # sets the result or the error of each write in a batch
        self._mutex = threading.Lock()
        self._queue: list[PendingWrite] = []
        self._busy = False

    def submit(self, work: Callable[[Any], Any], timeout: float) -> Any:
        """Return the result of `work` once it is stored; TimeoutError if it never started."""
        write = PendingWrite(work)
        with self._mutex:
            self._queue.append(write)
            write.is_leader, self._busy = not self._busy, True
        if not write.is_leader:
            self._wait(write, timeout)
        if write.is_leader:
            self._lead()
        if write.error is not None:
            raise write.error
        return write.result

    def _wait(self, write: PendingWrite, timeout: float) -> None:
        if write.ready.wait(timeout):
            return
        with self._mutex:
            if write in self._queue and not write.is_leader:
                self._queue.remove(write)
                raise TimeoutError
        write.ready.wait()  # it is being stored right now, so wait for the result

    def _lead(self) -> None:
        with self._mutex:
            batch, self._queue = (
                self._queue[:MAX_WRITES_PER_COMMIT],
                self._queue[MAX_WRITES_PER_COMMIT:],
            )
        try:
            self._run(batch)
        except BaseException as error:  # such as an interrupt: no thread may wait forever
            for write in batch:
                write.error = write.error or error
            raise
        finally:
            self._pass_on()
            for write in batch:
                write.ready.set()

    def _pass_on(self) -> None:
        with self._mutex:
            self._busy = bool(self._queue)
            if self._queue:
                self._queue[0].is_leader = True
                self._queue[0].ready.set()
