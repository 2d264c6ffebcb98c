"""Print how long each page takes to be drawn, and how many bytes it sends.

    python benchmarks/pages.py            10, 100 and 1,000 classes by 10k, 100k and 1.28M examples
    python benchmarks/pages.py --quick    10 classes, 10k examples

Each page is opened twice from a cold link in Chromium: the first time loads and analyses the
dataset as well, the second is what a visitor waits for. Bytes are those received over the
websocket, which carries everything that a page shows.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from pathlib import Path
from typing import Any

from benchmarks.serving import ROOT, Server, open_browser, wait_until_drawn
from benchmarks.speed import make_data

DRAWN_LIMIT = 600_000  # ms; the first opening of the largest dataset reads five gigabytes


def find_pages() -> list[str]:
    """Return the pages by the names in their links; the first is app.py."""
    return ["", *(path.stem.split("_", 1)[1] for path in sorted((ROOT / "pages").glob("*.py")))]


def make_dataset(folder: Path, n: int, m: int) -> None:
    make_data(folder, n, m)
    (folder / "classes.txt").write_text("".join(f"class {label}\n" for label in range(m)))


def open_page(browser: Any, url: str) -> tuple[float, int]:
    """Return seconds until the page is drawn and idle, and the bytes it received."""
    page = browser.new_page(viewport={"width": 1440, "height": 900})
    received = 0

    def count(frame: Any) -> None:
        nonlocal received
        received += len(frame)

    page.on("websocket", lambda socket: socket.on("framereceived", count))
    start = time.perf_counter()
    page.goto(url)
    wait_until_drawn(page, DRAWN_LIMIT)
    seconds = time.perf_counter() - start
    page.close()
    return seconds, received


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true")
    quick = parser.parse_args().quick
    rows = [10_000] if quick else [10_000, 100_000, 1_281_167]
    classes = [10] if quick else [10, 100, 1000]
    print(f"{'examples':>10}{'classes':>9}  {'page':12}{'first s':>9}{'again s':>9}{'sent kB':>9}")
    for n in rows:
        for m in classes:
            print_dataset(n, m)


def print_dataset(n: int, m: int) -> None:
    with tempfile.TemporaryDirectory() as name, open_browser() as browser:
        folder = Path(name) / "data"
        folder.mkdir()
        make_dataset(folder, n, m)
        server = Server(folder, Path(name) / "server.log")
        try:
            for page in find_pages():
                first, _ = open_page(browser, server.url(page))
                again, sent = open_page(browser, server.url(page))
                title = page or "Overview"
                print(
                    f"{n:10,}{m:9,}  {title:12}{first:9.2f}{again:9.2f}{sent / 1e3:9,.0f}",
                    flush=True,
                )
        finally:
            server.stop()


if __name__ == "__main__":
    main()
