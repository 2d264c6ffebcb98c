"""Times of the Review page in a browser: to the first example, from key to next, of the grid."""

from __future__ import annotations

import csv
import statistics
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image

from devtools.serving import name_curator

FLAGGED = 2_000  # wrong labels in each dataset, and so the length of the queue
FILES = 48  # different pictures; the examples share them
KEYS, PAUSE_MS = 40, 300  # keys pressed, and the pause between them
OPENINGS, TURNS = 5, 8
MAX_MEDIAN_MS = dict.fromkeys(("image 32", "image 224", "image 4000", "text 200"), 16.0)
MAX_MEDIAN_MS["text 20000"] = 25.0
MAX_P95_MS, MAX_FIRST_MS, MAX_TURN_MS = 50.0, 800.0, 300.0
GRID = 60  # pictures on a page of the grid
KINDS = {"image 32": 32, "image 224": 224, "image 4000": 4000, "text 200": 200, "text 20000": 20000}

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

# Record when "Next" was clicked and when the pictures of the next page are all painted.
GRID_CLOCK = """async ([size]) => {
  const root = [...document.querySelectorAll('.stBidiComponent *')]
      .map(e => e.shadowRoot).find(each => each?.querySelector('.review'));
  const ids = () => [...root.querySelectorAll('.tile')].map(e => e.dataset.id).join();
  const painted = () => {
    const pictures = [...root.querySelectorAll('.tile .shown img')];
    return pictures.length === size && pictures.every(e => e.complete && e.naturalWidth > 0);
  };
  const before = ids(), start = performance.now();
  [...root.querySelectorAll('.pager button')].at(-1).click();
  while (ids() === before || !painted()) await new Promise(go => setTimeout(go, 1));
  await new Promise(go => requestAnimationFrame(() => setTimeout(go)));
  return performance.now() - start;
}"""


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

    def meets(self, kind: str) -> bool:
        """Return whether every time is within its limit, and every key was followed."""
        quick = self.median <= MAX_MEDIAN_MS[kind] and self.p95 <= MAX_P95_MS
        return quick and len(self.times) == KEYS and self.added <= MAX_FIRST_MS

    @property
    def added(self) -> float:
        """Return what Review takes longer than a page that holds a single caption."""
        return self.first - self.bare

    @property
    def median(self) -> float:
        return statistics.median(self.times)

    @property
    def p95(self) -> float:
        return statistics.quantiles(self.times, n=20)[-1]


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


def measure_grid(browser: Any, address: str) -> float:
    """Return the milliseconds from a click on "Next" to a full page of pictures, the median."""
    page = browser.new_page(viewport={"width": 1440, "height": 900})
    name_curator(page.context, "bench")
    page.goto(address)
    page.locator(".tile .shown img").nth(GRID - 1).wait_for()
    page.wait_for_timeout(1500)
    times = []
    for _ in range(TURNS):
        times.append(float(page.evaluate(GRID_CLOCK, [GRID])))
        page.wait_for_timeout(500)
    page.close()
    return statistics.median(times)
