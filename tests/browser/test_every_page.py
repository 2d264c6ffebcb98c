"""Each page by a cold link, in both themes and widths, and where there is nothing to show."""

from __future__ import annotations

import re
import shutil

import pytest

import curation
from curation.store import open_store
from devtools.serving import ROOT, Server
from tests.browser.conftest import CURATOR, settle
from tests.browser.test_noise import MAP
from tests.browser.watching import press, saved

# What a person waits for on the demo data, page by page; the first is overview.py.
PAGES = {
    "": "text=The twelve most suspect labels",
    "Noise": MAP,
    "Overlap": "text=looks like:",
    "Review": ".stage[data-painted]",
    "Export": "text=Download cleaned_labels.csv",
    "Quality": "text=Which method suits this dataset",
    "Map": ".st-key-map-parts, :text('The map places similar examples close to each other')",
    "Benefit": "text=Measure it",
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


def test_every_page_is_tried():
    names = {path.stem.partition("_")[2] for path in (ROOT / "pages").glob("*.py")}
    missing = names - PAGES.keys()
    assert not missing, f"add {missing} to PAGES, with what a person waits for"
    assert PAGES.keys() == {"", *names}


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


def name_shown(page):
    """Return the name in the sidebar, once the page has nothing more to draw."""
    settle(page)
    return page.locator(".st-key-curator button p").inner_text()


def test_the_name_is_asked_for_once_and_never_taken_from_a_link(serve, chromium, tmp_path):
    data = tmp_path / "objects"
    shutil.copytree(ROOT / "demo_data" / "objects", data)
    server = serve(data)
    page = chromium.new_context().new_page()
    page.goto(server.url("Review", curator="mallory"))
    field = page.locator(".st-key-ask-curator").get_by_role("textbox", name="Your name")
    field.wait_for()
    assert name_shown(page) == "Who are you?" and not page.locator(".stage").count()
    field.fill("Zoë; <b>%41 **x**")
    field.press("Enter")
    page.wait_for_selector(PAGES["Review"])
    assert name_shown(page) == "Zoë; <b>%41 **x**"
    page.wait_for_function("() => document.cookie.includes('curation_curator=Zo%C3%AB')")
    page.goto(server.url("Overlap", curator="mallory"))
    page.wait_for_selector(PAGES["Overlap"])
    assert name_shown(page) == "Zoë; <b>%41 **x**"
    page.locator(".st-key-curator button").click()
    page.get_by_role("textbox", name="Your name").fill("ana")
    page.get_by_role("button", name="Save").click()
    page.wait_for_function("() => document.cookie.includes('curation_curator=ana')")
    page.reload()
    page.wait_for_selector(PAGES["Overlap"])
    assert name_shown(page) == "ana"
    page.context.close()


def test_a_walk_through_the_pages_keeps_the_name_and_every_choice(serve, page, tmp_path):
    data = tmp_path / "objects"
    shutil.copytree(ROOT / "demo_data" / "objects", data)
    server = serve(data)
    page.goto(server.url("Review"))
    press(page, "a")
    saved(page)
    settle(page)
    for name in (
        "Overview",
        "Noise",
        "Overlap",
        "Review",
        "Export",
        "Noise",
        "Overview",
        "Overlap",
    ):
        page.get_by_role("link", name=name, exact=True).first.click()
        page.wait_for_selector(PAGES[name.removeprefix("Overview")], state="attached")
        assert name_shown(page) == CURATOR
        if name in ("Overview", "Noise", "Overlap"):
            page.get_by_role("radio", name="Labels as given", checked=True).wait_for()
    page.get_by_role("button", name="They are distinct").click()
    page.get_by_text("✓ Saved:").wait_for()
    with open_store(curation.load(data)) as store:
        assert [entry.curator for entry in store.log()] == [CURATOR, CURATOR]


@pytest.mark.fault(63, "HOLDS")
def test_an_internal_error_shows_nothing_of_the_code(page, tmp_path):
    """A fault that nobody foresaw shows its number, and its details are in the log (FAULTS 63)."""
    (tmp_path / "overview.py").write_text(
        "from curation import ui\nui.setup('Broken')\n"
        "raise RuntimeError('no answer of postgresql://ana:pa55word@host/base')\n"
    )
    path = f"import sys\nsys.path.insert(0, {str(ROOT)!r})\n"
    (tmp_path / "app.py").write_text(path + (ROOT / "app.py").read_text())
    with Server(None, tmp_path / "server.log", app=str(tmp_path / "app.py")) as server:
        page.goto(server.url())
        page.get_by_text("Something went wrong on our side").wait_for()
        settle(page)
        words = page.locator("body").inner_text()
        assert "objects" in words  # what was drawn before stays
        told = ("postgresql", "pa55word", "Traceback", "RuntimeError", "app.py", "Ask Google")
        assert not any(each in words for each in told)
        assert "Load the page again" in words  # the next step
        number = re.search(r"report number ([0-9a-f]{8})", words)[1]
        log = server.log.read_text()
        assert f"a page failed ({number})" in log
        assert "RuntimeError: no answer of postgresql://ana:[hidden]@host/base" in log
        assert "pa55word" not in log and log.count(server.token) == 1
