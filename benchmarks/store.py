"""Print how fast decisions are stored, compared with a plain sqlite3 insert and the same pragmas.

    python benchmarks/store.py [--decisions 2000] [--store URL]

Prints decisions per second and latencies for 1, 10 and 50 writers, then checks that nothing was
lost or doubled.
"""

from __future__ import annotations

import argparse
import contextlib
import sqlite3
import tempfile
import threading
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

from curation.store import open_store
from devtools.store_dataset import make_dataset

WRITERS = (1, 10, 50)


def measure(write: Callable[[int], object], writers: int, count: int) -> np.ndarray:
    """Return the seconds each write took, and last the seconds all of them took."""
    took = np.zeros(count + 1)

    def run(first: int) -> None:
        for number in range(first, count, writers):
            start = time.perf_counter()
            write(number)
            took[number] = time.perf_counter() - start

    threads = [threading.Thread(target=run, args=(first,)) for first in range(writers)]
    start = time.perf_counter()
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    took[count] = time.perf_counter() - start
    return took


def report(name: str, writers: int, took: np.ndarray) -> None:
    each = took[:-1] * 1000
    p50, p95, p99 = np.percentile(each, [50, 95, 99])
    print(
        f"{name:<14} {writers:>3} writers  {len(each) / took[-1]:>7.0f}/s   "
        f"median {p50:6.1f} ms   p95 {p95:6.1f} ms   p99 {p99:6.1f} ms   "
        f"longest {each.max():6.1f} ms",
        flush=True,
    )


def bare(folder: Path, writers: int, count: int) -> None:
    """One insert and one commit per write, by one connection behind a lock."""
    path = folder / f"bare{writers}.db"
    lock = threading.Lock()
    with contextlib.closing(sqlite3.connect(path, check_same_thread=False)) as connection:
        connection.isolation_level = None
        connection.execute("PRAGMA journal_mode=WAL")
        connection.execute("PRAGMA synchronous=FULL")
        connection.execute("CREATE TABLE log (seq INTEGER PRIMARY KEY, words TEXT)")

        def write(number: int) -> None:
            with lock:
                connection.execute("BEGIN IMMEDIATE")
                connection.execute("INSERT INTO log (words) VALUES (?)", (f"{number} " * 80,))
                connection.execute("COMMIT")

        report("bare sqlite3", writers, measure(write, writers, count))


def ours(folder: Path, url: str | None, writers: int, count: int) -> None:
    dataset = make_dataset(folder, count)
    with open_store(dataset, url or folder / f"ours{writers}.db") as store:
        before = len(store.log())

        def write(number: int) -> None:
            store.decide(
                f"e{number}", "keep", curator=f"c{number % writers}", op_id=f"{writers}-{number}"
            )

        report("store", writers, measure(write, writers, count))
        written = [entry.op_id for entry in store.log()[before:]]
        lost, doubled = count - len(set(written)), len(written) - len(set(written))
        print(f"{'':<14} lost {lost}, doubled {doubled}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--decisions", type=int, default=2000)
    parser.add_argument("--store", help="a PostgreSQL store that `curate store upgrade` made")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        for writers in WRITERS:
            bare(Path(folder), writers, options.decisions)
            ours(Path(folder), options.store, writers, options.decisions)


if __name__ == "__main__":
    main()
