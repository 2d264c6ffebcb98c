"""The gate: a sign-in that expires closes the page, and nobody writes their own ticket."""

from __future__ import annotations

import logging
import math

import pytest
from starlette.websockets import WebSocketDisconnect

from curation.roles import NOBODY, OWNER, Actor, Role
from curation.ui.server import gate, tickets
from tests.ui.door import Door


class Clock:
    def __init__(self, monkeypatch):
        self.now = 1000.0
        monkeypatch.setattr("curation.roles.time.time", lambda: self.now)


def test_a_page_is_closed_as_soon_as_the_sign_in_has_expired(visit, monkeypatch, caplog):
    clock = Clock(monkeypatch)
    client = visit(Door(Actor(Role.CURATOR, "ben", expires=1010.0)))
    with client.websocket_connect("/_stcore/stream") as socket:
        socket.send_text("one")
        assert socket.receive_text() == "ONE"
        clock.now = 1010.0
        socket.send_text("two")
        with pytest.raises(WebSocketDisconnect) as closed, caplog.at_level(logging.WARNING):
            socket.receive_text()
    assert closed.value.code == gate.POLICY_VIOLATION
    assert "closed the page of 'ben': their sign-in has expired" in caplog.text


def test_a_ticket_from_outside_is_thrown_away(visit):
    admin = tickets.issue(Actor(Role.ADMIN, "ana"))
    client = visit(Door(Actor(Role.VIEWER, "ben")))
    found = client.get("/", headers={"X-Curation-Visitor": admin}).json()
    assert found == {"role": "viewer", "name": "ben", "same": True}


@pytest.mark.parametrize("actor", [OWNER, NOBODY, Actor(Role.LEAD, "Zoë", 12.5)])
def test_a_ticket_says_who_it_was_issued_to(actor):
    assert tickets.read(tickets.issue(actor)) == actor
    assert tickets.issue(actor).isascii() and math.isinf(OWNER.expires)


@pytest.mark.parametrize("ticket", [None, "", "x", "x.y", ".", "W10=.00"])
def test_a_forged_ticket_is_worth_nothing(ticket):
    assert tickets.read(ticket) is None
    text, _, signature = tickets.issue(NOBODY).partition(".")
    other, _, _ = tickets.issue(OWNER).partition(".")
    assert tickets.read(f"{other}.{signature}") is None


def test_with_https_every_cookie_travels_by_https_only(visit):
    from curation.ui.server.launch_link import LaunchLink

    link = LaunchLink(lambda: 1)
    answer = visit(link, secure=True).get(f"/?token={link.token}")
    assert answer.headers["set-cookie"].endswith("; Secure")
