"""Nothing leaves this machine, neither from the server nor from the browser."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from devtools.serving import ROOT
from tests.browser.conftest import settle
from tests.browser.test_every_page import PAGES
from tests.browser.watching import SlowServer

# Ends a program at its first look beyond this machine. Python tells an audit hook about every
# connection and every question for an address, also those of libraries.
GUARD = """
import os, sys
def refuse(event, given):
    if event in ("socket.connect", "socket.sendto", "socket.sendmsg"):
        address = given[1]
        host = address[0] if isinstance(address, tuple) else "local"  # a socket file
    elif event in ("socket.getaddrinfo", "socket.gethostbyname", "socket.gethostbyaddr"):
        host = given[0]
    else:
        return
    if host not in (None, "", "local", "localhost", "127.0.0.1", "::1", "0.0.0.0", "::"):
        print("REACHED OUT:", event, given, flush=True)
        os._exit(86)
sys.addaudithook(refuse)
"""
SERVE = (
    GUARD
    + """
from streamlit.web.cli import main
sys.argv = ["streamlit", *sys.argv[1:]]
main()
"""
)
WORK = (
    GUARD
    + """
import curation
dataset = curation.load(sys.argv[1])
curation.analyze(dataset.labels, dataset.pred_probs, dataset.class_names)
with curation.open_store(dataset) as store:
    store.decide(str(dataset.ids[0]), "keep", curator="ana")
    curation.export(dataset, store, sys.argv[2])
print("done")
"""
)


class GuardedServer(SlowServer):
    """The same server, which ends if it ever reaches out."""

    def start(self) -> None:
        command = [sys.executable, "-c", SERVE, "run", "app.py", "--server.headless=true"]
        command += [f"--server.port={self.port}", "--", "--data", str(self.data)]
        with self.log.open("a") as log:
            self.process = subprocess.Popen(command, cwd=ROOT, stdout=log, stderr=subprocess.STDOUT)
        self.wait()


@pytest.fixture
def objects(tmp_path: Path) -> Path:
    return Path(shutil.copytree(ROOT / "demo_data" / "objects", tmp_path / "objects"))


def test_the_guard_ends_a_program_that_reaches_out() -> None:
    asking = "import socket; socket.socket().connect(('192.0.2.1', 80))"
    done = subprocess.run([sys.executable, "-c", GUARD + asking], capture_output=True, text=True)
    assert done.returncode == 86 and "REACHED OUT: socket.connect" in done.stdout


def test_loading_deciding_and_exporting_need_no_network(objects: Path, tmp_path: Path) -> None:
    command = [sys.executable, "-c", WORK, str(objects), str(tmp_path / "out")]
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT)
    assert done.stdout == "done\n", done.stdout + done.stderr


def test_every_page_is_shown_and_an_export_written_without_a_network(
    page, objects, tmp_path, monkeypatch
):
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data home"))  # not "opened lately"
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache home"))
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    server = GuardedServer(objects, tmp_path / "server.log")
    try:
        for name, selector in PAGES.items():
            page.goto(server.url(name))
            page.wait_for_selector(selector, state="attached")
            settle(page)
        page.goto(server.url("Export"))
        folder = page.get_by_role("textbox", name="Folder on this machine")
        folder.fill(str(tmp_path / "out"))
        folder.press("Enter")
        settle(page)
        page.get_by_role("button", name="Write files").click()
        page.get_by_text("files were written to").wait_for()
    finally:
        server.stop()
    assert "REACHED OUT" not in server.log.read_text()
    local = (f"http://localhost:{server.port}/", "data:", "blob:")
    assert [url for url in asked if not url.startswith(local)] == []
