"""Print what is promised under load and after kills, next to what this machine measures.

    python benchmarks/reliability.py            everything as promised; about 25 minutes
    python benchmarks/reliability.py --quick    the same with fewer repetitions; about 4 minutes
    python benchmarks/reliability.py store      one of: store, key, curators, connections, kills,
                                                memory

Prints one table and writes nothing but temporary files. Exits with 1 if a decision was lost or
stored twice, or if a promise was not kept. Needs the extra `bench`, Chromium, and a machine that
does nothing else: times of a busy machine say nothing.

Curators are scripted: to the server they are tabs of Review, each with a websocket over which the
page was drawn, and messages by HTTP (devtools/scripted_curators.py). So are further connections.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, NamedTuple

import crash
import numpy as np
import review
import store as store_speed

import curation
from curation.store import Store, open_store
from devtools.promises import Row, print_rows
from devtools.scripted_curators import (
    ScriptedCurator,
    close_all,
    measure_tab_memory,
    open_all,
    work,
)
from devtools.serving import Server, open_browser
from devtools.store_dataset import make_dataset

CURATORS, PAUSE_SECONDS, CONNECTIONS = 10, 3.0, 100


class Sizes(NamedTuple):
    """How much is tried."""

    decisions: int  # by 50 writers
    examples: int  # of one curator
    seconds: int  # that ten curators work
    kills: int
    many_examples: int  # for the memory of a tab
    tabs: int  # further ones, for the memory of a tab


FULL = Sizes(100_000, 100_000, 600, 500, 1_000_000, 20)
QUICK = Sizes(5_000, 5_000, 45, 40, 50_000, 10)


def count_writes(store: Store, expected: Counter[Any], name: Callable[[Any], Any]) -> list[int]:
    """Return how many of the expected decisions were lost, and how many are there too often."""
    there = Counter(name(entry) for entry in store.log() if entry.entry == "decide")
    return [(expected - there).total(), (there - expected).total()]


def measure_store(folder: Path, sizes: Sizes) -> Iterator[Row]:
    for writers, count in ((50, sizes.decisions), (1, min(sizes.decisions, 2_000))):
        dataset = make_dataset(folder, count)
        with open_store(dataset, folder / f"{writers}.db", wait_seconds=60) as store:

            def write(number: int, store: Store = store, writers: int = writers) -> None:
                who = f"c{number % writers}"
                store.decide(f"e{number}", "keep", curator=who, op_id=str(number))

            took = store_speed.measure(write, writers, count)
            expected = Counter(str(number) for number in range(count))
            lost, doubled = count_writes(store, expected, lambda entry: entry.op_id)
        p95, p99 = np.percentile(took[:-1] * 1000, [95, 99])
        rate, safe = count / took[-1], not lost + doubled
        faults = f"{lost} lost, {doubled} doubled"
        if writers == 1:
            yield Row("1 writer", "p95 20 ms", f"p95 {p95:.1f} ms; {faults}", safe and p95 <= 20)
            continue
        yield Row(
            f"{writers} writers, {count:,} decisions",
            "500 decisions/s, p99 500 ms, 0 lost, 0 doubled",
            f"{rate:,.0f} decisions/s, p99 {p99:.0f} ms, {faults}",
            safe and rate >= 500 and p99 <= 500,
        )


def measure_key(folder: Path, sizes: Sizes) -> Iterator[Row]:
    data = review.make_data(folder / "key", "text 200", sizes.examples)
    app = folder / "bare.py"
    app.write_text(review.BARE)
    with (
        Server(data, folder / "key.log") as server,
        Server(None, folder / "bare.log", app=str(app)) as bare,
        open_browser() as browser,
    ):
        found = review.measure(browser, server.url("Review"), bare.url(), 300)
    median = statistics.median(found.times)
    yield Row(
        f"1 curator, {sizes.examples:,} examples: key to next example painted",
        "median 50 ms, p95 100 ms",
        f"median {median:.0f} ms, p95 {found.p95:.0f} ms",
        median <= 50 and found.p95 <= 100,
    )


def make_curators(server: Server, data: Path) -> list[ScriptedCurator]:
    """Return a tab for each curator; each has the examples of one class."""
    return [
        ScriptedCurator(server, data, f"c{number}", given=str(number)) for number in range(CURATORS)
    ]


def count_decided(data: Path, curators: list[ScriptedCurator]) -> tuple[int, int, int]:
    """Return how many decisions were made, lost and doubled."""
    expected = Counter(each for curator in curators for each in curator.decided)
    with open_store(curation.load(data)) as store:
        lost, doubled = count_writes(store, expected, lambda entry: entry.op_id)
    return expected.total(), lost, doubled


def measure_curators(folder: Path, sizes: Sizes) -> Iterator[Row]:
    data = review.make_data(folder / "curators", "text 200", 20_000)
    with Server(data, folder / "curators.log") as server:
        curators = make_curators(server, data)
        open_all(curators)
        work(curators, sizes.seconds, PAUSE_SECONDS)
        close_all(curators)
    decided, lost, doubled = count_decided(data, curators)
    p95 = float(np.percentile([each for curator in curators for each in curator.took], 95))
    yield Row(
        f"{CURATORS} curators, a decision every {PAUSE_SECONDS:.0f} s, {sizes.seconds} s",
        "p95 saved in 1 s, 0 lost, 0 doubled",
        f"{decided:,} decisions, p95 {p95:.2f} s, {lost} lost, {doubled} doubled",
        p95 <= 1 and not lost + doubled,
    )


def measure_connections(folder: Path, sizes: Sizes) -> Iterator[Row]:
    data = review.make_data(folder / "connections", "text 200", 20_000)
    count = CONNECTIONS - CURATORS
    with Server(data, folder / "connections.log") as server, ThreadPoolExecutor(count) as pool:
        curators = make_curators(server, data)
        open_all(curators)
        others = [ScriptedCurator(server, data, f"t{number}") for number in range(count)]
        opening = [pool.submit(each.open) for each in others]
        work(curators, 5 * PAUSE_SECONDS, PAUSE_SECONDS)  # while the others are being drawn
        for each in opening:
            each.result()  # raises if a tab was not drawn
        work(curators, 10 * PAUSE_SECONDS, PAUSE_SECONDS)
        alive = server.process.poll() is None and all(each.is_open for each in curators + others)
        close_all(curators + others)
    decided, lost, doubled = count_decided(data, curators)
    yield Row(
        f"{CONNECTIONS} connections at once, {CURATORS} of which decide",
        "0 lost, 0 doubled, no crash",
        f"{decided} decisions, {lost} lost, {doubled} doubled, "
        + ("all connected to the end" if alive else "CONNECTIONS WERE LOST"),
        alive and not lost + doubled,
    )


def measure_kills(folder: Path, sizes: Sizes) -> Iterator[Row]:
    total, slowest = crash.run_all(sizes.kills, seed=1)
    faults = sum(total[name] for name in crash.FAULTS)
    yield Row(
        f"kill -9 at random moments, {sizes.kills} times",
        "50,000 acknowledged decisions in 500 kills, 0 lost, 0 doubled; opens again in 2 s",
        f"{total['acknowledged']:,} acknowledged, {total['lost']} lost, {total['doubled']} "
        f"doubled, slowest opening {slowest:.2f} s",
        not faults and slowest <= 2 and total["acknowledged"] >= 100 * sizes.kills,
    )


def measure_memory(folder: Path, sizes: Sizes) -> Iterator[Row]:
    data = review.make_data(folder / "memory", "text 200", sizes.many_examples)
    with Server(data, folder / "memory.log") as server:
        each = measure_tab_memory(server, data, sizes.tabs) / 2**20
    yield Row(
        f"each of {sizes.tabs} further tabs, {sizes.many_examples:,} examples",
        "5 MB",
        f"{each:.1f} MB",
        each <= 5,
    )


PARTS: dict[str, Callable[[Path, Sizes], Iterator[Row]]] = {
    "store": measure_store,
    "key": measure_key,
    "curators": measure_curators,
    "connections": measure_connections,
    "kills": measure_kills,
    "memory": measure_memory,
}


def measure(parts: Iterable[str], sizes: Sizes) -> Iterator[Row]:
    for part in parts:
        with tempfile.TemporaryDirectory() as folder:
            yield from PARTS[part](Path(folder), sizes)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("parts", nargs="*", metavar="part", help=f"of: {', '.join(PARTS)}")
    parser.add_argument("--quick", action="store_true", help="fewer repetitions")
    options = parser.parse_args()
    if unknown := set(options.parts) - set(PARTS):
        parser.error(f"there is no part {', '.join(sorted(unknown))}")
    return int(not print_rows(measure(options.parts or PARTS, QUICK if options.quick else FULL)))


if __name__ == "__main__":
    sys.exit(main())
