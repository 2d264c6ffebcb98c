"""The dashboard as a process of its own on this machine, started by the `curate` command."""

from __future__ import annotations

import atexit
import os
import re
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request
from collections import deque
from collections.abc import Sequence
from pathlib import Path
from urllib.parse import urlsplit

from curation.errors import CurationError

COMMAND = (sys.executable, "-m", "curation.cli.open_for_program")
ADDRESS = re.compile(r"https?://[^\s\x1b]+")
START_SECONDS = 120
POLL_SECONDS = 0.1
END_SECONDS = 5
LINES_KEPT = 50  # of what the server prints
LOCAL_NAMES = ("localhost", "127.0.0.1")  # under which a browser on this machine finds it


class DashboardProcess:
    """A running dashboard; it ends with this program, however that ends."""

    def __init__(
        self, folder: Path, *, browser: bool = False, framed_by: Sequence[str] = ()
    ) -> None:
        self._lines: deque[str] = deque(maxlen=LINES_KEPT)
        self._addresses: list[str] = []
        options = [] if browser else ["--no-browser"]
        options += ["--framed-by", *framed_by] if framed_by else []
        self._process = subprocess.Popen(
            [*COMMAND, str(folder), *options], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, text=True, errors="replace",
            env={**os.environ, "PYTHONUNBUFFERED": "1"},
        )  # fmt: skip
        atexit.register(self.stop)
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()
        try:
            self.url = self._wait()
        except BaseException:
            self.stop()
            raise

    @property
    def running(self) -> bool:
        """Return whether the dashboard still answers."""
        return self._process.poll() is None

    def stop(self) -> None:
        """End the dashboard; nothing happens if it has ended."""
        atexit.unregister(self.stop)
        if self._process.stdin is not None:
            self._process.stdin.close()  # which ends it
        try:
            self._process.wait(END_SECONDS)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait(END_SECONDS)
        self._reader.join(END_SECONDS)
        if self._process.stdout is not None:
            self._process.stdout.close()

    def _read(self) -> None:
        """Keep the last lines that the server prints, and every address in them."""
        assert self._process.stdout is not None
        for line in self._process.stdout:
            self._lines.append(line)
            self._addresses += ADDRESS.findall(line)

    def _wait(self) -> str:
        """Return the address of the dashboard once it answers."""
        deadline = time.monotonic() + START_SECONDS
        while time.monotonic() < deadline and self.running:
            if self._addresses and _answers(self._addresses[0]):
                time.sleep(POLL_SECONDS)  # until what it has printed is read
                # one that carries more than the page, such as a key, is the one to open
                return max(self._addresses, key=len)
            time.sleep(POLL_SECONDS)
        self._process.kill()
        self._reader.join(END_SECONDS)
        raise CurationError(
            f"The dashboard did not start:\n{''.join(self._lines).strip()[-2000:]}",
            "Read what it printed above, then open the session again.",
        )


def _answers(address: str) -> bool:
    """Return whether a server answers at the host and port of an address, whatever it says."""
    parts = urlsplit(address)
    try:
        urllib.request.urlopen(f"{parts.scheme}://{parts.netloc}/_stcore/health", timeout=2).close()
    except urllib.error.HTTPError:
        return True
    except OSError:
        return False
    return True
