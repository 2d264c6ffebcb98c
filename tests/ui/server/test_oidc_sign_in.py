"""Who a sign-in lets in: not a forged, foreign or expired one (FAULTS 61).

tests/browser/test_sign_in.py signs in with a real provider.
"""

from __future__ import annotations

import json
import secrets
import time

import pytest
from starlette.websockets import WebSocketDisconnect
from streamlit.auth_util import set_cookie_with_chunks
from streamlit.web.server.starlette.starlette_app_utils import create_signed_value
from streamlit.web.server.starlette.starlette_server_config import USER_COOKIE_NAME

from curation.roles import Role
from curation.ui.server.access_file import Access, Oidc
from curation.ui.server.oidc_sign_in import NEXT, OidcSignIn

SECRET = "k" * 40
ORIGIN = "http://localhost:8501"


@pytest.fixture
def door():
    settings = Oidc("curation", "s" * 40, "https://id.example.org", SECRET)
    roles = {"ana@example.org": Role.ADMIN, "group:labellers": Role.CURATOR}
    return OidcSignIn(Access(ORIGIN, settings, session_seconds=3600, roles=roles), settings)


def sign(secret=SECRET, **changed):
    """Return the cookies that Streamlit sets after a sign-in with these claims."""
    now = int(time.time())
    claims = {"iss": "id", "sub": "1", "email": "ana@example.org", "iat": now, "exp": now + 600}
    claims |= {"origin": ORIGIN, "is_logged_in": True, "provider": "default", **changed}
    cookies = {}

    def seal(name, value):
        return create_signed_value(secret, name, value)

    def keep(name, value):
        cookies[name] = seal(name, value).decode()

    set_cookie_with_chunks(keep, seal, USER_COOKIE_NAME, claims, cookie_attr_size=100)
    return cookies


def ask(client, cookies, path="/"):
    header = "; ".join(f"{name}={value}" for name, value in cookies.items())
    return client.get(path, headers={"cookie": header})


def test_a_sign_in_lets_in_with_its_role(door, visit):
    client = visit(door)
    assert ask(client, sign()).json() == {"role": "admin", "name": "ana@example.org", "same": True}
    member = sign(email="ben@example.org", groups=["others", "labellers"])
    assert ask(client, member).json()["role"] == "curator"


def test_a_sign_in_too_large_for_one_cookie_is_read(door, visit):
    cookies = sign(groups=[secrets.token_hex(12) for _ in range(300)])
    assert len(cookies) > 1
    assert ask(visit(door), cookies).json()["role"] == "admin"


EXPIRED = "ana@example.org' at 192.0.2.1: '/': an expired sign-in"


@pytest.mark.fault(61, "HOLDS")
@pytest.mark.parametrize(
    "changed, logged",
    [
        ({"exp": 1}, EXPIRED),
        ({"exp": None}, EXPIRED),
        ({"exp": "later"}, EXPIRED),
        ({"iat": 1}, EXPIRED),  # older than the access file allows
        ({"secret": "l" * 40}, "a forged or unreadable sign-in"),
        ({"origin": "http://localhost:9999"}, "a forged or unreadable sign-in"),
        ({"is_logged_in": False}, "a forged or unreadable sign-in"),
        ({"email": None}, "a sign-in without email"),
        ({"email_verified": False}, "their e-mail address is not verified"),
        ({"email": "eve@example.org"}, "'eve@example.org' at 192.0.2.1: '/': they have no role"),
    ],
)
def test_all_others_are_refused_and_logged(door, visit, caplog, changed, logged):
    client, cookies = visit(door), sign(**changed)
    answer = ask(client, cookies)
    assert answer.status_code == 403 and logged in caplog.text
    assert not any(value in caplog.text for value in cookies.values())
    header = {"cookie": f"{USER_COOKIE_NAME}={cookies[USER_COOKIE_NAME]}"}
    with (
        pytest.raises(WebSocketDisconnect),
        client.websocket_connect("/_stcore/stream", headers=header),
    ):
        raise AssertionError("it was let in")


@pytest.mark.fault(61, "HOLDS")
@pytest.mark.parametrize("value", ["", "x", "a.b.c", "%E2%98%83", "WyJhIl0.x.y"])
def test_a_cookie_that_nobody_signed_is_refused(door, visit, value):
    assert ask(visit(door), {USER_COOKIE_NAME: value}).status_code == 403


def test_who_is_not_signed_in_is_led_to_the_provider_and_back(door, visit):
    client = visit(door)
    page = client.get("/Review?data=%2Fa&at=3")
    assert page.status_code == 403
    assert 'href="/sign-in?next=%2FReview%3Fdata%3D%252Fa%26at%3D3"' in page.text
    away = client.get("/sign-in?next=%2FReview%3Fdata%3D%252Fa%26at%3D3")
    assert away.status_code == 303 and away.headers["location"] == "/auth/login?default"
    back = ask(client, {**sign(), NEXT: client.cookies[NEXT]})
    assert back.status_code == 303 and back.headers["location"] == "/Review?data=%2Fa&at=3"
    assert "Max-Age=0" in back.headers["set-cookie"]


@pytest.mark.parametrize("wanted", ["//evil.example", "/\\evil.example", "https://evil.example"])
def test_the_way_back_never_leads_to_another_server(door, visit, wanted):
    away = visit(door).get("/sign-in", params={"next": wanted})
    assert "set-cookie" not in away.headers
    back = ask(visit(door), {**sign(), NEXT: wanted.replace("/", "%2F").replace("\\", "%5C")})
    assert back.headers["location"] == "/"


def test_signing_in_and_out_is_left_to_streamlit(door, visit):
    for path in ("/auth/login?provider=x", "/oauth2callback?code=x", "/auth/logout"):
        assert visit(door).get(path).json()["role"] is None


def test_a_copy_of_the_cookie_is_worth_nothing_after_signing_out(door, visit):
    client, cookies, other = visit(door), sign(), sign(sub="2")
    assert ask(client, cookies).status_code == 200
    ask(client, cookies, "/auth/logout")
    assert ask(client, cookies).status_code == 403
    assert ask(client, other).status_code == 200


def test_streamlit_is_told_how_to_sign_in(door):
    told = door.make_streamlit_secrets()["auth"]
    assert told["redirect_uri"] == f"{ORIGIN}/oauth2callback"
    assert json.dumps(told)  # nothing but texts
    assert set(door.secrets) == {told["client_secret"], told["cookie_secret"]}
