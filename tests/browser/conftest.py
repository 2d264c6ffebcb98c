"""A real server on a free port and a real Chromium, shared by the browser tests."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import numpy as np
import pytest
from PIL import Image

import curation
from curation.store import open_store
from devtools.serving import IDLE, SHARE_PROCESS, Server, name_curator, open_browser
from tests import small_set
from tests.browser.watching import WATCH, SlowServer

pytest.importorskip("playwright.sync_api")

TIMEOUT_MS = 90_000  # long: two browsers and two servers share the two cores of a small machine
GROUNDS = {"light": "rgb(255, 255, 255)", "dark": "rgb(17, 22, 28)"}  # of our theme
CURATOR = "tess"  # who decides, unless a test says otherwise
FLAGGED = 420
LARGE = f"p{3 * FLAGGED - 1:05}"  # nobody flags it, and it is 3,000 pixels wide


@pytest.fixture(scope="session")
def chromium() -> Iterator[Any]:
    try:
        with open_browser(SHARE_PROCESS) as browser:
            yield browser
    except RuntimeError as error:
        pytest.fail(str(error)) if os.environ.get("CI") == "true" else pytest.skip(str(error))


@dataclass(frozen=True)
class Served:
    """A dataset on a server that others use too; its links name it."""

    server: Server
    data: Path

    def url(self, page: str = "", **parameters: object) -> str:
        return self.server.url(page, **{"data": self.data, **parameters})

    @property
    def log(self) -> Path:
        return self.server.log


@pytest.fixture(scope="session")
def demo_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """One server on the demo data for all tests that need none of their own."""
    home = tmp_path_factory.mktemp("home")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_DATA_HOME", str(home))  # no test is "opened lately"
        patch.setenv("XDG_CACHE_HOME", str(home / "cache"))  # and nothing was measured before
        server = Server(None, home / "server.log")
    yield server
    server.stop()
    assert "Traceback" not in server.log.read_text()


@pytest.fixture
def serve(demo_server: Server) -> Callable[[Path], Served]:
    """Open a dataset on the shared server: `serve(path)`."""
    return lambda data: Served(demo_server, data)


@pytest.fixture
def serve_cold(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """Start a server that has answered nobody yet: `serve_cold(path)`; it ends with the test."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data home"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache home"))
    servers: list[Server] = []

    def start(data: Path | None = None, *options: str) -> Server:
        servers.append(Server(data, tmp_path / f"server-{len(servers)}.log", *options))
        return servers[-1]

    yield start
    for server in servers:
        server.stop()


class Profile:
    """A person's browser, which is emptied and used again by the next test.

    A tab of it stays open at the server. So Chromium keeps its process, which has compiled
    Streamlit's JavaScript, and the next test has its page in half the time.
    """

    def __init__(self, chromium: Any, server: Server, script: str = "") -> None:
        self.context = chromium.new_context(viewport={"width": 1440, "height": 900})
        if script:
            self.context.add_init_script(script)
        self._anchor = self.context.new_page()
        self._anchor.goto(server.url("_stcore/health"))
        self._tools = self.context.new_cdp_session(self._anchor)
        self._visited: set[str] = set()
        self.context.on("request", lambda request: self._visited.add(request.url))

    def clear(self) -> None:
        """Close all other tabs, and forget what they kept."""
        self.context.set_offline(False)
        for each in self.context.pages:
            if each is not self._anchor:
                each.close()
        for origin in {"://".join(urlsplit(each)[:2]) for each in self._visited}:
            if origin.startswith("http"):
                what = {"origin": origin, "storageTypes": "all"}
                self._tools.send("Storage.clearDataForOrigin", what)
        self._visited.clear()
        self.context.clear_cookies()


@pytest.fixture(scope="session")
def profile(chromium: Any, demo_server: Server) -> Profile:
    return Profile(chromium, demo_server)


@pytest.fixture(scope="session")
def watched_profiles() -> list[Profile]:
    """The browsers in which `review` opens its tabs, one for each tab of a test."""
    return []


@pytest.fixture
def page(profile: Profile) -> Iterator[Any]:
    """A page at 1440 x 900 that fails the test on any error in the browser's console."""
    try:
        with watch_page(profile.context) as opened:
            yield opened
    finally:
        profile.clear()


@contextmanager
def open_page(chromium: Any, *, width: int = 1440, theme: str = "light") -> Iterator[Any]:
    """Open a page in a context of its own; fails on any error in the browser's console."""
    size = {"width": width, "height": 900}
    context = chromium.new_context(viewport=size, color_scheme=theme)
    try:
        with watch_page(context) as opened:
            yield opened
    finally:
        context.close()


@contextmanager
def watch_page(context: Any) -> Iterator[Any]:
    """Open a page in a context; fails on any error in the browser's console."""
    name_curator(context, CURATOR)
    opened = context.new_page()
    opened.set_default_timeout(TIMEOUT_MS)
    errors: list[str] = []

    def note(message: Any) -> None:
        if is_error(message):
            errors.append(message.text)

    opened.on("console", note)
    opened.on("pageerror", lambda error: errors.append(str(error)))
    yield opened
    assert not errors, errors


def is_error(message: Any) -> bool:
    """Tell an error from what the console says of requests that are expected to fail.

    Streamlit looks for its server under the page of a deep link first. And a message of Review is
    answered by 404 or 503 if the page has to be drawn again.
    """
    asked = message.location.get("url", "")
    is_asked_again = "/_review/" in asked and re.search(r"status of (404|503)", message.text)
    return message.type == "error" and "/_stcore/" not in asked and not is_asked_again


def find_ground(page: Any) -> str:
    """Return the colour behind everything; our theme's dark one is not Streamlit's own."""
    colour: str = page.get_by_test_id("stApp").evaluate("e => getComputedStyle(e).backgroundColor")
    return colour


def settle(page: Any) -> None:
    """Wait until the page has nothing more to draw."""
    page.wait_for_selector(IDLE)


@pytest.fixture(scope="module")
def slow(tmp_path_factory):
    folder = tmp_path_factory.mktemp("slow")
    data = small_set.write_images(
        folder / "set", 3 * FLAGGED, FLAGGED, size=32, rng=np.random.default_rng(9)
    )
    Image.new("RGB", (3000, 1500), "teal").save(data / f"images/{LARGE[1:]}.png")
    server = SlowServer(data, folder / "server.log")
    yield server
    server.stop()


@pytest.fixture
def review(chromium, slow, demo_server, watched_profiles):
    """A fresh store, and a function that opens the page in a browser of its own."""
    used, errors = [], []
    store = open_store(curation.load(slow.data))
    begin = max([entry.seq for entry in store.log()], default=0)
    with store.backend.writer.begin() as connection:  # the tabs of earlier tests are closed
        connection.exec_driver_sql("DELETE FROM claims")

    def note(message):
        if is_error(message) and not start.lost:
            errors.append(message.text)

    def start(curator=CURATOR, **parameters):
        if len(used) == len(watched_profiles):
            watched_profiles.append(Profile(chromium, demo_server, WATCH))
        used.append(watched_profiles[len(used)])
        context = used[-1].context
        name_curator(context, curator)
        tab = context.new_page()
        tab.set_default_timeout(TIMEOUT_MS)
        tab.on("pageerror", lambda error: errors.append(str(error)))
        tab.on("console", note)
        tab.on("dialog", lambda dialog: dialog.accept())
        tab.goto(slow.url("Review", **parameters))
        tab.wait_for_selector(".stage[data-painted], .tile")
        return tab

    start.store, start.since = store, lambda: store.log(after=begin)
    start.lost = False  # whether the test cuts the connection: Streamlit complains of that
    yield start
    for each in used:
        each.clear()
    store.close()
    assert not errors, errors
