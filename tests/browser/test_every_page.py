"""Each page by a cold link, in both themes and widths, and where there is nothing to show."""

from __future__ import annotations

import shutil

import pytest

from devtools.serving import ROOT, Server
from tests.browser.conftest import settle
from tests.browser.test_noise import MAP

# What a person waits for, page by page; the first is app.py.
PAGES = {
    "": "text=The twelve most suspect labels",
    "Noise": MAP,
    "Overlap": "text=looks like:",
    "Review": ".stage[data-painted]",
    "Export": "text=Download cleaned_labels.csv",
}
# How far a page, or the part of it that scrolls, is wider than its window, in pixels.
TOO_WIDE = """() => Math.max(...[document.documentElement,
    document.querySelector('[data-testid="stMain"]')].map(e => e.scrollWidth - e.clientWidth))"""


def check(page) -> None:
    """Nothing of a fault is on the page, and nothing hangs out of it."""
    settle(page)
    words = page.locator("body").inner_text()
    assert not page.locator('[data-testid="stException"]').count()
    assert "Traceback" not in words and "Something went wrong" not in words
    assert page.evaluate(TOO_WIDE) <= 0


@pytest.mark.parametrize("name", PAGES)
def test_a_cold_link_opens_it_in_both_themes_and_widths(serve_cold, page, tmp_path, name):
    data = tmp_path / "objects"
    shutil.copytree(ROOT / "demo_data" / "objects", data)
    server = serve_cold(data)
    for width, theme in ((1440, "light"), (1024, "dark")):
        page.set_viewport_size({"width": width, "height": 900})
        page.emulate_media(color_scheme=theme)
        page.goto(server.url(name))  # the first one is the first request of this server
        page.wait_for_selector(PAGES[name], state="attached")
        check(page)
    page.goto(server.url(name, data=tmp_path / "nowhere"))
    page.get_by_text("there is no such file or folder").first.wait_for()
    check(page)
    assert "Traceback" not in server.log.read_text()


def test_a_browser_keeps_the_curators_name_and_a_link_does_not(serve, page, chromium, tmp_path):
    data = tmp_path / "objects"
    shutil.copytree(ROOT / "demo_data" / "objects", data)
    server = serve(data)
    page.goto(server.url("Overlap", curator="Zoë; <b>%41"))
    name = page.get_by_role("textbox", name="Curator")
    name.wait_for()
    page.wait_for_function("() => document.cookie.includes('curation_curator=Zo%C3%AB')")
    page.wait_for_function("() => !location.search.includes('curator')")
    page.goto(server.url("Review"))
    page.wait_for_selector(PAGES["Review"])
    assert name.input_value() == "Zoë; <b>%41"
    name.fill("ana")
    name.press("Enter")
    page.wait_for_function("() => document.cookie.includes('curation_curator=ana')")
    page.reload()
    page.wait_for_selector(PAGES["Review"])
    assert name.input_value() == "ana"
    other = chromium.new_context().new_page()  # who is sent the address
    other.goto(page.url)
    other.wait_for_selector(PAGES["Review"])
    assert other.get_by_role("textbox", name="Curator").input_value() != "ana"
    other.context.close()


def test_a_fault_of_ours_tells_nothing_of_the_code(page, tmp_path):
    (tmp_path / "app.py").write_text(
        f"import sys\nsys.path.insert(0, {str(ROOT)!r})\nfrom curation import ui\n"
        "ui.setup('Broken')\nraise RuntimeError('a secret')\n"
    )
    with Server(None, tmp_path / "server.log", app=str(tmp_path / "app.py")) as server:
        page.goto(server.url())
        page.get_by_test_id("stException").wait_for()
        settle(page)
        words = page.locator("body").inner_text()
        assert "objects" in words  # what was drawn before stays
        assert not any(each in words for each in ("secret", "Traceback", "RuntimeError", "app.py"))
        assert "a secret" in server.log.read_text()
        assert not page.get_by_text("Ask Google").is_visible()
        said = "e => getComputedStyle(e, '::after').content"
        assert "on our side" in page.get_by_test_id("stExceptionMessage").evaluate(said)
