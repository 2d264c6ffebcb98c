"""Which requests pass the guard; tests/cli/test_safety.py asks a real server."""

from __future__ import annotations

import pytest

from curation.ui.server import guard


@pytest.fixture(autouse=True)
def names(monkeypatch):
    monkeypatch.setattr(guard, "allowed_hosts", lambda: {"localhost", "127.0.0.1", "::1"})


@pytest.mark.parametrize(
    "host, origin",
    [
        ("localhost:8501", None),
        ("localhost:8501", "http://localhost:8501"),
        ("LOCALHOST:8501", "http://localhost:8501"),
        ("[::1]:8501", "http://[::1]:8501"),
        ("127.0.0.1:9000", "http://127.0.0.1:9000"),  # another port, through an ssh tunnel
    ],
)
def test_own_pages_are_answered(host, origin):
    assert guard.is_own(host, origin)


@pytest.mark.parametrize(
    "host, origin",
    [
        (None, None),
        ("", None),
        ("evil.example", None),
        ("localhost.evil.example:8501", None),
        ("localhost:8501,evil.example", None),
        ("localhost:8501", "null"),
        ("localhost:8501", ""),
        ("localhost:8501", "http://localhost"),
        ("localhost:8501", "http://localhost:9999"),
        ("localhost:8501", "http://0.0.0.0:8501"),
        ("localhost:8501", "http://localhost:8501@evil.example"),
        ("localhost:8501", "http://[broken"),
        ("[broken", None),
    ],
)
def test_all_others_are_refused(host, origin):
    assert not guard.is_own(host, origin)


def send_through(scope):
    """Return what the guard sent, and whether the app was asked."""
    asked, sent = [], []

    async def app(scope, receive, send):
        asked.append(scope)
        await send({"type": "http.response.start", "headers": [(b"X-Frame-Options", b"ALLOW")]})

    async def send(message):
        sent.append(message)

    with pytest.raises(StopIteration):  # nothing waits, so no event loop is needed
        guard.Guard(app)(scope, None, send).send(None)
    return sent, bool(asked)


def test_foreign_websocket_is_closed_before_the_app_hears_of_it():
    headers = [(b"host", b"localhost:1"), (b"origin", b"http://evil.example")]
    sent, asked = send_through({"type": "websocket", "headers": headers})
    assert not asked and sent == [{"type": "websocket.close", "code": 1008}]


def test_repeated_host_is_refused():
    headers = [(b"host", b"localhost"), (b"host", b"evil.example")]
    sent, asked = send_through({"type": "http", "headers": headers})
    assert not asked and sent[0]["status"] == 403


def test_headers_against_framing_replace_those_of_the_app():
    sent, _ = send_through({"type": "http", "headers": [(b"host", b"localhost")]})
    assert sent[0]["headers"] == guard.HEADERS
