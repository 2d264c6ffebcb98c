"""Decide in the browser, and see the map and the estimate change."""

from __future__ import annotations

import re

import numpy as np

from tests import small_set
from tests.browser.conftest import settle
from tests.browser.test_noise import MAP, find_resting_box
from tests.browser.watching import painted

DECIDED = 3
GAP = """() => {  // pixels between the title's letters and the choice of labels
    const title = document.createRange();
    title.selectNodeContents(document.querySelector('h1'));
    const choice = document.querySelector('[data-testid="stButtonGroup"]');
    return choice.getBoundingClientRect().top - title.getBoundingClientRect().bottom;
}"""


def hover_cat_taken_for_dog(page):
    """Move over the cell of given cat, true dog, and return what it says."""
    page.locator(MAP).hover(force=True)
    box = find_resting_box(page)
    page.mouse.move(box["x"] + box["width"] * 1.4 / 3, box["y"] + box["height"] * 0.4 / 3)
    return page.locator(".hoverlayer .hovertext").text_content()


def test_decisions_change_the_map_and_the_choice_outlasts_a_reload(serve, page, tmp_path):
    data = small_set.write_texts(tmp_path / "set", 150, 20, rng=np.random.default_rng(5))
    server = serve(data)
    page.goto(server.url("Noise", matrix="confident_joint"))
    page.wait_for_selector(MAP, state="attached")
    settle(page)
    assert not page.get_by_text("With your decisions").count()
    assert not (data / ".curation").exists()  # looking leaves nothing behind

    page.get_by_role("link", name="Review", exact=True).click()
    for _ in range(DECIDED):
        shown = painted(page)
        page.keyboard.press("a")
        page.wait_for_selector(f".stage[data-painted]:not([data-painted='{shown}'])")
    page.wait_for_selector(".saved:has-text('all saved')")

    page.get_by_role("link", name="Noise", exact=True).click()
    page.get_by_text("With your decisions").click()
    change = f"{DECIDED} relabelled; the rest as given."
    page.wait_for_selector(f"text={change}")
    assert page.evaluate(GAP) > 5
    page.get_by_text("Confident joint", exact=True).first.click()
    page.wait_for_url(re.compile("matrix=confident_joint"))
    settle(page)
    said = hover_cat_taken_for_dog(page)
    assert "17 examples labelled cat are confidently dog" in said
    assert "3 fewer than as given" in said
    assert page.get_by_text(re.compile(r"About .* → .* labels look wrong")).count()
    assert page.get_by_text(f"{DECIDED} decided").count()

    page.reload()
    page.wait_for_selector(f"text={change}")
    assert "labels=decided" in page.url
    page.get_by_role("link", name="Overview", exact=True).click()
    page.wait_for_selector(".cu-card.first:has-text('fewer than as given')")
    assert "labels=decided" in page.url
    page.get_by_text("Labels as given").click()
    page.wait_for_selector(".cu-card.first:not(:has-text('fewer than as given'))")
    assert "labels=" not in page.url
