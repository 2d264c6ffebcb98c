"""A server that stops while a page is open: what the page says, and that it comes back."""

from __future__ import annotations

from devtools import serving
from tests.browser.conftest import settle
from tests.pages.visiting import save

# What the dialog shows; its words are set by our style sheet, after Streamlit's own.
READ_DIALOG = """() => [...document.querySelectorAll('[role="dialog"] *')]
    .map((each) => getComputedStyle(each, '::after').content).filter((each) => each !== 'none')
    .join(' ')"""


def test_the_page_says_how_to_start_again_and_comes_back_by_itself(
    serve_cold, chromium, tmp_path, monkeypatch
):
    data = save(tmp_path / "pets")
    server = serve_cold(data)
    page = chromium.new_context().new_page()  # it may complain that there is no server
    page.set_default_timeout(60_000)
    page.goto(server.url("Noise", scale="log"))
    page.wait_for_selector(".st-key-wide-map .xtick")
    settle(page)
    page.evaluate("() => { window.isOld = true; }")
    server.stop()
    page.get_by_role("dialog").wait_for()
    words = page.evaluate(READ_DIALOG)
    assert "curate PATH" in words and "This page then comes back by itself" in words
    shown = page.locator('[role="dialog"] code')
    assert shown.evaluate("each => getComputedStyle(each).fontSize") == "0px"  # Streamlit's command
    monkeypatch.setattr(serving, "find_port", lambda: server.port)
    serve_cold(data)
    page.wait_for_function("() => !window.isOld")
    page.wait_for_selector(".st-key-wide-map .xtick")
    settle(page)
    page.get_by_text("Diagonal").click()  # a switch that the new server answers
    page.wait_for_function("() => location.search.includes('diagonal=on')")
    page.context.close()
