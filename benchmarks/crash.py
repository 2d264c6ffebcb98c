"""Kill a writer with SIGKILL at random moments, and count what was lost or doubled.

    python benchmarks/crash.py [--kills 500] [--seed 1]

A child process decides, undoes and decides in bulk from four threads. It notes each operation
before it starts and again once it is acknowledged. After each kill the store is opened again:
every acknowledged operation must be there once, and those in flight are sent again with the
same op_id, as a page would, and must then be there once too.
"""

from __future__ import annotations

import argparse
import os
import random
import signal
import sys
import tempfile
import threading
import time
from collections import Counter
from pathlib import Path

from curation.store import Store, open_store, sqlite_files
from devtools.store_dataset import StoreDataset, make_dataset

EXAMPLES, THREADS, EXAMPLES_PER_BULK = 500, 4, 5
KILLS_PER_STORE = 50  # after these, a new store is made
FAULTS = ("lost", "doubled", "gaps", "rebuilt")
MAX_ACKNOWLEDGEMENTS = 240  # each writer is killed before it has sent this many


def operate(store: Store, op_id: str) -> None:
    """Do the operation that belongs to an op_id; it is always the same one."""
    rng = random.Random(op_id)
    curator, kind = f"c{rng.randrange(THREADS)}", rng.random()
    if kind < 0.1:
        store.undo(curator=curator, op_id=op_id)
    elif kind < 0.2:
        ids = rng.sample(range(EXAMPLES), EXAMPLES_PER_BULK)
        rows = [{"example_id": f"e{k}", "action": "exclude"} for k in ids]
        store.decide_many(rows, curator=curator, op_id=op_id)
    else:
        example, label = f"e{rng.randrange(EXAMPLES)}", rng.randrange(3)
        store.decide(example, "relabel", label=label, curator=curator, op_id=op_id)


def write_until_killed(dataset: StoreDataset, path: Path, life: int, pipe: int) -> None:
    """Run operations forever, writing `?op` before and `!op` after each one to the pipe."""
    store = open_store(dataset, path)

    def run(thread: int) -> None:
        number = 0
        while True:
            op_id = f"{life}-{thread}-{number}"
            os.write(pipe, f"?{op_id}\n".encode())
            operate(store, op_id)
            os.write(pipe, f"!{op_id}\n".encode())
            number += 1

    for thread in range(THREADS):
        threading.Thread(target=run, args=(thread,)).start()


def live_and_die(
    dataset: StoreDataset, path: Path, life: int, rng: random.Random
) -> tuple[set[str], set[str]]:
    """Start a writer, kill it, and return the operations it tried and those acknowledged.

    One in ten dies early, while it opens the store; the others after some acknowledgements, and
    a moment that has nothing to do with them.
    """
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(read)
        write_until_killed(dataset, path, life, write)
        signal.pause()
    os.close(write)
    wanted = rng.randrange(1, MAX_ACKNOWLEDGEMENTS)
    noted: list[str] = []
    with os.fdopen(read) as lines:
        if rng.random() < 0.1:
            time.sleep(rng.uniform(0, 0.05))
        else:
            acked = 0
            while acked < wanted:
                noted.append(lines.readline())
                acked += noted[-1].startswith("!")
            time.sleep(rng.uniform(0, 0.005))
        os.kill(child, signal.SIGKILL)
        noted += lines.readlines()
    os.waitpid(child, 0)
    whole = [line.rstrip() for line in noted if line.endswith("\n")]
    tried = {line[1:] for line in whole if line.startswith("?")}
    return tried, {line[1:] for line in whole if line.startswith("!")}


def count_faults(store: Store, acknowledged: set[str]) -> Counter[str]:
    """Return how many acknowledged operations are missing, and how many are there twice."""
    entries = store.log()
    there = Counter((entry.op_id, entry.part) for entry in entries)
    stored = {op_id for op_id, _ in there}
    # An undo that finds nothing to undo writes nothing.
    lost = [op for op in acknowledged - stored if not _is_undo(op)]
    sizes = Counter(entry.op_id for entry in entries if entry.entry == "decide")
    return Counter(
        lost=len(lost),
        doubled=sum(times - 1 for times in there.values())
        + sum(size not in (1, EXAMPLES_PER_BULK) for size in sizes.values()),
        gaps=sum(entry.seq != place for place, entry in enumerate(entries, start=1)),
        rebuilt=sum("rebuilt" in notice for notice in store.notices),
    )


def _is_undo(op_id: str) -> bool:
    rng = random.Random(op_id)
    rng.randrange(THREADS)
    return rng.random() < 0.1


def run(folder: Path, kills: int, seed: int) -> tuple[Counter[str], float]:
    """Kill the writers of one store; return the counts and its slowest opening in seconds."""
    rng, total = random.Random(seed), Counter[str]()
    dataset, path = make_dataset(folder, EXAMPLES), folder / "decisions.db"
    acknowledged: set[str] = set()
    slowest = 0.0
    for life in range(kills):
        tried, acked = live_and_die(dataset, path, life, rng)
        acknowledged |= acked
        start = time.perf_counter()
        sqlite_files._seen.clear()  # as a new process would open it
        with open_store(dataset, path) as store:
            slowest = max(slowest, time.perf_counter() - start)
            for op_id in sorted(tried - acked):
                operate(store, op_id)
            total += count_faults(store, acked | tried)
        acknowledged |= tried
        total["kills"] += 1
        total["in flight"] += len(tried - acked)
    with open_store(dataset, path) as store:
        total += count_faults(store, acknowledged)
        total["entries"] = len(store.log())
    sqlite_files.inspect(path)
    total["acknowledged"] = len(acknowledged)
    return total, slowest


def run_all(kills: int, seed: int) -> tuple[Counter[str], float]:
    """Kill the writers of as many stores as needed; return the counts and the slowest opening."""
    total, slowest = Counter[str](), 0.0
    for first in range(0, kills, KILLS_PER_STORE):
        with tempfile.TemporaryDirectory() as folder:
            counts, longest = run(Path(folder), min(KILLS_PER_STORE, kills - first), seed + first)
        total, slowest = total + counts, max(slowest, longest)
    return total, slowest


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--kills", type=int, default=500)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    total, slowest = run_all(options.kills, options.seed)
    print(f"slowest opening {slowest:.2f} s")
    for name in ("kills", "entries", "acknowledged", "in flight"):
        print(f"{name:<14}{total[name]}")
    faults = {name: total[name] for name in FAULTS}
    print(", ".join(f"{name} {count}" for name, count in faults.items()))
    return int(any(faults.values()))


if __name__ == "__main__":
    sys.exit(main())
