"""Similar examples: next to an item on Review, and on the map, whose lasso leads to Review."""

from __future__ import annotations

import math

import numpy as np
import pytest

from tests import small_set
from tests.browser.conftest import settle


@pytest.fixture(scope="module")
def texts(tmp_path_factory):
    return small_set.write_texts(
        tmp_path_factory.mktemp("map") / "set", 300, 60, rng=np.random.default_rng(4)
    )


def drag_around(page, canvas, x, y, radius):
    """Draw a circle on the map; x, y and radius are shares of its width and height."""
    box = canvas.bounding_box()
    for k in range(25):
        angle = 2 * math.pi * k / 24
        place = (x + radius * math.cos(angle), y + radius * math.sin(angle))
        page.mouse.move(box["x"] + place[0] * box["width"], box["y"] + place[1] * box["height"])
        if k == 0:
            page.mouse.down()
    page.mouse.up()


def test_a_lasso_selects_examples_and_review_shows_exactly_these(serve, page, texts):
    served = serve(texts)
    page.goto(served.url("Map"))
    canvas = page.locator("canvas[data-drawn='300']")
    canvas.wait_for()
    settle(page)
    drag_around(page, canvas, 0.5, 0.5, 0.35)
    heading = page.locator("h4.cu-cell", has_text="Selected:")
    heading.wait_for()
    count = int(heading.inner_text().split()[1])
    assert 0 < count < 300
    page.get_by_role("link", name="Review these").click()
    page.wait_for_selector(".tiles .tile")
    assert page.locator(".gridbar").inner_text().startswith(f"0 of {count} selected")
    shared = page.url  # opens the same list in a browser that never saw the map
    page.goto(shared)
    page.wait_for_selector(".tiles .tile")
    assert page.locator(".gridbar").inner_text().startswith(f"0 of {count} selected")
    page.go_back()
    page.goto(served.url("Map", only_flagged="on"))
    page.get_by_role("button", name="Select what is in view").click()
    page.get_by_text("Selected: 60 examples").wait_for()
    page.get_by_role("button", name="Clear selection").click()
    page.get_by_text("Nothing is selected").wait_for()


def test_a_click_opens_a_similar_example_and_leads_back(serve, page, texts):
    served = serve(texts)
    page.goto(served.url("Review"))
    page.wait_for_selector(".near-tile")
    first = page.locator(".stage").get_attribute("data-id")
    assert "of the 10 nearest examples" in page.locator("p.why").inner_text()
    assert page.locator(".near-tile").count() == 10
    tile = page.locator(".near-tile").first
    opened = tile.get_attribute("title").split(",")[0]
    tile.click()
    page.wait_for_selector(f".stage[data-painted='{opened}']")
    back = page.get_by_role("button", name=f"← back to {first}")
    if back.count():  # not where the similar one is in this list too
        back.click()
        page.wait_for_selector(f".stage[data-painted='{first}']")
