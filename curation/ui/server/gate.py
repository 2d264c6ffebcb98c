"""The gate: nothing is answered before it is known who asks, over HTTP or the websocket.

What passes carries its visitor along: in the request for routes (`tickets.actor_of`), and in a
header for pages. A websocket is closed as soon as its visitor's sign-in has expired.
"""

from __future__ import annotations

import logging
from typing import Any

from starlette.requests import HTTPConnection

from curation.roles import Actor
from curation.ui.server import tickets
from curation.ui.server.entrance import Entrance, Refusal, base_path
from curation.ui.server.guard import POLICY_VIOLATION, App, Message, Receive, Scope, Send

HEALTH = "/_stcore/health"  # says "ok" and nothing else, to whatever watches over the server

_log = logging.getLogger("curation.access")


class Gate:
    """Lets in whom the entrance knows, and shows everybody else how to come in."""

    def __init__(self, app: App, entrance: Entrance, *, secure: bool = False) -> None:
        self.app = app
        self.entrance = entrance
        self.secure = secure  # whether people reach it by https, so that cookies travel only there

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        if self.secure:
            send = _secure_cookies(send)
        request = HTTPConnection(scope)
        plain = tickets.replace_header(scope, None)
        if request.url.path.removeprefix(base_path()) == HEALTH:
            await self.app(plain, receive, send)
        elif scope["type"] == "websocket":
            await self._open_websocket(request, receive, send)
        elif (response := self.entrance.answer(request)) is not None:
            await response(scope, receive, send)
        elif self.entrance.is_open(request):
            await self.app(plain, receive, send)
        else:
            await self._answer(request, receive, send)

    async def _answer(self, request: HTTPConnection, receive: Receive, send: Send) -> None:
        found = self._identify(request)
        if isinstance(found, Refusal):
            await self.entrance.refuse(request, found)(request.scope, receive, send)
            return
        before = tickets.asking.set(found)
        try:
            await self.app(_with_actor(request.scope, found), receive, send)
        finally:
            tickets.asking.reset(before)

    async def _open_websocket(self, request: HTTPConnection, receive: Receive, send: Send) -> None:
        found = self._identify(request)
        if isinstance(found, Refusal):
            await send({"type": "websocket.close", "code": POLICY_VIOLATION})
            return
        line = _Line(found, receive, send)
        await self.app(_with_actor(request.scope, found), line.receive, line.send)

    def _identify(self, request: HTTPConnection) -> Actor | Refusal:
        """Return who asks; a refusal is logged with the page, but not with what its link says."""
        found = self.entrance.identify(request)
        if isinstance(found, Refusal):
            peer = request.client.host if request.client else "nowhere"
            who = repr(found.who) if found.who else "somebody"
            _log.warning("refused %s at %s: %r: %s", who, peer, request.url.path, found.reason)
        return found


class _Line:
    """The websocket of one visitor; it is closed when their sign-in has expired."""

    def __init__(self, actor: Actor, receive: Receive, send: Send) -> None:
        self.actor = actor
        self._receive, self._send = receive, send
        self._closed = False

    async def receive(self) -> Message:
        message = await self._receive()
        if message["type"] == "websocket.receive" and await self._close_if_expired():
            return {"type": "websocket.disconnect", "code": POLICY_VIOLATION}
        return message

    async def send(self, message: Message) -> None:
        if message["type"] != "websocket.send" or not await self._close_if_expired():
            await self._send(message)

    async def _close_if_expired(self) -> bool:
        if self.actor.has_expired and not self._closed:
            self._closed = True
            _log.warning("closed the page of %r: their sign-in has expired", self.actor.name)
            await self._send({"type": "websocket.close", "code": POLICY_VIOLATION})
        return self._closed


def _secure_cookies(send: Send) -> Send:
    """Mark all cookies of an answer as Secure; Streamlit leaves that out."""

    def mark(name: bytes, value: bytes) -> tuple[bytes, bytes]:
        is_open = name.lower() == b"set-cookie" and b"; secure" not in value.lower()
        return name, value + b"; Secure" if is_open else value

    async def send_securely(message: Message) -> None:
        if message["type"] == "http.response.start":
            pairs = [mark(name, value) for name, value in message.get("headers", [])]
            message = {**message, "headers": pairs}
        await send(message)

    return send_securely


def _with_actor(scope: Any, actor: Actor) -> dict[str, Any]:
    return tickets.replace_header(scope, tickets.issue(actor)) | {tickets.SCOPE_KEY: actor}
