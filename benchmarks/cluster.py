"""Compare an analysis on a cluster with one machine's: time, reading and messages.

    python benchmarks/cluster.py             400,000 x 1,000 (1.6 GB) in 16 shards
    python benchmarks/cluster.py --quick     40,000 x 1,000 in 16 shards
    python benchmarks/cluster.py --workers 1 2 4

The scheduler and each worker are processes of their own on this machine, which talk over loopback;
each worker may use one core. One machine is `curate analyze` on the same shards, with one
thread per core; both load, check, hash, analyse and save. For each number of workers it prints

    seconds     from the call to the result, without starting the cluster
    processor   processor seconds of all workers and of the caller
    busiest     processor seconds of the busiest worker, and of the caller
    read        bytes of the matrix that were read, in passes over it
    messages    bytes of all results that tasks gave, pickled, and the largest one
    equal       whether every count and flag equals one machine's

Seconds say little while other programs use the processor; processor seconds say more.
"""

from __future__ import annotations

import argparse
import os
import pickle
import shutil
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np

import curation
from curation.analysis.cluster import cluster_sources
from curation.analysis.cluster.engine import Engine
from curation.analysis.findings import METHODS
from curation.analysis.saved_findings import analyze_dataset, save_findings
from devtools.dask_cluster import start_cluster
from devtools.large_data import make_data

NUM_CLASSES = 1000
NUM_SHARDS = 16


def make_shards(folder: Path, count: int) -> int:
    """Write labels and shards, and return the bytes of all shards."""
    make_data(folder, count, NUM_CLASSES)
    probs = np.load(folder / "probs.npy", mmap_mode="r")
    total = 0
    for number, rows in enumerate(np.array_split(np.arange(count), NUM_SHARDS)):
        np.save(folder / f"probs-{number:05}.npy", probs[rows[0] : rows[-1] + 1])
        total += os.path.getsize(folder / f"probs-{number:05}.npy")
    (folder / "probs.npy").unlink()
    return total


def measure_one(folder: Path) -> tuple[float, float, Any]:
    """Return seconds, processor seconds and the findings of one machine, as `curate analyze`."""
    shutil.rmtree(folder / ".curation", ignore_errors=True)
    began, used = time.perf_counter(), time.process_time()
    dataset = curation.load(folder)
    findings = analyze_dataset(dataset)
    save_findings(dataset, findings)
    return time.perf_counter() - began, time.process_time() - used, findings


def ask_usage(address: str) -> dict[str, dict[str, float]]:
    """Return what each worker used so far."""
    from distributed import Client

    def usage() -> dict[str, float]:
        import psutil

        process = psutil.Process()
        times = process.cpu_times()
        return {
            "processor": times.user + times.system,
            "read": float(process.io_counters().read_chars),
        }

    with Client(address, set_as_default=False) as client:
        return dict(client.run(usage))


def measure_cluster(folder: Path, workers: int) -> tuple[float, dict[str, float], Any]:
    """Return seconds, what the workers used, and what they found."""
    with (
        tempfile.TemporaryDirectory() as name,
        start_cluster(Path(name), workers, one_core_each=True) as cluster,
    ):
        small = Path(name) / "warm"  # the first task imports the package
        small.mkdir()
        make_data(small, 200 * workers, 4)
        curation.analyze(small, cluster=cluster.address)
        shutil.rmtree(folder / ".curation", ignore_errors=True)
        before, own = ask_usage(cluster.address), time.process_time()
        began = time.perf_counter()
        written = curation.analyze(folder, cluster=cluster.address)
        seconds = time.perf_counter() - began
        after = ask_usage(cluster.address)
    caller = time.process_time() - own
    spent = [after[each]["processor"] - before[each]["processor"] for each in after]
    read = sum(after[each]["read"] - before[each]["read"] for each in after)
    used = {"processor": sum(spent) + caller, "busiest": max(spent), "caller": caller, "read": read}
    return seconds, used, written


def measure_messages(folder: Path) -> list[int]:
    """Return the pickled size of each result of a task, in an analysis by threads."""
    sizes: list[int] = []

    class Weighing(Engine):
        def run(self, tasks: Sequence[Any], progress: Any = None) -> list[Any]:
            results = super().run(tasks, progress)
            sizes.extend(len(pickle.dumps(each)) for each in results)
            return results

    @contextmanager
    def connect(address: str | None) -> Iterator[Engine]:
        yield Weighing()

    usual, cluster_sources.connect = cluster_sources.connect, connect
    try:
        curation.analyze(folder)
    finally:
        cluster_sources.connect = usual
    return sizes


def is_equal(written: Any, expected: Any) -> bool:
    found = written.load()
    return (
        all(np.array_equal(found.masks[each], expected.masks[each]) for each in METHODS)
        and np.array_equal(found.confident_joint, expected.confident_joint)
        and np.array_equal(found.thresholds, expected.thresholds)
        and found.estimated_errors == expected.estimated_errors
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--workers", type=int, nargs="+", default=[1, 2])
    options = parser.parse_args()
    count = 40_000 if options.quick else 400_000
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name) / "shards"
        folder.mkdir()
        total = make_shards(folder, count)
        print(f"{count:,} x {NUM_CLASSES:,} in {NUM_SHARDS} shards, {total / 1e9:.2f} GB")
        print(f"{'':20}{'seconds':>9}{'processor':>11}{'busiest':>12}{'read':>19}{'equal':>7}")
        seconds, processor, expected = measure_one(folder)
        print(f"{'one machine':20}{seconds:9.1f}{processor:11.1f}", flush=True)
        for workers in options.workers:
            seconds, used, written = measure_cluster(folder, workers)
            read = f"{used['read'] / 1e9:.2f} GB = {used['read'] / total:.1f} x"
            busiest = f"{used['busiest']:.1f} + {used['caller']:.1f}"
            equal = "yes" if is_equal(written, expected) else "NO"
            times = f"{seconds:9.1f}{used['processor']:11.1f}{busiest:>12}"
            print(f"{f'{workers} workers':20}{times}{read:>19}{equal:>7}", flush=True)
        pairs = np.count_nonzero(expected.confident_joint)
        sizes = measure_messages(folder)
        print(
            f"messages: {len(sizes)} of {sum(sizes) / 1e6:.1f} MB in all, the largest "
            f"{max(sizes) / 1e6:.2f} MB; {pairs:,} pairs of classes were counted"
        )


if __name__ == "__main__":
    main()
