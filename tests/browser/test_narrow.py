"""Every page but Review on a phone and on a tablet: nothing cut, no page too wide."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.browser.conftest import settle
from tests.browser.test_every_page import PAGES, TOO_WIDE
from tests.overlap_data import write_overlaps

CUT_TEXT = (Path(__file__).parent / "cut_text.js").read_text()
LONG = "a class whose name is longer than a telephone is wide, as names of species are"
# Of the map's drawing area: its sides, and how far its columns are apart.
MEASURE_MAP = """() => {
    const area = document.querySelector('.st-key-wide-map .nsewdrag').getBoundingClientRect();
    const ticks = [...document.querySelectorAll('.st-key-wide-map .xtick')].map(
        (each) => each.getBoundingClientRect().left);
    const gaps = ticks.slice(1).map((left, place) => left - ticks[place]);
    return {width: area.width, height: area.height, gap: Math.min(...gaps)};
}"""


@pytest.fixture(scope="module")
def data(tmp_path_factory):
    names = (LONG, f"{LONG} too", "tub", "bathtub", "corn", "ear")
    return write_overlaps(tmp_path_factory.mktemp("narrow") / "data", names)


@pytest.mark.parametrize("width", [360, 768])
def test_nothing_is_cut_on_a_narrow_screen(demo_server, page, data, width):
    page.set_viewport_size({"width": width, "height": 900})
    for name in ("", "Noise", "Overlap", "Export", "Quality"):
        page.goto(demo_server.url(name, data=data))
        page.wait_for_selector(PAGES[name], state="attached")
        settle(page)
        assert page.evaluate(CUT_TEXT) == [], name
        assert page.evaluate(TOO_WIDE) <= 0, name


def test_the_noise_map_is_not_squeezed_on_a_phone(demo_server, page):
    page.set_viewport_size({"width": 420, "height": 900})
    page.goto(demo_server.url("Noise"))
    page.wait_for_selector(".st-key-wide-map .xtick")
    settle(page)
    found = page.evaluate(MEASURE_MAP)
    assert found["width"] == pytest.approx(found["height"], rel=0.03)  # cells are square
    assert found["gap"] >= 13  # and names, 13 pixels high, do not run into each other
    page.get_by_text("Move the map sideways to see all of it.").wait_for()
    page.set_viewport_size({"width": 1024, "height": 900})  # beside the sidebar of a tablet
    page.get_by_text("Move the map sideways to see all of it.").wait_for(state="hidden")
    assert page.locator(".st-key-wide-map").evaluate("e => e.scrollWidth - e.clientWidth") == 0
