"""deploy/nginx.conf and deploy/Caddyfile, by the real programs, in front of two real dashboards.

Skipped where they are not installed (apt-get install nginx-light caddy).
"""

from __future__ import annotations

import base64
import http.client
import os
import shutil
import ssl
import subprocess
import time
from types import SimpleNamespace

import pytest

from devtools.serving import ROOT, find_port
from tests.deploy.conftest import SECRET, wait_for

DEPLOY = ROOT / "deploy"
PASSWORD = "only for this test"
TRUSTING = ssl._create_unverified_context()  # the certificate is made for the occasion


def find_program(name):
    found = shutil.which(name, path=f"{os.environ['PATH']}:/usr/sbin:/sbin")
    if found is None:
        pytest.skip(f"{name} is not installed (apt-get install {name})")
    return found


class Proxy:
    """A proxy in a process of its own."""

    def __init__(self, folder, command, **variables):
        self.log = folder / "proxy.log"
        with self.log.open("wb") as log:
            self.process = subprocess.Popen(
                command, cwd=folder, stdout=log, stderr=subprocess.STDOUT,
                env=os.environ | variables,
            )  # fmt: skip

    def wait(self):
        address = f"https://localhost:{self.port}/curation/_stcore/health"
        wait_for(address, self.process, self.log, context=TRUSTING)
        return self

    def ask(self, path="/curation/", user="ana", method="GET", body=None, **headers):
        """Return an answer to a person who signed in; its cookie is `answer.cookie`."""
        connection = http.client.HTTPSConnection(
            "localhost", self.port, timeout=20, context=TRUSTING
        )
        given = {name.replace("_", "-"): value for name, value in headers.items()}
        if user:
            said = base64.b64encode(f"{user}:{PASSWORD}".encode()).decode()
            given["Authorization"] = f"Basic {said}"
        connection.request(method, path, body, headers=given)
        answer = connection.getresponse()
        answer.text = "" if answer.status == 101 else answer.read().decode()
        cookies = answer.headers.get_all("Set-Cookie", [])
        ours = [each for each in cookies if each.startswith("curation_route=")]
        answer.cookie = ours[0].partition(";")[0] if ours else None
        connection.close()
        return answer

    def read_hosts(self, of, count=0):
        """Return whom nginx asked for one cookie ("-": none), once it has noted so many."""
        while True:
            lines = [line.split(" ") for line in self.hosts.read_text().splitlines()]
            found = [host for cookie, host in lines if cookie == of]
            if len(found) >= count:
                return found
            time.sleep(0.05)

    def stop(self):
        self.process.terminate()
        self.process.wait(15)


def start_nginx(folder, dashboards):
    program, port = find_program("nginx"), find_port()
    key, certificate = folder / "key.pem", folder / "certificate.pem"
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "1"]
        + ["-subj", "/CN=localhost", "-keyout", key, "-out", certificate],
        check=True, capture_output=True,
    )  # fmt: skip
    users = folder / "users"
    users.write_text("".join(f"{name}:{{PLAIN}}{PASSWORD}\n" for name in ("ana", "eve")))
    text = (DEPLOY / "nginx.conf").read_text()
    for old, new in (
        ("listen 443 ssl", f"listen 127.0.0.1:{port} ssl"),
        ("server_name curation.example.org", "server_name localhost"),
        ("/etc/ssl/curation.pem", str(certificate)),
        ("/etc/ssl/curation.key", str(key)),
        ("/etc/nginx/curation.users", str(users)),
        ("127.0.0.1:8501", f"127.0.0.1:{dashboards[0].port}"),
        ("127.0.0.1:8502", f"127.0.0.1:{dashboards[1].port}"),
        ("CHANGE-this-is-the-secret-of-the-access-file", SECRET),
    ):
        assert old in text, old
        text = text.replace(old, new)
    (folder / "site.conf").write_text(text)
    temporary = "".join(
        f"{each}_temp_path {folder}/{each};"
        for each in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    (folder / "nginx.conf").write_text(
        ("user root;\n" if os.geteuid() == 0 else "")
        + f"pid {folder}/pid; error_log {folder}/errors;\n"
        "events {} http { log_format hosts '$cookie_curation_route $upstream_addr';\n"
        f"access_log {folder}/hosts hosts; {temporary} include {folder}/site.conf; }}\n"
    )
    command = [program, "-p", str(folder), "-c", str(folder / "nginx.conf"), "-g", "daemon off;"]
    proxy = Proxy(folder, command)
    proxy.port, proxy.hosts = port, folder / "hosts"
    return proxy


def start_caddy(folder, dashboards):
    program, port = find_program("caddy"), find_port()
    hashed = subprocess.run(
        [program, "hash-password", "--plaintext", PASSWORD],
        capture_output=True, text=True, check=True,
    ).stdout  # fmt: skip
    users = folder / "users"
    users.write_text("".join(f"{name} {hashed}" for name in ("ana", "eve")))
    options = (
        "{\n\tadmin off\n\tlocal_certs\n\tskip_install_trust\n\tauto_https disable_redirects\n"
    )
    options += f"\tstorage file_system {folder}/storage\n}}\n"
    (folder / "Caddyfile").write_text(options + (DEPLOY / "Caddyfile").read_text())
    proxy = Proxy(
        folder,
        [program, "run", "--config", str(folder / "Caddyfile"), "--adapter", "caddyfile"],
        SITE=f"https://localhost:{port}",
        DASHBOARDS=" ".join(f"127.0.0.1:{each.port}" for each in dashboards),
        USERS=str(users),
        PROXY_SECRET=SECRET,
        ROUTE_SECRET="another",
        HOME=str(folder),
    )
    proxy.port, proxy.hosts = port, None
    return proxy


@pytest.fixture(scope="module", params=[start_nginx, start_caddy], ids=["nginx", "caddy"])
def proxy(request, dashboards, tmp_path_factory):
    started = request.param(tmp_path_factory.mktemp("proxy"), dashboards)
    yield started.wait()
    started.stop()


@pytest.fixture(params=[start_nginx, start_caddy], ids=["nginx", "caddy"])
def start_one(request):
    return request.param


def test_only_who_signs_in_and_has_a_role_comes_in(proxy):
    assert proxy.ask(user=None).status == 401
    assert proxy.ask().status == 200
    assert proxy.ask(user="eve").status == 403
    assert proxy.ask(user="eve", X_Forwarded_User="ana").status == 403, "the header is replaced"
    assert proxy.ask(user="eve", X_Forwarded_Groups="admins").status == 403


def test_the_dashboard_is_served_below_its_path(proxy):
    assert proxy.ask("/curation/_stcore/health").text == "ok"
    moved = proxy.ask("/curation")
    assert moved.status in (301, 302) and moved.headers["Location"].endswith("/curation/")
    assert '<base href="/curation/' in (page := proxy.ask().text) or "./static/" in page
    assert proxy.ask("/", user=None).status in (200, 404)  # nothing of ours
    assert "streamlit" not in proxy.ask("/", user=None).text.lower()


def test_a_page_gets_its_websocket(proxy):
    wanted = {"Connection": "Upgrade", "Upgrade": "websocket", "Sec_WebSocket_Version": "13"}
    wanted["Sec_WebSocket_Key"] = base64.b64encode(b"0123456789abcdef").decode()
    own = f"https://localhost:{proxy.port}"
    assert proxy.ask("/curation/_stcore/stream", Origin=own, **wanted).status == 101
    assert proxy.ask("/curation/_stcore/stream", Origin="https://evil", **wanted).status == 403


def test_a_request_that_is_too_large_is_refused_before_it_is_sent(proxy):
    if proxy.hosts is None:
        pytest.skip("Caddy counts what arrives; the dashboard has a limit of its own")
    large = {"Content_Length": str(201 * 2**20)}
    assert proxy.ask("/curation/_stcore/upload_file/a/b", method="PUT", **large).status == 413


def test_a_browser_stays_with_one_dashboard(proxy, dashboards):
    cookies = {proxy.ask("/curation/_stcore/health").cookie for _ in range(12)}
    assert None not in cookies
    cookie = sorted(cookies)[0]
    assert all(
        proxy.ask("/curation/_stcore/health", Cookie=cookie).cookie in (None, cookie)
        for _ in range(4)
    )
    if proxy.hosts:  # nginx notes whom it asked
        asked = proxy.read_hosts(of=cookie.partition("=")[2], count=4)
        both = {f"127.0.0.1:{each.port}" for each in dashboards}
        assert len(set(asked)) == 1 and set(proxy.read_hosts(of="-")) - {"-"} == both
    else:  # Caddy's cookie names the dashboard
        assert len(cookies) == 2


def test_a_dashboard_that_is_down_is_passed_over(tmp_path, dashboards, start_one):
    """Two names for one dashboard would prove nothing: the second is a port nobody listens on."""
    gone = SimpleNamespace(port=find_port())
    proxy = start_one(tmp_path, [dashboards[0], gone]).wait()
    try:
        for _ in range(8):
            assert proxy.ask("/curation/_stcore/health").text == "ok"
    finally:
        proxy.stop()
