"""The link that lets one browser in: its token, its cookie, and where it leads."""

from __future__ import annotations

import base64

import numpy as np
import pytest
from starlette.websockets import WebSocketDisconnect

from curation.ui.server import launch_link
from curation.ui.server.launch_link import COOKIE_SECONDS, LaunchLink


@pytest.fixture
def link():
    return LaunchLink(lambda: 8501)


def test_the_link_leads_to_the_same_page_without_the_token(link, visit):
    answer = visit(link).get(f"/Review?data=%2Fa%20b&token={link.token}&at=3")
    assert answer.status_code == 303
    assert answer.headers["location"] == "./Review?data=%2Fa%20b&at=3"
    assert visit(link).get(f"/?token={link.token}").headers["location"] == "./"


def test_the_cookie_is_kept_from_scripts_and_other_sites(link, visit):
    cookie = visit(link).get(f"/?token={link.token}").headers["set-cookie"]
    assert "HttpOnly" in cookie and "SameSite=strict" in cookie and "Path=/" in cookie
    assert link.token not in cookie and "Max-Age" not in cookie  # it ends with the browser


def test_the_cookie_lets_the_owner_in(link, visit):
    client = visit(link)
    client.get(f"/?token={link.token}")
    assert client.get("/Noise").json() == {"role": "admin", "name": None, "same": True}
    cookie = {"cookie": f"{link.cookie_name}={link.make_cookie()}"}
    with client.websocket_connect("/_stcore/stream", headers=cookie) as socket:
        socket.send_text("hello")
        assert socket.receive_text() == "HELLO"


def test_nothing_passes_without_it(link, visit):
    client = visit(link)
    for path in ("/", "/media/x.png", "/component/x/y.js", "/sign-in", "/auth/login"):
        answer = client.get(path, headers={"x-curation-visitor": "forged"})
        assert answer.status_code == 403 and "role" not in answer.text
    with pytest.raises(WebSocketDisconnect), client.websocket_connect("/_stcore/stream"):
        raise AssertionError("it was let in")
    assert client.get("/_stcore/health").json()["role"] is None


def test_a_cookie_outlives_the_server_but_its_token_does_not(link, visit):
    restarted = LaunchLink(lambda: 8501)
    client = visit(restarted)
    client.cookies.set(link.cookie_name, link.make_cookie())
    assert client.get("/").status_code == 200
    assert visit(restarted).get(f"/?token={link.token}").status_code == 403
    assert client.get(f"/Noise?token={link.token}").headers["location"] == "./Noise"  # an old tab


def test_two_servers_on_one_machine_have_cookies_of_their_own(link, visit):
    other = LaunchLink(lambda: 8502)
    assert other.cookie_name != link.cookie_name
    assert not other.accepts_cookie(link.make_cookie())


def test_an_old_cookie_is_refused(link, monkeypatch):
    cookie = link.make_cookie()
    now = launch_link.time.time()
    monkeypatch.setattr(launch_link.time, "time", lambda: now + COOKIE_SECONDS + 1)
    assert not link.accepts_cookie(cookie)


@pytest.mark.fault(62, "HOLDS")
@pytest.mark.parametrize("value", ["", ".", "1", "1.", "x.y", "9" * 5000, "1.\x00", "-1.0"])
def test_a_forged_cookie_is_refused(link, value):
    assert not link.accepts_cookie(value)


def test_another_key_signs_other_cookies(link, monkeypatch):
    from curation.ui.server import private_key

    cookie = link.make_cookie()
    monkeypatch.setattr(private_key, "find_key", lambda: b"another")
    assert not link.accepts_cookie(cookie)


@pytest.mark.fault(62, "HOLDS")
def test_the_token_is_192_random_bits_and_new_at_each_start():
    tokens = [LaunchLink(lambda: 8501).token for _ in range(200)]
    assert len(set(tokens)) == 200
    raw = np.array([list(base64.urlsafe_b64decode(token)) for token in tokens], np.uint8)
    assert raw.shape == (200, 24)  # 24 bytes are 192 bits
    ones = np.unpackbits(raw, axis=1).mean(axis=0)
    assert (abs(ones - 0.5) < 0.25).all()  # no bit is always the same: 7 standard deviations


@pytest.mark.fault(62, "HOLDS")
def test_guesses_let_nobody_in_and_do_not_lock_the_owner_out(link, visit):
    near = [link.token[:-1], link.token + "A", link.token.swapcase(), link.token[::-1], "", "admin"]
    guesses = [*near, *(LaunchLink(lambda: 8501).token for _ in range(100))]
    client = visit(link)
    for guess in guesses:
        answer = client.get("/", params={"token": guess})
        assert answer.status_code == 403 and "set-cookie" not in answer.headers
    assert client.get("/", params={"token": link.token}).status_code == 303


@pytest.mark.fault(62, "HOLDS")
def test_the_token_is_compared_in_constant_time(link, visit, monkeypatch):
    compared = []
    real = launch_link.hmac.compare_digest
    monkeypatch.setattr(
        launch_link.hmac, "compare_digest", lambda *given: compared.append(given) or real(*given)
    )
    visit(link).get("/?token=wrong")
    assert (b"wrong", link.token.encode()) in compared


def test_from_another_sites_page_a_page_of_our_own_leads_on(link, visit):
    answer = visit(link).get(
        f"/Noise?a=1&token={link.token}", headers={"sec-fetch-site": "cross-site"}
    )
    assert answer.status_code == 200 and "set-cookie" in answer.headers
    assert '<meta http-equiv="refresh" content="0;url=./Noise?a=1">' in answer.text
    assert link.token not in answer.text


def test_below_a_path_the_cookie_belongs_to_that_path(link, visit, settings):
    settings["server.baseUrlPath"] = "/tools/curation/"
    answer = visit(link).get(f"/tools/curation/Noise?token={link.token}")
    assert "Path=/tools/curation;" in answer.headers["set-cookie"]
    assert answer.headers["location"] == "./Noise"
    assert visit(link).get("/tools/curation/_stcore/health").status_code == 200


def test_the_page_that_asks_for_the_token_shows_a_link_literally(link, visit):
    page = visit(link).get("/?data=%22%3E%3Cscript%3Ealert(1)%3C%2Fscript%3E").text
    assert "<script>" not in page and "&lt;script&gt;alert(1)" in page
