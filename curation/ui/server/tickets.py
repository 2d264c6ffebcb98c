"""How a page learns who its visitor is: a ticket in a header that only the gate can write.

The gate removes any such header that comes from outside. A page that was started without the gate
finds no valid ticket, and shows nothing. Routes that answer by HTTP find the visitor in the request
(`actor_of`), and a store that they write to finds it by itself.
"""

from __future__ import annotations

import json
import math
from base64 import urlsafe_b64decode, urlsafe_b64encode
from contextvars import ContextVar
from typing import Any

from starlette.requests import HTTPConnection

from curation.roles import NOBODY, Actor, Role
from curation.ui.server.private_key import is_signed, sign

HEADER = "x-curation-visitor"
SCOPE_KEY = "curation.actor"  # in the scope of a request that the gate let in
PURPOSE = "visitor"

# who asks, while a request by HTTP is answered; pages ask their session instead
asking: ContextVar[Actor] = ContextVar("asking", default=NOBODY)


def actor_of(request: HTTPConnection) -> Actor:
    """Return who sent a request; nobody if it did not pass the gate."""
    actor: Actor = request.scope.get(SCOPE_KEY, NOBODY)
    return actor


def issue(actor: Actor) -> str:
    """Return the ticket of a visitor."""
    expires = None if actor.expires == math.inf else actor.expires
    words = json.dumps([actor.role, actor.name, expires]).encode()
    text = urlsafe_b64encode(words).decode()
    return f"{text}.{sign(PURPOSE, text)}"


def read(ticket: str | None) -> Actor | None:
    """Return the visitor of a ticket; None if it was not issued here."""
    text, _, signature = (ticket or "").partition(".")
    if not text or not is_signed(PURPOSE, text, signature):
        return None
    role, name, expires = json.loads(urlsafe_b64decode(text))
    return Actor(Role(role) if role else None, name, math.inf if expires is None else expires)


def replace_header(scope: Any, ticket: str | None) -> dict[str, Any]:
    """Return a scope whose only ticket is this one."""
    name = HEADER.encode()
    headers = [pair for pair in scope["headers"] if pair[0].lower() != name]
    headers += [(name, ticket.encode())] if ticket else []
    return {**scope, "headers": headers}
