"""What both databases share: one writer at a time, retries, and clear error messages."""

from __future__ import annotations

import os
import random
import threading
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TypeVar

from sqlalchemy import Connection, Engine
from sqlalchemy.exc import DBAPIError, IntegrityError
from sqlalchemy.exc import TimeoutError as PoolTimeoutError

from curation.errors import NotSavedError, ReadOnlyError, StoreError
from curation.store.write_queue import PendingWrite, WriteQueue

T = TypeVar("T")
WAIT_SECONDS = 10.0  # how long a write is retried before it is reported as not saved
FIRST_PAUSE_SECONDS = 0.01  # between two tries; each pause is longer, with a random factor
MAX_PAUSE_SECONDS = 0.5

_locks: dict[str, threading.Lock] = {}


class TryAgain(Exception):
    """A write failed in a way that may pass; `fault` is the error to raise if it does not."""

    def __init__(self, fault: StoreError) -> None:
        super().__init__(str(fault))
        self.fault = fault


class Backend(ABC):
    """A database that holds one store."""

    where: str  # shown in messages, so without a password
    identity: str  # the uuid in `meta`
    read_only: bool = False
    notices: tuple[str, ...] = ()
    reader: Engine
    writer: Engine

    def __init__(self, where: str, wait_seconds: float) -> None:
        self.where = where
        self.wait_seconds = wait_seconds
        self.lock = _locks.setdefault(where, threading.Lock())
        self.queue = WriteQueue(self._write_batch)
        self.process = os.getpid()

    @abstractmethod
    def explain(self, error: DBAPIError) -> StoreError | TryAgain:
        """Return the error to raise for an error of the database."""

    def check_unchanged(self) -> None:  # noqa: B027  not needed for a server
        """Raise an error if the file is no longer the one that was opened."""

    def check_writable(self) -> None:
        """Raise an error if a write would be lost."""
        self.check_unchanged()

    def check_written(self) -> None:
        """Raise an error if the file was removed during the write, so that the write is lost."""
        self.check_unchanged()

    def drop_writer(self) -> None:
        """Close the writing connection after a fault; the next write opens another."""
        self.writer.dispose()

    def start_writing(self, connection: Connection) -> None:  # noqa: B027
        """Lock out other writers until this transaction ends."""

    @contextmanager
    def read(self) -> Iterator[Connection]:
        """Yield a connection that sees the store at one moment."""
        self._after_fork()
        self.check_unchanged()
        try:
            with self.reader.connect() as connection:
                yield connection
        except DBAPIError as error:
            fault = self.explain(error)
            fault = fault.fault if isinstance(fault, TryAgain) else fault
            if isinstance(fault, NotSavedError):  # its message is about writing
                fault = StoreError(f"{self.where} cannot be read: {error.orig}.", "Try again.")
            raise fault from error
        except PoolTimeoutError as error:
            raise StoreError(f"{self.where} is busy.", "Try again in a moment.") from error

    def write(self, work: Callable[[Connection], T], wait_seconds: float | None = None) -> T:
        """Run `work` in one transaction and return its result once it is on disk.

        It is tried again for `wait_seconds`, by default for as long as any write of this store.
        `work` may run more than once: it must use its op_id to find what an earlier run stored.
        It may raise a StoreError only before it writes anything.
        """
        if self.read_only:
            raise ReadOnlyError(
                f"NOT saved: {self.where} can only be read.",
                "Make the file and its folder writable, then open the dataset again.",
            )
        self._after_fork()
        give_up = time.monotonic() + (self.wait_seconds if wait_seconds is None else wait_seconds)
        pause = FIRST_PAUSE_SECONDS
        while True:
            try:
                return self._write_once(work, give_up)
            except TryAgain as error:
                if time.monotonic() + pause > give_up:
                    raise error.fault from error.__cause__
            time.sleep(pause * random.uniform(0.5, 1.5))
            pause = min(2 * pause, MAX_PAUSE_SECONDS)

    def _write_once(self, work: Callable[[Connection], T], give_up: float) -> T:
        try:
            result: T = self.queue.submit(work, max(0.0, give_up - time.monotonic()))
        except TimeoutError as error:
            raise busy_error(self.where, self.wait_seconds) from error
        return result

    def _write_batch(self, batch: Sequence[PendingWrite]) -> None:
        """Store a batch of writes in one commit; if that fails, store them one by one."""
        try:
            with self.lock:
                self._transact(batch)
        except (StoreError, TryAgain) as error:  # the database failed, so no write is stored
            for write in batch:
                write.error = error
        except Exception as error:
            if len(batch) == 1:
                batch[0].error = error
            else:
                for write in batch:
                    write.error = None
                    self._write_batch([write])

    def _transact(self, batch: Sequence[PendingWrite]) -> None:
        self._refuse_if(self.check_writable)
        try:
            with self.writer.begin() as connection:
                self.start_writing(connection)
                for write in batch:
                    _run(write, connection)
        except IntegrityError as error:  # another process stored this op_id first
            if len(batch) > 1 or "unique" not in str(error.orig).casefold():
                raise
            raise TryAgain(busy_error(self.where, self.wait_seconds)) from error
        except DBAPIError as error:
            self.drop_writer()
            raise self.explain(error) from error
        except PoolTimeoutError as error:
            raise TryAgain(busy_error(self.where, self.wait_seconds)) from error
        self._refuse_if(self.check_written)

    def _refuse_if(self, check: Callable[[], None]) -> None:
        try:
            check()
        except StoreError as error:
            raise NotSavedError(f"NOT saved: {error.problem}", error.remedy) from error

    def _after_fork(self) -> None:
        """In a forked process, open new connections; the old ones belong to the parent."""
        if self.process != os.getpid():
            self.reader.dispose(close=False)
            self.writer.dispose(close=False)
            self.lock = _locks[self.where] = threading.Lock()
            self.queue = WriteQueue(self._write_batch)
            self.process = os.getpid()

    def close(self) -> None:
        """Close every connection, after an open transaction has finished."""
        with self.lock:
            self.reader.dispose()
            self.writer.dispose()


def _run(write: PendingWrite, connection: Connection) -> None:
    try:
        write.result = write.work(connection)
    except StoreError as error:  # raised before it wrote anything, so the other writes still count
        write.error = error


def busy_error(where: str, wait_seconds: float) -> NotSavedError:
    """Return the error for a store that another program locked for too long."""
    return NotSavedError(
        f"NOT saved: {where} was locked by another program for {wait_seconds:g} seconds.",
        "Try again; if it stays locked, close other programs that use it.",
    )


def finish_writes(seconds: float) -> bool:
    """Wait until no store of this process is being written, and let no other write begin.

    For a process that is about to end. Returns whether all writes have finished in time.
    """
    give_up = time.monotonic() + seconds
    locks = list(_locks.values())
    return all(lock.acquire(timeout=max(0.0, give_up - time.monotonic())) for lock in locks)
