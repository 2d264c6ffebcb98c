"""Print how soon the decisions of a team are saved, and that none is lost, doubled or handed twice.

    python benchmarks/team.py               10 and 40 curators on SQLite, and memory; 10 minutes
    python benchmarks/team.py --store URL   the same on PostgreSQL, in two app processes
    python benchmarks/team.py --quick       smaller, in about two minutes
    python benchmarks/team.py memory        one of: curators, memory

Each curator decides once every three seconds. All go through one list, "each example once": an
example that was on the screen of two of them was handed twice. They are scripted, and speak to the
server as a tab does: a websocket, over which Streamlit has drawn the page, and messages by HTTP
(devtools/scripted_curators.py). Times are from sending a decision until the answer says that it is
saved. Processor time is that of all app processes, in cores.

Needs the extra `bench` and a machine that does nothing else. URL is that of an empty database, as
`curate --store` takes it; what it holds already is left alone. Exits with 1 if a decision was lost
or stored twice, or if a promise was not kept.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import NamedTuple

import numpy as np
import psutil
import review

import curation
from curation.store import open_store
from curation.store.postgres import upgrade
from devtools.promises import Row, print_rows
from devtools.scripted_curators import (
    ScriptedCurator,
    close_all,
    measure_tab_memory,
    open_all,
    work,
)
from devtools.serving import Server

PAUSE_SECONDS, MAX_P95_MS, MAX_TAB_MB = 3.0, 300.0, 5.0
EXAMPLES = 20_000
PARTS = ["curators", "memory"]


class Sizes(NamedTuple):
    """How much is tried."""

    curators: tuple[int, ...]
    seconds: float  # that they work
    many_examples: int  # for the memory of a tab
    tabs: int  # further ones, for the memory of a tab


FULL = Sizes((10, 40), 60.0, 1_000_000, 20)
QUICK = Sizes((4, 10), 15.0, 50_000, 5)


def measure_team(folder: Path, count: int, seconds: float, store: str | None) -> Row:
    """Let a team work: in one process on SQLite, or in two on a common database."""
    data = review.make_data(folder / f"team {count}", "text 200", EXAMPLES)
    arguments = ("--store", store) if store else ()
    with ExitStack() as running:
        logs = [folder / f"{count} {name}.log" for name in (("a", "b") if store else ("a",))]
        servers = [running.enter_context(Server(data, log, arguments=arguments)) for log in logs]
        team = [
            ScriptedCurator(servers[number % len(servers)], data, f"c{number}")
            for number in range(count)
        ]
        open_all(team)
        before, start = read_processor(servers), time.monotonic()
        work(team, seconds, PAUSE_SECONDS)
        used = (read_processor(servers) - before) / (time.monotonic() - start)
        close_all(team)
    lost, doubled = count_faults(data, store, team)
    shown = Counter(each for curator in team for each in set(curator.handed))
    twice = sum(times > 1 for times in shown.values())
    took = 1000 * np.array([each for curator in team for each in curator.took])
    p50, p95 = (float(each) for each in np.percentile(took, [50, 95]))
    return Row(
        f"{count} curators, {'PostgreSQL, 2 processes' if store else 'SQLite, 1 process'}",
        f"p95 {MAX_P95_MS:.0f} ms, 0 lost, 0 doubled, 0 handed twice",
        f"{len(took):,} decisions, median {p50:.0f} ms, p95 {p95:.0f} ms, longest "
        f"{took.max():.0f} ms, {lost} lost, {doubled} doubled, {twice} handed twice, "
        f"{used:.2f} cores",
        p95 <= MAX_P95_MS and not lost + doubled + twice,
    )


def read_processor(servers: list[Server]) -> float:
    """Return the seconds of processor time that servers have used."""
    times = [psutil.Process(each.process.pid).cpu_times() for each in servers]
    return sum(each.user + each.system for each in times)


def count_faults(data: Path, store: str | None, team: list[ScriptedCurator]) -> tuple[int, int]:
    """Return how many decisions are not in the log, and how many are there more than once."""
    with open_store(curation.load(data), store) as opened:
        there = Counter(entry.op_id for entry in opened.log())
    sent = [each for curator in team for each in curator.decided]
    return sum(not there[each] for each in sent), sum(there[each] > 1 for each in sent)


def measure_memory(folder: Path, sizes: Sizes) -> Row:
    data = review.make_data(folder / "memory", "text 200", sizes.many_examples)
    with Server(data, folder / "memory.log") as server:
        each = measure_tab_memory(server, data, sizes.tabs) / 2**20
    return Row(
        f"each of {sizes.tabs} further tabs, {sizes.many_examples:,} examples",
        f"{MAX_TAB_MB:.0f} MB",
        f"{each:.1f} MB",
        each <= MAX_TAB_MB,
    )


def measure(parts: list[str], sizes: Sizes, store: str | None) -> Iterator[Row]:
    if store:
        upgrade(store)
    with tempfile.TemporaryDirectory() as folder:
        for count in sizes.curators if "curators" in parts else ():
            yield measure_team(Path(folder), count, sizes.seconds, store)
        if "memory" in parts:
            yield measure_memory(Path(folder), sizes)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("part", nargs="?", choices=PARTS, help="only this one")
    parser.add_argument("--quick", action="store_true", help="fewer curators, for a shorter time")
    parser.add_argument("--store", metavar="URL", help="a PostgreSQL database for two processes")
    options = parser.parse_args()
    parts = [options.part] if options.part else PARTS
    rows = measure(parts, QUICK if options.quick else FULL, options.store)
    return int(not print_rows(rows))


if __name__ == "__main__":
    sys.exit(main())
