"""Checks every request before Streamlit sees it: its Host, its Origin, and who may frame it.

A page of another site can send requests to a server on this machine. A browser says truthfully in
which page a request began (Origin) and which name was asked for (Host), so both are compared with
what this server is called. Streamlit's own check lets more names through, and asks an outside
address for its own name while everybody waits.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Awaitable, Callable, MutableMapping, Sequence
from typing import Any
from urllib.parse import urlsplit

import streamlit as st

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]

HOST = re.compile(r"(?P<name>\[[0-9a-f:.]+\]|[a-z0-9.-]+)(:[0-9]+)?")
POLICY_VIOLATION = 1008  # the code that closes a websocket
POLICY, FRAME_OPTIONS = b"content-security-policy", b"x-frame-options"
HEADERS = [
    (POLICY, b"frame-ancestors 'none'"),
    (FRAME_OPTIONS, b"DENY"),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),  # a link names the dataset's path
]

_log = logging.getLogger("curation.access")


class Guard:
    """Answers 403 to requests that did not begin in a page of this server."""

    def __init__(self, app: App, framed_by: Sequence[str] = ()) -> None:
        self.app = app
        self.headers = make_headers(framed_by)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
        elif not is_own(_header(scope, b"host"), _header(scope, b"origin")):
            await _refuse(scope, send)
        else:
            await self.app(scope, receive, _add_headers(send, self.headers))


def make_headers(framed_by: Sequence[str]) -> list[tuple[bytes, bytes]]:
    """Return the headers of every answer; only pages of these origins may show it in a frame.

    >>> make_headers(["http://localhost:8888"])[0]
    (b'content-security-policy', b'frame-ancestors http://localhost:8888')
    """
    if not framed_by:
        return HEADERS
    # the older header knows no origins, and would forbid what the policy allows
    others = [pair for pair in HEADERS if pair[0] not in (POLICY, FRAME_OPTIONS)]
    return [(POLICY, f"frame-ancestors {' '.join(framed_by)}".encode()), *others]


def is_own(host: str | None, origin: str | None) -> bool:
    """Return whether a request names this server, and began in one of its pages or in none.

    >>> is_own("localhost:8501", "http://localhost:8501"), is_own("localhost:8501", None)
    (True, True)
    >>> is_own("localhost:8501", "http://localhost:9999"), is_own("evil.example", None)
    (False, False)
    """
    match = HOST.fullmatch((host or "").lower())
    if match is None or match["name"].strip("[]") not in allowed_hosts():
        return False
    return origin is None or _netloc(origin) == match[0]


def allowed_hosts() -> set[str]:
    """Return the names that this server answers to."""
    return {str(each).strip("[]").lower() for each in st.get_option("server.allowedHosts")}


def _netloc(address: str) -> str | None:
    try:
        return urlsplit(address).netloc.lower()
    except ValueError:
        return None


def _header(scope: Scope, name: bytes) -> str | None:
    """Return the value of a header; several values are joined, and so match nothing."""
    found = [value.decode("latin-1") for key, value in scope["headers"] if key.lower() == name]
    return ",".join(found) if found else None


async def _refuse(scope: Scope, send: Send) -> None:
    host, origin = _header(scope, b"host"), _header(scope, b"origin")
    _log.warning("refused a request for the host %.200r from a page of %.200r", host, origin)
    if scope["type"] == "websocket":
        await send({"type": "websocket.close", "code": POLICY_VIOLATION})
        return
    headers = [(b"content-type", b"text/plain; charset=utf-8"), *HEADERS]
    await send({"type": "http.response.start", "status": 403, "headers": headers})
    await send({"type": "http.response.body", "body": b"This address is not served here.\n"})


def _add_headers(send: Send, headers: Sequence[tuple[bytes, bytes]]) -> Send:
    async def send_with_headers(message: Message) -> None:
        if message["type"] == "http.response.start":
            ours = {name for name, _ in HEADERS}  # Streamlit's own never count
            others = [pair for pair in message.get("headers", []) if pair[0].lower() not in ours]
            message = {**message, "headers": [*others, *headers]}
        await send(message)

    return send_with_headers
