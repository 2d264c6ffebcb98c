"""A header names a user only if the declared proxy sent it (FAULTS 61)."""

from __future__ import annotations

from ipaddress import ip_network

import pytest
from starlette.websockets import WebSocketDisconnect

from curation.errors import InputError
from curation.roles import Role
from curation.ui.server import trusted_proxy
from curation.ui.server.access_file import Access, Proxy
from curation.ui.server.trusted_proxy import TrustedProxy

USER, GROUPS, SECRET = "X-Forwarded-Email", "X-Forwarded-Groups", "s" * 32
ROLES = {"ana@example.org": Role.ADMIN, "group:labellers": Role.CURATOR}


def make(*addresses, secret=None, default=None):
    settings = Proxy(tuple(map(ip_network, addresses)), USER, GROUPS, secret)
    access = Access("https://curation.example.org", settings, roles=ROLES, default_role=default)
    return TrustedProxy(access, settings)


def test_the_proxy_names_who_asks_and_their_groups(visit):
    client = visit(make("192.0.2.0/24"))
    asked = client.get("/", headers={USER: "Ana@Example.org"})
    assert asked.json() == {"role": "admin", "name": "Ana@Example.org", "same": True}
    asked = client.get("/", headers={USER: "ben@example.org", GROUPS: "others, labellers"})
    assert asked.json()["role"] == "curator"


@pytest.mark.fault(61, "HOLDS")
def test_a_header_from_anywhere_else_is_refused_and_logged(visit, caplog):
    client = visit(make("192.0.2.7"), peer="192.0.2.8")
    answer = client.get("/Review", headers={USER: "ana@example.org"})
    assert answer.status_code == 403 and "https://curation.example.org" in answer.text
    assert "a request that names a user from 192.0.2.8, which is not the proxy" in caplog.text
    with (
        pytest.raises(WebSocketDisconnect),
        client.websocket_connect("/_stcore/stream", headers={USER: "ana@example.org"}),
    ):
        raise AssertionError("it was let in")


@pytest.mark.parametrize(
    "headers", [{}, {USER: " "}, [(USER, "ana@example.org"), (USER, "ben@example.org")]]
)
def test_nobody_or_several_people_are_refused(visit, headers):
    assert visit(make("192.0.2.1", default=Role.ADMIN)).get("/", headers=headers).status_code == 403


def test_the_secret_must_be_right_if_there_is_one(visit, caplog):
    client = visit(make("192.0.2.1", secret=SECRET))
    named = {USER: "ana@example.org"}
    assert client.get("/", headers=named).status_code == 403
    assert client.get("/", headers={**named, "X-Curation-Proxy-Secret": "x"}).status_code == 403
    assert SECRET not in caplog.text
    assert client.get("/", headers={**named, "X-Curation-Proxy-Secret": SECRET}).status_code == 200


def test_somebody_without_a_role_is_told_so(visit, caplog):
    answer = visit(make("192.0.2.1")).get("/", headers={USER: "eve@example.org"})
    assert answer.status_code == 403
    assert "eve@example.org" in answer.text and "Ask an admin" in answer.text
    assert "refused 'eve@example.org' at 192.0.2.1: '/': they have no role" in caplog.text


def test_nobody_gets_the_role_of_a_group_by_being_called_like_it(visit):
    answer = visit(make("192.0.2.1")).get("/", headers={USER: "group:labellers"})
    assert answer.status_code == 403


def test_a_proxy_that_connects_over_ipv6_to_an_ipv4_address_is_known(visit):
    client = visit(make("192.0.2.1"), peer="::ffff:192.0.2.1")
    assert client.get("/", headers={USER: "ana@example.org"}).status_code == 200


@pytest.mark.parametrize("value", [None, "127.0.0.1", "*"])
def test_it_does_not_start_where_a_header_could_change_the_senders_address(monkeypatch, value):
    if value is None:
        monkeypatch.delenv(trusted_proxy.FORWARDED_VARIABLE, raising=False)
    else:
        monkeypatch.setenv(trusted_proxy.FORWARDED_VARIABLE, value)
    with pytest.raises(InputError, match="must not be taken from its headers"):
        trusted_proxy.check_forwarding()
    monkeypatch.setenv(trusted_proxy.FORWARDED_VARIABLE, "")
    trusted_proxy.check_forwarding()
