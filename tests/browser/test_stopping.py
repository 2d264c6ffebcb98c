"""A server that is stopped while people work: what has begun is stored, and it ends soon."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import curation
from curation.store import open_store
from devtools.serving import ROOT, name_curator
from tests.browser.watching import SlowServer, painted, press
from tests.small_set import write_texts

TABS = 20
# The same server, but once the file is there that its last argument names, every transaction stays
# open for a while before it is committed, and says so.
HOLDING = """
import os, sys, time
from curation.store import backend
run, sign = backend._run, sys.argv.pop()
def hold(*given):
    run(*given)
    if os.path.exists(sign):
        print("a decision is being written", flush=True)
        time.sleep(1.5)
backend._run = hold
from streamlit.web.cli import main
sys.argv = ["streamlit", *sys.argv[1:]]
main()
"""
# More tabs as the server sees them: each has a connection of its own.
OPEN_TABS = """
(count) => Promise.all(Array.from({length: count}, () => new Promise((resolve, reject) => {
  const tab = new WebSocket(location.origin.replace('http', 'ws') + '/_stcore/stream',
    'streamlit');
  tab.onopen = () => resolve();
  tab.onerror = () => reject(new Error('refused'));
  (window.tabs ??= []).push(tab);
})))
"""


class HoldingServer(SlowServer):
    """A server that keeps transactions open for 1.5 seconds, once it is told to."""

    def hold(self) -> None:
        self.sign.touch()

    @property
    def sign(self) -> Path:
        return self.log.with_suffix(".hold")

    def start(self) -> None:
        command = [sys.executable, "-c", HOLDING, "run", "app.py", "--server.headless=true"]
        command += [f"--server.port={self.port}", "--", "--data", str(self.data)]
        command += [str(self.sign)]
        with self.log.open("a") as log:
            self.process = subprocess.Popen(command, cwd=ROOT, stdout=log, stderr=subprocess.STDOUT)
        self.wait()


@pytest.mark.fault(84, "HOLDS")
@pytest.mark.parametrize("stopped_by", ["SIGTERM", "SIGINT"])
def test_a_stopped_server_finishes_the_commit_that_has_begun_and_ends_within_ten_seconds(
    chromium, tmp_path, stopped_by
):
    data = write_texts(tmp_path / "set", 90, 30, rng=np.random.default_rng(1))
    server = HoldingServer(data, tmp_path / "server.log")
    context = chromium.new_context()
    name_curator(context, "tess")
    page = context.new_page()
    try:
        page.goto(server.url("Review"))
        painted(page)
        page.evaluate(OPEN_TABS, TABS - 1)
        server.hold()
        decided = press(page, "x")
        while "a decision is being written" not in server.log.read_text():
            page.wait_for_timeout(10)
        server.process.send_signal(getattr(signal, stopped_by))
        server.process.wait(10)
    finally:
        context.close()
        server.stop()
    assert "Traceback" not in server.log.read_text()
    dataset = curation.load(data)
    with open_store(dataset) as store:
        assert [(each.action, each.example_id) for each in store.log()] == [("keep", decided)]
        assert not any("rebuilt" in notice for notice in store.notices)
