"""Who a page's visitor is: from the ticket, and never from a session that nobody let in."""

from __future__ import annotations

import pytest

from curation.roles import NOBODY, OWNER, Actor, Role
from curation.ui.server import tickets
from curation.ui.shell import visitor

BEN = Actor(Role.CURATOR, "ben")


@pytest.fixture
def session(monkeypatch):
    """A page that runs: its session, and the ticket of its connection."""
    held = {"ticket": None}
    monkeypatch.setattr(visitor, "get_script_run_ctx", lambda **_: object())
    monkeypatch.setattr(visitor, "find_ticket", lambda: held["ticket"])
    monkeypatch.setattr(visitor.st, "session_state", held)
    return held


def test_the_ticket_says_who_it_is(session):
    assert visitor.current_actor() == NOBODY
    session["ticket"] = tickets.issue(BEN)
    assert visitor.current_actor() == BEN


def test_what_a_tab_sent_before_it_was_closed_is_still_theirs(session):
    session["ticket"] = tickets.issue(BEN)
    visitor.current_actor()
    session["ticket"] = None  # the connection is gone
    assert visitor.current_actor() == BEN


def test_somebody_else_on_the_same_connection_takes_over(session):
    session["ticket"] = tickets.issue(OWNER)
    visitor.current_actor()
    session["ticket"] = tickets.issue(BEN)
    assert visitor.current_actor() == BEN


def test_a_request_by_http_says_who_asks_without_a_page():
    before = tickets.asking.set(BEN)
    assert visitor.current_actor() == BEN
    tickets.asking.reset(before)
    assert visitor.current_actor() == NOBODY
