"""The dashboard is for this machine: it listens on loopback, and to no other Host or Origin.

All that a page shows goes over one websocket; what else Streamlit serves is its own JavaScript.
"""

from __future__ import annotations

import base64
import http.client
import os
import subprocess
import sys
from pathlib import Path

import pytest

from devtools.serving import ROOT, Server, find_port

LISTENING = "0A"  # the state of a socket in /proc/net/tcp
LOOPBACK = ("0100007F", "00000000000000000000000001000000")  # 127.0.0.1 and ::1
SOCKET = {
    "Upgrade": "websocket",
    "Connection": "Upgrade",
    "Sec-WebSocket-Version": "13",
    "Sec-WebSocket-Key": base64.b64encode(b"0123456789abcdef").decode(),
}


class Launched(Server):
    """The dashboard as `curate` starts it, from a folder without any settings of Streamlit's."""

    def __init__(self, folder: Path) -> None:
        self.port, self.log = find_port(), folder / "server.log"
        start = "import sys; from curation.cli import main; sys.exit(main(sys.argv[1:]))"
        command = [sys.executable, "-c", start, "--no-browser", f"--port={self.port}"]
        with self.log.open("wb") as log:
            self.process = subprocess.Popen(
                command, cwd=folder, stdout=log, stderr=subprocess.STDOUT,
                env=os.environ | {"HOME": str(folder), "PYTHONPATH": str(ROOT)},
            )  # fmt: skip
        self.wait()


@pytest.fixture(scope="module", params=["curate", "streamlit run app.py"])
def server(request, tmp_path_factory):
    folder = tmp_path_factory.mktemp("safety")
    launched = Launched(folder) if request.param == "curate" else Server(None, folder / "log")
    with launched:
        yield launched


def ask(server, *, host="localhost", **headers):
    """Return the status of the answer to a page that asks for its websocket."""
    connection = http.client.HTTPConnection("localhost", server.port, timeout=10)
    connection.putrequest("GET", "/_stcore/stream", skip_host=True)
    for name, value in {"Host": f"{host}:{server.port}", **SOCKET, **headers}.items():
        connection.putheader(name, value)
    connection.endheaders()
    status = connection.getresponse().status
    connection.close()
    return status


@pytest.mark.skipif(not Path("/proc/net/tcp").exists(), reason="reads Linux's list of sockets")
def test_it_listens_on_loopback_alone(server):
    rows = [
        line.split()
        for name in ("tcp", "tcp6")
        for line in Path("/proc/net", name).read_text().splitlines()[1:]
    ]
    places = [row[1].split(":") for row in rows if row[3] == LISTENING]
    mine = [address for address, port in places if int(port, 16) == server.port]
    assert mine and set(mine) <= set(LOOPBACK)


def test_another_host_or_origin_is_shown_nothing(server):
    mine = f"http://localhost:{server.port}"
    assert ask(server, Origin=mine) == 101
    assert ask(server, Origin="http://evil.example") == 403
    assert ask(server, host="evil.example", Origin=mine) == 403
