"""A session in a frame: the notebook's pages may show it, the pages of others may not."""

from __future__ import annotations

import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import numpy as np
import pytest

import curation
import curation.session
from curation.ui.server.guard import make_headers
from tests.browser.conftest import TIMEOUT_MS


class Notebook:
    """Pages at a port of their own, that show what they are told to."""

    def __init__(self) -> None:
        outer = self
        self.html = ""

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self):
                self.send_response(200)
                self.send_header("content-type", "text/html; charset=utf-8")
                self.end_headers()
                self.wfile.write(f"<!doctype html><body>{outer.html}".encode())

            def log_message(self, *_):
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.port = self.server.server_address[1]
        threading.Thread(target=self.server.serve_forever, daemon=True).start()


@pytest.fixture(scope="module")
def pages():
    both = Notebook(), Notebook()
    yield both
    for each in both:
        each.server.shutdown()
        each.server.server_close()


@pytest.fixture(scope="module")
def framed(tmp_path_factory, pages):
    """A session that the first notebook opened; the other has the same frame."""
    folder = tmp_path_factory.mktemp("frame")
    truth = np.arange(60) % 3
    probs = np.full((60, 3), 0.1)
    probs[np.arange(60), truth] = 0.8
    shown = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_DATA_HOME", str(folder / "home"))
        patch.setattr(
            curation.session, "find_notebook_origins",
            lambda: [f"http://{name}:{pages[0].port}" for name in ("localhost", "127.0.0.1")],
        )  # fmt: skip
        patch.setattr(curation.session, "show", shown.append)
        session = curation.open(
            [f"text {row}" for row in range(60)], probs, [("cat", "dog", "eel")[k] for k in truth],
            folder=folder / "session", inline=True,
        )  # fmt: skip
    assert shown == [session]
    for each in pages:
        each.html = session._repr_html_()
    yield session
    session.close()


@pytest.mark.parametrize("name", ["localhost", "127.0.0.1"])
def test_the_notebook_shows_the_dashboard_under_the_name_it_has(framed, pages, chromium, name):
    context = chromium.new_context()
    page = context.new_page()
    page.set_default_timeout(TIMEOUT_MS)
    page.goto(f"http://{name}:{pages[0].port}/")
    frame = page.frame_locator("iframe")
    frame.get_by_role("heading", name="data in memory").wait_for()
    assert f"//{name}:" in page.frames[1].url and "token" not in page.frames[1].url
    context.close()


def test_a_page_of_another_origin_cannot_show_it(framed, pages, chromium):
    context = chromium.new_context()
    page = context.new_page()
    said = []
    page.on("console", lambda message: said.append(message.text))
    page.goto(f"http://localhost:{pages[1].port}/")
    page.frame_locator("iframe").locator("body.neterror").wait_for(state="attached")
    assert page.frames[1].url.startswith("chrome-error:")
    assert any("frame-ancestors" in each for each in said)
    context.close()


def test_headers_name_the_notebook_and_nobody_else():
    headers = dict(make_headers(["http://localhost:8888"]))
    assert headers[b"content-security-policy"] == b"frame-ancestors http://localhost:8888"
    assert b"x-frame-options" not in headers and headers[b"x-content-type-options"] == b"nosniff"
