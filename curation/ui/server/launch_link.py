"""One person, no sign-in: the link that `curate` prints lets its browser in, as Jupyter's does.

The link carries a token that is new at each start. Opening it gives the browser a cookie, signed
with this user's key, and leads on to the address without the token. The cookie is what counts
from then on, also after the server was started again. It never leaves for other sites (SameSite),
scripts cannot read it (HttpOnly), and its name belongs to this user and port: browsers send the
cookies of one port to all others of a machine.
"""

from __future__ import annotations

import hmac
import secrets
import time
from collections.abc import Callable

from starlette.requests import HTTPConnection
from starlette.responses import HTMLResponse, RedirectResponse, Response

from curation.roles import OWNER, Actor
from curation.ui.server import entrance_pages
from curation.ui.server.entrance import Refusal, clean_address, cookie_path
from curation.ui.server.private_key import is_signed, sign

PARAMETER = "token"
PURPOSE = "launch cookie"
COOKIE_SECONDS = 7 * 24 * 3600  # then the link has to be opened again


class LaunchLink:
    """Lets in whoever has the link, as the owner."""

    def __init__(self, find_port: Callable[[], int]) -> None:
        self.token = secrets.token_urlsafe(24)
        self._find_port = find_port  # it is known only after the server has found a free one

    @property
    def cookie_name(self) -> str:
        return f"curation_{sign('cookie name', str(self._find_port()))[:12]}"

    @property
    def secrets(self) -> list[str]:
        """Return what must not be written to the log."""
        return [self.token]

    def identify(self, request: HTTPConnection) -> Actor | Refusal:
        """Return the owner if the cookie is right."""
        value = request.cookies.get(self.cookie_name)
        if value is None:
            return Refusal("no cookie of this server")
        return OWNER if self.accepts_cookie(value) else Refusal("a cookie that is not valid")

    def answer(self, request: HTTPConnection) -> Response | None:
        """Return the answer to the link with the right token, or with any if it is not needed."""
        given = request.query_params.get(PARAMETER)
        if given is None:
            return None
        if hmac.compare_digest(given.encode(), self.token.encode()):
            return self._let_in(request)
        known = not isinstance(self.identify(request), Refusal)
        return RedirectResponse(clean_address(request, PARAMETER), 303) if known else None

    def is_open(self, request: HTTPConnection) -> bool:
        return False

    def refuse(self, request: HTTPConnection, refusal: Refusal) -> Response:
        """Return the page that asks for the link or its token."""
        wrong = PARAMETER in request.query_params
        page = entrance_pages.ask_for_token(PARAMETER, wrong, request.query_params.multi_items())
        return HTMLResponse(page, 403)

    def make_cookie(self) -> str:
        issued = str(int(time.time()))
        return f"{issued}.{sign(PURPOSE, self.cookie_name + issued)}"

    def accepts_cookie(self, value: str) -> bool:
        issued, _, signature = value.partition(".")
        if not is_signed(PURPOSE, self.cookie_name + issued, signature):
            return False
        return 0 <= time.time() - int(issued) + 60 <= COOKIE_SECONDS  # 60: a clock set back a bit

    def _let_in(self, request: HTTPConnection) -> Response:
        """Set the cookie and lead on to the same page without the token.

        After a click in another site's page, or in the file that opens the browser, a strict
        cookie is not sent along a redirect. It is with a step that a page of our own begins.
        """
        address = clean_address(request, PARAMETER)
        if request.headers.get("sec-fetch-site") == "cross-site":
            response: Response = HTMLResponse(entrance_pages.lead_on(address))
        else:
            response = RedirectResponse(address, 303)
        response.set_cookie(
            self.cookie_name, self.make_cookie(), path=cookie_path(), httponly=True,
            samesite="strict", secure=request.url.scheme == "https",
        )  # fmt: skip
        response.headers["cache-control"] = "no-store"
        return response
