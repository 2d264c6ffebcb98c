"""The link that `curate` prints and opens: who has it is in, and `ps` does not show it."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
import urllib.parse
from pathlib import Path

import pytest

from curation.ui.shell.curator_name import COOKIE as CURATOR_COOKIE
from devtools.serving import ROOT, Server, find_port
from tests.browser.conftest import TIMEOUT_MS, settle

NOTE = '#!/bin/sh\nprintf %s "$1" > "$OPENED.new" && mv "$OPENED.new" "$OPENED"\n'


class OpeningServer(Server):
    """The dashboard as `curate` starts it, with a browser that only notes what it should open."""

    def __init__(self, folder: Path) -> None:
        self.port, self.log, self.opened = find_port(), folder / "log", folder / "opened"
        browser = folder / "browser"
        browser.write_text(NOTE)
        browser.chmod(0o755)
        code = "import sys; from curation.cli import main; sys.exit(main(sys.argv[1:]))"
        more = {"BROWSER": str(browser), "OPENED": str(self.opened), "PYTHONPATH": str(ROOT)}
        more |= {"XDG_DATA_HOME": str(folder / "home"), "PATH": "/usr/sbin:/bin"}
        with self.log.open("w") as log:
            self.process = subprocess.Popen(
                [sys.executable, "-c", code, f"--port={self.port}"], cwd=folder, stdout=log,
                stderr=subprocess.STDOUT, env=os.environ | more,
            )  # fmt: skip
        self.wait()


@pytest.fixture
def opening(tmp_path):
    with OpeningServer(tmp_path) as server:
        yield server


def test_the_browser_is_let_in_without_showing_the_token_to_others(opening, page):
    for _ in range(100):
        if opening.opened.exists():
            break
        page.wait_for_timeout(100)
    address = opening.opened.read_text()
    assert address.startswith("file://") and opening.token not in address
    file = Path(urllib.parse.unquote(urllib.parse.urlsplit(address).path))
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    page.goto(address)
    page.wait_for_selector('h1:has-text("objects")')
    settle(page)
    assert page.url == f"http://localhost:{opening.port}/"
    kept = {each["name"]: each for each in page.context.cookies()}
    ours = [name for name in kept if name.startswith("curation_") and name != CURATOR_COOKIE]
    assert [(kept[name]["httpOnly"], kept[name]["sameSite"]) for name in ours] == [(True, "Strict")]
    page.goto("about:blank")  # it would complain of the lost server
    opening.stop()
    assert not file.exists()


def test_a_tab_without_the_link_takes_the_token(opening, chromium):
    context = chromium.new_context(viewport={"width": 420, "height": 800})
    tab = context.new_page()
    tab.set_default_timeout(TIMEOUT_MS)
    frames = []
    tab.on("websocket", lambda socket: socket.on("framereceived", lambda data: frames.append(data)))
    tab.goto(f"http://localhost:{opening.port}/Noise?scale=log")
    tab.get_by_role("heading", name="Open Curation with its link").wait_for()
    assert not frames
    tab.get_by_label("Token").fill("wrong")
    tab.get_by_role("button", name="Open").click()
    tab.get_by_text("That token is not the one of this server").wait_for()
    tab.get_by_label("Token").fill(opening.token)
    tab.get_by_role("button", name="Open").click()
    tab.wait_for_selector('h1:has-text("Noise")')
    assert "scale=log" in tab.url and "token" not in tab.url
    context.close()
