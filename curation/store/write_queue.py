"""Writers taking turns: who comes while one writes is written with the next commit.

A commit waits for the disk, and that wait is the same for one decision or for fifty. So the
thread whose turn it is writes for everybody who waits, each work in its order, in one transaction,
and nobody is told "saved" before that transaction is on disk. A lone writer never waits.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

MOST = 64  # works in one transaction, so that the first of them is not kept waiting


@dataclass(eq=False)
class Turn:
    """One work in the queue."""

    work: Callable[[Any], Any]
    ready: threading.Event = field(default_factory=threading.Event)
    leads: bool = False
    result: Any = None
    error: BaseException | None = None


class Turns:
    """A queue of works, each run by one of the threads that brought them."""

    def __init__(self, run: Callable[[Sequence[Turn]], None]) -> None:
        self._run = run  # sets result or error of each turn it is given
        self._mutex = threading.Lock()
        self._queue: list[Turn] = []
        self._busy = False

    def take(self, work: Callable[[Any], Any], timeout: float) -> Any:
        """Return the result of work once it is stored; TimeoutError if its turn never came."""
        turn = Turn(work)
        with self._mutex:
            self._queue.append(turn)
            turn.leads, self._busy = not self._busy, True
        if not turn.leads:
            self._wait(turn, timeout)
        if turn.leads:
            self._lead()
        if turn.error is not None:
            raise turn.error
        return turn.result

    def _wait(self, turn: Turn, timeout: float) -> None:
        if turn.ready.wait(timeout):
            return
        with self._mutex:
            if turn in self._queue and not turn.leads:
                self._queue.remove(turn)
                raise TimeoutError
        turn.ready.wait()  # it is being written now: the outcome has to be known

    def _lead(self) -> None:
        with self._mutex:
            batch, self._queue = self._queue[:MOST], self._queue[MOST:]
        try:
            self._run(batch)
        except BaseException as error:  # an interrupt: nobody may wait for ever
            for turn in batch:
                turn.error = turn.error or error
            raise
        finally:
            self._pass_on()
            for turn in batch:
                turn.ready.set()

    def _pass_on(self) -> None:
        with self._mutex:
            self._busy = bool(self._queue)
            if self._queue:
                self._queue[0].leads = True
                self._queue[0].ready.set()
