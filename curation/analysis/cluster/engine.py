"""Sends tasks to a Dask cluster, and brings back results that were merged on the way."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, TypeVar

from curation.core.matrix import ShareDone
from curation.errors import InputError

Result = TypeVar("Result")

CONNECT_SECONDS = 10
WORKERS_SECONDS = 10  # how long to wait for the first worker
MERGED_AT_ONCE = 8  # results that one task merges; all are merged by a tree of such tasks
INSTALL = "Run: pip install 'confident-curation[cluster]'"


class Engine:
    """A cluster that tasks are sent to; without a client, the threads of this process."""

    def __init__(self, client: Any = None) -> None:
        self.client = client

    def run(self, tasks: Sequence[Any], progress: ShareDone | None = None) -> list[Any]:
        """Return the results of delayed tasks, in order."""
        import dask

        if self.client is None:
            return list(dask.compute(*tasks))
        futures = self.client.compute(list(tasks))
        with _explained_errors():
            self._follow(futures, progress)
            return list(self.client.gather(futures))

    def merge(
        self,
        tasks: Sequence[Any],
        merge: Callable[[Sequence[Result]], Result],
        progress: ShareDone | None = None,
    ) -> Result:
        """Return the results of delayed tasks as one, merged by workers, eight at a time."""
        result: Result
        if self.client is None:
            result = merge(self.run(tasks))
            return result
        futures = level = self.client.compute(list(tasks))
        while len(level) > 1:
            level = [
                self.client.submit(merge, level[start : start + MERGED_AT_ONCE], pure=False)
                for start in range(0, len(level), MERGED_AT_ONCE)
            ]
        with _explained_errors():
            self._follow(futures, progress)
            result = level[0].result()
            return result

    def _follow(self, futures: Sequence[Any], progress: ShareDone | None) -> None:
        from distributed import as_completed

        for done, _ in enumerate(as_completed(futures, loop=self.client.loop), 1):
            if progress is not None:
                progress(done / len(futures))

    def ask_workers(self, question: Callable[..., Any], *given: Any) -> dict[str, Any]:
        """Return what each worker answers, by its address; threads count as one."""
        if self.client is None:
            return {"this process": question(*given)}
        with _explained_errors():
            return dict(self.client.run(question, *given))


@contextmanager
def _explained_errors() -> Iterator[None]:
    """Say what to do about errors that come from the cluster, not from the data."""
    from distributed.scheduler import KilledWorker

    try:
        yield
    except KilledWorker as error:
        raise InputError(
            f"Several workers ended during the same task ({error.task}).",
            "Give each worker more memory (a shard is read in blocks, but all its results are held "
            "at once), or save the data in smaller shards.",
        ) from None
    except ModuleNotFoundError as error:
        raise InputError(
            f"A worker lacks a package: {error}.",
            "Install the same version of confident-curation on every worker.",
        ) from None


@contextmanager
def connect(address: str | None) -> Iterator[Engine]:
    """Connect to a scheduler; without an address, use the one of this process, or its threads."""
    try:
        import dask  # noqa: F401
        from distributed import Client, default_client
    except ImportError as error:
        raise InputError(
            f"A cluster needs {error.name}, which is not installed.", INSTALL
        ) from None
    if address is None:
        try:
            current = default_client()
        except ValueError:
            current = None
        yield Engine(current)
        return
    client = _connect(Client, address)
    try:
        _wait_for_workers(client, address)
        yield Engine(client)
    finally:
        client.close()


def _connect(client: Any, address: str) -> Any:
    try:
        return client(address, timeout=CONNECT_SECONDS, set_as_default=False)
    except (OSError, TimeoutError, ValueError) as error:
        raise InputError(
            f"The scheduler {address} does not answer ({str(error) or type(error).__name__}).",
            "Start it with `dask scheduler`, and pass the address that it prints, such as "
            "tcp://10.0.0.1:8786.",
        ) from None


def _wait_for_workers(client: Any, address: str) -> None:
    try:
        client.wait_for_workers(1, timeout=WORKERS_SECONDS)
    except TimeoutError:
        raise InputError(
            f"The scheduler {address} has no workers.",
            f"Start at least one, on each machine that should help: dask worker {address}",
        ) from None
