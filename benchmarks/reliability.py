"""Print what is promised under load and after kills, next to what this machine measures.

    python benchmarks/reliability.py            everything as promised; about 25 minutes
    python benchmarks/reliability.py --quick    the same with fewer repetitions; about 4 minutes
    python benchmarks/reliability.py store      one of: store, key, curators, connections, kills,
                                                memory

Prints one table and writes nothing but temporary files. Exits with 1 if a decision was lost or
stored twice, or if a promise was not kept. Needs the extra `bench`, Chromium, and a machine that
does nothing else: times of a busy machine say nothing.

Curators are tabs of a real browser that press keys. Further connections are opened from one of
these tabs, as the tabs of other people: each has a session of its own on the server, and runs the
Review page there.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import crash
import numpy as np
import psutil
import review
import store as store_speed

import curation
from curation.store import Store, open_store
from devtools.serving import Server, name_curator, open_browser
from devtools.store_dataset import make_dataset

CURATORS, PAUSE_SECONDS, CONNECTIONS = 10, 3.0, 100

# Notes each key with the example that is shown, and how long it takes until all is saved.
NOTE_KEYS = """
window.pressed = []; window.waits = [];
const find = () => [...document.querySelectorAll('.stBidiComponent *')].map(e => e.shadowRoot)
    .find(each => each?.querySelector('.review'));
window.addEventListener('keydown', () => {
  const shown = find()?.querySelector('.stage')?.dataset.painted;
  if (!shown) return;
  window.pressed.push(shown);
  const start = performance.now();
  const wait = () => {
    const words = find()?.querySelector('.saved')?.textContent ?? '';
    if (performance.now() - start > 30 && words.startsWith('all saved'))
      window.waits.push(performance.now() - start);
    else setTimeout(wait, 10);
  };
  setTimeout(wait, 30);
}, true);
"""
# Opens connections that run a page, as a tab does when it is opened.
CONNECT = """
([count, message]) => Promise.all(Array.from({length: count}, () => new Promise((done, fail) => {
  const tab = new WebSocket(location.origin.replace('http', 'ws') + '/_stcore/stream', 'streamlit');
  tab.binaryType = 'arraybuffer';
  tab.onopen = () => tab.send(new Uint8Array(message));
  tab.received = 0;
  tab.onmessage = (event) => {
    tab.received += event.data.byteLength;
    window.lastMessage = performance.now();
    done();
  };
  tab.onerror = () => fail(new Error('refused'));
  (window.tabs ??= []).push(tab);
})))
"""
QUIET = "performance.now() - (window.lastMessage ?? 0) > 3000"
# The fewest bytes that one of these connections received: each must have run the page.
FEWEST_BYTES = "Math.min(...window.tabs.map(tab => tab.received))"
PAGE_BYTES = 20_000


class Row(NamedTuple):
    """One promise, what was measured, and whether it was kept."""

    what: str
    promised: str
    measured: str
    kept: bool


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


def open_curators(browser: Any, server: Server) -> list[Any]:
    """Return a tab for each curator; each has the examples of one class."""
    pages = []
    for number in range(CURATORS):
        context = browser.new_context(viewport={"width": 1440, "height": 900})
        context.add_init_script(NOTE_KEYS)
        name_curator(context, f"c{number}")
        page = context.new_page()
        page.set_default_timeout(300_000)
        page.goto(server.url("Review", given=str(number)))
        page.wait_for_selector(".stage[data-painted]")
        pages.append(page)
    return pages


def press_keys(pages: list[Any], rounds: int, pause: float) -> None:
    """Let every curator decide once per round, evenly spread over the pause."""
    start = time.perf_counter()
    for round_ in range(rounds):
        for number, page in enumerate(pages):
            page.keyboard.press("x")
            due = start + pause * (round_ + (number + 1) / len(pages))
            page.wait_for_timeout(max(1.0, 1000 * (due - time.perf_counter())))


def count_pressed(data: Path, pages: list[Any]) -> tuple[int, int, int, list[float]]:
    """Wait until all is saved; return what was pressed, lost, doubled, and the milliseconds."""
    expected: Counter[tuple[str, str]] = Counter()
    waits: list[float] = []
    for number, page in enumerate(pages):
        page.wait_for_function("window.waits.length === window.pressed.length")
        expected.update((f"c{number}", each) for each in page.evaluate("window.pressed"))
        waits += page.evaluate("window.waits")
    with open_store(curation.load(data)) as store:
        faults = count_writes(store, expected, lambda entry: (entry.curator, entry.example_id))
    return expected.total(), faults[0], faults[1], waits


def measure_curators(folder: Path, sizes: Sizes) -> Iterator[Row]:
    data = review.make_data(folder / "curators", "text 200", 20_000)
    rounds = int(sizes.seconds / PAUSE_SECONDS)
    with Server(data, folder / "curators.log") as server, open_browser() as browser:
        pages = open_curators(browser, server)
        press_keys(pages, rounds, PAUSE_SECONDS)
        pressed, lost, doubled, waits = count_pressed(data, pages)
    p95 = float(np.percentile(waits, 95)) / 1000
    yield Row(
        f"{CURATORS} curators, a decision every {PAUSE_SECONDS:.0f} s, {sizes.seconds} s",
        "p95 saved in 1 s, 0 lost, 0 doubled",
        f"{pressed:,} decisions, p95 {p95:.2f} s, {lost} lost, {doubled} doubled",
        p95 <= 1 and not lost + doubled,
    )


def make_message(data: Path) -> list[int]:
    """Return what a tab sends when it is opened on the Review page."""
    from urllib.parse import urlencode

    from streamlit.proto.BackMsg_pb2 import BackMsg

    message = BackMsg()
    message.rerun_script.page_name = "Review"
    message.rerun_script.query_string = urlencode({"data": str(data)})
    return list(message.SerializeToString())


def measure_connections(folder: Path, sizes: Sizes) -> Iterator[Row]:
    data = review.make_data(folder / "connections", "text 200", 20_000)
    with Server(data, folder / "connections.log") as server, open_browser() as browser:
        pages = open_curators(browser, server)
        pages[0].evaluate(CONNECT, [CONNECTIONS - CURATORS, make_message(data)])
        press_keys(pages, 15, PAUSE_SECONDS)
        pressed, lost, doubled, _ = count_pressed(data, pages)
        assert pages[0].evaluate(FEWEST_BYTES) > PAGE_BYTES, "a connection did not run the page"
        open_tabs = pages[0].evaluate("window.tabs.filter(tab => tab.readyState === 1).length")
        alive = server.process.poll() is None and open_tabs == CONNECTIONS - CURATORS
    yield Row(
        f"{CONNECTIONS} connections at once, {CURATORS} of which decide",
        "0 lost, 0 doubled, no crash",
        f"{pressed} decisions, {lost} lost, {doubled} doubled, "
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


def read_memory(page: Any, process: psutil.Process) -> int:
    """Return the memory of a server in bytes, once nothing is sent and it stays the same."""
    page.wait_for_function(QUIET)
    last = [0] * 5
    while max(last) - min(last) > 2**20 or not last[0]:
        page.wait_for_timeout(1000)
        last = [*last[1:], int(process.memory_info().rss)]
    return last[-1]


def measure_memory(folder: Path, sizes: Sizes) -> Iterator[Row]:
    data = review.make_data(folder / "memory", "text 200", sizes.many_examples)
    with Server(data, folder / "memory.log") as server, open_browser() as browser:
        page = browser.new_page()
        name_curator(page.context, "c0")
        page.set_default_timeout(600_000)
        page.goto(server.url("Review"))
        page.wait_for_selector(".stage[data-painted]")
        process = psutil.Process(server.process.pid)
        page.evaluate(CONNECT, [5, make_message(data)])  # the first ones fill caches for all
        before = read_memory(page, process)
        page.evaluate(CONNECT, [sizes.tabs, make_message(data)])
        each = (read_memory(page, process) - before) / sizes.tabs / 2**20
        assert page.evaluate(FEWEST_BYTES) > PAGE_BYTES, "a connection did not run the page"
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


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("parts", nargs="*", metavar="part", help=f"of: {', '.join(PARTS)}")
    parser.add_argument("--quick", action="store_true", help="fewer repetitions")
    options = parser.parse_args()
    if unknown := set(options.parts) - set(PARTS):
        parser.error(f"there is no part {', '.join(sorted(unknown))}")
    kept = True
    print("| what | promised | measured | kept |\n|---|---|---|---|", flush=True)
    for part in options.parts or PARTS:
        with tempfile.TemporaryDirectory() as folder:
            for row in PARTS[part](Path(folder), QUICK if options.quick else FULL):
                print(f"| {row.what} | {row.promised} | {row.measured} | "
                      f"{'yes' if row.kept else '**NO**'} |", flush=True)  # fmt: skip
                kept = kept and row.kept
    return int(not kept)


if __name__ == "__main__":
    sys.exit(main())
