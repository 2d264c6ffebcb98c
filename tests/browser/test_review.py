"""The review page in a real browser: what is stored is what was shown, once each.

A listener of the test's own notes, at each key and click, which example is on the screen at that
moment. Whatever the page then does, the store has to hold exactly those decisions.
"""

from __future__ import annotations

import json
import random
import signal
import socket
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import curation
from benchmarks.serving import ROOT, Server
from curation.store import open_store
from tests import small_set

FLAGGED = 150
ACTIONS = {"a": "relabel", "x": "keep", "e": "exclude", "n": "needs_review", " ": "skip"}

# Runs before any script of the page; localStorage outlives a reload.
WATCH = """
const root = () => document.querySelector('.stBidiComponent')
    && [...document.querySelectorAll('.stBidiComponent *')].map(e => e.shadowRoot).find(Boolean);
function note(what) {
  const stage = root()?.querySelector('.stage');
  const seen = JSON.parse(localStorage.seen || '[]');
  seen.push([what, stage?.dataset.painted === stage?.dataset.id ? stage?.dataset.painted : null]);
  localStorage.seen = JSON.stringify(seen);
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
    def __init__(self, data: Path, log: Path, port: int | None = None) -> None:
        self.data, self.log = data, log
        if port is None:
            with socket.socket() as probe:
                probe.bind(("127.0.0.1", 0))
                port = probe.getsockname()[1]
        self.port = port
        self.start()

    def start(self) -> None:
        command = [sys.executable, "-c", SLOW, "run", "app.py", "--server.headless=true"]
        command += [f"--server.port={self.port}", "--", "--data", str(self.data)]
        with self.log.open("a") as log:
            self.process = subprocess.Popen(command, cwd=ROOT, stdout=log, stderr=subprocess.STDOUT)
        self._wait()

    def kill(self) -> None:
        self.process.send_signal(signal.SIGKILL)
        self.process.wait(10)


@pytest.fixture(scope="module")
def slow(tmp_path_factory):
    folder = tmp_path_factory.mktemp("slow")
    data = small_set.write_images(
        folder / "set", 450, FLAGGED, size=32, rng=np.random.default_rng(9)
    )
    server = SlowServer(data, folder / "server.log")
    yield server
    server.stop()


@pytest.fixture
def review(chromium, slow):
    """A fresh store, and a function that opens the page in a tab of its own."""
    contexts, errors = [], []
    store = open_store(curation.load(slow.data))
    begin = max([entry.seq for entry in store.log()], default=0)

    def start(**parameters):
        context = chromium.new_context(viewport={"width": 1440, "height": 900})
        contexts.append(context)
        context.add_init_script(WATCH)
        tab = context.new_page()
        tab.set_default_timeout(30_000)
        tab.on("pageerror", lambda error: errors.append(str(error)))
        tab.on("dialog", lambda dialog: dialog.accept())
        tab.goto(slow.url("Review", **parameters))
        tab.wait_for_selector(".stage[data-painted]")
        return tab

    start.store, start.since = store, lambda: store.log(after=begin)
    yield start
    for context in contexts:
        context.close()
    store.close()
    assert not errors, errors


def seen(tab):
    """Return what the test saw on the screen at each key: (key, example), if it was there."""
    return [
        (key, each)
        for key, each in json.loads(tab.evaluate("localStorage.seen || '[]'"))
        if each and key in ACTIONS
    ]


def saved(tab):
    tab.wait_for_function(
        """() => [...document.querySelectorAll('.stBidiComponent *')].map(e => e.shadowRoot)
        .find(Boolean)?.querySelector('.saved')?.textContent.startsWith('all saved')""",
        timeout=60_000,
    )


def stored(entries):
    return [(entry.action, entry.example_id) for entry in entries if entry.entry == "decide"]


def expected(keys):
    return [(ACTIONS[key], example) for key, example in keys]


def test_keys_faster_than_the_server_decide_what_was_shown_once_each(review):
    tab = review()
    rng = random.Random(4)
    for step in range(400):  # a key counts once its example is painted: press until enough did
        if step >= 110 and len(seen(tab)) > 40:
            break
        tab.keyboard.press(rng.choice("aaaxxen "))
        if step in (30, 60):  # held down: only the first counts
            tab.keyboard.down("a")
            tab.keyboard.down("a")
            tab.keyboard.down("a")
            tab.keyboard.up("a")
        tab.wait_for_timeout(50)
    saved(tab)
    keys = seen(tab)
    assert len(keys) > 40
    assert len({example for _, example in keys}) == len(keys)  # nothing was shown as to do twice
    assert stored(review.since()) == expected(keys)


def test_double_clicks_decide_once_and_typing_decides_nothing(review):
    tab = review(queue="once")
    shown = tab.locator(".stage").get_attribute("data-painted")
    tab.locator("[data-action=accept]").dblclick()
    tab.locator("[data-el=note]").click()
    tab.keyboard.type("axe banned 12")
    tab.keyboard.press("Enter")
    tab.get_by_placeholder("Search id").click()
    tab.keyboard.type("ax")
    tab.keyboard.press("Control+A")
    tab.keyboard.press("Delete")
    tab.locator('[data-testid="stSelectbox"] input').first.focus()
    tab.keyboard.press("x")
    tab.keyboard.press("Escape")
    saved(tab)
    assert stored(review.since()) == [("relabel", shown)]


def test_ten_decided_three_undone_and_a_reload_later_still_there(review):
    tab = review()
    shown = []
    for _ in range(10):
        shown.append(tab.locator(".stage").get_attribute("data-painted"))
        tab.keyboard.press("x")
        tab.wait_for_selector(f".stage[data-painted]:not([data-painted='{shown[-1]}'])")
    for example in reversed(shown[-3:]):
        tab.keyboard.press("z")
        tab.wait_for_selector(f".stage[data-painted='{example}']")
    saved(tab)
    tab.reload()
    tab.wait_for_selector(f".stage[data-painted='{shown[7]}']")
    standing = {each.example_id for each in review.store.current()}
    assert standing >= set(shown[:7]) and not standing & set(shown[7:])
    tab.keyboard.press("Backspace")  # back through everything, also what was done before
    tab.wait_for_selector(f".stage[data-painted='{shown[6]}']")
    saved(tab)
    assert shown[6] not in {each.example_id for each in review.store.current()}


def test_a_reload_and_a_killed_server_lose_double_and_misplace_nothing(review, slow):
    tab = review()
    rng = random.Random(8)
    reload_at = rng.randrange(5, 15)
    for step in range(40):
        tab.keyboard.press(rng.choice("axen"))
        if step == reload_at:
            tab.reload()
            tab.wait_for_selector(".stage[data-painted]")
        if step == 22:
            slow.kill()
        tab.wait_for_timeout(60)
    slow.start()
    saved(tab)
    assert stored(review.since()) == expected(seen(tab))
    assert len(seen(tab)) > 15


def test_two_tabs_on_one_example_show_a_conflict_and_both_answers(review):
    one, two = review(curator="ana"), review(curator="ben")
    shown = one.locator(".stage").get_attribute("data-painted")
    assert two.locator(".stage").get_attribute("data-painted") == shown
    one.keyboard.press("x")
    saved(one)
    two.keyboard.press("e")
    conflict = two.locator(".conflict")
    conflict.get_by_text("ana kept the label").wait_for()
    assert review.store.in_force(shown).curator == "ana"
    conflict.get_by_role("button", name="Mine stands").click()
    saved(two)
    assert [(each.curator, each.action) for each in review.store.of(shown)[-3:]] == [
        ("ana", "keep"), ("ben", "exclude"), ("ben", "exclude"),
    ]  # fmt: skip
    assert review.store.in_force(shown).action == "exclude"


def test_many_at_once_are_one_unit_with_one_undo(review):
    tab = review()
    tab.get_by_text("Grid", exact=True).click()
    tab.wait_for_selector(".tile")
    tiles = tab.locator(".tile")
    tiles.nth(0).click()
    tiles.nth(3).click(modifiers=["Shift"])
    chosen = [tiles.nth(place).get_attribute("data-id") for place in range(4)]
    tab.keyboard.press("x")
    tab.get_by_role("heading", name="Keep the label for 4 examples?").wait_for()
    tab.keyboard.press("Enter")
    saved(tab)
    unit = review.since()
    assert [entry.example_id for entry in unit] == chosen
    assert len({entry.op_id for entry in unit}) == 1
    tab.keyboard.press("z")
    tab.wait_for_selector(f".tile[data-id='{chosen[0]}']")
    saved(tab)
    assert not {each.example_id for each in review.store.current()} & set(chosen)
