"""A provider of OpenID Connect on a port of this machine: who signs in, and how, is up to a test.

It does what a real one does: it shows a page where a person chooses who they are, hands out a code
for one use, and exchanges it for a token signed with its own key, which it publishes.
"""

from __future__ import annotations

import base64
import hashlib
import secrets
import threading
import time
from html import escape
from typing import Any
from urllib.parse import urlencode

import uvicorn
from joserfc import jwt
from joserfc.jwk import RSAKey
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse, Response
from starlette.routing import Route

from devtools.serving import find_port

CLIENT_ID, CLIENT_SECRET = "curation", "the-secret-of-this-client-0123456789"


class Provider:
    """A provider and its people; use it in a `with`."""

    def __init__(self, *people: str) -> None:
        self.people = people
        self.lifetime = 3600.0  # seconds that a sign-in lasts
        self.more: dict[str, Any] = {}  # further claims
        self.port = find_port()
        self.url = f"http://localhost:{self.port}"
        self._key = RSAKey.generate_key(2048, {"kid": "one"})
        self._codes: dict[str, dict[str, str]] = {}

    def __enter__(self) -> Provider:
        routes = [
            Route("/.well-known/openid-configuration", self._describe),
            Route("/authorize", self._ask),
            Route("/choose", self._choose),
            Route("/token", self._exchange, methods=["POST"]),
            Route("/keys", self._publish),
        ]
        app = Starlette(routes=routes)
        options = uvicorn.Config(app, host="127.0.0.1", port=self.port, log_level="error")
        self._server = uvicorn.Server(options)
        self._thread = threading.Thread(target=self._server.run, daemon=True)
        self._thread.start()
        deadline = time.monotonic() + 20
        while not self._server.started and time.monotonic() < deadline:
            time.sleep(0.02)
        return self

    def __exit__(self, *_: object) -> None:
        self._server.should_exit = True
        self._thread.join(10)

    async def _describe(self, request: Request) -> Response:
        return JSONResponse(
            {
                "issuer": self.url,
                "authorization_endpoint": f"{self.url}/authorize",
                "token_endpoint": f"{self.url}/token",
                "jwks_uri": f"{self.url}/keys",
                "code_challenge_methods_supported": ["S256"],
                "id_token_signing_alg_values_supported": ["RS256"],
            }
        )

    async def _ask(self, request: Request) -> Response:
        asked = dict(request.query_params)
        if asked.get("client_id") != CLIENT_ID or asked.get("response_type") != "code":
            return Response("unknown client", 400)
        buttons = "".join(
            f'<p><a href="/choose?{escape(urlencode({**asked, "who": who}))}">{escape(who)}</a></p>'
            for who in self.people
        )
        return HTMLResponse(f"<h1>Who are you?</h1>{buttons}")

    async def _choose(self, request: Request) -> Response:
        asked = dict(request.query_params)
        code = secrets.token_urlsafe()
        self._codes[code] = asked
        query = urlencode({"code": code, "state": asked["state"]})
        return RedirectResponse(f"{asked['redirect_uri']}?{query}", 303)

    async def _exchange(self, request: Request) -> Response:
        form = await request.form()
        asked = self._codes.pop(str(form.get("code")), None)
        given = base64.b64encode(f"{CLIENT_ID}:{CLIENT_SECRET}".encode()).decode()
        if asked is None or request.headers.get("authorization") != f"Basic {given}":
            return JSONResponse({"error": "invalid_grant"}, 400)
        digest = hashlib.sha256(str(form.get("code_verifier")).encode()).digest()
        if base64.urlsafe_b64encode(digest).rstrip(b"=").decode() != asked["code_challenge"]:
            return JSONResponse({"error": "invalid_grant"}, 400)
        now = int(time.time())
        claims = {
            "iss": self.url, "aud": CLIENT_ID, "sub": asked["who"], "email": asked["who"],
            "email_verified": True, "nonce": asked["nonce"], "iat": now,
            "exp": now + self.lifetime, **self.more,
        }  # fmt: skip
        token = jwt.encode({"alg": "RS256", "kid": "one"}, claims, self._key)
        return JSONResponse(
            {"access_token": "x", "token_type": "Bearer", "id_token": token, "expires_in": 3600}
        )

    async def _publish(self, request: Request) -> Response:
        return JSONResponse({"keys": [self._key.as_dict(private=False)]})
