"""An audit in the browser: drawn, judged blind by keys, measured, closed."""

from __future__ import annotations

import re

import numpy as np

import curation
from tests import small_set
from tests.browser.conftest import settle
from tests.browser.watching import painted

JUDGED = 3


def test_an_audit_is_drawn_judged_without_the_models_numbers_and_closed(serve, page, tmp_path):
    data = small_set.write_texts(tmp_path / "set", 150, 20, rng=np.random.default_rng(5))
    server = serve(data)
    page.goto(server.url("Quality"))
    page.get_by_role("button", name="Draw an audit").click()
    page.get_by_role("button", name="Draw", exact=True).click()
    page.get_by_role("link", name="Start the audit").click()
    for _ in range(JUDGED):
        shown = painted(page)
        assert page.get_by_text("Judge the label by what you see.").is_visible()
        assert not page.get_by_text(re.compile(r"Margin [−\d]|five methods|0\.\d\d")).count()
        page.keyboard.press("x")
        page.wait_for_selector(f".stage[data-painted]:not([data-painted='{shown}'])")
    page.wait_for_selector(".saved:has-text('all saved')")

    page.get_by_role("link", name="Quality", exact=True).click()
    page.wait_for_selector(f"text={JUDGED} of 150 audited")
    page.get_by_role("button", name="Close the audit").click()
    page.get_by_role("button", name="Close it").click()
    page.wait_for_selector("text=closed by tess")
    dataset = curation.load(data)
    with curation.open_store(dataset) as store:
        drawn, closed = store.audits()
        decided = [entry.example_id for entry in store.current()]
    assert decided == drawn.plan["ids"][:JUDGED] and closed.target == drawn.op_id


def test_the_figures_follow_what_others_judge_without_a_reload(serve, page, tmp_path):
    data = small_set.write_texts(tmp_path / "set", 90, 20, rng=np.random.default_rng(5))
    page.goto(serve(data).url("Quality"))
    page.get_by_text("No flagged label is judged yet.").wait_for()
    settle(page)
    page.evaluate("window.curationWatch.ask()")  # as it does by itself every ten seconds
    with curation.open_store(curation.load(data)) as store:
        store.decide("t00003", "exclude", curator="olga")
    page.evaluate("window.curationWatch.ask()")
    page.get_by_text("Of 1 flagged label judged right or wrong.").wait_for()
    page.get_by_role("link", name="Noise", exact=True).click()
    page.get_by_role("heading", name="Noise").wait_for()
    settle(page)
    page.evaluate("window.curationWatch.ask()")  # from another page, nobody asks
    assert page.get_by_role("heading", name="Noise").is_visible()
