"""Print how long it takes from `curate PATH` to the headline and to the first issue.

    python benchmarks/open.py            10,000 pictures, 117,659 texts, 50,000 x 1,000 numbers
    python benchmarks/open.py --quick    a tenth of each

A browser waits for the server, as the one that `curate` opens does, and opens the address as soon
as it answers. Seconds are counted from starting the command:

    server      the server answers
    headline    Overview says how many labels look wrong
    first issue Review shows its first example, opened by its link on a newly started server

A bare Streamlit page, a title and a heatmap of 2 x 2 cells, is measured in the same way.
"""

from __future__ import annotations

import argparse
import csv
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image

from devtools.large_data import make_data
from devtools.serving import find_port, find_token, name_curator, open_browser

TIMEOUT_MS = 120_000
STREAMLIT = ("-m", "streamlit", "run")
CURATE = ("-c", "import sys; from curation.cli import main; sys.exit(main())")
NUM_CLASSES = 45  # of the texts
HEADLINE = ".cu-card.first"
FIRST_ISSUE = ".stage[data-painted]"
BARE = """
import plotly.graph_objects as go
import streamlit as st

st.title("Bare")
st.plotly_chart(go.Figure(go.Heatmap(z=[[1, 2], [3, 4]])))
"""


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


@contextmanager
def start(*command: str) -> Iterator[tuple[float, str, str]]:
    """Start a server; yield when that was, its address, and what lets one in, once it answers."""
    port = find_port()
    with tempfile.TemporaryDirectory() as name:
        log = Path(name, "log")
        began = time.perf_counter()
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
            yield began, url, f"?token={token}" if token else ""
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


def measure(browser: Any, page: str, awaited: str, *command: str) -> tuple[float, float]:
    """Return seconds until the server answers, and until an element is on the screen."""
    with start(*command) as (began, url, entry):
        up = time.perf_counter() - began
        tab = browser.new_page(viewport={"width": 1440, "height": 900})
        name_curator(tab.context, "bench")
        tab.goto(url + page + entry)
        tab.wait_for_selector(awaited, timeout=TIMEOUT_MS)
        seconds = time.perf_counter() - began
        tab.close()
    return up, seconds


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true")
    scale = 10 if parser.parse_args().quick else 1
    datasets: dict[str, tuple[Callable[[Path, int], None], int]] = {
        "pictures": (make_pictures, 10_000 // scale),
        "texts": (make_texts, 117_659 // scale),
        "x 1,000 probabilities": (make_matrix, 50_000 // scale),
    }
    print(f"{'seconds':34}{'server':>9}{'headline':>10}{'first issue':>13}")
    with open_browser() as browser, tempfile.TemporaryDirectory() as name:
        bare = Path(name) / "bare.py"
        bare.write_text(BARE)
        options = ("--server.port={port}", "--server.headless=true")
        times = measure(
            browser, "", ".js-plotly-plot .heatmaplayer", *STREAMLIT, str(bare), *options
        )
        print(f"{'a bare Streamlit page':34}{times[0]:9.2f}{times[1]:10.2f}", flush=True)
        for kind, (make, count) in datasets.items():
            folder = Path(name) / kind
            folder.mkdir()
            make(folder, count)
            command = (*CURATE, str(folder), "--port={port}", "--no-browser")
            up, headline = measure(browser, "", HEADLINE, *command)
            _, first = measure(browser, "Review", FIRST_ISSUE, *command)
            print(f"{f'{count:,} {kind}':34}{up:9.2f}{headline:10.2f}{first:13.2f}", flush=True)


if __name__ == "__main__":
    main()
