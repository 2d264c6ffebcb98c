"""Print how long a person waits: from `curate PATH`, for a page, for an example, for a grid.

    python benchmarks/open.py            everything; half an hour, needs 7 GB of disk
    python benchmarks/open.py --quick    a tenth of each dataset

From the command: a browser waits for the server, as the one that `curate` opens does, and opens the
address as soon as it answers. Seconds are counted from starting the command:

    server      the server answers
    headline    Overview says how many labels look wrong
    first issue Review shows its first example, opened by its link on a newly started server
    again       the same, on a dataset that was opened before: its files are known
    MB          the most memory that the server held until the headline, as it counts against the
                machine (resident; Linux only)

A bare Streamlit page, a title and a heatmap of 2 x 2 cells, is measured in the same way.

By a link: each page in a new browser, on a server that has shown it before, as the median of a few,
and what it takes longer than the bare page. On Review: the first example, beside a page of a single
caption; the time from a key to the next example; the time from turning a page of the grid to its 60
pictures. "NOT met" follows whatever is above its limit.
"""

from __future__ import annotations

import argparse
import csv
import json
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from math import inf
from pathlib import Path
from typing import Any

import numpy as np
import psutil
from PIL import Image

from curation.fingerprint import CACHE_FOLDER
from devtools import review_timing
from devtools.large_data import make_data
from devtools.page_timing import BARE, OPENINGS, find_pages, measure_bare, open_link
from devtools.serving import Server, find_port, find_token, name_curator, open_browser

TIMEOUT_MS = 120_000
STREAMLIT = ("-m", "streamlit", "run")
CURATE = ("-c", "import sys; from curation.cli import main; sys.exit(main())")
NUM_CLASSES = 45  # of the texts
HEADLINE = ".cu-card.first"
FIRST_ISSUE = ".stage[data-painted]"
MAX_ADDED_SECONDS = 1.0  # by a cold link, over a bare page
# Looks for an element in every frame, inside components too. Two frames later it was painted.
NOTE_PAINT = """selector => {
  const find = root =>
    root.querySelector(selector) ||
    [...root.querySelectorAll("*")].some(each => each.shadowRoot && find(each.shadowRoot));
  const look = () => requestAnimationFrame(find(document) ? painted : look);
  const painted = () => requestAnimationFrame(() => (window.paintedAt = Date.now()));
  look();
}"""
KEYS_TRIED = ("image 32", "text 200", "text 20000")


@dataclass(frozen=True)
class Data:
    """A dataset to open, and the most seconds asked for: to the headline, to the first issue."""

    make: Callable[[Path, int], None]
    count: int
    name: str
    limits: tuple[float, float] = (4, 5)
    limits_again: tuple[float, float] = (3, 4)
    max_megabytes: float | None = None


def make_pictures(folder: Path, count: int) -> None:
    """Write pictures of 32 x 32 pixels in ten classes, one file each."""
    rng = np.random.default_rng(1)
    (folder / "images").mkdir()
    for row in range(count):
        small = rng.integers(0, 255, (8, 8, 3), dtype=np.uint8)
        Image.fromarray(small).resize((32, 32)).save(folder / f"images/{row}.png")
    write_labels(folder, count, 10, "image", lambda row: f"images/{row}.png")


def make_texts(folder: Path, count: int) -> None:
    """Write texts of a dozen words."""
    words = np.random.default_rng(2).integers(0, 9_999, (count, 12))
    texts = [" ".join(f"word{each}" for each in row) for row in words.tolist()]
    write_labels(folder, count, NUM_CLASSES, "text", texts.__getitem__)


def make_matrix(folder: Path, count: int) -> None:
    """Write labels and probabilities of 1,000 classes, without content."""
    make_data(folder, count, 1000)


def write_labels(
    folder: Path, count: int, num_classes: int, column: str, content: Callable[[int], str]
) -> None:
    make_data(folder, count, num_classes)
    labels = np.load(folder / "labels.npy")
    (folder / "labels.npy").unlink()
    with (folder / "labels.csv").open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["id", "label", column])
        for row, label in enumerate(labels.tolist()):
            writer.writerow([f"e{row}", label, content(row)])


DATA = (
    Data(make_pictures, 10_000, "pictures"),
    Data(make_texts, 117_659, "texts"),
    Data(make_matrix, 50_000, "x 1,000 probabilities"),
    Data(make_matrix, 1_281_167, "x 1,000 probabilities", (8, inf), (8, inf), 1000),
)


@contextmanager
def start(*command: str) -> Iterator[tuple[float, str, str, subprocess.Popen[bytes]]]:
    """Start a server; yield when that was, its address, and what lets one in, once it answers."""
    port = find_port()
    with tempfile.TemporaryDirectory() as name:
        log = Path(name, "log")
        began = time.time()
        with log.open("w") as output:
            process = subprocess.Popen(
                [sys.executable, *(each.format(port=port) for each in command)],
                stdout=output,
                stderr=subprocess.DEVNULL,
            )
        try:
            url = f"http://localhost:{port}/"
            while not answers(url):
                if process.poll() is not None:
                    raise SystemExit(f"{command} ended with code {process.returncode}")
            token = find_token(log)
            yield began, url, f"?token={token}" if token else "", process
        finally:
            process.terminate()
            process.wait(20)


def answers(url: str) -> bool:
    try:
        urllib.request.urlopen(url + "_stcore/health", timeout=1)
        return True
    except OSError:
        time.sleep(0.02)
        return False


def measure(browser: Any, page: str, awaited: str, *command: str) -> tuple[float, float, float]:
    """Return seconds until the server answers and until an element is painted, and megabytes.

    The browser notes itself when it painted the element: from outside, it can only be asked once
    it has also run the five megabytes of JavaScript that draw charts.
    """
    with start(*command) as (began, url, entry, process):
        up = time.time() - began
        tab = browser.new_page(viewport={"width": 1440, "height": 900})
        name_curator(tab.context, "bench")
        tab.add_init_script(f"({NOTE_PAINT})({json.dumps(awaited)})")
        tab.goto(url + page + entry)
        tab.wait_for_function("window.paintedAt", timeout=TIMEOUT_MS)
        seconds = tab.evaluate("window.paintedAt") / 1000 - began
        tab.close()
        return up, seconds, most_resident(process.pid) / 1e6


def most_resident(pid: int) -> int:
    """Return the most bytes that a process and its children have held in memory, each by itself."""
    process = psutil.Process(pid)
    total = 0
    for each in [process, *process.children(recursive=True)]:
        lines = Path(f"/proc/{each.pid}/status").read_text().splitlines()
        total += sum(int(line.split()[1]) for line in lines if line.startswith("VmHWM:"))
    return total * 1024


def judge(value: float, limit: float | None) -> str:
    return " NOT met" if limit is not None and value > limit else ""


def print_commands(browser: Any, room: Path, scale: int) -> None:
    """Print the seconds from the command to the headline and to the first issue."""
    heads = ("server", "headline", "first issue", "again", "first issue", "MB")
    print(f"{'seconds from the command':34}" + "".join(f"{head:>13}" for head in heads))
    bare = room / "bare.py"
    bare.write_text(BARE)
    options = ("--server.port={port}", "--server.headless=true")
    times = measure(browser, "", ".js-plotly-plot .heatmaplayer", *STREAMLIT, str(bare), *options)
    print(f"{'a bare Streamlit page':34}{times[0]:13.2f}{times[1]:13.2f}", flush=True)
    for data in DATA:
        print_command(browser, room / "data", data, data.count // scale)


def print_command(browser: Any, folder: Path, data: Data, count: int) -> None:
    folder.mkdir()
    data.make(folder, count)
    command = (*CURATE, str(folder), "--port={port}", "--no-browser")
    up, headline, megabytes = measure(browser, "", HEADLINE, *command)
    shutil.rmtree(folder / CACHE_FOLDER, ignore_errors=True)  # as if it were the first time again
    _, first, _ = measure(browser, "Review", FIRST_ISSUE, *command)
    _, again, _ = measure(browser, "", HEADLINE, *command)
    _, first_again, _ = measure(browser, "Review", FIRST_ISSUE, *command)
    shutil.rmtree(folder)
    times = ((headline, first), (again, first_again))
    missed = [
        f"{value:.2f} s, {limit:g} asked"
        for pair, limits in zip(times, (data.limits, data.limits_again), strict=True)
        for value, limit in zip(pair, limits, strict=True)
        if value > limit
    ]
    if data.max_megabytes is not None and megabytes > data.max_megabytes:
        missed.append(f"{megabytes:,.0f} MB, {data.max_megabytes:,.0f} asked")
    print(
        f"{f'{count:,} {data.name}':34}"
        + "".join(f"{each:13.2f}" for each in (up, headline, first, again, first_again))
        + f"{megabytes:13,.0f}"
        + (f"  NOT met: {'; '.join(missed)}" if missed else ""),
        flush=True,
    )


def print_links(browser: Any, room: Path, scale: int) -> None:
    """Print the seconds of each page by a link in a new browser, beside a bare page."""
    folder = room / "linked"
    folder.mkdir()
    make_pictures(folder, 10_000 // scale)
    bare = measure_bare(browser)
    print(f"\n{'seconds by a link':34}{'page':>13}{'over bare':>13}{'kB':>13}")
    print(f"{'a bare Streamlit page':34}{bare:13.2f}")
    with Server(folder, room / "links.log") as server:
        for name in find_pages():
            open_link(browser, server.url(name))  # what is worked out once is not counted
            opened = [open_link(browser, server.url(name)) for _ in range(OPENINGS)]
            seconds = statistics.median(each[0] for each in opened)
            over = seconds - bare
            print(
                f"{name or 'Overview':34}{seconds:13.2f}{over:13.2f}{opened[0][1] / 1e3:13,.0f}"
                + judge(over, MAX_ADDED_SECONDS),
                flush=True,
            )
    shutil.rmtree(folder)


def print_review(browser: Any, room: Path, scale: int) -> None:
    """Print the times of Review: to the first example, from key to next, of a page of the grid."""
    heads = ("first item", "over bare", "key: median", "p95")
    print(f"\n{'milliseconds on Review':34}" + "".join(f"{head:>13}" for head in heads))
    caption = room / "caption.py"
    caption.write_text(review_timing.BARE)
    with Server(None, room / "caption.log", app=str(caption)) as bare:
        for kind in KEYS_TRIED:
            folder = review_timing.make_data(room / kind, kind, 100_000 // scale)
            with Server(folder, room / "review.log") as server:
                found = review_timing.measure(browser, server.url("Review"), bare.url(), 600)
                turn = None
                if kind.startswith("image"):
                    address = server.url("Review", view="grid", size=review_timing.GRID)
                    turn = review_timing.measure_grid(browser, address)
            shutil.rmtree(folder)
            print(
                f"{f'{100_000 // scale:,} of {kind}':34}{found.first:13.0f}{found.added:13.0f}"
                f"{found.median:13.1f}{found.p95:13.1f}" + ("" if found.meets(kind) else " NOT met")
            )
            if turn is not None:
                words = f"page of {review_timing.GRID} pictures in the grid"
                print(f"{words:34}{turn:13.0f}" + judge(turn, review_timing.MAX_TURN_MS))


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--quick", action="store_true", help="a tenth of each dataset")
    parser.add_argument("--only", choices=("commands", "links", "review"), help="one of the three")
    chosen = parser.parse_args()
    scale = 10 if chosen.quick else 1
    parts = {"commands": print_commands, "links": print_links, "review": print_review}
    with open_browser() as browser, tempfile.TemporaryDirectory() as name:
        for part, show in parts.items():
            if chosen.only in (None, part):
                show(browser, Path(name), scale)


if __name__ == "__main__":
    main()
