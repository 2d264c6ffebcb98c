"""A team that signs in by OpenID Connect: Streamlit's `st.login` does it, and this checks it.

Streamlit talks to the provider and keeps what it said about a person in a signed cookie. It reads
that cookie once for each page, and never checks when it expires. Here it is read at each request.
"""

from __future__ import annotations

import json
import time
from typing import Any
from urllib.parse import quote, unquote

from starlette.requests import HTTPConnection
from starlette.responses import HTMLResponse, RedirectResponse, Response
from streamlit.auth_util import get_cookie_with_chunks
from streamlit.user_info import generate_login_redirect_url
from streamlit.web.server.starlette.starlette_app_utils import decode_signed_value
from streamlit.web.server.starlette.starlette_server_config import USER_COOKIE_NAME

from curation.roles import Actor
from curation.ui.server import entrance_pages
from curation.ui.server.access_file import Access, Oidc
from curation.ui.server.entrance import Refusal, base_path, cookie_path, refuse_without_role

SIGN_IN = "/sign-in"  # leads to the provider
NEXT = "curation_next"  # the cookie with the page to return to
STREAMLIT_PATHS = ("/auth/login", "/oauth2callback", "/auth/logout")
EXPIRED = "an expired sign-in"
UNVERIFIED = (
    "Your provider has not verified this e-mail address. Verify it there, then sign in again."
)


class OidcSignIn:
    """Lets in whom the provider names, as long as their sign-in lasts."""

    def __init__(self, access: Access, settings: Oidc) -> None:
        self.access = access
        self.settings = settings
        self._ended: dict[str, float] = {}  # sign-ins that were ended by hand, until they expire

    @property
    def secrets(self) -> list[str]:
        """Return what must not be written to the log."""
        return [self.settings.client_secret, self.settings.cookie_secret]

    def make_streamlit_secrets(self) -> dict[str, Any]:
        """Return what `st.login` needs to know."""
        settings = self.settings
        return {
            "auth": {
                "redirect_uri": f"{self.access.public_url}/oauth2callback",
                "cookie_secret": settings.cookie_secret,
                "client_id": settings.client_id,
                "client_secret": settings.client_secret,
                "server_metadata_url": settings.server_metadata_url,
            }
        }

    def identify(self, request: HTTPConnection) -> Actor | Refusal:
        """Return the person in the cookie, unless it is forged or expired."""
        if USER_COOKIE_NAME not in request.cookies:
            return Refusal("they are not signed in")
        claims = self._read_cookie(request)
        if claims is None:
            return Refusal("a forged or unreadable sign-in")
        name = str(claims.get(self.settings.name_claim) or "").strip()
        if not name:
            return Refusal(f"a sign-in without {self.settings.name_claim}")
        if self.settings.name_claim == "email" and claims.get("email_verified") is False:
            return Refusal("their e-mail address is not verified", name, UNVERIFIED)
        expires = self._find_end(claims)
        if time.time() >= expires or _key(claims) in self._ended:
            return Refusal(EXPIRED, name)
        role = self.access.find_role(name, _list_texts(claims.get(self.settings.groups_claim)))
        return Actor(role, name, expires) if role else refuse_without_role(name)

    def answer(self, request: HTTPConnection) -> Response | None:
        """Return the answer to what belongs to signing in; Streamlit's own routes do the rest."""
        path = request.url.path.removeprefix(base_path())
        if path == SIGN_IN:
            return self._lead_to_provider(request)
        if path == "/auth/logout" and USER_COOKIE_NAME in request.cookies:
            self._end(request)
        if path == "/" and NEXT in request.cookies:
            return self._lead_back(request)
        return None

    def is_open(self, request: HTTPConnection) -> bool:
        """Return whether a request is part of signing in, and so comes from nobody yet."""
        return request.url.path.removeprefix(base_path()) in STREAMLIT_PATHS

    def refuse(self, request: HTTPConnection, refusal: Refusal) -> Response:
        """Return the page that offers to sign in, or says that a role is missing."""
        if refusal.who is not None and refusal.reason != EXPIRED:
            sign_out = f"{base_path()}/auth/logout"
            page = entrance_pages.tell_refused(refusal.who, refusal.advice, sign_out)
            return HTMLResponse(page, 403)
        here = request.url.path + (f"?{request.url.query}" if request.url.query else "")
        told = "Your sign-in has expired." if refusal.reason == EXPIRED else None
        address = f"{base_path()}{SIGN_IN}?next={quote(here, safe='')}"
        return HTMLResponse(entrance_pages.offer_sign_in(address, told), 403)

    def _lead_to_provider(self, request: HTTPConnection) -> Response:
        response = RedirectResponse(generate_login_redirect_url("default"), 303)
        wanted = request.query_params.get("next", "")
        if _is_own_path(wanted):
            response.set_cookie(
                NEXT, quote(wanted, safe=""), max_age=600, path=cookie_path(), httponly=True,
                samesite="lax",
            )  # fmt: skip
        return response

    def _lead_back(self, request: HTTPConnection) -> Response | None:
        """Lead to the page that somebody wanted before they signed in; Streamlit leads to /."""
        if isinstance(self.identify(request), Refusal):
            return None
        wanted = unquote(request.cookies[NEXT])
        own = _is_own_path(wanted)
        response = RedirectResponse(wanted if own else f"{base_path()}/", 303)
        response.delete_cookie(NEXT, path=cookie_path())
        return response

    def _read_cookie(self, request: HTTPConnection) -> dict[str, Any] | None:
        def read_one(name: str) -> bytes | None:
            value = request.cookies.get(name, "").encode("latin-1", "replace")
            return decode_signed_value(self.settings.cookie_secret, name, value)

        try:
            claims = json.loads(get_cookie_with_chunks(read_one, USER_COOKIE_NAME) or b"null")
        except ValueError:
            return None
        if not isinstance(claims, dict) or claims.get("is_logged_in") is not True:
            return None
        return claims if claims.get("origin") == self.access.origin else None

    def _find_end(self, claims: dict[str, Any]) -> float:
        """Return when a sign-in ends: when the provider says, or earlier if the file says so."""
        ends, began = claims.get("exp"), claims.get("iat")
        if not isinstance(ends, int | float):
            return 0.0
        if isinstance(began, int | float):
            return min(float(ends), began + self.access.session_seconds)
        return float(ends)

    def _end(self, request: HTTPConnection) -> None:
        """Remember a sign-in that is ended by hand: a copy of its cookie would outlive it."""
        claims = self._read_cookie(request)
        if claims is not None:
            now = time.time()
            self._ended = {each: until for each, until in self._ended.items() if until > now}
            self._ended[_key(claims)] = self._find_end(claims)


def _key(claims: dict[str, Any]) -> str:
    """Return what tells one sign-in from all others."""
    return repr([claims.get(name) for name in ("iss", "sub", "iat", "nonce")])


def _is_own_path(path: str) -> bool:
    """Return whether a path is one of this server's pages, and of no other server.

    >>> _is_own_path("/Review?data=x"), _is_own_path("//evil.example"), _is_own_path("/\\\\evil")
    (True, False, False)
    """
    return (
        path.startswith(f"{base_path()}/")
        and not path.startswith(("//", "/\\"))
        and (path.isprintable())
    )


def _list_texts(value: object) -> list[str]:
    """Return the groups in a claim: a list of texts, or a single text."""
    found = value if isinstance(value, list) else [value]
    return [each for each in found if isinstance(each, str)]
