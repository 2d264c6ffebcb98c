"""What a person saw on the review page at each key, and what the store then holds.

A listener of the test's own notes, at each key, which example is on the screen at that moment.
Whatever the page then does, the store has to hold exactly those decisions.
"""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from devtools.serving import ROOT, Server, find_port

ACTIONS = {"a": "relabel", "x": "keep", "e": "exclude", "n": "needs_review", " ": "skip"}
# The same by the names that Playwright has for keys, with the one that asks for two labels.
PRESSED = {
    "a": "relabel",
    "x": "keep",
    "b": "ambiguous",
    "e": "exclude",
    "n": "needs_review",
    "Space": "skip",
}

# Runs before any script of the page; localStorage outlives a reload.
WATCH = """
const root = () => document.querySelector('.stBidiComponent')
    && [...document.querySelectorAll('.stBidiComponent *')].map(e => e.shadowRoot)
        .find(each => each?.querySelector('.review'));
function opacity(node) { // 1, or less where it or something around it is faded
  let product = 1;
  for (; node; node = node.parentElement || node.getRootNode().host)
    product *= Number(getComputedStyle(node).opacity);
  return product;
}
function note(what) {
  const stage = root()?.querySelector('.stage');
  const seen = JSON.parse(localStorage.seen || '[]');
  // Streamlit's own "Connection error" stands over the example: then keys are not meant for it.
  const covered = document.querySelector('[role=dialog]');
  const open = stage?.dataset.painted === stage?.dataset.id && !covered;
  const shown = open ? stage?.dataset.painted : null;
  seen.push([what, shown, opacity(stage)]);
  localStorage.seen = JSON.stringify(seen);
  (window.seenHere ??= []).push([what, shown, 1]); // tabs of one browser share localStorage
}
window.addEventListener('keydown', e => {
  const inside = e.composedPath()[0];
  if (!e.repeat && !inside.matches?.('input, textarea')) note(e.key);
}, true);
"""

# The same server, but every decision takes longer to store.
SLOW = """
import sys, time
from curation.store import Store
decide = Store.decide
def slowly(*given, **more):
    time.sleep(0.15)
    return decide(*given, **more)
Store.decide = slowly
from streamlit.web.cli import main
sys.argv = ["streamlit", *sys.argv[1:]]
main()
"""


class SlowServer(Server):
    """A server that needs 150 ms for each decision, and can be killed and started again."""

    def __init__(self, data: Path, log: Path) -> None:
        self.data, self.log = data, log
        self.port = find_port()
        self.start()

    def start(self) -> None:
        command = [sys.executable, "-c", SLOW, "run", "app.py", "--server.headless=true"]
        command += [f"--server.port={self.port}", "--", "--data", str(self.data)]
        with self.log.open("a") as log:
            self.process = subprocess.Popen(command, cwd=ROOT, stdout=log, stderr=subprocess.STDOUT)
        self.wait()

    def kill(self) -> None:
        self.process.send_signal(signal.SIGKILL)
        self.process.wait(10)


def seen(tab, *, only_here=False):
    """Return what the test saw on the screen at each key: (key, example), if it was there.

    With `only_here`, in this tab and since it was last loaded.
    """
    where = "JSON.stringify(window.seenHere || [])" if only_here else "localStorage.seen || '[]'"
    noted = json.loads(tab.evaluate(where))
    return [(key, each) for key, each, _ in noted if each and key in ACTIONS]


def faintest(tab):
    """Return how faded an example was at most when a key was pressed; 1 is not at all."""
    noted = json.loads(tab.evaluate("localStorage.seen || '[]'"))
    return min(opacity for _, each, opacity in noted if each)


def saved(tab):
    """Wait until the page says that everything is stored."""
    tab.wait_for_function(
        """() => [...document.querySelectorAll('.stBidiComponent *')].map(e => e.shadowRoot)
        .find(each => each?.querySelector('.review'))
        ?.querySelector('.saved')?.textContent.startsWith('all saved')""",
        timeout=180_000,
    )


def stored(entries):
    return [(entry.action, entry.example_id) for entry in entries if entry.entry == "decide"]


def expected(keys):
    return [(ACTIONS[key], example) for key, example in keys]


# The page sends its messages one by one; none is under way when this begins.
SAY_NOTHING = """() => {
  const { connection } = window.curationReview ?? {};
  if (!connection || connection.underWay) return false;
  connection.exchange = async () => {};
  return true;
}"""
SPEAK = "() => { delete window.curationReview.connection.exchange; }"


@contextmanager
def unaware(tab: Any) -> Iterator[None]:
    """Let a page ask nothing meanwhile, so that it cannot have heard of what others do."""
    tab.wait_for_function(SAY_NOTHING)
    yield
    tab.evaluate(SPEAK)  # what waits is sent soon


def painted(tab):
    """Return the example that a person sees now."""
    return tab.wait_for_selector(".stage[data-painted]").get_attribute("data-painted")


def press(tab, key):
    """Press a key once an example is there, wait for the next one, and return what was shown."""
    shown = painted(tab)
    tab.keyboard.press(key)
    wait_past(tab, shown)
    return shown


# Presses keys from inside the page, several times as fast as a driver outside can.
PRESS_EACH = """
async (keys) => {
  const stage = [...document.querySelectorAll('.stBidiComponent *')].map(e => e.shadowRoot)
    .find(each => each?.querySelector('.review'))
        .querySelector('.stage');
  const pressed = {};
  const giveUp = performance.now() + 60_000;
  while (Object.keys(pressed).length < Object.keys(keys).length) {
    const shown = stage.dataset.painted;
    if (shown && !(shown in pressed)) {
      pressed[shown] = keys[shown];
      document.body.dispatchEvent(
        new KeyboardEvent('keydown', { key: keys[shown], bubbles: true, composed: true }));
    }
    if (performance.now() > giveUp) throw new Error(`stuck at ${shown}`);
    await new Promise(requestAnimationFrame);
  }
  return pressed;
}
"""


def press_each(tab, keys):
    """Press a key on each example as it is painted: {example: key}. Return what was pressed."""
    return tab.evaluate(PRESS_EACH, keys)


def wait_past(tab, shown):
    """Wait until an example is no longer on the screen."""
    tab.wait_for_function(
        """(shown) => [...document.querySelectorAll('.stBidiComponent *')].map(e => e.shadowRoot)
        .find(each => each?.querySelector('.review'))
        ?.querySelector('.stage').dataset.painted !== shown""",
        arg=shown,
    )
