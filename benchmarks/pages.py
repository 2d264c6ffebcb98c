"""Print how long each page takes to be drawn, and how many bytes it sends.

    python benchmarks/pages.py            10, 100 and 1,000 classes by 10k, 100k and 1.28M examples
    python benchmarks/pages.py --quick    10 classes, 10k examples

Each page is opened in three ways, timed until it is painted and has nothing more to draw:
  first    a link in a new browser, nothing computed yet; the first of all loads and analyses too
  link     a link in a new browser again
  click    by the sidebar, from another page: what a curator at work waits for (median of three)
A new browser first loads Streamlit and plotly, megabytes of JavaScript. How long that takes is
measured too, on a page with one title and one heatmap of 2 x 2 cells. Bytes are those received
over the websocket for a link, which carries everything that a page shows.
"""

from __future__ import annotations

import argparse
import statistics
import tempfile
import time
from pathlib import Path
from typing import Any

from devtools.large_data import make_data
from devtools.page_timing import (
    DRAW_TIMEOUT_MS,
    VIEWPORT,
    find_pages,
    measure_bare,
    open_link,
    wait_until_painted,
)
from devtools.serving import Server, name_curator, open_browser, wait_until_drawn

MAX_CLICK_SECONDS, MAX_PAGE_BYTES = 2, 1_500_000


def make_dataset(folder: Path, n: int, m: int) -> None:
    make_data(folder, n, m)
    (folder / "classes.txt").write_text("".join(f"class {label}\n" for label in range(m)))


def click_link(page: Any, title: str) -> float:
    """Return seconds until another page is drawn, from the click on it in the sidebar."""
    start = time.perf_counter()
    page.locator("[data-testid=stSidebar] a", has_text=title).click()
    page.wait_for_function("title => document.title.startsWith(title)", arg=title)
    wait_until_drawn(page, DRAW_TIMEOUT_MS)
    wait_until_painted(page)
    return time.perf_counter() - start


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true")
    quick = parser.parse_args().quick
    rows = [10_000] if quick else [10_000, 100_000, 1_281_167]
    classes = [10] if quick else [10, 100, 1000]
    with open_browser() as browser:
        bare = measure_bare(browser)
        print(f"A page of one title and one heatmap of 2 x 2 cells: {bare:.2f} s by a link.\n")
        print(f"{'examples':>10}{'classes':>9}  {'page':9}", end="")
        print(f"{'first s':>9}{'link s':>9}{'click s':>9}{'sent kB':>9}")
        drawn = [measure(browser, n, m) for n in rows for m in classes]
    slowest, most = (max(values) for values in zip(*drawn, strict=True))
    print(f"\nSlowest click {slowest:.2f} s, at most {MAX_CLICK_SECONDS} asked for: ", end="")
    print("met" if slowest <= MAX_CLICK_SECONDS else "NOT met")
    print(f"Most bytes {most / 1e6:.2f} MB, at most {MAX_PAGE_BYTES / 1e6:.1f} asked for: ", end="")
    print("met" if most <= MAX_PAGE_BYTES else "NOT met")


def measure(browser: Any, n: int, m: int) -> tuple[float, int]:
    """Print the times of each page; return the slowest click and the most bytes."""
    pages = {name or "Overview": name for name in find_pages()}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name) / "data"
        folder.mkdir()
        make_dataset(folder, n, m)
        with Server(folder, Path(name) / "server.log") as server:
            first = {
                title: open_link(browser, server.url(name))[0] for title, name in pages.items()
            }
            link = {title: open_link(browser, server.url(name)) for title, name in pages.items()}
            click = measure_clicks(browser, server.url(), list(pages))
    for title, (seconds, sent) in link.items():
        print(f"{n:10,}{m:9,}  {title:9}{first[title]:9.2f}{seconds:9.2f}", end="")
        print(f"{click[title]:9.2f}{sent / 1e3:9,.0f}", flush=True)
    return max(click.values()), max(sent for _, sent in link.values())


def measure_clicks(browser: Any, url: str, titles: list[str]) -> dict[str, float]:
    """Return the median time of each page by its link in the sidebar, going round three times."""
    page = browser.new_page(viewport=VIEWPORT)
    name_curator(page.context, "bench")
    page.goto(url)
    wait_until_drawn(page, DRAW_TIMEOUT_MS)
    seconds: dict[str, list[float]] = {title: [] for title in titles}
    for title in (titles[1:] + titles[:1]) * 3:
        seconds[title].append(click_link(page, title))
    page.close()
    return {title: statistics.median(values) for title, values in seconds.items()}


if __name__ == "__main__":
    main()
