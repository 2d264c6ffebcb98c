"""The dashboard is for whoever started it: it listens on loopback, to no other Host or Origin, and
answers nobody who does not have its link (FAULTS 59 and 60).
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


# If they were read, no page would be found at its address.
EVIL_SETTINGS = '[server]\nenableCORS = false\nallowedHosts = ["*"]\nbaseUrlPath = "elsewhere"\n'


class Launched(Server):
    """The dashboard as `curate` starts it, from a folder whose settings would open the door."""

    def __init__(self, folder: Path) -> None:
        self.port, self.log = find_port(), folder / "server.log"
        (folder / ".streamlit").mkdir()
        (folder / ".streamlit" / "config.toml").write_text(EVIL_SETTINGS)
        start = "import sys; from curation.cli import main; sys.exit(main(sys.argv[1:]))"
        command = [sys.executable, "-c", start, "--no-browser", f"--port={self.port}"]
        with self.log.open("wb") as log:
            self.process = subprocess.Popen(
                command, cwd=folder, stdout=log, stderr=subprocess.STDOUT,
                env=os.environ | {"HOME": str(folder / "home"), "PYTHONPATH": str(ROOT)},
            )  # fmt: skip
        self.wait()


@pytest.fixture(scope="module", params=["curate", "streamlit run app.py"])
def server(request, tmp_path_factory):
    folder = tmp_path_factory.mktemp("safety")
    launched = Launched(folder) if request.param == "curate" else Server(None, folder / "log")
    with launched:
        launched.cookie = launched.enter()
        yield launched


def ask(server, path="/_stcore/stream", *, host="localhost", cookie=None, **headers):
    """Return the answer to a page that asks for its websocket, or for something else.

    It comes from the browser that was let in, unless another cookie is given.
    """
    headers |= {"Cookie": server.cookie if cookie is None else cookie}
    connection = http.client.HTTPConnection("localhost", server.port, timeout=10)
    connection.putrequest("GET", path, skip_host=True)
    more = SOCKET if path == "/_stcore/stream" else {}
    for name, value in {"Host": f"{host}:{server.port}", **more, **headers}.items():
        connection.putheader(name, value)
    connection.endheaders()
    answer = connection.getresponse()
    connection.close()
    return answer


@pytest.mark.fault(59, "HOLDS")
@pytest.mark.skipif(not Path("/proc/net/tcp").exists(), reason="reads Linux's list of sockets")
def test_it_listens_only_on_loopback(server):
    rows = [
        line.split()
        for name in ("tcp", "tcp6")
        for line in Path("/proc/net", name).read_text().splitlines()[1:]
    ]
    places = [row[1].split(":") for row in rows if row[3] == LISTENING]
    mine = [address for address, port in places if int(port, 16) == server.port]
    assert mine and set(mine) <= set(LOOPBACK)


@pytest.mark.fault(60, "HOLDS")
def test_another_host_or_origin_is_shown_nothing(server):
    mine = f"http://localhost:{server.port}"
    assert ask(server, Origin=mine).status == 101
    assert (
        ask(server, host="127.0.0.1", Origin=mine.replace("localhost", "127.0.0.1")).status == 101
    )
    for other in ("http://evil.example", "http://localhost:9999", "http://0.0.0.0:5000", "null"):
        assert ask(server, Origin=other).status == 403
        assert ask(server, "/", Origin=other).status == 403
    assert ask(server, host="evil.example", Origin=mine).status == 403
    for path in ("/", "/_stcore/health", "/Review"):
        assert ask(server, path, host="evil.example").status == 403


def test_pages_cannot_be_framed(server):
    answer = ask(server, "/")
    assert answer.status == 200
    assert answer.getheader("X-Frame-Options") == "DENY"
    assert answer.getheader("Content-Security-Policy") == "frame-ancestors 'none'"


@pytest.mark.fault(59, "HOLDS")
def test_streamlit_refuses_to_start_where_others_could_reach_it():
    command = [sys.executable, "-m", "streamlit", "run", "app.py", "--server.headless=true"]
    command += [f"--server.port={find_port()}", "--server.address=0.0.0.0"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=60)
    assert done.returncode != 0
    assert "nobody has to sign in" in done.stderr and "Traceback" not in done.stderr
    assert "ssh -L" in done.stderr and "--access FILE" in done.stderr  # the two ways


def read(server, path, **headers):
    """Return the status and the body of an answer."""
    connection = http.client.HTTPConnection("localhost", server.port, timeout=10)
    connection.request("GET", path, headers=headers)
    answer = connection.getresponse()
    body = answer.read().decode("utf-8", "replace")
    connection.close()
    return answer.status, body


PLACES = (
    "/",
    "/Review?data=demo:digits",
    "/media/0123456789abcdef.png",
    "/component/x/index.js",
    "/_stcore/bidi-components/x/index.js",
    "/_stcore/host-config",
    "/_stcore/upload_file/a/b",
    "/static/js/index.js",
    "/auth/login",
)


@pytest.mark.fault(60, "HOLDS")
@pytest.mark.parametrize("place", PLACES)
def test_nobody_is_shown_anything_without_the_link(server, place):
    status, body = read(server, place)
    assert status == 403 and "the link that <code>curate</code> printed" in body


def test_what_the_link_leads_to_is_shown_with_the_cookie_alone(server):
    assert read(server, "/", Cookie=server.cookie)[0] == 200
    assert read(server, "/_stcore/host-config", Cookie=server.cookie)[0] == 200


@pytest.mark.fault(60, "HOLDS")
@pytest.mark.parametrize("forged", ["", "curation_0=1.0", "swapped", "longer"])
def test_a_websocket_without_the_right_cookie_gets_no_frame(server, forged):
    name, _, value = server.cookie.partition("=")
    issued, _, signature = value.partition(".")
    forged = {
        "swapped": f"{name}={issued}.{signature[::-1]}",
        "longer": f"{name}={int(issued) + 9}.{signature}",
    }.get(forged, forged)
    mine = f"http://localhost:{server.port}"
    assert ask(server, cookie=forged, Origin=mine).status == 403
    assert ask(server, Origin=mine).status == 101
    assert ask(server, cookie="", path="/_stcore/stream", Origin=mine).read() == b""


@pytest.mark.fault(60, "HOLDS")
def test_a_wrong_token_lets_nobody_in(server):
    status, body = read(server, "/?token=wrong&data=demo%3Adigits")
    assert status == 403 and "not the one of this server" in body
    assert 'value="demo:digits"' in body  # the form keeps what the link says
    assert server.token not in body
    assert read(server, "/?token=%E2%98%83")[0] == 403


def test_the_health_check_says_only_that_it_is_up(server):
    assert read(server, "/_stcore/health") == (200, "ok")


def test_a_refusal_is_logged_with_its_place_and_without_its_token(server):
    read(server, "/Noise?token=very-wrong")
    log = server.log.read_text()
    assert "refused somebody at 127.0.0.1: '/Noise': no cookie of this server" in log
    assert "very-wrong" not in log and log.count(server.token) == 1  # in the printed link


def test_the_password_of_a_database_is_refused_on_streamlits_command_line_too():
    command = [sys.executable, "-m", "streamlit", "run", "app.py", "--server.headless=true"]
    command += [f"--server.port={find_port()}", "--", "--data", "x"]
    command += ["--store", "postgresql://ana:pa55word@host/base"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=60)
    assert done.returncode != 0 and "PGPASSWORD" in done.stderr
    assert "pa55word" not in done.stdout + done.stderr and "Traceback" not in done.stderr
