"""From a folder about which nothing can be decided to its first issue, in a real browser."""

from __future__ import annotations

import re
import tomllib

import tomli_w

from tests.browser.conftest import open_page, settle
from tests.folders import CHOSEN, write_unclear


def choose(page, option, *values):
    for value in values:
        page.locator(f".st-key-map-{option} input").first.click()
        page.keyboard.type(value)
        page.get_by_role("option", name=value, exact=True).click()
        if option.startswith("prob"):  # a list of several stays open; elsewhere, Escape clears it
            page.keyboard.press("Escape")
        settle(page)


def test_a_person_says_what_is_what_reviews_and_is_not_asked_again(serve_cold, page, tmp_path):
    data = write_unclear(tmp_path / "forest")
    server = serve_cold()
    page.goto(server.url(data=data))
    page.get_by_text("Say what each file is").wait_for()
    page.get_by_text("survey.csv (tag, wood, height, side <b>)").wait_for()
    page.get_by_role("columnheader", name="wood").wait_for()
    choose(page, "labels", "survey.csv")
    choose(page, "label_column", "wood")
    choose(page, "id_column", "tag")
    choose(page, "probs", "output.csv")
    choose(page, "prob_columns", "m1", "m2", "m3")
    page.get_by_role("button", name="Open it like this").click()
    title = page.get_by_role("heading", name="forest")
    title.wait_for()
    page.wait_for_function("document.querySelector('[data-testid=stMain]').scrollTop === 0")
    page.get_by_role("button", name="Save as curation.toml").click()
    page.get_by_text("It opens like this from now on.").wait_for()
    assert tomllib.loads((data / "curation.toml").read_text())["label_column"] == "wood"
    page.get_by_text(re.compile(r"Review \d+ issues")).click()
    page.locator(".feature-value").first.wait_for()
    assert page.locator(".feature-name").first.inner_text().startswith("height\n")
    page.goto("about:blank")
    server.stop()
    again = serve_cold(data)
    page.goto(again.url())
    page.get_by_text("240 examples · 3 classes").first.wait_for()
    assert not page.get_by_text("You chose").count()


def test_values_fit_a_narrow_screen(serve, chromium, tmp_path):
    data = write_unclear(tmp_path / "forest")
    (data / "curation.toml").write_text(tomli_w.dumps(CHOSEN))
    with open_page(chromium, width=420, theme="dark") as page:
        page.goto(serve(data).url("Review"))
        page.locator(".feature-value").first.wait_for()
        wide = page.locator(".features").evaluate("e => [e.scrollWidth, e.clientWidth]")
        assert wide[0] <= wide[1] <= 420
        value, line = (
            page.locator(each).first.bounding_box() for each in (".feature-value", ".feature-line")
        )
        assert line["y"] >= value["y"] + value["height"] - 1  # below it, across the whole width
