"""The Overlap page in a real browser: links, keyboard, one decision that lasts, both themes."""

from __future__ import annotations

import re

import curation
from curation.store import open_store
from tests.browser.conftest import open_page, settle
from tests.overlap_data import write_overlaps

TABLE = '[data-testid="stDataFrame"] canvas'


def test_a_pair_is_chosen_by_link_and_by_keyboard_and_a_merge_lasts(serve_cold, page, tmp_path):
    data = write_overlaps(tmp_path / "data")
    server = serve_cold(data)
    page.goto(server.url("Overlap", a=2, b=3))  # cold: the first request of this server
    page.get_by_text("6 + 6 examples in doubt").wait_for()

    page.locator(TABLE).first.wait_for()
    box = page.locator(TABLE).first.bounding_box()
    page.mouse.click(box["x"] + 120, box["y"] + 35 * 1.5)  # the name of the first row
    page.get_by_text("12 + 3 examples in doubt").wait_for()
    for count in (6, 8):
        page.keyboard.press("ArrowDown")  # the table still has the keyboard
        page.get_by_text(re.compile(f"^{count} [+] . examples in doubt")).wait_for()
    assert re.search(r"a=4&b=5", page.url)
    page.keyboard.press("ArrowUp")
    page.get_by_text("6 + 6 examples in doubt").wait_for()
    page.go_back()  # and not to the one class of either pair
    page.get_by_text("8 + 0 examples in doubt").wait_for()

    page.goto(server.url("Overlap", a=0, b=1))
    page.get_by_role("button", name="Merge…").click()
    page.get_by_role("button", name="Save", exact=True).click()
    page.get_by_text("✓ Saved: merge into missile").wait_for()
    page.reload()
    page.get_by_text("✓ Saved: merge into missile").wait_for()
    settle(page)
    page.get_by_role("button", name="Undo").click()
    page.get_by_role("button", name="They are distinct").dblclick()
    page.get_by_text("✓ Saved: distinct").wait_for()
    settle(page)
    with open_store(curation.load(data)) as store:
        assert [each.entry for each in store.log()] == ["decide", "undo", "decide"]
        assert [each.action for each in store.class_decisions()] == ["distinct"]


def test_a_line_of_the_map_chooses_its_pair_in_both_themes(serve, chromium, tmp_path):
    server = serve(write_overlaps(tmp_path / "data"))
    for theme in ("light", "dark"):
        with open_page(chromium, width=1024, theme=theme) as page:
            page.goto(server.url("Overlap", view="map"))
            page.get_by_text("12 + 3 examples in doubt").wait_for()
            marks = page.locator(".js-plotly-plot .scatterlayer .trace").last.locator("path.point")
            marks.nth(1).wait_for(state="attached")
            box = marks.nth(1).bounding_box()
            page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
            page.get_by_text("6 + 6 examples in doubt").wait_for()
