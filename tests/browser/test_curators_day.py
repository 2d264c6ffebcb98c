"""A whole day of two curators in real browsers; the log is compared with what they pressed."""

from __future__ import annotations

import re

import numpy as np

import curation
from curation.store import open_store
from tests import small_set
from tests.browser.conftest import TIMEOUT_MS, is_error, settle
from tests.browser.watching import PRESSED, painted, press, saved, unaware

FLAGGED = 40


class Curator:
    """A person with a browser, who writes down everything that should be in the log."""

    def __init__(self, chromium, server, name, diary):
        self.context = chromium.new_context(viewport={"width": 1440, "height": 900})
        self.tab = self.context.new_page()
        self.tab.set_default_timeout(TIMEOUT_MS)
        self.tab.on("dialog", lambda dialog: dialog.accept())
        self.errors = []
        self.tab.on("console", lambda each: is_error(each) and self.errors.append(each.text))
        self.server, self.name, self.diary = server, name, diary

    def note(self, entry, action, example):
        self.diary.append((self.name, entry, action, example))

    def arrive(self):
        """Open Review for the first time, and say who it is."""
        self.tab.goto(self.server.url("Review"))
        name = self.tab.locator(".st-key-ask-curator").get_by_role("textbox", name="Your name")
        name.fill(self.name)
        name.press("Enter")
        painted(self.tab)

    def open(self, page, **link):
        self.tab.goto(self.server.url(page, **link))

    def walk_to(self, *pages):
        """Go from page to page by the sidebar."""
        for page in pages:
            self.tab.get_by_role("link", name=page, exact=True).first.click()
            self.tab.wait_for_url(re.compile("/" if page == "Overview" else f"/{page}"))
            settle(self.tab)
            assert self.tab.locator(".st-key-curator button p").inner_text() == self.name

    def decide(self, keys):
        """Press one key after the other, each for the example that is on screen."""
        for key in keys:
            self.note("decide", PRESSED[key], press(self.tab, key))

    def take_back(self, count):
        """Undo the last decisions of the diary, one by one."""
        mine = [each for each in self.diary if each[0] == self.name and each[1] == "decide"]
        for _, _, action, example in reversed(mine[-count:]):
            self.tab.keyboard.press("z")
            self.tab.wait_for_selector(f".stage[data-painted='{example}']")
            self.note("undo", action, example)

    def leave(self):
        self.context.close()
        assert not self.errors, self.errors


def read_log(data):
    """Return who did what to which example or classes, in order."""
    with open_store(curation.load(data)) as store:
        return [
            (each.curator, each.entry, str(each.action), each.example_id) for each in store.log()
        ]


def work_in_the_morning(ana, ben):
    """Both are asked for their names, and go through lists of their own."""
    ana.arrive()
    ben.arrive()
    ana.decide(["a", "x", "b", "e", "n", "Space", "a"])
    ana.take_back(2)
    action, example = ana.diary[-1][2:]
    ana.tab.keyboard.press("Shift+Z")
    ana.note("redo", action, example)
    saved(ana.tab)
    ana.walk_to("Overview")  # what she had in front of her is free for Ben
    ben.open("Review", search="t0002", view="grid")
    tiles = ben.tab.locator(".tile")
    tiles.first.wait_for()
    ids = [tile.get_attribute("data-id") for tile in tiles.all()]
    ben.tab.get_by_role("button", name=re.compile("Select all .* that match")).click()
    ben.tab.keyboard.press("x")
    ben.tab.keyboard.press("Enter")
    ben.tab.get_by_role("heading", name="Nothing is left in this list").wait_for()
    saved(ben.tab)
    for each in ids:
        ben.note("decide", "keep", each)


def decide_about_classes(ana):
    """Ana walks through the pages and judges a pair of classes; undo on Review leaves it alone."""
    ana.walk_to("Noise", "Overlap")
    ana.tab.get_by_role("button", name="They are distinct").click()
    ana.tab.get_by_text("✓ Saved:").wait_for()
    ana.note("decide", "distinct", None)
    ana.walk_to("Export", "Review")
    painted(ana.tab)
    ana.tab.keyboard.press("z")
    ana.tab.get_by_role("button", name="Leave it as it is").click()


def differ(ana, ben, example):
    """Both look at one example; Ben answers later than Ana, and Ana settles it."""
    for each in (ana, ben):
        each.open("Review", at=example)
        each.tab.wait_for_selector(f".stage[data-painted='{example}']")
    with unaware(ben.tab):
        ana.decide(["x"])
        saved(ana.tab)
        ben.tab.keyboard.press("e")
    ben.note("conflict", "exclude", example)
    ben.tab.locator(".conflict").get_by_text("ana kept the label").wait_for()
    saved(ben.tab)
    ben.tab.reload()
    ben.tab.locator(".conflict").get_by_text("ana kept the label").wait_for()
    ana.walk_to("Overview")
    ana.tab.get_by_role("link", name="Settle 1 dispute →").click()
    ana.tab.locator(".answers").get_by_text("Excluded it").wait_for()
    assert painted(ana.tab) == example
    ana.tab.keyboard.press("q")
    ana.note("resolve", "keep", example)
    ana.tab.get_by_role("heading", name="That was the last one").wait_for()
    saved(ana.tab)
    ben.tab.locator(".conflict").get_by_text(f"Settled: {example}").wait_for()
    ben.tab.locator(".conflict").get_by_role("button", name="Close").click()


def test_the_log_of_a_day_is_what_two_curators_pressed(serve, chromium, tmp_path):
    data = small_set.write_texts(tmp_path / "day", 120, FLAGGED, rng=np.random.default_rng(4))
    diary = []
    ana, ben = (Curator(chromium, serve(data), name, diary) for name in ("ana", "ben"))
    work_in_the_morning(ana, ben)
    decide_about_classes(ana)
    dataset = curation.load(data)
    with open_store(dataset) as store:
        done = {each.example_id for each in store.current()}
    differ(ana, ben, next(f"t{row:05}" for row in range(FLAGGED) if f"t{row:05}" not in done))
    ben.decide(["a", "e"])
    saved(ben.tab)

    assert read_log(data) == diary
    with open_store(dataset) as store:
        counts, left = store.counts(), FLAGGED - len(store.current())
        assert not store.disagreements()
    ben.walk_to("Export")
    words = ben.tab.get_by_test_id("stMain").inner_text()
    decided = sum(counts[action] for action in ("keep", "relabel", "ambiguous", "exclude"))
    assert f"{left} issues undecided" in words and f"{decided} decided:" in words
    assert f"{counts['skip']} skipped" in words or not counts["skip"]
    side = ben.tab.get_by_test_id("stSidebar").inner_text()
    assert f"{decided} decided · {left} left · 1 class decision" in side
    for each in (ana, ben):
        each.leave()
