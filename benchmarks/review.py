"""Print the time from a key press to the next example, compared with Streamlit's own buttons.

    python benchmarks/review.py            1k, 100k, 1.28M examples; half an hour, 2 GB of disk
    python benchmarks/review.py --quick    small data, in a minute or two

Both pages run in the same Chromium on the same examples, one after the other. Times are taken in
the browser: from the `keydown` event to the frame after the next example is on the screen. The
native page is the usual Streamlit one: a button with a shortcut, a rerun, `st.image` or `st.text`.
First item: from opening the address to the first example painted, the server warm; the median of
a few openings, each followed by one of a Streamlit page that holds a single caption. No page on
Streamlit can be there sooner than that one, so the limit is on what Review adds to it.
"""

from __future__ import annotations

import argparse
import csv
import os
import shutil
import statistics
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image

from devtools.serving import Server, name_curator, open_browser

MAX_MEDIAN_MS, MAX_P95_MS, MAX_FIRST_MS = 30.0, 80.0, 1000.0
FLAGGED = 2_000  # wrong labels in each dataset, and so the length of the queue
FILES = 48  # different pictures; the examples share them
KEYS, PAUSE_MS = 40, 300  # keys pressed, and the pause between them
OPENINGS = 5
KINDS = {"image 32": 32, "image 224": 224, "image 4000": 4000, "text 200": 200, "text 20000": 20000}

NATIVE = """
import sys
from pathlib import Path
import pandas as pd
import streamlit as st
st.set_page_config(layout="wide")

@st.cache_data
def read(folder):
    return pd.read_csv(Path(folder) / "labels.csv", nrows=500, dtype=str)

folder = sys.argv[2]  # after --data
table = read(folder)
st.session_state.setdefault("at", 0)
def decide():
    st.session_state.at += 1
row = table.iloc[st.session_state.at]
if "image" in table:
    st.image(str(Path(folder) / row["image"]), width=720)
else:
    st.text(row["text"])
st.caption(f"shown {row['id']}")
st.button("Keep", on_click=decide, shortcut="x")
"""

BARE = """
import streamlit as st
st.caption("shown")
"""

# Record when a key was pressed and when another example is painted after it.
CLOCK = """
window.times = []; window.first = null;
const stage = window.stage = () => [...document.querySelectorAll('.stBidiComponent *')]
    .map(e => e.shadowRoot)
        .find(each => each?.querySelector('.review'))
        ?.querySelector('.stage')?.dataset.painted;
const caption = () => [...document.querySelectorAll('[data-testid="stCaptionContainer"]')]
    .map(e => e.textContent).find(t => t.startsWith('shown'));
const image = () => { const e = document.querySelector('[data-testid="stImage"] img');
    return !e || (e.complete && e.naturalWidth > 0); };
const native = () => caption() && image()
    ? caption() + (document.querySelector('[data-testid="stImage"] img')?.src || '') : undefined;
const shown = () => stage() ?? native();
let pressed = null, before = null, last = null;
window.addEventListener('keydown', () => { pressed = performance.now(); before = shown(); }, true);
function watch() {
  const now = shown();
  if (now && window.first === null) window.first = performance.now();
  if (pressed !== null && now && now !== before) {
    const start = pressed; pressed = null;
    const done = () => window.times.push(performance.now() - start);
    if (stage()) done(); else requestAnimationFrame(() => setTimeout(done));
  }
  setTimeout(watch, 1);
}
watch();
"""

SAVED = """[...document.querySelectorAll('.stBidiComponent *')].map(e => e.shadowRoot)
    .find(each => each?.querySelector('.review'))
        ?.querySelector('.saved')?.textContent.startsWith('all saved ✓ ')"""


def make_data(folder: Path, kind: str, count: int) -> Path:
    """Write examples of a kind; the first ones have wrong labels."""
    size = KINDS[kind]
    rng = np.random.default_rng(6)
    folder.mkdir(parents=True)
    labels = np.arange(count) % 10
    likeliest = labels.copy()
    flagged = min(FLAGGED, count // 2)
    likeliest[:flagged] = (labels[:flagged] + 1) % 10
    sure = rng.uniform(0.8, 0.86, count).astype(np.float32)
    sure[:flagged] += 0.12
    probs = np.repeat(((1 - sure) / 9)[:, None], 10, axis=1)
    probs[np.arange(count), likeliest] = sure
    np.save(folder / "probs.npy", probs)
    if kind.startswith("image"):
        (folder / "images").mkdir()
        for each in range(FILES):
            small = rng.integers(0, 255, (16, 16, 3), dtype=np.uint8)
            picture = Image.fromarray(small).resize((size, size), Image.Resampling.BICUBIC)
            picture.save(folder / f"images/{each}.jpg", quality=90)
    words = rng.integers(0, 100_000, 4_000)
    text = " ".join(f"word{each}" for each in words)
    with (folder / "labels.csv").open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["id", "label", "image" if kind.startswith("image") else "text"])
        for row in range(count):
            if kind.startswith("image"):
                content = f"images/{row % FILES}.jpg"
            else:  # long ones only where they are shown: a million would not fit
                content = f"{row} {text}"[: size if row < flagged else 200]
            writer.writerow([f"e{row}", f"class {labels[row]}", content])
    return folder


@dataclass(frozen=True)
class Measured:
    """Milliseconds."""

    times: list[float]  # from key to paint
    first: float  # from the address to the first example
    bare: float  # from the address to the caption of a bare page

    @property
    def good(self) -> bool:
        quick = statistics.median(self.times) <= MAX_MEDIAN_MS and self.p95 <= MAX_P95_MS
        return quick and len(self.times) == KEYS and self.first - self.bare <= MAX_FIRST_MS

    @property
    def p95(self) -> float:
        return statistics.quantiles(self.times, n=20)[-1]

    def report(self, name: str, verdict: str) -> None:
        print(
            f"{name:34} median {statistics.median(self.times):6.1f} ms  p95 {self.p95:6.1f} ms"
            f"  {len(self.times):3} of {KEYS} keys  first item {self.first / 1000:5.2f} s ="
            f" bare page {self.bare / 1000:.2f} s {(self.first - self.bare) / 1000:+.2f} s"
            f"  {verdict}",
            flush=True,
        )


def open_page(page: Any, address: str) -> float:
    """Open an address and return the milliseconds until something is shown."""
    page.goto(address)
    page.wait_for_function("window.first !== null")
    return float(page.evaluate("window.first"))


def measure(browser: Any, address: str, bare: str, patience: float) -> Measured:
    """Return the times to the first example and to a bare page, and from key to paint."""
    context = browser.new_context(viewport={"width": 1440, "height": 900})
    context.add_init_script(CLOCK)
    name_curator(context, "bench")
    page = context.new_page()
    page.set_default_timeout(patience * 1000)
    open_page(page, address)  # the first visit and decision warm the server and the browser's cache
    page.keyboard.press("x")
    page.wait_for_timeout(1500)
    if page.evaluate("Boolean(stage())"):
        page.wait_for_function(SAVED)
    open_page(page, bare)
    openings = []
    for _ in range(OPENINGS):
        openings.append((open_page(page, address), open_page(page, bare)))
        page.wait_for_timeout(300)
    open_page(page, address)
    page.wait_for_timeout(2500)
    for pressed in range(1, KEYS + 1):
        page.keyboard.press("x")
        page.wait_for_timeout(PAUSE_MS)
        page.wait_for_function(f"window.times.length >= {pressed}")
    times = [float(each) for each in page.evaluate("window.times")]
    context.close()
    first, alone = (statistics.median(each) for each in zip(*openings, strict=True))
    return Measured(times, first, alone)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--quick", action="store_true", help="small data only")
    parser.add_argument("--only", help="one kind, such as 'image 224'")
    chosen = parser.parse_args()
    sizes = [1_000, 20_000] if chosen.quick else [1_000, 100_000, 1_281_167]
    kinds = [chosen.only] if chosen.only else list(KINDS)
    print(
        f"limits: median {MAX_MEDIAN_MS:.0f} ms, p95 {MAX_P95_MS:.0f} ms, "
        f"first item {MAX_FIRST_MS / 1000:.0f} s after a bare page"
    )
    print(f"load of this machine now: {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores\n")
    rows: list[Measured] = []
    with tempfile.TemporaryDirectory() as temporary, open_browser() as browser:
        room = Path(temporary)
        for name, source in (("native", NATIVE), ("bare", BARE)):
            (room / f"{name}.py").write_text(source)
        bare = Server(None, room / "log", app=str(room / "bare.py"))
        for size in sizes:
            for kind in kinds:
                folder = make_data(room / f"{kind} {size}", kind, size)
                server = Server(folder, room / "log")
                rows.append(measure(browser, server.url("Review"), bare.url(), 600))
                server.stop()
                verdict = "ok" if rows[-1].good else "TOO SLOW"
                rows[-1].report(f"{kind:11} {size:>9,} review", verdict)
                if size == sizes[0]:
                    server = Server(folder, room / "log", app=str(room / "native.py"))
                    measured = measure(browser, server.url(), bare.url(), 60)
                    server.stop()
                    measured.report(f"{kind:11} {size:>9,} native button", "")
                shutil.rmtree(folder)
        bare.stop()
    soon = sum(each.first <= MAX_FIRST_MS for each in rows)
    limit = f"{MAX_FIRST_MS / 1000:.0f} s"
    print(f"\nfirst item within {limit} of opening the address: {soon} of {len(rows)}")
    sys.exit(0 if all(each.good for each in rows) else 1)


if __name__ == "__main__":
    main()
