"""Stops asking a storage that does not answer, for a while.

A picture that cannot be fetched takes a thread until its time is over. If every picture did that,
a storage that hangs would take all threads. So after one such failure the others fail at once,
until a single one may try again.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from curation.errors import NoAnswerError, StorageError

FIRST_PAUSE = 2.0  # seconds after the first failure
LONGEST_PAUSE = 30.0


class StorageHealth:
    """Whether a storage answers, as far as is known. Safe to share between threads."""

    def __init__(self, called: str, clock: Callable[[], float] = time.monotonic) -> None:
        self.called = called
        self._clock = clock
        self._lock = threading.Lock()
        self._pause = 0.0  # seconds; 0 while it answers
        self._silent_until = 0.0

    @contextmanager
    def asking(self) -> Iterator[None]:
        """Ask the storage something inside; raise `NoAnswerError` at once while it is silent."""
        self._enter()
        try:
            yield
        except NoAnswerError:
            self._note_silence()
            raise
        except StorageError:  # a refusal is an answer
            self._note_answer()
            raise
        self._note_answer()

    def _enter(self) -> None:
        with self._lock:
            now = self._clock()
            if not self._pause:
                return
            if now < self._silent_until:
                raise NoAnswerError(
                    f"{self.called} does not answer.", "It is asked again in a few seconds."
                )
            self._silent_until = now + self._pause  # this one tries; the others wait for it

    def _note_answer(self) -> None:
        with self._lock:
            self._pause = 0.0

    def _note_silence(self) -> None:
        with self._lock:
            self._pause = min(max(FIRST_PAUSE, 2 * self._pause), LONGEST_PAUSE)
            self._silent_until = self._clock() + self._pause
