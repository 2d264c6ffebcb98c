"""A real server on a free port and a real Chromium, shared by the browser tests."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

sync_api = pytest.importorskip("playwright.sync_api")

ROOT = Path(__file__).parents[2]
CHROMIUM_FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]
IDLE = '[data-testid="stApp"][data-test-script-state="notRunning"]'


class Server:
    """The dashboard on a dataset; ended by the test that started it."""

    def __init__(self, data: Path | None, log: Path, *options: str) -> None:
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        self.log = log
        command = [sys.executable, "-m", "streamlit", "run", "app.py", "--server.headless=true"]
        command += [f"--server.port={self.port}", *options]
        command += ["--", "--data", str(data)] if data else []
        self.process = subprocess.Popen(
            command, cwd=ROOT, stdout=log.open("a"), stderr=subprocess.STDOUT
        )
        self._wait()

    def url(self, page: str = "", **parameters: object) -> str:
        query = "&".join(f"{name}={value}" for name, value in parameters.items())
        return f"http://localhost:{self.port}/{page}" + (f"?{query}" if query else "")

    def stop(self) -> None:
        self.process.terminate()
        self.process.wait(10)

    def _wait(self) -> None:
        deadline = time.monotonic() + 30
        while time.monotonic() < deadline:
            try:
                urllib.request.urlopen(self.url("_stcore/health"), timeout=1)
                return
            except OSError:
                assert self.process.poll() is None, self.log.read_text()
                time.sleep(0.1)
        raise AssertionError(f"the server did not start:\n{self.log.read_text()}")


@pytest.fixture(scope="session")
def chromium() -> Iterator[Any]:
    path = shutil.which("chromium")
    if path is None:
        words = "chromium is not installed; on Debian: apt-get install chromium"
        pytest.fail(words) if os.environ.get("CI") == "true" else pytest.skip(words)
    with sync_api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=CHROMIUM_FLAGS)
        yield browser
        browser.close()


@pytest.fixture
def serve(tmp_path: Path) -> Iterator[Any]:
    """Start a server on a dataset: `serve(path)`; it ends with the test."""
    servers: list[Server] = []

    def start(data: Path | None = None, *options: str) -> Server:
        servers.append(Server(data, tmp_path / f"server-{len(servers)}.log", *options))
        return servers[-1]

    yield start
    for server in servers:
        server.stop()


@pytest.fixture
def page(chromium: Any) -> Iterator[Any]:
    """A page at 1440 x 900 that fails the test on any error in the browser's console."""
    context = chromium.new_context(viewport={"width": 1440, "height": 900})
    opened = context.new_page()
    opened.set_default_timeout(20_000)
    errors: list[str] = []
    opened.on("console", lambda message: errors.append(message.text) if is_error(message) else None)
    opened.on("pageerror", lambda error: errors.append(str(error)))
    yield opened
    context.close()
    assert not errors, errors


def is_error(message: Any) -> bool:
    """Tell an error from Streamlit looking for its server under the page of a deep link first."""
    asked = message.location.get("url", "")
    return message.type == "error" and "/_stcore/" not in asked


def settle(page: Any) -> None:
    """Wait until the page has nothing more to draw."""
    page.wait_for_selector(IDLE)
