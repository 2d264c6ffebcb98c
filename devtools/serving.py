"""The dashboard on a free port of this machine, and a browser to look at it with."""

from __future__ import annotations

import http.client
import re
import shutil
import socket
import subprocess
import sys
import time
import urllib.parse
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from curation.ui.shell.curator_name import COOKIE

ROOT = Path(__file__).parents[1]
CHROMIUM_FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]
# tabs of one context share a process, and what it has compiled of Streamlit's JavaScript
SHARE_PROCESS = "--process-per-site"
LINK = re.compile(r"http://\S+[?&]token=([\w-]+)")  # what the dashboard prints when it is up
# what Streamlit marks the page with when it has nothing more to draw
IDLE = '[data-testid="stApp"][data-test-script-state="notRunning"]'


def find_port() -> int:
    """Return a port of this machine that is free now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


class Server:
    """The dashboard on a dataset; whoever starts it stops it, or uses it in a `with`.

    Another `app` is one without our gate: it prints no link, and needs none.
    """

    token: str | None = None  # what the link lets one in with
    launcher: tuple[str, ...] = ("-m", "streamlit")  # what Python runs

    def __init__(
        self,
        data: Path | None,
        log: Path,
        *options: str,
        app: str = "app.py",
        port: int | None = None,
        arguments: tuple[str, ...] = (),
    ) -> None:
        self.port = port or find_port()
        self.log = log
        command = [sys.executable, *self.launcher, "run", app, "--server.headless=true"]
        command += [f"--server.port={self.port}", *options]
        command += ["--", *(("--data", str(data)) if data else ()), *arguments]
        with log.open("a") as output:
            self.process = subprocess.Popen(
                command, cwd=ROOT, stdout=output, stderr=subprocess.STDOUT
            )
        self.wait()

    def url(self, page: str = "", **parameters: object) -> str:
        """Return the address of a page, with parameters of its link and the token to come in."""
        if self.token:
            parameters |= {"token": self.token}
        query = urllib.parse.urlencode(parameters)
        return f"http://localhost:{self.port}/{page}" + (f"?{query}" if query else "")

    def enter(self) -> str:
        """Open the link as a browser does, and return the cookie that it gets."""
        connection = http.client.HTTPConnection("localhost", self.port, timeout=10)
        connection.request("GET", f"/?token={self.token}")
        cookie = connection.getresponse().headers["Set-Cookie"]
        connection.close()
        return str(cookie).partition(";")[0]

    def __enter__(self) -> Server:
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def stop(self) -> None:
        self.process.terminate()
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait(10)  # otherwise it is still running when it is forgotten

    def wait(self) -> None:
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline:
            try:
                health = f"http://localhost:{self.port}/_stcore/health"
                urllib.request.urlopen(health, timeout=1)
                self.token = find_token(self.log)
                return
            except OSError:
                assert self.process.poll() is None, self.log.read_text()
                time.sleep(0.1)
        raise AssertionError(f"the server did not start:\n{self.log.read_text()}")


def find_token(log: Path) -> str | None:
    """Return the token of the last link in a server's log; None if it printed none."""
    found = LINK.findall(log.read_text())
    return found[-1] if found else None


def name_curator(context: Any, name: str) -> None:
    """Let a browser remember who decides, as if its user had been asked before."""
    value = urllib.parse.quote(name, safe="")
    context.add_cookies([{"name": COOKIE, "value": value, "url": "http://localhost"}])


def wait_until_drawn(page: Any, timeout: float = 60_000) -> None:
    """Wait until a page is there, shows no progress bar, and has nothing more to draw."""
    page.wait_for_selector(f"{IDLE} [data-testid=stElementContainer]:visible", timeout=timeout)
    page.wait_for_function(
        "() => !document.querySelector('[data-testid=stProgress], [data-testid=stSkeleton]')",
        timeout=timeout,
    )
    page.wait_for_selector(IDLE, timeout=timeout)


@contextmanager
def open_browser(*flags: str) -> Iterator[Any]:
    """Yield Debian's Chromium under Playwright; raise a RuntimeError if there is none."""
    from playwright.sync_api import sync_playwright

    path = shutil.which("chromium")
    if path is None:
        raise RuntimeError("chromium is not installed; on Debian: apt-get install chromium")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=[*CHROMIUM_FLAGS, *flags])
        yield browser
        browser.close()
