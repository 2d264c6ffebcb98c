"""`curate --access FILE` behind a proxy: only what the declared proxy says counts (FAULTS 61)."""

from __future__ import annotations

import http.client
import os
import subprocess
import sys

import pytest

from devtools.serving import ROOT, Server, find_port

SECRET = "the-secret-that-the-proxy-sends-012345"
CURATE = "import sys; from curation.cli import main; sys.exit(main(sys.argv[1:]))"


class BehindProxy(Server):
    """The dashboard for a team, on all addresses of this machine."""

    def __init__(self, folder, address):
        self.port, self.log = find_port(), folder / "log"
        file = folder / "access.toml"
        file.write_text(
            f'public_url = "http://localhost:{self.port}"\n[proxy]\naddresses = ["{address}"]\n'
            f'user_header = "X-User"\nsecret = "{SECRET}"\n[roles]\nviewer = ["vic"]\n'
        )
        file.chmod(0o600)
        command = [sys.executable, "-c", CURATE, "--no-browser", f"--port={self.port}"]
        more = {"XDG_DATA_HOME": str(folder / "home"), "PYTHONPATH": str(ROOT)}
        with self.log.open("wb") as log:
            self.process = subprocess.Popen(
                [*command, "--host", "0.0.0.0", "--access", str(file)], cwd=folder, stdout=log,
                stderr=subprocess.STDOUT, env=os.environ | more,
            )  # fmt: skip
        self.wait()

    def ask(self, **headers):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=10)
        given = {name.replace("_", "-"): value for name, value in headers.items()}
        connection.request("GET", "/", headers={"Host": f"localhost:{self.port}", **given})
        status = connection.getresponse().status
        connection.close()
        return status


def test_whom_the_proxy_names_is_let_in_and_nobody_else(tmp_path):
    with BehindProxy(tmp_path, "127.0.0.1") as server:
        secret = {"X_Curation_Proxy_Secret": SECRET}
        assert server.ask(X_User="vic", **secret) == 200
        assert server.ask(X_User="vic", X_Forwarded_For="192.0.2.9", **secret) == 200
        assert server.ask(X_User="vic") == 403
        assert server.ask(X_User="eve", **secret) == 403
        assert server.ask(**secret) == 403
        log = server.log.read_text()
    assert "refused 'eve' at 127.0.0.1: '/': they have no role" in log
    assert f"http://localhost:{server.port}/" in log and SECRET not in log and "token" not in log


def test_no_header_makes_a_request_one_of_the_proxys(tmp_path):
    with BehindProxy(tmp_path, "192.0.2.7") as server:
        secret = {"X_Curation_Proxy_Secret": SECRET}
        for spoofed in ({}, {"X_Forwarded_For": "192.0.2.7"}, {"Forwarded": "for=192.0.2.7"}):
            assert server.ask(X_User="vic", **secret, **spoofed) == 403
        told = "a request that names a user from 127.0.0.1, which is not the proxy"
        assert server.log.read_text().count(told) == 3


@pytest.mark.parametrize("way", ["flag", "environment"])
def test_a_mistake_in_the_access_file_is_said_before_anything_starts(tmp_path, way):
    file = tmp_path / "access.toml"
    file.write_text('public_url = "https://x.example"\n')
    file.chmod(0o600)
    command = [sys.executable, "-c", CURATE, "--no-browser"]
    command += ["--access", str(file)] if way == "flag" else []
    done = subprocess.run(
        command, capture_output=True, text=True, timeout=60,
        env=os.environ | {"CURATION_ACCESS": str(file), "PYTHONPATH": str(ROOT)},
    )  # fmt: skip
    assert done.returncode == 2 and "either [oidc] or [proxy]" in done.stderr
