"""A small app behind the gate, and a client that asks it."""

from __future__ import annotations

import warnings

import pytest
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.responses import JSONResponse
from starlette.routing import Route, WebSocketRoute

from curation.ui.server import entrance, oidc_sign_in, private_key, tickets
from curation.ui.server.gate import Gate

with warnings.catch_warnings():  # it prefers a successor of httpx, which Authlib does not use yet
    warnings.simplefilter("ignore")
    from starlette.testclient import TestClient


@pytest.fixture(autouse=True)
def settings(monkeypatch):
    """A key of its own for each test, and no path before all addresses unless it is set."""
    base = {"server.baseUrlPath": ""}
    key = private_key.secrets.token_bytes(32)
    monkeypatch.setattr(private_key, "find_key", lambda: key)
    monkeypatch.setattr(entrance.st, "get_option", base.get)
    monkeypatch.setattr(
        oidc_sign_in, "generate_login_redirect_url", lambda provider: f"/auth/login?{provider}"
    )
    return base


async def show(request):
    actor = tickets.actor_of(request)
    told = tickets.read(request.headers.get(tickets.HEADER))
    same = actor == told == tickets.asking.get()
    return JSONResponse({"role": actor.role, "name": actor.name, "same": same})


async def talk(websocket):
    await websocket.accept()
    async for text in websocket.iter_text():
        await websocket.send_text(text.upper())


@pytest.fixture
def visit():
    """Return a client of a small app that an entrance guards: `visit(entrance)`."""

    def make(way, *, peer="192.0.2.1", **options):
        app = Starlette(
            routes=[
                Route("/_stcore/health", show),
                WebSocketRoute("/_stcore/stream", talk),
                Route("/{path:path}", show),
            ],
            middleware=[Middleware(Gate, entrance=way, **options)],
        )
        return TestClient(app, "http://localhost:8501", client=(peer, 5000), follow_redirects=False)

    return make
