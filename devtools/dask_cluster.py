"""A real Dask cluster on this machine: a scheduler and workers, each a process of its own."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

START_SECONDS = 60
QUIET = {"DASK_DISTRIBUTED__WORKER__MEMORY__TERMINATE": "False"}


class DaskCluster:
    """A running scheduler, its address and its workers."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.file = folder / "scheduler.json"
        self.log = folder / "log.txt"
        self.scheduler = self._start(
            "dask_scheduler", "--host=127.0.0.1", "--port=0", f"--scheduler-file={self.file}"
        )
        self.workers: list[subprocess.Popen[bytes]] = []
        self.address = self._wait_for_address()

    def add_worker(self, core: int | None = None) -> subprocess.Popen[bytes]:
        """Start a worker, on one core only if it is named.

        There is no nanny that would start a killed one again.
        """
        worker = self._start(
            "dask_worker", self.address, "--no-nanny", "--nthreads=1", "--host=127.0.0.1",
            f"--local-directory={self.folder}",
        )  # fmt: skip
        if core is not None:
            os.sched_setaffinity(worker.pid, {core})
        self.workers.append(worker)
        return worker

    def wait_for_workers(self, count: int) -> None:
        from distributed import Client

        with Client(self.address, set_as_default=False) as client:
            client.wait_for_workers(count, timeout=START_SECONDS)

    def kill(self, worker: subprocess.Popen[bytes]) -> None:
        worker.send_signal(signal.SIGKILL)
        worker.wait()

    def close(self) -> None:
        for process in (*self.workers, self.scheduler):
            if process.poll() is None:
                process.kill()
                process.wait()

    def _start(self, module: str, *options: str) -> subprocess.Popen[bytes]:
        with self.log.open("ab") as log:
            return subprocess.Popen(
                [sys.executable, "-m", f"distributed.cli.{module}", "--no-dashboard", *options],
                stdout=log,
                stderr=subprocess.STDOUT,
                env=os.environ | QUIET,
            )

    def _wait_for_address(self) -> str:
        deadline = time.monotonic() + START_SECONDS
        while time.monotonic() < deadline and self.scheduler.poll() is None:
            try:
                return str(json.loads(self.file.read_text())["address"])
            except (OSError, ValueError):
                time.sleep(0.05)
        raise RuntimeError(f"the scheduler did not start:\n{self.log.read_text()}")


@contextmanager
def start_cluster(
    folder: Path, workers: int, *, one_core_each: bool = False
) -> Iterator[DaskCluster]:
    """Yield a cluster with this many workers, and end all of its processes afterwards."""
    cluster = DaskCluster(folder)
    try:
        cores = sorted(os.sched_getaffinity(0)) if one_core_each else [None]
        for number in range(workers):
            cluster.add_worker(cores[number % len(cores)])
        if workers:
            cluster.wait_for_workers(workers)
        yield cluster
    finally:
        cluster.close()
