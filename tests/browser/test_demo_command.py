"""The README's demo command, on a machine that has never seen Streamlit, and its dashboard."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import urllib.request
from pathlib import Path

import pytest

from devtools.serving import find_port, find_token
from tests.browser.conftest import GROUNDS, find_ground, settle
from tests.test_readme import ROOT, command

START_TIMEOUT_MS = 300_000  # a package may be built on the way


@pytest.fixture
def start(tmp_path):
    """Start a shell command with an empty home; what it started ends with the test."""
    started: list[subprocess.Popen[bytes]] = []
    home = tmp_path / "home"
    home.mkdir()
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}

    def run(line: str, folder: Path, log: Path) -> subprocess.Popen[bytes]:
        # stdin stays open and silent, as a terminal does: nothing may wait for an answer
        with log.open("wb") as output:
            process = subprocess.Popen(
                ["bash", "-c", line], cwd=folder, stdin=subprocess.PIPE, stdout=output,
                stderr=subprocess.STDOUT, start_new_session=True,
                env=kept | {"HOME": str(home), "BROWSER": "true"},
            )  # fmt: skip
        started.append(process)
        return process

    yield run
    for process in started:
        os.killpg(process.pid, signal.SIGTERM)
        process.communicate(timeout=30)


def wait_for(page, port, process, log):
    for _ in range(START_TIMEOUT_MS // 500):
        try:
            urllib.request.urlopen(f"http://localhost:{port}/_stcore/health", timeout=1)
            return
        except OSError:
            page.wait_for_timeout(500)
            if process.poll() is not None:
                break
    raise AssertionError(f"the dashboard did not start:\n{log.read_text()}")


@pytest.mark.timeout(900)  # it installs everything
def test_demo_command_opens_the_demo_and_its_launcher_works_anywhere(start, page, tmp_path):
    copy = tmp_path / "copy"
    files = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT, capture_output=True, text=True, check=True,
    ).stdout.split("\0")  # fmt: skip
    for name in filter(None, files):
        (copy / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, copy / name)

    port, log = find_port(), tmp_path / "demo.log"
    process = start(f"{command('demo')} --port {port}", copy, log)
    wait_for(page, port, process, log)
    page.goto(f"http://localhost:{port}/?token={find_token(log)}")
    page.wait_for_selector('h1:has-text("objects")', timeout=60_000)
    settle(page)
    assert not (copy / "demo_data" / "objects" / ".curation").exists()

    port, log = find_port(), tmp_path / "own.log"
    elsewhere = tmp_path / "elsewhere"
    shutil.copytree(copy / "demo_data" / "digits", elsewhere / "mine")
    process = start(f"{copy}/.venv/bin/curate mine --port {port}", elsewhere, log)
    wait_for(page, port, process, log)
    page.goto(f"http://localhost:{port}/Noise?token={find_token(log)}")
    page.wait_for_selector('h1:has-text("Noise")', timeout=60_000)
    page.wait_for_selector('[data-testid="stSidebar"] >> text=mine')
    settle(page)
    page.emulate_media(color_scheme="dark")
    page.goto(f"http://localhost:{port}/Review")
    page.wait_for_selector(".stage[data-painted]", timeout=60_000)  # the component came along
    assert find_ground(page) == GROUNDS["dark"]  # and so did the theme
